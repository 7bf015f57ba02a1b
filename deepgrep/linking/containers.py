"""Displays, comprehensions and subscripts: what a container holds, told apart by constant key."""

from __future__ import annotations

from sys import maxsize

from deepgrep.facts.operations import Collection, DeleteSubscript, Operation, SetSubscript, Subscript
from deepgrep.graph.rows import Via
from deepgrep.linking import handover, states
from deepgrep.linking.cells import Cell
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.hashing import hash_keys, hash_looked_up
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.mappings import MOST_ITEMS, constant_keys, is_mapping, put, take_over
from deepgrep.linking.pools import FEW, pour
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    Cut,
    External,
    InstanceValue,
    Many,
    Text,
    Value,
    Values,
)

_CLASS_NAMES = {"generator": "iterator"}


def _collection(ev: Evaluation, op: Collection) -> Values:
    solver = ev.solver
    class_name = _CLASS_NAMES.get(op.kind, op.kind)
    place = "returned" if ev.index in ev.frame.unit.returned_tuples else ev.index
    container = solver.interner.container(class_name, (ev.frame, place))
    told_apart = len(op.elements) <= MOST_ITEMS
    for index, operand in enumerate(op.elements):
        values = ev.get(operand)
        keys = ev.get(op.keys[index]) if op.keys else NOTHING
        if keys:
            solver.add(container.key, keys)
            hash_keys(ev, keys, ev.site(op))
        if not values:
            continue
        if op.kind == "set":
            hash_keys(ev, values, ev.site(op))
        if op.positional and told_apart:
            solver.add(solver.item(container, index), values)
        elif keys and told_apart and (constants := constant_keys(keys)):
            for key in constants:
                solver.add(solver.item(container, key), values)
        else:
            solver.add(container.element, values)
    for operand in op.merged:
        _merge(ev, op, container, ev.get(operand))
    return ev.one(container)


def _merge(ev: Evaluation, op: Collection, container: Container, others: Values) -> None:
    """`{**other}`: takes over the items of a mapping; of an object, its methods say which."""
    for other in others:
        if is_mapping(ev, other):
            states.read_contents(ev, op, other)
            take_over(ev, container, ev.one(other))
        else:
            if isinstance(other, InstanceValue):
                take_over(ev, container, ev.one(other))
                call_method(ev, other, "keys", Arguments(), ev.site(op), Via.ITERATE, only_analyzed=True)
            ev.solver.add(container.element, subscript(ev, op, other, NOTHING))


def all_elements(ev: Evaluation, container: Container) -> Values:
    """Return all that a container may hold."""
    if container.pool is not None and ev.recorder is None:
        return ev.read(container.pool)
    cells = [cell for key, cell in container.items.items() if not isinstance(key, tuple)]
    if len(cells) > FEW and ev.recorder is None:
        container.pool = Cell()
        pour((container.element, *cells), container.pool)
        return ev.read(container.pool)
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


def items(ev: Evaluation, container: Container, keys: Values) -> Values:
    """Return what a container may hold at some keys, everything for keys that are not known."""
    constants = constant_keys(keys)
    return union([item(ev, container, key) for key in constants]) if constants else all_elements(ev, container)


def _subscript(ev: Evaluation, op: Subscript) -> Values:
    index = ev.get(op.index)
    hash_looked_up(ev, ev.get(op.base), index, ev.site(op))
    return union([subscript(ev, op, base, index) for base in ev.get(op.base)])


def subscript(ev: Evaluation, op: Operation, base: Value, index: Values) -> Values:
    """Return what `base[index]` may be; note what it runs and which state it reads."""
    match base:
        case Container(class_name="namespace"):
            from deepgrep.linking.namespaces import read_item

            return read_item(ev, op, base, index)
        case Container():
            states.read_contents(ev, op, base)
            bounds = [v for v in index if isinstance(v, Container) and v.class_name == "slice"]
            if bounds:
                return union([_slice(ev, base, bound) for bound in bounds])
            return items(ev, base, index)
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
            from deepgrep.linking.stated_types import either

            return either(ev, base.name, index)
        case Cut():
            return ev.one(base)
        case Many():
            return ev.one(ev.solver.interner.cut)
        case _:
            return NOTHING


