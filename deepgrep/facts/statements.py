"""Statements -> operations, each under the conditions that it stands under."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from functools import partial

import libcst as cst

from deepgrep.facts.annotations import instance_of, type_operand, type_scope
from deepgrep.facts.bindings import block_bindings, dotted
from deepgrep.facts.definitions import class_definition, function
from deepgrep.facts.expressions import expression, operator, truth
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.narrowing import join, local_variable, narrowings
from deepgrep.facts.operations import (
    NOTHING,
    Import,
    ImportFrom,
    InstanceOf,
    Iterate,
    Raise,
    Return,
    With,
)
from deepgrep.facts.operators import AUGMENTED
from deepgrep.facts.patterns import bind_pattern
from deepgrep.facts.targets import assign, augment, delete

_ENDS = (cst.Return, cst.Raise, cst.Continue, cst.Break)


def block(cx: Lowering, body: cst.BaseSuite | cst.Module) -> None:
    """Lower a block. What follows an `if` that always leaves stands under its opposite."""
    pushed = 0
    with cx.narrowed({}), ExitStack() as rest:
        for statement in body.body:
            _statement(cx, statement)
            if isinstance(statement, cst.If) and statement.orelse is None and _leaves(statement.body):
                test = statement.test
                leaves = cx.tests.always(test)
                if leaves is not None:
                    rest.enter_context(cx.unexecuted() if leaves else nullcontext())
                    continue
                line, scope = cx.at(statement), cx.scope
                text = partial(cx.guards.negated, test)
                cx.guards.push("return", text, line, scope, cx.tests.never(test, False))
                pushed += 1
                cx.narrow(narrowings(cx, test, False))
    cx.guards.pop(pushed)


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether a block never runs to its end."""
    if not body.body:
        return False
    last = body.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        return bool(last.body) and isinstance(last.body[-1], _ENDS)
    if isinstance(last, cst.BaseSmallStatement):
        return isinstance(last, _ENDS)
    if isinstance(last, cst.If):
        return isinstance(last.orelse, cst.Else) and _leaves(last.body) and _leaves(last.orelse.body)
    return False


def _statement(cx: Lowering, node: cst.CSTNode) -> None:
    if isinstance(node, cst.SimpleStatementLine):
        for small in node.body:
            _statement(cx, small)
        return
    lower = _LOWER.get(type(node))
    if lower:
        lower(cx, node)


def _expression(cx: Lowering, node: cst.Expr) -> None:
    if not isinstance(node.value, cst.SimpleString):  # a docstring
        expression(cx, node.value)


def _assign(cx: Lowering, node: cst.Assign) -> None:
    value = expression(cx, node.value)
    for target in node.targets:
        assign(cx, target.target, value, "assign")


def _annotated(cx: Lowering, node: cst.AnnAssign) -> None:
    known = instance_of(cx, node.annotation)
    if node.value is None:
        # A declaration without a value binds nothing, but says what the name will hold.
        with cx.unexecuted():
            assign(cx, node.target, known, "annotation")
        return
    value = expression(cx, node.value)
    assign(cx, node.target, join(cx, (value, known)), "annotated")


def _augmented(cx: Lowering, node: cst.AugAssign) -> None:
    def result(old: int) -> int:
        line = cx.line
        return operator(cx, AUGMENTED[type(node.operator)], old, expression(cx, node.value), line)

    augment(cx, node.target, result)


def _delete(cx: Lowering, node: cst.Del) -> None:
    delete(cx, node.target)


def _return(cx: Lowering, node: cst.Return) -> None:
    line = cx.at(node)
    if node.value is not None:
        value = expression(cx, node.value)
        cx.emit(Return(*cx.place(line), value))


def _raise(cx: Lowering, node: cst.Raise) -> None:
    line = cx.at(node)
    if node.exc is not None:
        value = expression(cx, node.exc)
        cx.emit(Raise(*cx.place(line), value))
    if node.cause is not None:
        expression(cx, node.cause.item)


def _assert(cx: Lowering, node: cst.Assert) -> None:
    line = cx.at(node)
    truth(cx, node.test)
    if node.msg is not None:
        with cx.guards.under("else", lambda: cx.guards.negated(node.test), line, cx.scope):
            expression(cx, node.msg)
    cx.narrow(narrowings(cx, node.test, is_condition=False))


def _import(cx: Lowering, node: cst.Import | cst.LazyImport) -> None:
    for alias in node.names:
        cx.at(alias.name)
        module = dotted(alias.name)
        value = cx.emit(Import(*cx.place(), module, alias.asname is not None))
        if alias.asname is not None:
            assign(cx, alias.asname.name, value, "import")
        else:
            cx.store(module.partition(".")[0], value, "import")


def _import_from(cx: Lowering, node: cst.ImportFrom | cst.LazyImportFrom) -> None:
    module, level = dotted(node.module), len(node.relative)
    if node.module is not None:
        cx.at(node.module)
    if isinstance(node.names, cst.ImportStar):
        cx.emit(ImportFrom(*cx.place(), module, level, "*"))
        return
    for alias in node.names:
        cx.at(alias.name)
        name = dotted(alias.name)
        value = cx.emit(ImportFrom(*cx.place(), module, level, name))
        if alias.asname is not None:
            assign(cx, alias.asname.name, value, "import")
        else:
            cx.store(name, value, "import")


