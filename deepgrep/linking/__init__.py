"""The whole program: facts of all files -> the rows of the call graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from deepgrep.interpreter import allow_deep_recursion
from deepgrep.linking.program import LinkModule

if TYPE_CHECKING:
    from deepgrep.graph.rows import GraphRows, Skipped
    from deepgrep.sources.tree import SourceTree

__all__ = ["LinkModule", "link"]


def link(sources: Sequence[SourceTree], modules: Iterable[LinkModule], skipped: list[Skipped]) -> GraphRows:
    """Link the facts of all files.

    Args:
        sources: the trees that the files are from.
        modules: the files with their facts; each module name once.
        skipped: files that could not be read.

    Returns:
        The rows of the call graph.
    """
    from deepgrep.graph.rows import Source
    from deepgrep.linking.last_evaluation import record
    from deepgrep.linking.numbering import numbered_functions, rows
    from deepgrep.linking.program import Program
    from deepgrep.linking.publishing import publish
    from deepgrep.linking.recording import Recorder
    from deepgrep.linking.solver import Solver
    from deepgrep.linking.values import number_from_zero
    from deepgrep.models import load

    allow_deep_recursion()
    number_from_zero()
    program = Program(modules)
    models = load()
    solver = Solver(program, models)
    solver.solve()
    recorder = Recorder(solver)
    record(solver, recorder)
    interface = publish(solver, numbered_functions(recorder)[0])
    solver.forget_values()
    named = [Source(s.name, s.version, s.commit, s.digest) for s in sources]
    result = rows(recorder, program, solver.hierarchy, models, solver.objects, named, skipped)
    result.interface = interface
    return result
