"""`def`, `lambda` and `class`: what they make."""

from __future__ import annotations

from deepgrep.facts.operations import Class, Function, InstanceOf, Operation, Subscript
from deepgrep.linking import class_hooks
from deepgrep.linking.closed_types import closed
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.narrowing import predicate
from deepgrep.linking.program import UnitInfo
from deepgrep.linking.stated_types import holds_nothing
from deepgrep.linking.values import NOTHING, ClassValue, External, Value, Values

_GENERIC = frozenset({"typing.Generic", "typing_extensions.Generic"})
# What these names of `typing` stand for, as a base.
_ABSTRACT = {
    "typing.AbstractSet": "collections.abc.Set",
    "typing.MutableSet": "collections.abc.MutableSet",
    "typing.Mapping": "collections.abc.Mapping",
    "typing.MutableMapping": "collections.abc.MutableMapping",
    "typing.Sequence": "collections.abc.Sequence",
    "typing.MutableSequence": "collections.abc.MutableSequence",
}


def _function(ev: Evaluation, op: Function) -> Values:
    unit = ev.frame.unit.module.units[op.unit]
    solver = ev.solver
    frame = solver.frame(unit, ev.frame)
    for index, operand in op.defaults:
        values = ev.get(operand)
        if values:
            solver.constructors.declare(frame, index, values, is_type=False)
    for index, operand in op.annotations:
        if index < 0:
            unit.predicate = predicate(ev, operand)
        values = ev.get(operand)
        if not values:
            continue
        if index < 0:
            unit.states_result = True
            unit.states_contents = not any(map(holds_nothing, values))
            # Of a generator function, the annotation says what kind of generator it gives.
            if not unit.facts.is_generator:
                solver.add(frame.stated, values)
                solver.state(frame.result, values)
                _close(ev, unit, index, operand)
        elif unit.facts.parameters[index].kind in ("*", "**"):
            solver.add(solver.rest_container(frame, index).element, values)
        else:
            unit.stated.add(index)
            _close(ev, unit, index, operand)
            solver.constructors.declare(frame, index, values, is_type=True)
    return ev.one(solver.interner.function(unit, ev.frame))


def _close(ev: Evaluation, unit: UnitInfo, index: int, operand: int) -> None:
    """Know that an annotation rules out functions; `operand` is the instance that it describes."""
    described = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    if isinstance(described, InstanceOf):
        types = closed(ev, described.cls)
        if types is not None:
            unit.closed[index] = types


def _class(ev: Evaluation, op: Class) -> Values:
    cls = ev.frame.unit.module.classes[op.cls]
    bases = []
    for operand in op.bases:
        values = ev.get(operand) or _parametrized(ev, operand)
        # A base that may be one of several classes: take all, in a fixed order.
        bases += sorted((v for v in values if isinstance(v, ClassValue | External)), key=_base_key)
        if any(isinstance(v, ClassValue) for v in values):
            cls.or_outside |= {base.name: None for base in bases if isinstance(base, External) and base in values}
    if ev.solver.hierarchy.set_bases(cls, ev.frame, bases):
        ev.solver.bases_changed(cls)
    for name, operand in op.keywords:
        if name == "metaclass":
            metaclass: list[Value] = [v for v in ev.get(operand) if isinstance(v, ClassValue)]
            if metaclass != cls.metaclass:
                cls.metaclass = metaclass
                ev.solver.bases_changed(cls)
    class_hooks.run(ev, op, cls)
    return ev.one(ev.solver.interner.cls(cls))


def _parametrized(ev: Evaluation, operand: int) -> Values:
    """A base outside the analyzed sources with type arguments, `MutableSet[T]`; `Generic` has no methods."""
    op = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    bases = ev.get(op.base) if isinstance(op, Subscript) else NOTHING
    named = [base.name for base in bases if isinstance(base, External) and base.name not in _GENERIC]
    return frozenset(ev.solver.interner.external(_ABSTRACT.get(name, name)) for name in named)


def _base_key(value: object) -> tuple[int, str]:
    return (0, value.cls.name) if isinstance(value, ClassValue) else (1, getattr(value, "name", ""))


OPERATIONS: dict[type[Operation], Handler] = {Function: _function, Class: _class}
