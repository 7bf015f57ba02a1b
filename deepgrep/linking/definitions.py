"""`def`, `lambda` and `class`: what they make."""

from __future__ import annotations

from deepgrep.facts.operations import Class, Function, Operation
from deepgrep.linking import class_hooks
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.stated_types import holds_nothing
from deepgrep.linking.values import ClassValue, External, Value, Values


def _function(ev: Evaluation, op: Function) -> Values:
    unit = ev.frame.unit.module.units[op.unit]
    solver = ev.solver
    frame = solver.frame(unit, ev.frame)
    for index, operand in op.defaults:
        values = ev.get(operand)
        if values:
            solver.add(frame.cell(index + 1), values)
    for index, operand in op.annotations:
        values = ev.get(operand)
        if not values:
            continue
        if index < 0:
            unit.states_result = True
            unit.states_contents = not any(map(holds_nothing, values))
            # Of a generator function, the annotation says what kind of generator it gives.
            if not unit.facts.is_generator:
                solver.state(frame.result, values)
        elif unit.facts.parameters[index].kind not in ("*", "**"):
            unit.stated.add(index)
            solver.state(frame.cell(index + 1), values)
    return ev.one(solver.interner.function(unit, ev.frame))


def _class(ev: Evaluation, op: Class) -> Values:
    cls = ev.frame.unit.module.classes[op.cls]
    bases = []
    for operand in op.bases:
        values = ev.get(operand)
        # A base that may be one of several classes: take all, in a fixed order.
        bases += sorted((v for v in values if isinstance(v, ClassValue | External)), key=_base_key)
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


def _base_key(value: object) -> tuple[int, str]:
    return (0, value.cls.name) if isinstance(value, ClassValue) else (1, getattr(value, "name", ""))


OPERATIONS: dict[type[Operation], Handler] = {Function: _function, Class: _class}
