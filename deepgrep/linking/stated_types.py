"""Annotations and `isinstance`: types that the code states."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.facts.operations import Assign, Collection, InstanceOf, Join, SetGlobal, Subscript
from deepgrep.linking.attributes import attribute
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.names import module_name
from deepgrep.linking.type_names import EITHER, ELEMENTS, MAPPINGS, PROTOCOLS, TYPE
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    External,
    Text,
    Value,
    Values,
)

_SCALARS = frozenset({"str", "int", "float", "bool", "bytes", "complex", "object"})
_CONTAINER_CLASSES = {"set": "set", "Set": "set", "deque": "collections.deque", "Iterator": "iterator"}


def _instance_of(ev: Evaluation, op: InstanceOf) -> Values:
    return _instances(ev, op.cls, 0)


def _instances(ev: Evaluation, operand: int, depth: int) -> Values:
    """Return the instances that a type expression describes."""
    operations = ev.frame.unit.facts.operations
    op = operations[operand] if operand >= 0 else None
    match op:
        case Subscript():
            return _parametrized(ev, op, operand, depth)
        case Join():
            return union([_instances(ev, value, depth) for value in op.values])
        case Assign() | SetGlobal():
            return _instances(ev, op.value, depth)
        case _:
            return union([_instance(ev, value) for value in ev.get(operand)])


def _instance(ev: Evaluation, value: Value) -> Values:
    interner = ev.solver.interner
    match value:
        case ClassValue():
            if any(base in PROTOCOLS for base in ev.solver.hierarchy.mro(value.cls)):
                return NOTHING  # structural: the class of the object is another one
            return ev.one(interner.instance(value.cls, True))
        case External() if value.name in _SCALARS:
            return ev.one(interner.container(value.name, "annotation"))  # holds nothing: one stands for all
        case External() if ev.solver.models.class_(value.name) is not None:
            return ev.one(interner.container(value.name, ("annotation", ev.frame, ev.index)))
        case Container() if value.class_name == "tuple":  # `except (A, B)`
            return union([_instance(ev, v) for cell in value.items.values() for v in ev.read(cell)])
        case Text() if isinstance(value.value, str):  # `cast("A", x)`
            return union([_instance(ev, named) for named in _named(ev, value.value) if not isinstance(named, Text)])
        case _:
            return NOTHING


def _named(ev: Evaluation, dotted: str) -> Values:
    """Return what a dotted name means in the module that is evaluated."""
    first, *rest = dotted.split(".")
    values = module_name(ev, ev.frame.unit.module, first)
    for name in rest:
        values = union([attribute(ev, ev.operation, value, name) for value in values])
    return values


def stated(ev: Evaluation, operand: int) -> Values:
    """Return the instances that a type expression, given as an operand, describes."""
    return _instances(ev, operand, 0)


def either(ev: Evaluation, name: str, index: Values) -> Values:
    """Return the classes that `Union[A, B]` and its kin stand for, by the form's name and what is in brackets."""
    if name.rpartition(".")[2] not in EITHER:
        return NOTHING
    return frozenset(value for value in possible_types(ev, index) if isinstance(value, ClassValue))


def possible_types(ev: Evaluation, values: Values) -> list[Value]:
    """Return the types that a value in the place of a type may be: those in a tuple, too."""
    types: list[Value] = []
    for value in values:
        if isinstance(value, Container) and value.class_name == "tuple":
            types += [v for cell in (value.element, *value.items.values()) for v in ev.read(cell)]
        else:
            types.append(value)
    return types


def bounds(ev: Evaluation, values: Iterable[Values]) -> Values:
    """Return the classes among the bound and the constraints of a type variable."""
    given = union(values)
    texts = [v.value for v in given if isinstance(v, Text) and isinstance(v.value, str)]
    return frozenset(v for v in union((given, *(_named(ev, text) for text in texts))) if isinstance(v, ClassValue))


def _parametrized(ev: Evaluation, op: Subscript, operand: int, depth: int) -> Values:
    operations = ev.frame.unit.facts.operations
    index = operations[op.index] if op.index >= 0 else None
    arguments = index.elements if isinstance(index, Collection) else (op.index,)
    results: list[Values] = []
    for base in ev.get(op.base):
        name = base.name.rpartition(".")[2] if isinstance(base, External) else ""
        if isinstance(base, ClassValue):
            results.append(_instance(ev, base))
        elif name in EITHER:
            results += [_instances(ev, a, depth) for a in arguments]
        elif name in TYPE:
            results += [_classes(ev, a) for a in arguments]
        elif name in MAPPINGS and len(arguments) == 2:
            results.append(_held(ev, "dict", operand, depth, arguments[1], arguments[0]))
        elif name in ELEMENTS and arguments:
            class_name = _CONTAINER_CLASSES.get(name, "list")
            results += [_held(ev, class_name, operand, depth, a, None) for a in arguments]
    return union(results)


def _held(ev: Evaluation, class_name: str, operand: int, depth: int, element: int, key: int | None) -> Values:
    """A container whose elements are annotated; nested annotations are told apart by depth."""
    solver = ev.solver
    container = solver.interner.container(class_name, ("annotation", ev.frame, operand, depth))
    solver.add(container.element, _instances(ev, element, depth + 1))
    if key is not None:
        solver.add(container.key, _instances(ev, key, depth + 1))
    return ev.one(container)


def _classes(ev: Evaluation, operand: int) -> Values:
    interner = ev.solver.interner
    return frozenset(interner.cls(v.cls, True) for v in ev.get(operand) if isinstance(v, ClassValue))


def holds_nothing(value: Value) -> bool:
    """Whether a value is a container of which nothing is stated but its own class: `list`, `dict[str, Any]`."""
    if not isinstance(value, Container) or value.class_name in _SCALARS:
        return False
    return not value.element.values and not value.items


OPERATIONS: dict[type, Handler] = {InstanceOf: _instance_of}
