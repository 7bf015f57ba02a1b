"""Operators, truth and formatting, by the special methods that they call."""

from __future__ import annotations

from deepgrep.facts.operations import Format, Operator, Truth
from deepgrep.graph.rows import Via
from deepgrep.linking import states
from deepgrep.linking.attributes import find
from deepgrep.linking.evaluation import Evaluation, Handler, Site, union
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method, modelled_bases
from deepgrep.linking.values import NOTHING, Container, InstanceValue, Values

_COMPARISONS = {
    "__eq__": "__eq__", "__ne__": "__ne__", "__lt__": "__gt__",
    "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__",
}  # fmt: skip


def _operator(ev: Evaluation, op: Operator) -> Values:
    site = ev.site(op)
    left, right = ev.get(op.left), ev.get(op.right)
    results = [_methods(ev, left, (op.name, _plain(op.name)), right, site)]
    if op.name != "__contains__":
        reflected = _COMPARISONS.get(op.name) or f"__r{_plain(op.name)[2:]}"
        results.append(_methods(ev, right, (reflected,), left, site))
    if op.name == "__iadd__" or op.name == "__ior__":
        _note_mutation(ev, op, left)
    if op.name in ("__add__", "__iadd__", "__or__", "__ior__"):
        results += [frozenset(v for v in values if isinstance(v, Container)) for values in (left, right)]
    return union(results)


def _plain(name: str) -> str:
    """`__iadd__` falls back on `__add__`."""
    in_place = name.startswith("__i") and name not in ("__invert__",)
    return f"__{name[3:]}" if in_place else name


def _note_mutation(ev: Evaluation, op: Operator, left: Values) -> None:
    for value in left:
        if isinstance(value, Container):
            states.write_contents(ev, op, value, "augmented", op.left)


def _methods(ev: Evaluation, values: Values, names: tuple[str, ...], argument: Values, site: Site) -> Values:
    results = [
        call_method(ev, value, name, Arguments((argument,)), site, Via.OPERATOR, only_analyzed=True)
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
