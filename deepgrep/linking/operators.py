"""Operators, truth and formatting, by the special methods that they call."""

from __future__ import annotations

from deepgrep.facts.operations import AnyOperation, Format, Operator, Truth
from deepgrep.graph.rows import Via
from deepgrep.linking import states
from deepgrep.linking.attributes import find
from deepgrep.linking.containers import all_elements
from deepgrep.linking.evaluation import Evaluation, Handler, Site, union
from deepgrep.linking.hashing import compare_contained, hash_looked_up
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.mappings import is_mapping, take_over
from deepgrep.linking.namespaces import read_item
from deepgrep.linking.protocols import call_method, modelled_bases
from deepgrep.linking.values import NOTHING, ClassValue, Container, External, InstanceValue, Values

_UNARY = frozenset({"__neg__", "__pos__", "__invert__"})
_COMPARISONS = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__",
    "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__",
}  # fmt: skip


# Operators that give a new container of what their operands hold, and their forms in place.
_FRESH = frozenset({"__add__", "__and__", "__mul__", "__or__", "__sub__", "__xor__"})
_IN_PLACE = frozenset(f"__i{name[2:]}" for name in _FRESH)
_CONTAINERS = frozenset(
    {"list", "tuple", "set", "frozenset", "dict", "collections.Counter", "collections.OrderedDict",
     "collections.defaultdict", "collections.deque"}
)  # fmt: skip


def _operator(ev: Evaluation, op: Operator) -> Values:
    return operate(ev, op.name, ev.get(op.left), ev.get(op.right), op.left)


def operate(ev: Evaluation, name: str, left: Values, right: Values, operand: int | None = None) -> Values:
    """Apply an operator by its special method; return what it may give.

    Args:
        ev: the evaluation in which it happens.
        name: of the method: `__add__`.
        left: what it is applied to; of `in`, the container.
        right: the other side.
        operand: of the left side.
    """
    op = ev.operation
    site = ev.site(op)
    if name in _UNARY:
        return _methods(ev, left, (name,), Arguments(), site)
    results = [_methods(ev, left, (name, _plain(name)), Arguments((right,)), site)]
    if name == "__contains__":
        hash_looked_up(ev, left, right, site)
        for value in left:
            if isinstance(value, Container):
                compare_contained(ev, value, right, site)
        _look_into(ev, op, left, right)
        return NOTHING
    reflected = _COMPARISONS.get(name) or f"__r{_plain(name)[2:]}"
    results.append(_methods(ev, right, (reflected,), Arguments((left,)), site))
    if name in _IN_PLACE:
        results.append(_extended(ev, op, left, right, operand))
    elif name in _FRESH:
        results += [_combined(ev, container, site) for container in (*left, *right) if isinstance(container, Container)]
    if name == "__or__":  # `A | B`: one of two types
        results.append(frozenset(v for v in (*left, *right) if isinstance(v, ClassValue)))
    return union(results)


def _look_into(ev: Evaluation, op: AnyOperation, left: Values, right: Values) -> None:
    for value in left:
        match value:
            case External():
                states.read_external_item(ev, op, value.name, right)
            case Container(class_name="namespace"):
                read_item(ev, op, value, right)
            case Container():
                states.read_contents(ev, op, value)
            case _:
                pass


def _extended(ev: Evaluation, op: AnyOperation, left: Values, right: Values, operand: int | None) -> Values:
    """`a += b` changes a container: it holds what `b` holds too."""
    containers = [v for v in left if isinstance(v, Container)]
    for container in containers:
        states.write_contents(ev, op, container, "augmented", operand)
        for other in right:
            if is_mapping(ev, container):
                take_over(ev, container, ev.one(other))
            elif isinstance(other, Container):
                ev.solver.add(container.element, all_elements(ev, other))
                ev.solver.add(container.key, ev.read(other.key))
    return frozenset(containers)


def _combined(ev: Evaluation, container: Container, site: Site) -> Values:
    """A new container that holds, among others, what an operand holds."""
    if container.class_name not in _CONTAINERS:
        return ev.one(container)
    solver = ev.solver
    made = solver.interner.container(container.class_name, (ev.frame, site.key))
    if made is not container and is_mapping(ev, container):
        take_over(ev, made, ev.one(container))
    elif made is not container:
        solver.watch_items(container, ev)
        for cell in list(container.items.values()):
            solver.add(made.element, ev.read(cell))
        solver.add(made.element, ev.read(container.element))
        solver.add(made.key, ev.read(container.key))
    return ev.one(made)


def _plain(name: str) -> str:
    """`__iadd__` falls back on `__add__`."""
    in_place = name.startswith("__i") and name not in ("__invert__",)
    return f"__{name[3:]}" if in_place else name


def _methods(ev: Evaluation, values: Values, names: tuple[str, ...], arguments: Arguments, site: Site) -> Values:
    results = [
        call_method(ev, value, name, arguments, site, Via.OPERATOR, only_analyzed=True)
        for value in values
        if isinstance(value, InstanceValue)
        for name in dict.fromkeys(names)
    ]
    return union(results)


def _truth(ev: Evaluation, op: Truth) -> Values:
    return _first_method(ev, ev.get(op.base), ("__bool__", "__len__"), ev.site(op))


def _format(ev: Evaluation, op: Format) -> Values:
    return _first_method(ev, ev.get(op.base), ("__format__", "__str__", "__repr__"), ev.site(op))


def _first_method(ev: Evaluation, values: Values, names: tuple[str, ...], site: Site) -> Values:
    """Call on each instance the first of some methods that its classes have; what comes back is of no interest."""
    for value in values:
        if isinstance(value, InstanceValue):
            for name in names:
                found = find(ev, value.cls, name, value.is_open)
                if found.in_classes or modelled_bases(ev, found, name):
                    call_method(ev, value, name, Arguments(), site, Via.OPERATOR, only_analyzed=True)
                    break
    return NOTHING


OPERATIONS: dict[type, Handler] = {Operator: _operator, Truth: _truth, Format: _format}
