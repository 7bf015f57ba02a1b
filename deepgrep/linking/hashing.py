"""Keys are hashed and compared: dicts, sets, caches call `__hash__` and `__eq__` of what they are given."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.graph.rows import Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.protocols import call_method
from deepgrep.linking.values import ClassValue, Container, InstanceValue, Value, Values

_SEQUENCES = frozenset({"list", "tuple", "str", "bytes", "iterator", "collections.deque", "array.array"})


def hash_keys(ev: Evaluation, keys: Values, site: Site) -> None:
    """Hash keys, and compare them with equal ones; those of a tuple one by one."""
    _hash(ev, keys, site, set())


def _hash(ev: Evaluation, keys: Iterable[Value], site: Site, seen: set[Value]) -> None:
    from deepgrep.linking.containers import all_elements

    for key in keys:
        match key:
            case InstanceValue() | ClassValue():
                call_method(ev, key, "__hash__", Arguments(), site, Via.OPERATOR, only_analyzed=True)
                call_method(ev, key, "__eq__", Arguments((ev.one(key),)), site, Via.OPERATOR, only_analyzed=True)
            case Container(class_name="tuple") if key not in seen:
                seen.add(key)
                _hash(ev, all_elements(ev, key), site, seen)
            case _:
                pass


def looks_up(base: Value) -> bool:
    """Whether `base[key]` looks a key up; an analyzed object has its own method for that."""
    return not isinstance(base, InstanceValue | ClassValue) and not (
        isinstance(base, Container) and base.class_name in _SEQUENCES
    )


def hash_looked_up(ev: Evaluation, bases: Values, keys: Values, site: Site) -> None:
    """Hash what is looked up in some values; what they are need not be known: only mappings have such keys."""
    if not bases or any(looks_up(base) for base in bases):
        hash_keys(ev, keys, site)
