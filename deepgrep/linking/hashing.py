"""Keys are hashed and compared: dicts, sets, caches, `hash` and `in` call `__hash__` and `__eq__`."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.graph.rows import Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import NOTHING, ClassValue, Container, InstanceValue, Value, Values

_SEQUENCES = frozenset({"list", "tuple", "str", "bytes", "iterator", "collections.deque", "array.array"})


def hash_keys(ev: Evaluation, keys: Values, site: Site) -> None:
    """Hash keys, and compare them with equal ones; those of a tuple one by one."""
    _call(ev, keys, ("__hash__", "__eq__"), site, set())


def hash_function(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`hash(x)`."""
    for values in arguments.positional:
        _call(ev, values, ("__hash__",), site, set())
    return NOTHING


def compare_contained(ev: Evaluation, container: Container, item: Values, site: Site) -> None:
    """Look for an item in a list or tuple: it is compared with what that holds."""
    from deepgrep.linking.containers import all_elements

    if container.class_name in _SEQUENCES:
        _call(ev, (*item, *all_elements(ev, container)), ("__eq__",), site, set())


def _call(ev: Evaluation, keys: Iterable[Value], methods: tuple[str, ...], site: Site, seen: set[Value]) -> None:
    for key in keys:
        match key:
            case InstanceValue() | ClassValue():
                for method in methods:
                    _call_once(ev, key, method, site)
            case Container(class_name="tuple") if key not in seen:
                from deepgrep.linking.containers import all_elements

                seen.add(key)
                _call(ev, all_elements(ev, key), methods, site, seen)
            case _:
                pass


def _call_once(ev: Evaluation, key: Value, method: str, site: Site) -> None:
    given = Arguments((ev.one(key),)) if method == "__eq__" else Arguments()
    ev.once((method, key), lambda: call_method(ev, key, method, given, site, Via.OPERATOR, only_analyzed=True))


def looks_up(base: Value) -> bool:
    """Whether `base[key]` looks a key up; an analyzed object has its own method for that."""
    return not isinstance(base, InstanceValue | ClassValue) and not (
        isinstance(base, Container) and base.class_name in _SEQUENCES
    )


def hash_looked_up(ev: Evaluation, bases: Values, keys: Values, site: Site) -> None:
    """Hash what is looked up in some values; what they are need not be known: only mappings have such keys."""
    if not bases or any(looks_up(base) for base in bases):
        hash_keys(ev, keys, site)
