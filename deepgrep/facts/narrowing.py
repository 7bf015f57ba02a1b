"""Tests of what a variable holds, and what follows from them where they hold, or do not."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import libcst as cst

from deepgrep.facts.lowering import Lowering, VariableTest
from deepgrep.facts.operations import NOTHING, Join, Narrow

_BUILTINS = frozenset(vars(builtins))


def narrowings(
    cx: Lowering, test: cst.BaseExpression, holds: bool = True, *, is_condition: bool = True
) -> dict[int | str, int]:
    """Return what a condition says of local variables: variable -> operand of the narrowed value.

    Only a test of a plain name says anything, alone or in `and`, `or`, `not`: `isinstance(x, T)`, `type(x) is T`, or
    `is_tensor(x)`, whose annotation may say what it tests for (PEP 647, PEP 742).

    Args:
        cx: the file that is lowered.
        test: the condition; it must have been lowered.
        holds: whether it holds, or its opposite.
        is_condition: whether the current guard says so.
    """
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return narrowings(cx, test.expression, not holds, is_condition=is_condition)
    if isinstance(test, cst.BooleanOperation):
        hold_both = isinstance(test.operator, cst.And) is holds
        left = narrowings(cx, test.left, holds, is_condition=is_condition and hold_both)
        right = narrowings(cx, test.right, holds, is_condition=is_condition and hold_both)
        if hold_both:
            return left | right
        return {variable: join(cx, (value, right[variable])) for variable, value in left.items() if variable in right}
    said = cx.variable_tests.get(id(test))
    if said is None or not (holds or said.test != "type"):  # one of a subclass has another `type(x)`
        return {}
    if said.variable is None:
        if holds and is_condition:  # what stands under it still needs an instance
            cx.emit(Narrow(*cx.place(), said.value, said.types, said.test))
        return {}
    return {said.variable: cx.emit(Narrow(*cx.place(), said.value, said.types, said.test, holds, is_condition))}


def note_call(cx: Lowering, node: cst.Call, func: int, args: Sequence[int]) -> None:
    """Know a call that may be a test of its first argument."""
    if not args or node.args[0].keyword is not None or node.args[0].star:
        return
    variable = local_variable(cx, node.args[0].value)
    name = node.func.value if isinstance(node.func, cst.Name) else ""
    if name == "isinstance" and len(args) == 2:
        cx.variable_tests[id(node)] = VariableTest(variable, args[0], args[1], "isinstance")
    elif variable is not None and func != NOTHING and name not in _BUILTINS:
        cx.variable_tests[id(node)] = VariableTest(variable, args[0], func, "predicate")


def note_comparison(cx: Lowering, node: cst.Comparison, types: int) -> None:
    """Know a comparison that may test the type of a variable; `types`: the operand of what it is compared with."""
    match node:
        case cst.Comparison(
            left=cst.Call(func=cst.Name("type"), args=[cst.Arg(value=cst.Name() as subject)]),
            comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.Equal() | cst.In())],
        ):
            variable = local_variable(cx, subject)
            if variable is not None:
                cx.at(subject)
                cx.variable_tests[id(node)] = VariableTest(variable, cx.load(subject.value), types, "type")


def local_variable(cx: Lowering, node: cst.BaseExpression) -> int | None:
    """Return the variable that an expression is, if it is just a name."""
    place = cx.scope.lookup(cx.scope.mangled(node.value)) if isinstance(node, cst.Name) else None
    return place.at if place is not None and place.kind == "variable" else None


def join(cx: Lowering, operands: Sequence[int]) -> int:
    """Return the operand of a value that is one of several."""
    values = tuple(dict.fromkeys(v for v in operands if v != NOTHING))
    if len(values) < 2:
        return values[0] if values else NOTHING
    return cx.emit(Join(*cx.place(), values))
