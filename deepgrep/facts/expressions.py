"""Expressions -> operations. One function for each kind of expression; `expression` picks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

import libcst as cst

from deepgrep.facts.lowering import Lowering
from deepgrep.facts.name_patterns import may_be_name
from deepgrep.facts.narrowing import join, narrowings, note_call, note_comparison
from deepgrep.facts.operations import (
    NOTHING,
    Attribute,
    Await,
    Call,
    Collection,
    Constant,
    Format,
    Iterate,
    NamePattern,
    Operator,
    Subscript,
    Truth,
    Yield,
)
from deepgrep.facts.operators import BINARY, COMPARISON, UNARY
from deepgrep.facts.scopes import Scope

_LONGEST_STRING = 100
_NAMED_CONSTANTS: dict[str, bool | None] = {"True": True, "False": False, "None": None}


def expression(cx: Lowering, node: cst.BaseExpression) -> int:
    """Lower an expression; return the operand that holds its value."""
    lower = _LOWER.get(type(node))
    return lower(cx, node) if lower else NOTHING


def constant(cx: Lowering, value: str | int | bool | None) -> int:
    """Return the operand of a constant; each unit holds one operation for each constant."""
    key = (type(value).__name__, value)
    known = cx.constants.get(key)
    if known is None:
        known = cx.constants[key] = cx.emit(Constant(0, -1, value))
    return known


def truth(cx: Lowering, node: cst.BaseExpression) -> None:
    """Lower an expression that is used as a condition."""
    _true(cx, node, expression(cx, node))


def _true(cx: Lowering, node: cst.BaseExpression, value: int) -> None:
    if value != NOTHING and not isinstance(node, cst.UnaryOperation | cst.BooleanOperation | cst.Comparison):
        cx.emit(Truth(*cx.place(cx.at(node)), value))


def _name(cx: Lowering, node: cst.Name) -> int:
    cx.at(node)
    if node.value in _NAMED_CONSTANTS:
        return constant(cx, _NAMED_CONSTANTS[node.value])
    return cx.load(node.value)


def plain_text(node: cst.SimpleString) -> str | None:
    """Return what a string says, None for bytes. One with a backslash names nothing, and need not be evaluated."""
    text = node.raw_value
    return None if "b" in node.prefix or "\\" in text else text


def constant_text(node: cst.BaseExpression) -> str:
    """Return a constant (a number, a string, True, False, None) as `repr` writes it; "" for anything else."""
    match node:
        case cst.Name(value="True" | "False" | "None"):
            return node.value
        case cst.SimpleString() | cst.Integer() | cst.Float():
            return repr(node.evaluated_value)
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() | cst.Float() as number):
            return repr(-number.evaluated_value)
        case _:
            return ""


def _string(cx: Lowering, node: cst.SimpleString) -> int:
    cx.at(node)
    text = plain_text(node)
    # Long strings and those with spaces are messages: they name nothing.
    if text is None or len(text) > _LONGEST_STRING or " " in text:
        return NOTHING
    return constant(cx, text)


def _integer(cx: Lowering, node: cst.Integer) -> int:
    cx.at(node)
    return constant(cx, node.evaluated_value) if len(node.value) < 4 else NOTHING


def _other_number(cx: Lowering, node: cst.Float | cst.Imaginary) -> int:
    cx.at(node)
    return NOTHING


def _concatenated(cx: Lowering, node: cst.ConcatenatedString) -> int:
    for part in (node.left, node.right):
        if not isinstance(part, cst.SimpleString):
            expression(cx, part)
    return NOTHING


def _formatted(cx: Lowering, node: cst.FormattedString | cst.TemplatedString) -> int:
    parts = _format_parts(cx, node.parts)
    return cx.emit(NamePattern(*cx.place(), parts)) if may_be_name(node) else NOTHING


def _format_parts(cx: Lowering, parts: Sequence[cst.CSTNode]) -> tuple[str | int, ...]:
    lowered: list[str | int] = []
    for part in parts:
        if isinstance(part, cst.FormattedStringText):
            lowered.append(part.value)
        elif isinstance(part, cst.FormattedStringExpression | cst.TemplatedStringExpression):
            value = expression(cx, part.expression)
            # A t-string keeps what is in it as it is.
            if value != NOTHING and isinstance(part, cst.FormattedStringExpression):
                cx.emit(Format(*cx.place(), value))
            _format_parts(cx, part.format_spec or ())
            lowered.append(NOTHING if part.conversion or part.format_spec else value)
    return tuple(lowered)


def _attribute(cx: Lowering, node: cst.Attribute) -> int:
    base = expression(cx, node.value)
    if base == NOTHING and _is_text(node.value):
        base = constant(cx, "")  # of a text that names nothing, what is called is still a method of `str`
    cx.at(node.attr)
    return cx.emit(Attribute(*cx.place(), base, cx.scope.mangled(node.attr.value)))


def _is_text(node: cst.BaseExpression) -> bool:
    match node:
        case cst.SimpleString():
            return "b" not in node.prefix
        case cst.ConcatenatedString():
            return _is_text(node.left)
        case _:
            return isinstance(node, cst.FormattedString)


def subscript_index(cx: Lowering, node: cst.Subscript) -> int:
    """Lower what stands in the brackets."""
    values = []
    for element in node.slice:
        if isinstance(element.slice, cst.Index):
            values.append(expression(cx, element.slice.value))
        elif isinstance(element.slice, cst.Slice):
            parts = (element.slice.lower, element.slice.upper, element.slice.step)
            bounds = tuple(constant(cx, None) if part is None else expression(cx, part) for part in parts)
            values.append(cx.emit(Collection(*cx.place(), "slice", bounds, (), True)))
    if len(values) == 1:
        return values[0]
    return cx.emit(Collection(*cx.place(), "tuple", tuple(values), (), True))


def _subscript(cx: Lowering, node: cst.Subscript) -> int:
    base = expression(cx, node.value)
    line = cx.at(node.value)
    index = subscript_index(cx, node)
    return cx.emit(Subscript(*cx.place(line), base, index))


def _call(cx: Lowering, node: cst.Call) -> int:
    func = expression(cx, node.func)
    line = cx.at(node.func)
    args: list[int] = []
    keywords: list[tuple[str, int]] = []
    star: list[int] = []
    double_star: list[int] = []
    for arg in node.args:
        value = expression(cx, arg.value)
        if arg.star == "*":
            star.append(cx.emit(Iterate(*cx.place(cx.at(arg.value)), value, False)))
        elif arg.star == "**":
            double_star.append(value)
        elif arg.keyword is not None:
            keywords.append((arg.keyword.value, value))
        elif star:
            star.append(value)
        else:
            args.append(value)
    place = cx.place(line)
    result = cx.emit(Call(*place, func, tuple(args), tuple(keywords), tuple(star), tuple(double_star), False))
    note_call(cx, node, func, args)
    return result


def _boolean(cx: Lowering, node: cst.BooleanOperation) -> int:
    left = expression(cx, node.left)
    _true(cx, node.left, left)
    if isinstance(node.operator, cst.And):
        kind, text, holds = "if", cx.guards.code, True
    else:
        kind, text, holds = "else", cx.guards.negated, False
    if (always := cx.tests.always(node.left)) is not None:
        with nullcontext() if always is holds else cx.unexecuted():
            return join(cx, (left, expression(cx, node.right)))
    with (
        cx.guards.under(kind, lambda: text(node.left), cx.line, cx.scope, cx.tests.never(node.left, holds)),
        cx.narrowed(narrowings(cx, node.left, holds)),
    ):
        right = expression(cx, node.right)
    return join(cx, (left, right))


def _conditional(cx: Lowering, node: cst.IfExp) -> int:
    truth(cx, node.test)
    line = cx.line
    always = cx.tests.always(node.test)
    if always is not None:
        with nullcontext() if always else cx.unexecuted():
            body = expression(cx, node.body)
        with cx.unexecuted() if always else nullcontext():
            return join(cx, (body, expression(cx, node.orelse)))
    with (
        cx.guards.under("if", lambda: cx.guards.code(node.test), line, cx.scope, cx.tests.never(node.test, True)),
        cx.narrowed(narrowings(cx, node.test)),
    ):
        body = expression(cx, node.body)
    with (
        cx.guards.under("else", lambda: cx.guards.negated(node.test), line, cx.scope, cx.tests.never(node.test, False)),
        cx.narrowed(narrowings(cx, node.test, False)),
    ):
        orelse = expression(cx, node.orelse)
    return join(cx, (body, orelse))


def _unary(cx: Lowering, node: cst.UnaryOperation) -> int:
    method = UNARY.get(type(node.operator))
    if method is None:
        truth(cx, node.expression)
        return NOTHING
    value = expression(cx, node.expression)
    return cx.emit(Operator(*cx.place(), method, value, NOTHING)) if value != NOTHING else NOTHING


def _binary(cx: Lowering, node: cst.BinaryOperation) -> int:
    left = expression(cx, node.left)
    line = cx.line
    right = expression(cx, node.right)
    return operator(cx, BINARY[type(node.operator)], left, right, line)


def operator(cx: Lowering, method: str, left: int, right: int, line: int) -> int:
    """Emit a binary operator, unless neither side can be an object of interest."""
    if left == NOTHING and right == NOTHING:
        return NOTHING
    return cx.emit(Operator(*cx.place(line), method, left, right))


def _comparison(cx: Lowering, node: cst.Comparison) -> int:
    left = expression(cx, node.left)
    for target in node.comparisons:
        line = cx.line
        right = expression(cx, target.comparator)
        method = COMPARISON.get(type(target.operator))
        if method == "__contains__":
            operator(cx, method, right, left, line)
        elif method:
            operator(cx, method, left, right, line)
        left = right
    note_comparison(cx, node, right)
    return NOTHING


def _walrus(cx: Lowering, node: cst.NamedExpr) -> int:
    value = expression(cx, node.value)
    if isinstance(node.target, cst.Name):
        cx.at(node.target)
        # A walrus in a comprehension binds in the function around it; `lookup` finds it there.
        cx.store(node.target.value, value, "walrus")
    return value


def elements(cx: Lowering, nodes: Sequence[cst.BaseElement | cst.BaseExpression]) -> tuple[tuple[int, ...], bool]:
    """Lower the elements of a display; return their operands, and whether element i has index i."""
    values: list[int] = []
    positional = True
    for element in nodes:
        value = expression(cx, element.value if isinstance(element, cst.BaseElement) else element)
        if isinstance(element, cst.StarredElement):
            value = cx.emit(Iterate(*cx.place(), value, False))
            positional = False
        values.append(value)
    return tuple(values), positional


def _display(kind: str) -> Callable[[Lowering, cst.List | cst.Tuple | cst.Set], int]:
    def lower(cx: Lowering, node: cst.List | cst.Tuple | cst.Set) -> int:
        cx.at(node)
        values, positional = elements(cx, node.elements)
        return cx.emit(Collection(*cx.place(), kind, values, (), positional and kind != "set"))

    return lower


def _dict(cx: Lowering, node: cst.Dict) -> int:
    keys: list[int] = []
    values: list[int] = []
    merged: list[int] = []
    cx.at(node)
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            keys.append(expression(cx, element.key))
            values.append(expression(cx, element.value))
        else:
            merged.append(expression(cx, element.value))
    return cx.emit(Collection(*cx.place(), "dict", tuple(values), tuple(keys), False, tuple(merged)))


_COMPREHENSIONS: dict[type[cst.CSTNode], str] = {
    cst.ListComp: "list",
    cst.SetComp: "set",
    cst.GeneratorExp: "generator",
    cst.DictComp: "dict",
    cst.StarredDictComp: "dict",
}


def _comprehension(
    cx: Lowering, node: cst.ListComp | cst.SetComp | cst.DictComp | cst.StarredDictComp | cst.GeneratorExp
) -> int:
    scope = Scope("comprehension", cx.unit, cx.scope, cx.scope.prefix)
    values: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    merged: tuple[int, ...] = ()
    base = expression(cx, node.for_in.iter)  # the only part that is evaluated in the scope around
    _bind_all(scope, node.for_in)
    with cx.within(scope), cx.narrowed({}):
        conditions = _generators(cx, scope, node.for_in, base)
        if isinstance(node, cst.DictComp):
            keys = (expression(cx, node.key),)
            values = (expression(cx, node.value),)
        elif isinstance(node, cst.StarredDictComp):
            merged = (expression(cx, node.value),)
        else:
            values, _ = elements(cx, [node.elt])
        cx.guards.pop(conditions)
    return cx.emit(Collection(*cx.place(), _COMPREHENSIONS[type(node)], values, keys, False, merged))


def _bind_all(scope: Scope, clause: cst.CompFor | None) -> None:
    """Make the names that the clauses bind variables: in all of them, also before the one that binds it."""
    from deepgrep.facts.bindings import target_names

    while clause is not None:
        for name in map(scope.mangled, target_names(clause.target)):
            if name not in scope.variables:
                scope.variables[name] = scope.unit.own(name)
        clause = clause.inner_for_in


def _generators(cx: Lowering, scope: Scope, clause: cst.CompFor, base: int) -> int:
    """Lower a `for ... in ... if ...` clause over `base`, and those inside; return the number of conditions pushed."""
    from deepgrep.facts.targets import assign

    element = cx.emit(Iterate(*cx.place(cx.at(clause.iter)), base, clause.asynchronous is not None))
    assign(cx, clause.target, element, "for")
    for condition in clause.ifs:
        truth(cx, condition.test)
        test = condition.test
        cx.guards.push("if", lambda test=test: cx.guards.code(test), cx.line, scope)  # type: ignore[misc]
        cx.narrow(narrowings(cx, test))
    inner = clause.inner_for_in
    if inner is None:
        return len(clause.ifs)
    return len(clause.ifs) + _generators(cx, scope, inner, expression(cx, inner.iter))


def _lambda(cx: Lowering, node: cst.Lambda) -> int:
    from deepgrep.facts.definitions import lambda_function

    return lambda_function(cx, node)


def _await(cx: Lowering, node: cst.Await) -> int:
    value = expression(cx, node.expression)
    return cx.emit(Await(*cx.place(cx.at(node)), value)) if value != NOTHING else NOTHING


def _yield(cx: Lowering, node: cst.Yield) -> int:
    line = cx.at(node)
    match node.value:
        case None:
            value = NOTHING
        case cst.From():
            base = expression(cx, node.value.item)
            value = cx.emit(Iterate(*cx.place(), base, False))
        case _:
            value = expression(cx, node.value)
    cx.unit.is_generator = True
    return cx.emit(Yield(*cx.place(line), value))


_LOWER: dict[type[cst.CSTNode], Callable[..., int]] = {
    cst.Name: _name,
    cst.SimpleString: _string,
    cst.ConcatenatedString: _concatenated,
    cst.FormattedString: _formatted,
    cst.TemplatedString: _formatted,
    cst.Integer: _integer,
    cst.Float: _other_number,
    cst.Imaginary: _other_number,
    cst.Attribute: _attribute,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.BooleanOperation: _boolean,
    cst.IfExp: _conditional,
    cst.UnaryOperation: _unary,
    cst.BinaryOperation: _binary,
    cst.Comparison: _comparison,
    cst.NamedExpr: _walrus,
    cst.List: _display("list"),
    cst.Tuple: _display("tuple"),
    cst.Set: _display("set"),
    cst.Dict: _dict,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.DictComp: _comprehension,
    cst.StarredDictComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.Lambda: _lambda,
    cst.Await: _await,
    cst.Yield: _yield,
}
