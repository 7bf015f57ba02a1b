"""Modules that are objects of a class of their own: `sys.modules[__name__].__class__ = Config`.

The methods, properties and `__setattr__` of that class run. Its `__getattr__` runs for what the module does not bind,
and for every piece of data once the data is moved elsewhere: `delattr(module, name)` of names that are not known.
"""

from __future__ import annotations

from deepgrep.facts.operations import Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import states
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ModuleInfo
from deepgrep.linking.values import ClassValue, InstanceValue, Values, Wrapped


def module_objects(ev: Evaluation, module: ModuleInfo) -> list[InstanceValue]:
    """Return the objects that a module is, by the classes that were assigned to its `__class__`."""
    classes = [c for c in ev.read(module.replaced_class) if isinstance(c, ClassValue)]
    objects = [ev.solver.interner.instance(c.cls) for c in classes]
    return [value for value in objects if isinstance(value, InstanceValue)]


def computed(ev: Evaluation, op: Operation, module: ModuleInfo, name: str, found: Values) -> Values:
    """Return what the class of a module makes of an attribute that the module itself binds, to `found`."""
    from deepgrep.linking.attributes import bound_functions, find, found_values, instance_attribute

    results: list[Values] = []
    for value in module_objects(ev, module):
        results.append(ev.read(module.unnamed))
        inherited = find(ev, value.cls, name, False)
        if any(isinstance(v, Wrapped) and v.kind == "property" for v in found_values(ev, inherited)):
            results.append(instance_attribute(ev, op, value, name))
        elif ev.read(module.deleted) and not states.is_definition(found):
            getter = bound_functions(ev, found_values(ev, find(ev, value.cls, "__getattr__", False)), value)
            arguments = Arguments((ev.one(ev.solver.interner.text(name)),))
            invoke(ev, getter, arguments, ev.site(op), Via.PROPERTY, Certainty.CERTAIN)
    return union(results)


def runs_setter(ev: Evaluation, op: Operation, module: ModuleInfo, name: str, values: Values) -> bool:
    """Run what the class of a module runs on an assignment; return whether that keeps the value from the module."""
    from deepgrep.linking.assignment import runs_setter as runs_instance_setter
    from deepgrep.linking.attributes import find

    kept = False
    for value in module_objects(ev, module):
        is_property = runs_instance_setter(ev, op, value, name, values)
        kept |= is_property or bool(find(ev, value.cls, "__setattr__", False).in_classes)
    return kept
