"""Small answers, built by hand, as the questions would give them."""

from __future__ import annotations

import msgspec

from deepgrep.graph.rows import AccessKind, Certainty, Source, Via
from deepgrep.questions.answers import (
    AccessRef,
    Chop,
    ChopEdge,
    Drawing,
    DrawnFunction,
    Hop,
    Path,
    ReachAnswer,
    RootRef,
    TargetRef,
    Verdict,
)
from deepgrep.questions.drawing_groups import each_function
from deepgrep.reports.drawings.dot import picture_source
from deepgrep.reports.links import Permalink
from deepgrep.reports.words import SourceLine

SOURCE = Source(name="pkg", version="2.13.0", commit="0123456789abcdef0123", digest="fedcba98765432100123")
LINES = {
    ("pkg/api.py", 12): "    return trace(fn)\n",
    ("pkg/tracer.py", 40): "    with self.lock:\n",
    ("pkg/tracer.py", 44): "        _flag = True\n",
}


def source_line(file: str, line: int) -> str | None:
    return LINES.get((file, line))


def hop(function: str, file: str, line: int, call_line: int, **rest: object) -> Hop:
    fields = {"via": Via.CALL, "certainty": Certainty.CERTAIN, "conditions": [], "locks": []} | rest
    return Hop(function=function, file=file, line=line, call_line=call_line, **fields)


PATH = Path(
    certainty=Certainty.CERTAIN,
    hops=[
        hop("pkg.api.start", "pkg/api.py", 10, 12),
        hop(
            "pkg.tracer.Tracer.trace",
            "pkg/tracer.py",
            38,
            44,
            conditions=["enabled", "not (fn is None)"],
            locks=["self.lock"],
        ),
    ],
)

WRITE = AccessRef(
    function="pkg.tracer.Tracer.trace",
    file="pkg/tracer.py",
    line=44,
    access=AccessKind.WRITE,
    form="global",
    restore=False,
    reached=True,
    conditions=["enabled"],
)

RESTORE = msgspec.structs.replace(
    WRITE, function="pkg.other.undo", file="pkg/other.py", line=7, restore=True, reached=False, conditions=[]
)

REACHES = ReachAnswer(
    verdict=Verdict.REACHES,
    sources=[SOURCE],
    root=RootRef(name="pkg.api.start", file="pkg/api.py", line=10),
    target=TargetRef(name="pkg.tracer._flag", kind="module global", scope="process", access=AccessKind.WRITE),
    accesses=[WRITE, RESTORE],
    paths=[PATH],
    path_count=1,
    path_count_exact=True,
    chop=Chop(functions=["pkg.api.start", "pkg.tracer.Tracer.trace"], edges=1),
    chokepoints=["pkg.tracer.Tracer.trace"],
    cut=["pkg.tracer.Tracer.trace"],
    places={"pkg.tracer.Tracer.trace": "pkg/tracer.py:30"},
    leads=[],
    native_exits=[],
    blind_spots=17,
    reached_functions=210,
    skipped=[],
    notes=[],
)

NO_PATH = msgspec.structs.replace(
    REACHES,
    verdict=Verdict.NO_PATH,
    accesses=[msgspec.structs.replace(WRITE, reached=False)],
    paths=[],
    path_count=0,
    chop=Chop(functions=[], edges=0),
    chokepoints=[],
    cut=[],
)


def drawing_of(size: int) -> Drawing:
    """A chop of `size` functions in a few modules: a chain with branches, one access at its end."""
    functions = [
        DrawnFunction(
            name=f"pkg.part{index % 4}.Class{index}.method_{index}",
            module=f"pkg.part{index % 4}",
            label=f"Class{index}.method_{index}",
            file=f"pkg/part{index % 4}.py",
            line=10 * index + 1,
            chokepoint=index in {0, size - 1},
            accesses=[10 * index + 5, 10 * index + 9] if index == size - 1 else [],
        )
        for index in range(size)
    ]
    pairs = sorted({(index, index + 1) for index in range(size - 1)} | {(i, i + 3) for i in range(0, size - 3, 2)})
    edges = [
        ChopEdge(
            caller=caller,
            callee=callee,
            lines=[10 * caller + 2],
            via=Via.CALL if callee % 3 else Via.CALLBACK,
            certainty=Certainty.CERTAIN if callee % 2 else Certainty.FLOW,
        )
        for caller, callee in pairs
    ]
    return Drawing(root=0, targets=[size - 1], functions=functions, edges=edges, left_out_functions=0, left_out_edges=0)


def dot_source(
    drawing: Drawing,
    answer: ReachAnswer,
    source_line: SourceLine = lambda _file, _line: None,
    permalink: Permalink = lambda _file, _line: None,
) -> str:
    """A drawing in the DOT language, each function by itself."""
    return picture_source(each_function(drawing), answer, source_line, permalink)
