"""`isinstance` and `issubclass`: a metaclass may say what counts as an instance or a subclass."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from deepgrep.graph.rows import Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments
from deepgrep.linking.values import NOTHING, ClassValue, Container, Value, Values


def checks(method: str) -> Callable[[Evaluation, Value | None, Arguments, Site], Values]:
    """Return the feature that asks each class for a method: `__instancecheck__`, `__subclasscheck__`."""

    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        if len(arguments.positional) == 2:
            checked, types = arguments.positional
            _ask(ev, types, method, checked, site, set())
        return NOTHING

    return feature


def _ask(ev: Evaluation, types: Iterable[Value], method: str, checked: Values, site: Site, seen: set[Value]) -> None:
    from deepgrep.linking.containers import all_elements
    from deepgrep.linking.protocols import call_method

    for value in types:
        if isinstance(value, ClassValue):
            call_method(ev, value, method, Arguments((checked,)), site, Via.OPERATOR)
        elif isinstance(value, Container) and value.class_name == "tuple" and value not in seen:
            seen.add(value)
            _ask(ev, all_elements(ev, value), method, checked, site, seen)
