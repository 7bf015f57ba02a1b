"""Dotted names in model data: what one stands for, in the analyzed sources or outside."""

from __future__ import annotations

from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.values import External, ModuleValue, Values


def named(ev: Evaluation, name: str) -> Values:
    """Return what a dotted name stands for; what the analyzed sources do not define is outside."""
    from deepgrep.linking.attributes import attribute

    interner, program = ev.solver.interner, ev.solver.program
    parts = name.split(".")
    modules = ((end, program.module(".".join(parts[:end]))) for end in range(len(parts), 0, -1))
    end, module = next(((end, module) for end, module in modules if module is not None), (0, None))
    if module is None:
        return ev.one(interner.external(name))
    op = ev.frame.unit.facts.operations[ev.index]
    values = ev.one(interner.module(module))
    for part in parts[end:]:
        values = union([attribute(ev, op, value, part) for value in values if not isinstance(value, External)])
    outside = not values or any(isinstance(value, External | ModuleValue) for value in values)
    return ev.one(interner.external(name)) if outside else values
