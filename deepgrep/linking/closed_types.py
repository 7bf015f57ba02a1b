"""Annotations that leave no room for code: a parameter of type `str`, `Tensor` or `Module | None` holds no function.

Values are followed without regard to the paths on which they come, so a place is offered more than it can hold. What an
annotation rules out is dropped (declared types as filters of points-to sets: Lhotak and Hendren, 2003).
"""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.facts.operations import Assign, Collection, InstanceOf, Join, SetGlobal, Subscript
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.type_names import CONCRETE, EITHER, PROTOCOLS
from deepgrep.linking.values import ClassValue, Container, External, InstanceValue, Text, Value, Values

_SCALARS = frozenset({"str", "int", "float", "bool", "bytes", "complex", "list", "dict", "set", "tuple", "frozenset"})
Closed = tuple[ClassInfo, ...]


def closed(ev: Evaluation, operand: int) -> Closed | None:
    """Return the analyzed classes that a type expression admits, None if it may admit functions or anything."""
    operations = ev.frame.unit.facts.operations
    op = operations[operand] if operand >= 0 else None
    match op:
        case Subscript():
            return _parametrized(ev, op)
        case Join():
            return _all(closed(ev, value) for value in op.values)
        case Assign() | SetGlobal():
            return closed(ev, op.value)
        case _:
            values = ev.get(operand) if operand != -1 else frozenset()
            return _all(_admitted(ev, value) for value in values) if values else None


def declared(ev: Evaluation, operand: int, form: str) -> Closed | None:
    """Return the classes that the annotation of an assignment admits, None if there is none or it may be anything.

    Args:
        ev: the evaluation in which it happens.
        operand: what is assigned: what the annotation describes, or that and a value.
        form: of the assignment.
    """
    if form not in ("annotation", "annotated") or operand < 0:
        return None
    operations = ev.frame.unit.facts.operations
    op = operations[operand]
    described = operations[op.values[-1]] if isinstance(op, Join) and op.values[-1] >= 0 else op
    return closed(ev, described.cls) if isinstance(described, InstanceOf) else None


def fitting(hierarchy: Hierarchy, classes: Closed, values: Values) -> Values:
    """Return those of some values that a place of a closed type may hold."""
    return frozenset(v for v in values if _fits(hierarchy, classes, v))


def _fits(hierarchy: Hierarchy, classes: Closed, value: Value) -> bool:
    match value:
        case InstanceValue():
            return any(hierarchy.is_subclass(value.cls, cls) for cls in classes)
        case Container() | Text() | External():
            return True
        case _:
            return False


def _all(parts: Iterable[Closed | None]) -> Closed | None:
    classes: dict[ClassInfo, None] = {}
    for part in parts:
        if part is None:
            return None
        classes |= dict.fromkeys(part)
    return tuple(classes)


def _parametrized(ev: Evaluation, op: Subscript) -> Closed | None:
    operations = ev.frame.unit.facts.operations
    index = operations[op.index] if op.index >= 0 else None
    arguments = index.elements if isinstance(index, Collection) else (op.index,)
    bases = ev.get(op.base)
    names = {base.name.rpartition(".")[2] for base in bases if isinstance(base, External)}
    if bases and len(names) == len(bases):
        if names <= EITHER:
            return _all(closed(ev, argument) for argument in arguments)
        if names <= CONCRETE:
            return ()
    return _all(_admitted(ev, base) for base in bases) if bases else None


def _admitted(ev: Evaluation, value: Value) -> Closed | None:
    match value:
        case ClassValue():
            return None if any(base in PROTOCOLS for base in ev.solver.hierarchy.mro(value.cls)) else (value.cls,)
        case Text(value=None):
            return ()
        case External(name="object"):
            return None
        case External() if value.name in _SCALARS or value.name.rpartition(".")[2] in CONCRETE:
            return ()
        case External() if ev.solver.models.class_(value.name) is not None:
            return ()
        case _:
            return None
