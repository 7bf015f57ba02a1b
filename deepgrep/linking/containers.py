"""Displays, comprehensions and subscripts: what a container holds, told apart by constant key."""

from __future__ import annotations

from deepgrep.facts.operations import Collection, DeleteSubscript, Operation, SetSubscript, Subscript
from deepgrep.graph.rows import Via
from deepgrep.linking import handover, states
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    External,
    InstanceValue,
    Text,
    Value,
    Values,
)

_CLASS_NAMES = {"generator": "iterator"}
# More keys than this in one display, and they are not told apart.
_MOST_ITEMS = 400


def _collection(ev: Evaluation, op: Collection) -> Values:
    solver = ev.solver
    class_name = _CLASS_NAMES.get(op.kind, op.kind)
    container = solver.interner.container(class_name, (ev.frame, ev.index))
    told_apart = len(op.elements) <= _MOST_ITEMS
    for index, operand in enumerate(op.elements):
        values = ev.get(operand)
        keys = ev.get(op.keys[index]) if op.keys else NOTHING
        if keys:
            solver.add(container.key, keys)
        if not values:
            continue
        if op.positional and told_apart:
            solver.add(solver.item(container, index), values)
        elif keys and told_apart and (constants := constant_keys(keys)):
            for key in constants:
                solver.add(solver.item(container, key), values)
        else:
            solver.add(container.element, values)
    return ev.one(container)


def constant_keys(keys: Values) -> list[object]:
    """Return the keys by which items are told apart, if all of some values can be: constants, functions, classes."""
    found: list[object] = []
    for key in keys:
        match key:
            case Text():
                found.append(key.value)
            case ClassValue() | External():
                found.append(key)
            case _:
                return []
    return found


def all_elements(ev: Evaluation, container: Container) -> Values:
    """Return all that a container may hold."""
    cells = [cell for key, cell in container.items.items() if not isinstance(key, tuple)]
    ev.solver.watch_items(container, ev)
    return union([ev.read(container.element), *(ev.read(cell) for cell in cells)])


def item(ev: Evaluation, container: Container, key: object) -> Values:
    """Return what a container may hold at a constant key or position."""
    if isinstance(key, int) and key < 0:
        return all_elements(ev, container)
    values = ev.read(container.element)
    cell = container.items.get(key)
    if cell is None:
        ev.solver.watch_items(container, ev)
        return values
    return union((values, ev.read(cell)))


def _subscript(ev: Evaluation, op: Subscript) -> Values:
    index = ev.get(op.index)
    return union([subscript(ev, op, base, index) for base in ev.get(op.base)])


def subscript(ev: Evaluation, op: Operation, base: Value, index: Values) -> Values:
    """Return what `base[index]` may be; note what it runs and which state it reads."""
    match base:
        case Container():
            states.read_contents(ev, op, base)
            keys = constant_keys(index) if index else []
            if keys:
                return union([item(ev, base, key) for key in keys])
            return all_elements(ev, base)
        case InstanceValue():
            return call_method(ev, base, "__getitem__", Arguments((index,)), ev.site(op), Via.OPERATOR)
        case ClassValue():
            # `Base[int]` is Base; a metaclass, or `__class_getitem__`, may run.
            call_method(ev, base, "__getitem__", Arguments((index,)), ev.site(op), Via.OPERATOR)
            return ev.one(base)
        case External():
            states.read_external_item(ev, op, base.name, index)
            if base.name == "sys.modules":
                return _modules(ev, index)
            return NOTHING
        case _:
            return NOTHING


def _modules(ev: Evaluation, index: Values) -> Values:
    module = ev.solver.program.module
    named = [module(k.value) for k in index if isinstance(k, Text) and isinstance(k.value, str)]
    return frozenset(ev.solver.interner.module(m) for m in named if m is not None)


def _set_subscript(ev: Evaluation, op: SetSubscript) -> Values:
    index, values = ev.get(op.index), ev.get(op.value)
    solver = ev.solver
    for base in ev.get(op.base):
        handover.stored(ev, op, base, values)
        match base:
            case Container():
                states.write_contents(ev, op, base, "subscript", op.value)
                solver.add(base.key, index)
                keys = constant_keys(index) if index and len(base.items) < _MOST_ITEMS else []
                if not values:
                    continue
                if keys:
                    for key in keys:
                        solver.add(solver.item(base, key), values)
                else:
                    solver.add(base.element, values)
            case InstanceValue():
                arguments = Arguments((index, values))
                call_method(ev, base, "__setitem__", arguments, ev.site(op), Via.OPERATOR)
            case External():
                states.write_external_item(ev, op, base.name, index, "subscript", op.value)
            case _:
                pass
    return NOTHING


def _delete_subscript(ev: Evaluation, op: DeleteSubscript) -> Values:
    index = ev.get(op.index)
    for base in ev.get(op.base):
        match base:
            case Container():
                states.write_contents(ev, op, base, "delete", None)
            case InstanceValue():
                call_method(ev, base, "__delitem__", Arguments((index,)), ev.site(op), Via.OPERATOR)
            case External():
                states.write_external_item(ev, op, base.name, index, "delete", None)
            case _:
                pass
    return NOTHING


OPERATIONS: dict[type, Handler] = {
    Collection: _collection,
    Subscript: _subscript,
    SetSubscript: _set_subscript,
    DeleteSubscript: _delete_subscript,
}
