"""Modules that are objects of a class of their own: `sys.modules[__name__].__class__ = Config`, or `... = Config(...)`.

The methods, properties and `__setattr__` of that class run. Its `__getattr__` runs for what the module does not bind,
and for every piece of data once the data is moved elsewhere: `delattr(module, name)` of names that are not known.
What such a module binds are options; a method that is given their names and returns a context manager sets them.
"""

from __future__ import annotations

from deepgrep.facts.operations import Attribute, Call, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import states
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ModuleInfo
from deepgrep.linking.values import (
    ClassValue,
    Container,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    Text,
    Value,
    Values,
    Wrapped,
)


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
        if any(_is_descriptor(ev, v) for v in found_values(ev, inherited)):
            results.append(instance_attribute(ev, op, value, name))
        elif ev.read(module.deleted) and not states.is_definition(found):
            getter = bound_functions(ev, found_values(ev, find(ev, value.cls, "__getattr__", False)), value)
            arguments = Arguments((ev.one(ev.solver.interner.text(name)),))
            invoke(ev, getter, arguments, ev.site(op), Via.PROPERTY, Certainty.CERTAIN)
    return union(results)


def _is_descriptor(ev: Evaluation, value: Value) -> bool:
    """Whether an attribute of a class says itself what looking it up gives."""
    if isinstance(value, InstanceValue):
        return ev.solver.hierarchy.find(value.cls, "__get__", False).inherited is not None
    return isinstance(value, Wrapped) and value.kind == "property"


def note_options(ev: Evaluation, op: Call, arguments: Arguments, results: Values) -> None:
    """Note the options that a call names, if it is of a method that sets them: `with config.patch(size=2)`.

    Such a method gives what sets them when it is entered, or called.
    """
    func = ev.frame.unit.facts.operations[op.func] if op.func >= 0 else None
    if not isinstance(func, Attribute) or not any(_is_manager(ev, value) or _is_made(value) for value in results):
        return
    for base in ev.get(func.base):
        if isinstance(base, ModuleValue) and base.module.replaced_class.values:
            for name in _named(ev, arguments):
                if name.partition(".")[0] in base.module.names:
                    states.write_option(ev, op, f"{base.module.name}.{name}")


def _is_manager(ev: Evaluation, value: Value) -> bool:
    return isinstance(value, InstanceValue) and bool(ev.solver.hierarchy.find(value.cls, "__enter__", True).in_classes)


def _is_made(value: Value) -> bool:
    """Whether a function was made by a method."""
    return isinstance(value, FunctionValue) and value.frame is not None and value.frame.unit.cls is not None


def _named(ev: Evaluation, arguments: Arguments) -> list[str]:
    """Return the names that a call gives: of its keywords, as strings, and as keys of dicts."""
    names: dict[str, None] = dict.fromkeys(arguments.keywords)
    for value in union(arguments.positional):
        if isinstance(value, Text) and isinstance(value.value, str):
            names[value.value] = None
        elif isinstance(value, Container) and value.class_name == "dict":
            names |= {key: None for key in value.items if isinstance(key, str)}
    return list(names)


def runs_setter(ev: Evaluation, op: Operation, module: ModuleInfo, name: str, values: Values) -> bool:
    """Run what the class of a module runs on an assignment; return whether that keeps the value from the module."""
    from deepgrep.linking.assignment import runs_setter as runs_instance_setter
    from deepgrep.linking.attributes import find

    kept = False
    for value in module_objects(ev, module):
        is_property = runs_instance_setter(ev, op, value, name, values)
        kept |= is_property or bool(find(ev, value.cls, "__setattr__", False).in_classes)
    return kept
