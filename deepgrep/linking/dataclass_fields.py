"""Dataclasses and named tuples: the fields that their generated `__init__` sets."""

from __future__ import annotations

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import handover
from deepgrep.linking.cells import Cell
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import Container, Values

_FIELD = "dataclasses.Field"


def keep_factory(ev: Evaluation, cls: ClassInfo, name: str, values: Values) -> Values:
    """Keep the factory of `name: T = field(default_factory=f)`; return what else the name is bound to."""
    fields = [v for v in values if isinstance(v, Container) and v.class_name == _FIELD]
    if not fields:
        return values
    if name not in cls.factories:
        cls.factories[name] = Cell()
        ev.solver.bases_changed(cls)
    for stated in fields:
        ev.solver.add(cls.factories[name], ev.read(stated.element))
    return values.difference(fields)


def initialize(ev: Evaluation, cls: ClassInfo, arguments: Arguments, site: Site) -> None:
    """Set the annotated fields of a class, its bases' first, from arguments and default factories."""
    solver = ev.solver
    bases = [base for base in reversed(solver.hierarchy.mro(cls)) if isinstance(base, ClassInfo)]
    order: dict[str, ClassInfo] = {}
    for base in bases:
        for name in base.declared:
            order.setdefault(name, base)
    given = dict(zip(order, arguments.positional, strict=False)) | arguments.keywords
    for name, values in given.items():
        if name in order and values:
            handover.stored(ev, site, solver.interner.instance(order[name]), values)
            solver.set_field(order[name], name, values)
    for base in bases:
        for name, cell in base.factories.items():
            if name not in given:
                factories = ev.read(cell)
                certainty = Certainty.CERTAIN if len(factories) == 1 else Certainty.FLOW
                made = invoke(ev, factories, Arguments(), site, Via.CALLBACK, certainty)
                solver.set_field(base, name, made)
