"""Names of which only a part is known: `setattr(C, f"__{name}__", f)`, `getattr(self, f"visit_{kind}")`.

A pattern is what the name begins with, `*`, and what it ends with; as a value, it is a string made at a site so called.
"""

from __future__ import annotations

from deepgrep.facts.operations import NamePattern, Operation
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.values import Container, Text, Value, Values

ANY_NAME = "*"


def matches(pattern: str, name: str) -> bool:
    """Whether a name has what is known of it."""
    prefix, _, suffix = pattern.partition("*")
    return len(name) >= len(prefix) + len(suffix) and name.startswith(prefix) and name.endswith(suffix)


def is_name(value: Value) -> bool:
    """Whether all, or something, is known of the name that a value is."""
    return isinstance(value, Text) or pattern(value) != ANY_NAME


def pattern(value: Value | None) -> str:
    """Return what is known of the name that a value is."""
    match value:
        case Container(class_name="str", site=str() as site) if "*" in site:
            return site
        case _:
            return ANY_NAME


def _name_pattern(ev: Evaluation, op: NamePattern) -> Values:
    return ev.one(ev.solver.interner.container("str", f"{op.prefix}*{op.suffix}"))


OPERATIONS: dict[type[Operation], Handler] = {NamePattern: _name_pattern}
