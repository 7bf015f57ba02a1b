"""Assigning to attributes, and deleting them: what holds the value afterwards. What that runs: see assignment.py."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.facts.operations import DeleteAttribute, Operation, SetAttribute
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import closed_types, handover, module_objects, states
from deepgrep.linking.attributes import find, metaclasses
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ClassInfo, ModuleInfo
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    Value,
    Values,
    Wrapped,
)


def _set_attribute(ev: Evaluation, op: SetAttribute) -> Values:
    values = ev.get(op.value)
    declare(ev, op)
    for base in assigned(ev, ev.get(op.base), op.name):
        set_attribute(ev, op, base, op.name, values, op.form, op.value)
    return NOTHING


def declare(ev: Evaluation, op: SetAttribute) -> None:
    """Know what type an annotated attribute of `self` has."""
    types = closed_types.declared(ev, op.value, op.form)
    if types is not None:
        for base in ev.get(op.base):
            if isinstance(base, InstanceValue):
                ev.solver.hierarchy.close(base.cls, op.name, types)


def assigned(ev: Evaluation, bases: Values, name: str) -> Iterable[Value]:
    """Return those of several values that an assignment to an attribute means: where some have it, not the others."""
    if len(bases) < 2:
        return bases
    without = [v for v in bases if isinstance(v, InstanceValue | ClassValue) and not _has(ev, v, name)]
    with_it = [v for v in bases if v not in without]
    return with_it if any(isinstance(v, InstanceValue | ClassValue) for v in with_it) else bases


def _has(ev: Evaluation, value: InstanceValue | ClassValue, name: str) -> bool:
    found = find(ev, value.cls, name, value.is_open)
    if isinstance(value, ClassValue) and not found.is_anywhere:
        return any(find(ev, metaclass.cls, name, False).is_anywhere for metaclass in metaclasses(ev, value.cls))
    return found.is_anywhere and not found.is_late


def set_attribute(
    ev: Evaluation, op: Operation, base: Value, name: str, values: Values, form: str, operand: int | None
) -> None:
    """Assign to `base.name`: add to what it holds, note the write and what it runs.

    Args:
        ev: the evaluation.
        op: the operation that assigns.
        base: whose attribute is assigned to.
        name: of the attribute.
        values: what is assigned.
        form: how the assignment is written.
        operand: of the assigned value, None where there is none.
    """
    solver = ev.solver
    handover.stored(ev, op, base, values)
    if name == "__dict__":
        from deepgrep.linking.namespaces import replace

        replace(ev, op, base, values, form)
        return
    match base:
        case ModuleValue():
            _set_module_attribute(ev, op, base.module, name, values, form, operand)
        case ClassValue():
            solver.add(solver.class_attribute(base.cls, name), _for_class(ev, base.cls, name, values))
            if base.is_open:  # `self.__class__.x = ...`: the class may be one below that has its own
                _set_below(ev, base, name, values)
            states.write_class(ev, op, base, name, form, operand)
        case InstanceValue():
            from deepgrep.linking.assignment import runs_setter

            if not runs_setter(ev, op, base, name, values) and not solver.constructors.is_told_apart(ev):
                solver.set_field(base.cls, name, values)
                if ev.recorder is not None:
                    ev.recorder.kept(base.cls.fields[name], solver.code(values))
            states.write_instance(ev, op, base, name, form, operand)
        case Container():
            solver.add(solver.item(base, ("attribute", name)), values)
            states.write_container_attribute(ev, op, base, name, form, operand)
        case External():
            states.write_external(ev, op, f"{base.name}.{name}", form, operand)
            state = solver.models.state(f"{base.name}.{name}")
            if state is not None and state.called:
                invoke(ev, solver.code(values), Arguments(), ev.site(op), Via.CALLBACK, Certainty.FLOW)
        case FunctionValue():
            solver.add(solver.function_attribute(base, name), values)
            states.write_function(ev, op, base, name, form, operand)
        case _:
            pass


def _set_below(ev: Evaluation, base: ClassValue, name: str, values: Values) -> None:
    ev.solver.watch(base.cls, name, ev)
    for cls in ev.solver.hierarchy.subclasses(base.cls):
        if name in cls.attributes:
            ev.solver.add(cls.attributes[name], _for_class(ev, cls, name, values))


def _for_class(ev: Evaluation, cls: ClassInfo, name: str, values: Values) -> Values:
    """Return what of some values may be assigned to a class: where it has a property, only code replaces that."""
    own = cls.attributes.get(name)
    if own is not None and any(isinstance(v, Wrapped) and v.kind == "property" for v in ev.read(own)):
        return ev.solver.code(values)
    return values


def _set_module_attribute(
    ev: Evaluation, op: Operation, module: ModuleInfo, name: str, values: Values, form: str, operand: int | None
) -> None:
    solver = ev.solver
    if name == "__class__":
        solver.add(module.replaced_class, values)
        if ev.recorder is not None:
            for value in values:
                if isinstance(value, ClassValue):
                    ev.recorder.construction(value.cls, value.is_open)
        return
    if not module_objects.runs_setter(ev, op, module, name, values):
        solver.add(solver.module_name(module, name), values)
    states.write_global(ev, op, module, name, form, operand)


def _delete_attribute(ev: Evaluation, op: DeleteAttribute) -> Values:
    for base in ev.get(op.base):
        delete_attribute(ev, op, base, op.name)
    return NOTHING


def delete_attribute(ev: Evaluation, op: Operation, base: Value, name: str, form: str = "delete") -> None:
    """Note that `base.name` is deleted."""
    match base:
        case ModuleValue():
            states.write_global(ev, op, base.module, name, form, None)
        case ClassValue():
            states.write_class(ev, op, base, name, form, None)
        case InstanceValue():
            from deepgrep.linking.assignment import runs_deleter

            runs_deleter(ev, op, base, name)
            states.write_instance(ev, op, base, name, form, None)
        case Container():
            states.write_container_attribute(ev, op, base, name, form, None)
        case External():
            states.write_external(ev, op, f"{base.name}.{name}", form, None)
        case FunctionValue():
            states.write_function(ev, op, base, name, form, None)
        case _:
            pass


OPERATIONS: dict[type[Operation], Handler] = {
    SetAttribute: _set_attribute,
    DeleteAttribute: _delete_attribute,
}
