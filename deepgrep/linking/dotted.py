"""Dotted names in model data: what one stands for, in the analyzed sources or outside."""

from __future__ import annotations

from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.values import External, ModuleValue, Values


def named(ev: Evaluation, name: str) -> Values:
    """Return what a dotted name stands for; what the analyzed sources do not define is outside."""
    from deepgrep.linking.attributes import attribute

    interner, modules = ev.solver.interner, ev.solver.program.modules
    parts = name.split(".")
    end = next((end for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in modules), 0)
    if not end:
        return ev.one(interner.external(name))
    op = ev.frame.unit.facts.operations[ev.index]
    values = ev.one(interner.module(modules[".".join(parts[:end])]))
    for part in parts[end:]:
        values = union([attribute(ev, op, value, part) for value in values if not isinstance(value, External)])
    outside = not values or any(isinstance(value, External | ModuleValue) for value in values)
    return ev.one(interner.external(name)) if outside else values
