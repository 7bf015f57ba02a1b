"""Mappings: by which keys they hold what, and how one takes over what another holds."""

from __future__ import annotations

from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    Text,
    Value,
    Values,
)

# More keys than this in one mapping, and they are not told apart.
MOST_ITEMS = 400


def is_mapping(ev: Evaluation, value: Value) -> bool:
    """Whether a value is a dict, or of a class outside that has the methods of one."""
    if not isinstance(value, Container):
        return False
    model = None if value.class_name == "dict" else ev.solver.models.class_(value.class_name)
    return value.class_name == "dict" or (model is not None and "dict" in model.bases)


def constant_keys(keys: Values) -> list[object]:
    """Return the keys by which items are told apart, if all of some values can be: constants, functions, classes."""
    found: list[object] = []
    for key in keys:
        match key:
            case Text():
                found.append(key.value)
            case ClassValue() | External() | FunctionValue():
                found.append(key)
            case _:
                return []
    return found


def named_items(ev: Evaluation, mapping: Container) -> dict[str, Values]:
    """Return the strings that are keys of a mapping, and what it holds under each."""
    ev.solver.watch_items(mapping, ev)
    found = {key: ev.read(cell) for key, cell in mapping.items.items() if isinstance(key, str)}
    for key in ev.read(mapping.key):
        if isinstance(key, Text) and isinstance(key.value, str) and key.value not in found:
            found[key.value] = ev.read(mapping.element)
    return found


def put(ev: Evaluation, container: Container, keys: Values, values: Values) -> None:
    """Let a container hold some values under some keys."""
    solver = ev.solver
    solver.add(container.key, keys)
    if not values:
        return
    constants = constant_keys(keys) if len(container.items) < MOST_ITEMS else []
    for key in constants:
        solver.add(solver.item(container, key), values)
    if not constants:
        solver.add(container.element, values)


def take_over(ev: Evaluation, into: Container, others: Values) -> None:
    """Let a mapping hold what others do, under the same keys: `{**a, **b}`, `a | b`, `a.update(b)`."""
    for other in others:
        if isinstance(other, InstanceValue):
            other = ev.solver.contents(other.cls)
        if isinstance(other, Container) and other is not into:
            _take_over(ev, into, other)


def put_pairs(ev: Evaluation, into: Container, pairs: Values) -> None:
    """Let a mapping hold what pairs say, a key and a value each: `dict(pairs)`."""
    from deepgrep.linking.containers import all_elements, item

    for pair in pairs:
        if isinstance(pair, Container) and pair.class_name in ("tuple", "list"):
            put(ev, into, item(ev, pair, 0), item(ev, pair, 1))
        elif isinstance(pair, Container):
            put(ev, into, NOTHING, all_elements(ev, pair))


def _take_over(ev: Evaluation, into: Container, other: Container) -> None:
    from deepgrep.linking.containers import all_elements

    solver = ev.solver
    solver.add(into.key, ev.read(other.key))
    if len(into.items) + len(other.items) > MOST_ITEMS and not other.items.keys() <= into.items.keys():
        solver.add(into.element, all_elements(ev, other))
        return
    solver.watch_items(other, ev)
    for key, cell in list(other.items.items()):
        if isinstance(key, str):  # of `**options` the keys are known by the items alone
            solver.add(into.key, ev.one(solver.interner.text(key)))
        if not isinstance(key, tuple):
            solver.add(solver.item(into, key), ev.read(cell))
    solver.add(into.element, ev.read(other.element))
