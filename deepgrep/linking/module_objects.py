"""Modules that are objects of a class of their own: `sys.modules[__name__].__class__ = Config`, or `... = Config(...)`.

The methods, properties and `__setattr__` of that class run. Its `__getattr__` runs for what the module does not bind,
and for every piece of data once the data is moved elsewhere: `delattr(module, name)` of names that are not known.
What such a module binds are options; a method that is given their names and returns a context manager sets them.
"""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.facts.operations import Assign, Attribute, Call, Global, ImportFrom, Join, Operation, SetGlobal
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import states
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.mappings import is_mapping, named_items
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
    if not any(_is_manager(ev, value) or _is_made(value) for value in results):
        return
    for module in dict.fromkeys(_modules_of(ev, op.func)):
        if module.replaced_class.values:
            for name in _named(ev, arguments):
                if name.partition(".")[0] in module.names:
                    states.write_option(ev, op, f"{module.name}.{name}")


def _modules_of(ev: Evaluation, function: int) -> Iterator[ModuleInfo]:
    """Yield the modules of which a function was taken, by its operand: which they are, a bound method does not say."""
    op = ev.frame.unit.facts.operations[function] if function >= 0 else None
    match op:
        case Attribute():
            yield from (value.module for value in ev.get(op.base) if isinstance(value, ModuleValue))
        case Call(args=(base, _, *_)) if any(v is ev.solver.interner.external("getattr") for v in ev.get(op.func)):
            yield from (value.module for value in ev.get(base) if isinstance(value, ModuleValue))
        case ImportFrom():
            yield from _imported_from(ev, op)
        case Global():
            body = ev.frame.unit.module.units[0].facts.operations
            bound = [other.value for other in body if isinstance(other, SetGlobal) and other.name == op.name]
            imports = [body[value] for value in bound if value >= 0]
            yield from (module for value in imports for module in _imported_from(ev, value))
        case Assign() | SetGlobal():
            yield from _modules_of(ev, op.value)
        case Join():
            for value in op.values:
                yield from _modules_of(ev, value)
        case _:
            pass


def _imported_from(ev: Evaluation, op: Operation) -> Iterator[ModuleInfo]:
    if isinstance(op, ImportFrom):
        module = ev.solver.program.module(ev.frame.unit.module.absolute(op.module, op.level))
        if module is not None:
            yield module


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
        elif isinstance(value, Container) and is_mapping(ev, value):
            names |= dict.fromkeys(named_items(ev, value))
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
