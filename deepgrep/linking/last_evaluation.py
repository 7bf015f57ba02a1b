"""The last evaluation of every frame, to which a recorder listens."""

from __future__ import annotations

from functools import partial

from deepgrep.linking.clones import Own, OwnValues, OwnVariables
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.plugins import OPERATIONS
from deepgrep.linking.program import Frame
from deepgrep.linking.recording import Recorder
from deepgrep.linking.solver import Solver
from deepgrep.linking.states import name_held


def record(solver: Solver, recorder: Recorder) -> None:
    """Evaluate every frame once more, with a listener; those too that are first called while it listens.

    The solver gives up what only solving needs.
    """
    name_held(solver)
    solver.forget_solving()
    library, done = solver.program.library, 0
    while done < len(solver.made):
        frames = solver.made[done:]
        done += len(frames)
        bases: dict[Frame, None] = {}
        for frame in frames:
            if frame.base is not None:
                bases[frame.base] = None
                continue
            if library is not None and library.has(frame):
                continue  # a relay that is recorded already
            recorder.listen(frame)
            solver.evaluate(frame, recorder)
        new = set(frames)
        for base in bases:
            _record_clones(solver, base, [(clone, own) for clone, own in base.clones if clone in new], recorder)


def _record_clones(solver: Solver, base: Frame, clones: list[tuple[Frame, Own]], recorder: Recorder) -> None:
    alike: dict[Own, list[Frame]] = {}
    for clone, own in clones:
        alike.setdefault(own, []).append(clone)
        recorder.listen(clone)
        solver.evaluate(clone, recorder)
    evaluation = Evaluation(solver, base, recorder)
    for own, sharing in alike.items():
        rest = Frame(base.unit, base.parent, (), base.depth, base.order, base.number, own=own, is_rest=True)
        recorder.rest(rest, sharing, partial(evaluation.run_rest, OPERATIONS, own))
    base.values, base.variables = [], []
    for clone, _ in clones:
        clone.values, clone.variables = OwnValues(base), OwnVariables(base)
