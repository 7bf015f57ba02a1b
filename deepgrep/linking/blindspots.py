"""Calls whose callee is not known: how they read, and why."""

from __future__ import annotations

from deepgrep.facts.model import Unit
from deepgrep.facts.operations import (
    Assign,
    Attribute,
    Await,
    Call,
    ClassName,
    Constant,
    Global,
    Import,
    ImportFrom,
    Iterate,
    Narrow,
    SetGlobal,
    Subscript,
    Unpack,
)
from deepgrep.linking.evaluation import Evaluation

_DEEPEST = 6


def unknown_callee(ev: Evaluation, op: Call) -> None:
    """Note a call of something that nothing is known of."""
    assert ev.recorder is not None
    unit = ev.frame.unit.facts
    ev.recorder.blind(ev.site(op), expression(unit, op.func), last_name(unit, op.func), _reason(ev, op.func))


def cut_callee(ev: Evaluation, op: Call) -> None:
    """Note a call of something whose values were cut: more was handed over than is followed (widening, `to`)."""
    assert ev.recorder is not None
    if _is_cut(ev, op.func):
        unit = ev.frame.unit.facts
        ev.recorder.blind(ev.site(op), expression(unit, op.func), last_name(unit, op.func), "too many values")


def _is_cut(ev: Evaluation, operand: int) -> bool:
    while ev.solver.interner.cut not in ev.get(operand) and operand >= 0:
        op = ev.frame.unit.facts.operations[operand]
        if not isinstance(op, Assign):
            return False
        operand = op.value
    if operand >= 0 or ev.solver.interner.cut in ev.get(operand):
        return True
    variable = ev.frame.unit.facts.variables[~operand]
    owner = ev.frame if variable.unit < 0 else ev.frame.ancestor(variable.unit)
    index = ~operand if variable.unit < 0 else variable.variable
    return owner.is_cut and 0 < index <= len(owner.unit.facts.parameters)


def expression(unit: Unit, operand: int, depth: int = 0) -> str:
    """Return an operand as the code writes it, arguments left out."""
    if operand < 0:
        return unit.variables[~operand].name or "…"
    if depth > _DEEPEST:
        return "…"
    match unit.operations[operand]:
        case Global() | ClassName() | SetGlobal() as op:
            return op.name
        case Assign() as op:
            return expression(unit, op.variable)
        case Attribute() as op:
            return f"{expression(unit, op.base, depth + 1)}.{op.name}"
        case Call() as op:
            inner = "…" if op.args or op.keywords or op.star or op.double_star else ""
            return f"{expression(unit, op.func, depth + 1)}({inner})"
        case Subscript() as op:
            return f"{expression(unit, op.base, depth + 1)}[{expression(unit, op.index, depth + 1)}]"
        case Constant() as op:
            return repr(op.value)
        case Await() as op:
            return f"await {expression(unit, op.base, depth + 1)}"
        case Narrow() as op:
            return expression(unit, op.value, depth + 1)
        case Import() as op:
            return op.module
        case ImportFrom() as op:
            return op.name
        case _:
            return "…"


def last_name(unit: Unit, operand: int) -> str:
    """Return the name by which a function could be meant: the last one in the expression, "" if it has none."""
    if operand < 0:
        return unit.variables[~operand].name
    match unit.operations[operand]:
        case Global() | ClassName() | Attribute() | ImportFrom() | SetGlobal() as op:
            return op.name
        case Assign() as op:
            return last_name(unit, op.variable)
        case Narrow() as op:
            return last_name(unit, op.value)
        case _:
            return ""


def _reason(ev: Evaluation, operand: int) -> str:
    unit = ev.frame.unit.facts
    if operand < 0:
        index = ~operand
        variable = unit.variables[index]
        if variable.unit >= 0:
            owner = ev.frame.unit.module.units[variable.unit].facts
            return "parameter" if 0 < variable.variable <= len(owner.parameters) else "unknown value"
        return "parameter" if 0 < index <= len(unit.parameters) else "unknown value"
    match unit.operations[operand]:
        case Attribute() as op:
            if ev.get(op.base):
                return "unknown attribute"
            return "attribute of a parameter" if _is_parameter(unit, op.base) else "attribute of an unknown value"
        case Subscript() | Iterate() | Unpack():
            return "element of a container"
        case Call():
            return "result of a call"
        case Assign() | SetGlobal() | Narrow() as op:
            return _reason(ev, op.value)
        case Global() | ImportFrom():
            return "unknown global"
        case _:
            return "unknown value"


def _is_parameter(unit: Unit, operand: int) -> bool:
    return operand < 0 and unit.variables[~operand].unit < 0 and 0 < ~operand <= len(unit.parameters)