def _if(cx: Lowering, node: cst.If) -> None:
    line = cx.at(node)
    always = cx.tests.always(node.test)
    if always is not None:
        if _has_parts(node.test):  # of which some may run something
            truth(cx, node.test)
        with nullcontext() if always else cx.unexecuted():
            block(cx, node.body)
        with cx.unexecuted() if always else nullcontext():
            _orelse(cx, node.orelse)
        return
    truth(cx, node.test)
    with (
        cx.guards.under("if", lambda: cx.guards.code(node.test), line, cx.scope, cx.tests.never(node.test, True)),
        cx.narrowed(narrowings(cx, node.test)),
    ):
        block(cx, node.body)
    if node.orelse is not None:
        otherwise = cx.tests.never(node.test, False)
        with (
            cx.guards.under("else", lambda: cx.guards.negated(node.test), line, cx.scope, otherwise),
            cx.narrowed(narrowings(cx, node.test, False)),
        ):
            _orelse(cx, node.orelse)


def _has_parts(test: cst.BaseExpression) -> bool:
    while isinstance(test, cst.UnaryOperation):
        test = test.expression
    return isinstance(test, cst.BooleanOperation)


def _orelse(cx: Lowering, orelse: cst.If | cst.Else | None) -> None:
    if isinstance(orelse, cst.If):
        _if(cx, orelse)
    elif orelse is not None:
        block(cx, orelse.body)


def _for(cx: Lowering, node: cst.For) -> None:
    base = expression(cx, node.iter)
    line = cx.at(node.iter)
    element = cx.emit(Iterate(*cx.place(), base, node.asynchronous is not None))
    _enter_loop(cx, node)
    with cx.guards.under("for", lambda: f"for {cx.guards.code(node.target)} in {cx.guards.code(node.iter)}", line):
        assign(cx, node.target, element, "for")
        block(cx, node.body)
    _orelse(cx, node.orelse)


def _while(cx: Lowering, node: cst.While) -> None:
    line = cx.at(node)
    _enter_loop(cx, node)
    truth(cx, node.test)
    always = cx.tests.always(node.test)
    if always is not None:
        with nullcontext() if always else cx.unexecuted():
            block(cx, node.body)
    else:
        with (
            cx.guards.under("while", lambda: f"while {cx.guards.code(node.test)}", line, cx.scope),
            cx.narrowed(narrowings(cx, node.test)),
        ):
            block(cx, node.body)
    _orelse(cx, node.orelse)


def _enter_loop(cx: Lowering, node: cst.For | cst.While) -> None:
    """From its second run on, a loop sees what it has bound itself."""
    if cx.narrows():
        cx.widen(block_bindings(node.body, cx.has_walrus).names)


def _try(cx: Lowering, node: cst.Try | cst.TryStar) -> None:
    block(cx, node.body)
    for handler in node.handlers:
        _handler(cx, handler)
    _orelse(cx, node.orelse)
    if node.finalbody is not None:
        with cx.guards.under("finally", lambda: "finally", cx.at(node.finalbody)):
            block(cx, node.finalbody.body)


def _handler(cx: Lowering, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
    kind = handler.type
    line = cx.at(handler)
    caught = NOTHING if kind is None else expression(cx, kind)
    with cx.guards.under("except", lambda: f"except {cx.guards.code(kind)}" if kind else "except", line):
        if handler.name is not None:
            value = cx.emit(InstanceOf(*cx.place(), caught)) if caught != NOTHING else NOTHING
            assign(cx, handler.name.name, value, "except")
        block(cx, handler.body)


def _with(cx: Lowering, node: cst.With) -> None:
    for item in node.items:
        manager = expression(cx, item.item)
        line = cx.at(item.item)
        value = NOTHING
        if manager != NOTHING:
            value = cx.emit(With(*cx.place(line), manager, node.asynchronous is not None))
        shown = item.item
        cx.guards.push("with", lambda shown=shown: cx.guards.code(shown), line)  # type: ignore[misc]
        if item.asname is not None:
            assign(cx, item.asname.name, value, "with")
    block(cx, node.body)
    cx.guards.pop(len(node.items))


def _match(cx: Lowering, node: cst.Match) -> None:
    subject = expression(cx, node.subject)
    variable = local_variable(cx, node.subject)
    for case in node.cases:
        line = cx.at(case)
        shown = case.pattern
        with cx.guards.under(
            "match",
            lambda shown=shown: f"match {cx.guards.code(node.subject)}: case {cx.guards.code(shown)}",  # type: ignore[misc]
            line,
        ):
            matched = bind_pattern(cx, case.pattern, subject)
            with cx.narrowed({variable: matched} if variable is not None and matched != subject else {}):
                if case.guard is None:
                    block(cx, case.body)
                    continue
                truth(cx, case.guard)
                test = case.guard
                with (
                    cx.guards.under("if", lambda test=test: cx.guards.code(test), cx.line, cx.scope),  # type: ignore[misc]
                    cx.narrowed(narrowings(cx, test)),
                ):
                    block(cx, case.body)


def _type_alias(cx: Lowering, node: cst.TypeAlias) -> None:
    cx.at(node.name)
    with cx.within(type_scope(cx, node.type_parameters)):
        value = type_operand(cx, node.value)
    cx.store(node.name.value, value, "assign")


_LOWER: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated,
    cst.AugAssign: _augmented,
    cst.Del: _delete,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    # What is imported late is run where it is first used, which nothing says: as if it were here.
    cst.LazyImport: _import,
    cst.LazyImportFrom: _import_from,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.With: _with,
    cst.Match: _match,
    cst.FunctionDef: function,
    cst.ClassDef: class_definition,
    cst.TypeAlias: _type_alias,
}
