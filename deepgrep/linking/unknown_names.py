"""Attributes whose name is not known: `getattr(x, name)`, `setattr(x, name, value)`, `delattr(x, name)`."""

from __future__ import annotations

from deepgrep.facts.operations import Attribute, Call, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import assignment, handover, module_objects, states
from deepgrep.linking.attributes import bound_functions, find, on_type, unnamed
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.name_patterns import ANY_NAME
from deepgrep.linking.values import NOTHING, ClassValue, InstanceValue, ModuleValue, Value, Values, Wrapped


def read(ev: Evaluation, op: Operation, base: Value) -> Values:
    """Return what some attribute of a value may be: what its `__getattr__` gives, which any name may be asked of."""
    match base:
        case InstanceValue():
            getter = find(ev, base.cls, "__getattr__", False)
            bound = bound_functions(ev, on_type(ev, getter), base)
            results = invoke(ev, bound, Arguments((NOTHING,)), ev.site(op), Via.PROPERTY, Certainty.FLOW)
            return union((ev.solver.code(results), bound_functions(ev, unnamed(ev, base.cls, None), base)))
        case ModuleValue():
            objects = module_objects.module_objects(ev, base.module)
            getter_cell = base.module.names.get("__getattr__")
            if getter_cell is not None:
                invoke(ev, ev.read(getter_cell), Arguments((NOTHING,)), ev.site(op), Via.PROPERTY, Certainty.FLOW)
            return union([read(ev, op, value) for value in objects])
        case _:
            return NOTHING


def run_any_getter(ev: Evaluation, op: Operation, base: InstanceValue) -> None:
    """Call the properties of an instance, any of which may be read."""
    interner = ev.solver.interner
    getters = [
        v.functions[0] for v in assignment.class_values(ev, base) if isinstance(v, Wrapped) and v.kind == "property"
    ]
    bound = frozenset(interner.bound(getter, base) for getter in getters if getter is not None)
    invoke(ev, bound, Arguments(), ev.site(op), Via.PROPERTY, Certainty.FLOW)


def assign(ev: Evaluation, op: Operation, base: Value, values: Values, pattern: str = ANY_NAME) -> None:
    """Assign to some attribute of a value: of a module or class, any may hold the value afterwards.

    What importing sets on a class is part of the class; what is set later is a change of it, noted as a write.
    """
    states.write_unknown_attribute(ev, op, base)
    handover.stored(ev, op, base, values)
    match base:
        case ModuleValue():
            ev.solver.add(base.module.unnamed, values)
        case ClassValue() if ev.frame.at_import and not is_described(ev, op):
            ev.solver.add(ev.solver.unnamed_attribute(base.cls, pattern), ev.solver.code(values))
        case InstanceValue():
            site = ev.site(op)
            assignment.run_any_setter(ev, base, values, site)
            assignment.run_hook(ev, base, "__setattr__", Arguments((NOTHING, values)), site)
        case _:
            pass


def is_described(ev: Evaluation, op: Operation) -> bool:
    """Whether an object says which class is changed (`setattr(self.cls, self.name, self.new)`): it may be any."""
    operations = ev.frame.unit.facts.operations
    changed = operations[op.args[0]] if isinstance(op, Call) and op.args and op.args[0] >= 0 else None
    return isinstance(changed, Attribute) and any(isinstance(v, InstanceValue) for v in ev.get(changed.base))


def delete(ev: Evaluation, op: Operation, base: Value) -> None:
    """Delete some attribute of a value."""
    states.write_unknown_attribute(ev, op, base)
    match base:
        case ModuleValue():
            ev.solver.add(base.module.deleted, ev.one(ev.solver.interner.text(True)))
        case InstanceValue():
            site = ev.site(op)
            assignment.run_any_deleter(ev, base, site)
            assignment.run_hook(ev, base, "__delattr__", Arguments((NOTHING,)), site)
        case _:
            pass
