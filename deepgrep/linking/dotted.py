"""Dotted names as text, in model data or in the code: what one stands for, in the analyzed sources or outside."""

from __future__ import annotations

from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.program import ModuleInfo
from deepgrep.linking.values import External, ModuleValue, Values


def longest_module(ev: Evaluation, name: str) -> tuple[ModuleInfo | None, list[str]]:
    """Return the longest module that a dotted name begins with, if any, and the parts that follow it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ev.solver.program.module(".".join(parts[:end]))
        if module is not None:
            return module, parts[end:]
    return None, parts


def named(ev: Evaluation, name: str) -> Values:
    """Return what a dotted name stands for; what the analyzed sources do not define is outside."""
    from deepgrep.linking.attributes import attribute

    interner = ev.solver.interner
    module, parts = longest_module(ev, name)
    if module is None:
        return ev.one(interner.external(name))
    values = ev.one(interner.module(module))
    for part in parts:
        values = union(
            [attribute(ev, ev.operation, value, part) for value in values if not isinstance(value, External)]
        )
    outside = not values or any(isinstance(value, External | ModuleValue) for value in values)
    return ev.one(interner.external(name)) if outside else values