def _slice(ev: Evaluation, base: Container, bounds: Container) -> Values:
    """`base[lower:upper:step]`: a new container; positions are known where the bounds are and nothing is left out."""
    solver = ev.solver
    made = solver.interner.container(base.class_name, (ev.frame, ev.index, "slice"))
    lower, upper, step = (_bound(ev, bounds, position, default) for position, default in enumerate((0, maxsize, 1)))
    solver.watch_items(base, ev)
    for key, cell in list(base.items.items()):
        if not isinstance(key, int):
            continue
        if lower is None or step != 1:
            solver.add(made.element, ev.read(cell))
        elif lower <= key and (upper is None or key < upper):
            solver.add(solver.item(made, key - lower), ev.read(cell))
    solver.add(made.element, ev.read(base.element))
    return ev.one(made)


def _bound(ev: Evaluation, bounds: Container, position: int, default: int) -> int | None:
    """Return a bound or the step of a slice; `default` for one that is left out, None for one that is not known."""
    cell = bounds.items.get(position)
    values = ev.read(cell) if cell is not None else NOTHING
    if len(values) != 1:
        return None
    (value,) = values
    if not isinstance(value, Text) or not isinstance(value.value, int | None):
        return None
    if value.value is None:
        return default
    return value.value if value.value >= 0 else None


def _modules(ev: Evaluation, index: Values) -> Values:
    module = ev.solver.program.module
    named = [module(k.value) for k in index if isinstance(k, Text) and isinstance(k.value, str)]
    return frozenset(ev.solver.interner.module(m) for m in named if m is not None)


def _set_subscript(ev: Evaluation, op: SetSubscript) -> Values:
    index, values = ev.get(op.index), ev.get(op.value)
    hash_looked_up(ev, ev.get(op.base), index, ev.site(op))
    for base in ev.get(op.base):
        set_subscript(ev, op, base, index, values, op.value)
    return NOTHING


def set_subscript(
    ev: Evaluation, op: Operation, base: Value, index: Values, values: Values, operand: int | None
) -> None:
    """Assign to `base[index]`: add to what it holds, note the write and what it runs; `operand` is of the value."""
    handover.stored(ev, op, base, values)
    match base:
        case Container(class_name="namespace"):
            from deepgrep.linking.namespaces import write_item

            write_item(ev, op, base, index, values, "subscript", operand)
        case Container():
            states.write_contents(ev, op, base, "subscript", operand)
            _put(ev, base, index, values)
        case InstanceValue():
            call_method(ev, base, "__setitem__", Arguments((index, values)), ev.site(op), Via.OPERATOR)
        case External():
            states.write_external_item(ev, op, base.name, index, "subscript", operand)
            if base.name == "sys.modules":
                _replace_modules(ev, index, values)
        case _:
            pass


def _replace_modules(ev: Evaluation, names: Values, values: Values) -> None:
    """`sys.modules[__name__] = Config(...)`: the object takes the module's place, and its class says what that does."""
    classes = frozenset(ev.solver.interner.cls(v.cls) for v in values if isinstance(v, InstanceValue))
    for name in names:
        module = (
            ev.solver.program.module(name.value) if isinstance(name, Text) and isinstance(name.value, str) else None
        )
        if module is not None and classes:
            ev.solver.add(module.replaced_class, classes)


def _put(ev: Evaluation, container: Container, index: Values, values: Values) -> None:
    solver = ev.solver
    if any(isinstance(v, Container) and v.class_name == "slice" for v in index):
        solver.add(container.element, union([all_elements(ev, v) for v in values if isinstance(v, Container)]))
        return
    put(ev, container, index, values)


def _delete_subscript(ev: Evaluation, op: DeleteSubscript) -> Values:
    index = ev.get(op.index)
    hash_looked_up(ev, ev.get(op.base), index, ev.site(op))
    for base in ev.get(op.base):
        delete_subscript(ev, op, base, index)
    return NOTHING


def delete_subscript(ev: Evaluation, op: Operation, base: Value, index: Values) -> None:
    """Note that `base[index]` is deleted, and what that runs."""
    match base:
        case Container(class_name="namespace"):
            from deepgrep.linking.namespaces import delete_item

            delete_item(ev, op, base, index, "delete")
        case Container():
            states.write_contents(ev, op, base, "delete", None)
        case InstanceValue():
            call_method(ev, base, "__delitem__", Arguments((index,)), ev.site(op), Via.OPERATOR)
        case External():
            states.write_external_item(ev, op, base.name, index, "delete", None)
        case _:
            pass


OPERATIONS: dict[type, Handler] = {
    Collection: _collection,
    Subscript: _subscript,
    SetSubscript: _set_subscript,
    DeleteSubscript: _delete_subscript,
}
