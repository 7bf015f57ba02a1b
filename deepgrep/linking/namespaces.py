"""`globals()`, `vars(x)` and `x.__dict__`: attributes by name, as items of a mapping.

Such a mapping is a container of class `namespace`, made by its owner: a module, class, instance or function. Its items
are what was stored under names of which only a pattern is known, by that.
"""

from __future__ import annotations

from deepgrep.facts.operations import Operation
from deepgrep.linking import states
from deepgrep.linking.attributes import attribute
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.mappings import is_mapping, named_items, put_pairs
from deepgrep.linking.name_patterns import ANY_NAME, pattern
from deepgrep.linking.setting import delete_attribute, set_attribute
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    Text,
    Value,
    Values,
)

NAMESPACE = "namespace"
_OWNERS = (ClassValue, Container, External, FunctionValue, InstanceValue, ModuleValue)
_CALL = "mutating call"


def namespace(ev: Evaluation, owner: Value) -> Values:
    """Return the mapping of the attributes that a value has itself."""
    return ev.one(ev.solver.interner.container(NAMESPACE, owner)) if isinstance(owner, _OWNERS) else NOTHING


def _owner(mapping: Container) -> Value:
    assert isinstance(mapping.site, _OWNERS)
    return mapping.site


def _names(keys: Values) -> list[str | None]:
    """Return the names that some keys may be, None for one that is not known."""
    return [v.value if isinstance(v, Text) and isinstance(v.value, str) else None for v in keys] or [None]


def read_item(ev: Evaluation, op: Operation, mapping: Container, keys: Values) -> Values:
    """Return what `vars(x)[key]` may be."""
    names = [name for name in _names(keys) if name is not None]
    return union([attribute(ev, op, _owner(mapping), name) for name in names])


def write_item(
    ev: Evaluation, op: Operation, mapping: Container, keys: Values, values: Values, form: str, operand: int | None
) -> None:
    """Assign to `vars(x)[key]`: no setter runs."""
    for key in keys or (None,):
        name = key.value if isinstance(key, Text) else None
        if isinstance(name, str):
            set_raw(ev, op, _owner(mapping), name, values, form, operand)
        else:
            known = pattern(key)
            ev.solver.add(mapping.element if known == ANY_NAME else ev.solver.item(mapping, known), values)
            states.write_unknown_attribute(ev, op, _owner(mapping), form)


def delete_item(ev: Evaluation, op: Operation, mapping: Container, keys: Values, form: str) -> None:
    """Note that `vars(x)[key]` is deleted."""
    for name in _names(keys):
        if name is not None:
            delete_attribute(ev, op, _owner(mapping), name, form)
        else:
            states.write_unknown_attribute(ev, op, _owner(mapping), form)


def set_raw(
    ev: Evaluation, op: Operation, owner: Value, name: str, values: Values, form: str, operand: int | None
) -> None:
    """Assign to an attribute past `__setattr__` and properties."""
    solver = ev.solver
    match owner:
        case InstanceValue():
            solver.set_field(owner.cls, name, values)
            states.write_instance(ev, op, owner, name, form, operand)
        case ModuleValue():
            solver.add(solver.module_name(owner.module, name), values)
            states.write_global(ev, op, owner.module, name, form, operand)
        case _:
            set_attribute(ev, op, owner, name, values, form, operand)


def replace(ev: Evaluation, op: Operation, owner: Value, values: Values, form: str) -> None:
    """Assign to `x.__dict__`: the new mapping's items are the attributes."""
    for mapping in namespace(ev, owner):
        assert isinstance(mapping, Container)
        _update(ev, op, mapping, values, NOTHING, form)


def call_method(ev: Evaluation, op: Operation, mapping: Container, method: str, arguments: Arguments) -> Values:
    """Call a method of the mapping, a dict's."""
    first, second = (*arguments.positional, NOTHING, NOTHING)[:2]
    match method:
        case "get" | "__getitem__" | "__contains__":
            return union((read_item(ev, op, mapping, first), second))
        case "setdefault":
            write_item(ev, op, mapping, first, second, _CALL, None)
            return union((read_item(ev, op, mapping, first), second))
        case "__setitem__":
            write_item(ev, op, mapping, first, second, _CALL, None)
        case "pop" | "__delitem__":
            delete_item(ev, op, mapping, first, _CALL)
            return union((read_item(ev, op, mapping, first), second))
        case "update" | "__ior__":
            for name, values in arguments.keywords.items():
                set_raw(ev, op, _owner(mapping), name, values, _CALL, None)
            if arguments.positional or arguments.double_star:
                _update(ev, op, mapping, first, arguments.double_star, _CALL)
        case "clear" | "popitem":
            states.write_unknown_attribute(ev, op, _owner(mapping), _CALL)
        case _:
            pass
    return NOTHING


def _update(ev: Evaluation, op: Operation, mapping: Container, others: Values, rest: Values, form: str) -> None:
    """Take over what other mappings hold; what is not told apart by name may be any attribute."""
    unknown = [rest]
    is_known = bool(others)
    for other in others:
        if not is_mapping(ev, other):
            other = _of_pairs(ev, op, other)
        assert isinstance(other, Container)
        for key, values in named_items(ev, other).items():
            set_raw(ev, op, _owner(mapping), key, values, form, None)
        unknown.append(ev.read(other.element))
        # `**options` that no known call gives may hold anything.
        keys = ev.read(other.key)
        is_known = is_known and bool(other.items or keys) and all(isinstance(key, Text) for key in keys)
    if not is_known or any(unknown):
        ev.solver.add(mapping.element, union(unknown))
        states.write_unknown_attribute(ev, op, _owner(mapping), form)


def _of_pairs(ev: Evaluation, op: Operation, pairs: Value) -> Value:
    """Return the dict that pairs of a key and a value make."""
    from deepgrep.linking.iteration import elements

    made = ev.solver.interner.container("dict", (ev.frame, ev.index, "pairs"))
    put_pairs(ev, made, elements(ev, pairs, ev.site(op)))
    return made
