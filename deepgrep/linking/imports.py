"""Imports: what a module name stands for, and the module bodies that an import runs."""

from __future__ import annotations

from deepgrep.facts.operations import Import, ImportFrom, Operation
from deepgrep.linking.attributes import module_attribute
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.values import NOTHING, Values


def module_values(ev: Evaluation, name: str) -> Values:
    """Return the module of a dotted name, analyzed or not."""
    module = ev.solver.program.module(name)
    interner = ev.solver.interner
    return ev.one(interner.module(module) if module is not None else interner.external(name))


def runs(ev: Evaluation, op: Operation, name: str) -> None:
    """Note that importing a module runs its body, and those of the packages around it."""
    if ev.recorder is None or not op.line:
        return
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        module = ev.solver.program.module(".".join(parts[:end]))
        if module is not None and module is not ev.frame.unit.module:
            ev.recorder.import_edge(ev.site(op), ev.solver.frame(module.units[0], None))


def _import(ev: Evaluation, op: Import) -> Values:
    runs(ev, op, op.module)
    return module_values(ev, op.module if op.renamed else op.module.partition(".")[0])


def _import_from(ev: Evaluation, op: ImportFrom) -> Values:
    name = ev.frame.unit.module.absolute(op.module, op.level)
    runs(ev, op, name)
    if op.name == "*":
        return NOTHING
    program = ev.solver.program
    module = program.module(name)
    if module is None:
        return ev.one(ev.solver.interner.external(f"{name}.{op.name}"))
    if module is ev.frame.unit.module and op.name in module.names:
        # A package that imports a module of its own: the name is that module's, native if it has no source.
        runs(ev, op, f"{name}.{op.name}")
        return module_values(ev, f"{name}.{op.name}")
    if not module.defines(op.name) and program.module(f"{name}.{op.name}") is not None:
        runs(ev, op, f"{name}.{op.name}")
    return module_attribute(ev, op, module, op.name)


OPERATIONS: dict[type[Operation], Handler] = {Import: _import, ImportFrom: _import_from}
