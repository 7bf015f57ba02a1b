"""What the questions answer: plain data, in the words and fields of the JSON formats (design: "Answers").

Every report shows these; JSON is `msgspec.json.encode` of them. Fields keep their order in the output.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Source, Via


class Verdict(StrEnum):
    """The four answers of `reach`."""

    REACHES = "reaches"
    MAY_REACH = "may-reach"
    NO_PATH = "no-path"
    EXCLUDED = "excluded"


FOUND = (Verdict.REACHES, Verdict.MAY_REACH)
"""The verdicts that say that there is a path."""


class RootRef(msgspec.Struct, frozen=True):
    """The root of a question: a function, or code (then `file` is `<root>`)."""

    name: str
    file: str
    line: int


class TargetRef(msgspec.Struct, frozen=True):
    """The target of a question: a state or a function."""

    name: str
    kind: str
    scope: str
    access: AccessKind


class AccessRef(msgspec.Struct, frozen=True):
    """One place that writes, reads or calls the target.

    Attributes:
        reached: null where no root was asked about.
        is_sure: whether it is known to be the target: what accesses an unknown name, or an instance, may be.
    """

    function: str
    file: str
    line: int
    access: AccessKind
    form: str
    restore: bool
    reached: bool | None
    conditions: list[str]
    is_sure: bool = True


class Hop(msgspec.Struct, frozen=True):
    """One step of a path.

    Attributes:
        function, file, line: the function and its definition.
        call_line: the line in it that leads to the next hop; for the last hop, the access itself.
        via, certainty: how control passes from here to the next hop; for the last hop, the access's form is in the
            answer's accesses, and these say `call`/`certain`.
        conditions: what `call_line` stands under, outermost first, in the code's own words.
        locks: the context expressions of locks held at `call_line`.
        depends_on: the root's parameters that the conditions name and that still hold what the root was passed.
        requires: functions that the root reaches and of which one must have run before control can pass from here,
            nearest first; left out where nothing is required, or one is on the path before or ran before the root.
        met_along: the way to the first of these, from a function of the path on.
    """

    function: str
    file: str
    line: int
    call_line: int
    via: Via
    certainty: Certainty
    conditions: list[str]
    locks: list[str]
    depends_on: list[str] = []
    requires: list[str] | UnsetType = UNSET
    met_along: list[str] | UnsetType = UNSET


class Path(msgspec.Struct, frozen=True):
    """One walk from the root to an access; as certain as its least certain hop.

    Attributes:
        uncertain: the positions of the hops that are not certain.
    """

    certainty: Certainty
    hops: list[Hop]
    uncertain: list[int] = []


class ChopEdge(msgspec.Struct, frozen=True):
    """An edge of the chop, by positions in `Chop.functions` (all parallel calls in one)."""

    caller: int
    callee: int
    lines: list[int]
    via: Via
    certainty: Certainty


class Chop(msgspec.Struct, frozen=True):
    """All functions that lie on some path, and the number of edges between them."""

    functions: list[str]
    edges: int


class Lead(msgspec.Struct, frozen=True):
    """A reached blind spot that would lead to the target if its callee were one of `could_be`.

    Attributes:
        conditions: what it stands under.
        certain: whether calls that are certain lead to it from the root.
    """

    function: str
    file: str
    line: int
    expression: str
    reason: str
    could_be: list[str]
    conditions: list[str] = []
    certain: bool = False


class NativeExitRef(msgspec.Struct, frozen=True):
    """A reached call that leaves Python for native code without a model; `certain` as of a lead."""

    function: str
    file: str
    line: int
    callee: str
    certain: bool = False


class Removed(msgspec.Struct, frozen=True):
    """A condition that cannot hold by what is assumed, so that what stands under it was left out.

    Attributes:
        function: where it stands.
        condition: in the code's own words.
        why: the values that decide it.
        leads_on: whether what was left out could have led to the target.
    """

    function: str
    file: str
    line: int
    condition: str
    why: str
    leads_on: bool


class ReachAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `reach` (`deepgrep-reach/1`).

    Attributes:
        filters: what the question left out, in words.
        assumptions: what the answer takes for granted, where that matters for it.
        removed: what the assumptions of the question made impossible.
        open_parameters: of a null result, the root's parameters that are called: what is passed is the caller's own.
        lead_count: how many leads there are; `leads` are the first of them.
        open_calls: of a null result, how many other calls keep it from `excluded`: of something that has no name to go
            by, of what is only there if it was made or registered before, or of what computes the target as it is read.
        rests_on: the only hop of the best path that is not certain, if there is just one.
        places: where the chokepoints and the functions of the cut are defined, by name: `file:line`.
    """

    schema: Literal["deepgrep-reach/1"] = "deepgrep-reach/1"
    verdict: Verdict
    sources: list[Source]
    root: RootRef
    target: TargetRef
    accesses: list[AccessRef]
    paths: list[Path]
    path_count: int
    path_count_exact: bool
    chop: Chop
    chokepoints: list[str]
    cut: list[str]
    leads: list[Lead]
    native_exits: list[NativeExitRef]
    blind_spots: int
    reached_functions: int
    skipped: list[Skipped]
    notes: list[str]
    filters: list[str] = []
    assumptions: list[str] = []
    removed: list[Removed] = []
    open_parameters: list[str] = []
    rests_on: Hop | None = None
    places: dict[str, str] = {}
    lead_count: int = 0
    open_calls: int = 0


class AccessesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `accesses` (`deepgrep-accesses/1`)."""

    schema: Literal["deepgrep-accesses/1"] = "deepgrep-accesses/1"
    sources: list[Source]
    target: TargetRef
    accesses: list[AccessRef]
    skipped: list[Skipped]
    notes: list[str] = []


class Neighbour(msgspec.Struct, frozen=True):
    """A function reached by `callers` or `callees`, `distance` calls away, with the edge that first led to it."""

    name: str
    file: str
    qualname: str
    line: int
    distance: int
    certainty: Certainty
    via: Via
    through: str
    call_line: int


class NeighboursAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `callers` and `callees` (`deepgrep-callers/1`, `deepgrep-callees/1`)."""

    schema: Literal["deepgrep-callers/1", "deepgrep-callees/1"]
    sources: list[Source]
    root: RootRef
    depth: int | None
    functions: list[Neighbour]
    blind_spots: int
    skipped: list[Skipped]
    filters: list[str] = []
    removed: list[Removed] = []
    notes: list[str] = []
    assumptions: list[str] = []


class Drawing(msgspec.Struct, frozen=True):
    """The chop as a drawing needs it: the functions kept, the edges between them, and what was left out.

    Attributes:
        root: the position of the root in `functions`.
        targets: the positions of the functions that access the target.
        best: the best path to each of these, by positions, best first; without those that were left out.
        is_too_long: whether the best path is so long that no drawing shows all of it.
    """

    root: int
    targets: list[int]
    functions: list[DrawnFunction]
    edges: list[ChopEdge]
    left_out_functions: int
    left_out_edges: int
    best: list[list[int]] = []
    is_too_long: bool = False


class DrawnFunction(msgspec.Struct, frozen=True):
    """A function in a drawing.

    Attributes:
        module: the cluster that it is drawn in.
        label: its qualname.
        chokepoint: whether every path passes through it.
        accesses: the lines at which it accesses the target; empty for most.
    """

    name: str
    module: str
    label: str
    file: str
    line: int
    chokepoint: bool
    accesses: list[int]
