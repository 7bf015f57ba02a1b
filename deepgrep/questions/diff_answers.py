"""What `diff` and `bisect` answer to a question: plain data, in the fields of their JSON formats."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from deepgrep.graph.rows import Certainty, Source
from deepgrep.questions.answers import AccessRef, Lead, NativeExitRef, Path, RootRef, TargetRef, Verdict


class Change(StrEnum):
    """What became of something between two versions."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"
    SAME = "same"


class Reason(StrEnum):
    """Why a path can be taken in one version and not in the other: what differs at a hop of it."""

    ROOT = "root"
    TARGET = "target"
    FUNCTION = "function"
    CLASS = "class"
    OVERRIDE = "override"
    BASES = "bases"
    CALL = "call"
    CALLEES = "callees"
    REQUIREMENT = "requirement"
    CONDITION = "condition"
    CERTAINTY = "certainty"
    CONTEXT = "context"
    ACCESS = "access"


class CodeLine(msgspec.Struct, frozen=True):
    """A line of source.

    Attributes:
        text: as it is written, without what it is indented by; "" where it cannot be shown.
        address: its public address, at the commit that the version was built from; "" where there is none.
    """

    file: str
    line: int
    text: str
    address: str = ""


class DiffSide(msgspec.Struct, frozen=True, kw_only=True):
    """What one of two versions answers.

    Attributes:
        root, target: as they are called there; null for what is not there.
        verdict: null where the root or the target is not there.
        missing: which of both is not there, as it was asked for.
        open_calls, lead_count: as of `reach`.
        native_exits: how many there are.
        filters, notes: as of `reach`; `path_count_exact` says what a note would of a lower bound.
    """

    sources: list[Source]
    root: RootRef | None
    target: TargetRef | None
    verdict: Verdict | None
    missing: list[str] = []
    path_count: int = 0
    path_count_exact: bool = True
    functions: int = 0
    edges: int = 0
    lead_count: int = 0
    native_exits: int = 0
    open_calls: int = 0
    blind_spots: int = 0
    filters: list[str] = []
    notes: list[str] = []


class Moved(msgspec.Struct, frozen=True):
    """A function that has another name in the other version.

    Attributes:
        exact: whether its code is the same but for its name, comments and white space; else nearly the same.
    """

    before: str
    after: str
    exact: bool


class TargetDiff(msgspec.Struct, frozen=True):
    """How the target itself changed: a module global that became a context variable.

    Attributes:
        what: in words, one for each thing that changed.
    """

    before: TargetRef
    after: TargetRef
    what: list[str]


class AccessDiff(msgspec.Struct, frozen=True):
    """A place that writes (reads, calls) the target, in both versions.

    Attributes:
        before, after: null where it is not there.
        what: of one that changed, what: `form`, `restore`, `reached`, `conditions`, `sure`.
        before_line, after_line: the lines.
    """

    change: Change
    before: AccessRef | None
    after: AccessRef | None
    what: list[str]
    before_line: CodeLine | None
    after_line: CodeLine | None


class Difference(msgspec.Struct, frozen=True):
    """A hop of a path that the other version does not have, and why.

    Attributes:
        hop: its position in the path.
        caller, callee: the call that is not there; of the last hop the callee is the target.
        why: in words.
        before, after: the two lines: of the version that has the call that line, of the other the one that stands in
            its place; null where there is none.
        definition: of a function that only one version has, and that explains it, where that is defined.
        before_calls, after_calls: where the line is the same and goes on to other functions, these: the first of them.
    """

    hop: int
    reason: Reason
    caller: str
    callee: str
    why: str
    before: CodeLine | None
    after: CodeLine | None
    definition: CodeLine | None = None
    before_calls: list[str] = []
    after_calls: list[str] = []


class PathDiff(msgspec.Struct, frozen=True):
    """A path that an answer shows, and whether the other version has it too.

    Attributes:
        change: `new` for one that only the later version has, `gone` for one that only the earlier has; `same` for one
            of the later version that both have.
        path: as of `reach`.
        lines: the line of each hop.
        moved: of its functions, those that have another name in the other version: that name.
        differs: the hops that the other version does not have, from functions that are reached there, in the path's
            order: one, the first, and after it each where the path has come back to what both reach. Empty where both
            have the path.
        otherwise: whether other paths end in the same function in the other version.
    """

    change: Change
    path: Path
    lines: list[CodeLine]
    moved: dict[str, str]
    differs: list[Difference]
    otherwise: bool


class HopDiff(msgspec.Struct, frozen=True):
    """A hop of a path that both versions have, and that stands under other conditions, or is more or less sure.

    Attributes:
        caller, callee: as the later version calls them.
        calls_gone, calls_new: of one that is more or less sure, what else the line can call in one version only.
    """

    caller: str
    callee: str
    before_conditions: list[str]
    after_conditions: list[str]
    before_locks: list[str]
    after_locks: list[str]
    before_certainty: Certainty
    after_certainty: Certainty
    before: CodeLine
    after: CodeLine
    calls_gone: list[str] = []
    calls_new: list[str] = []


class EdgeName(msgspec.Struct, frozen=True):
    """An edge of a chop, by the names of its ends."""

    caller: str
    callee: str


class ChopDiff(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on paths in one version and not in the other, by names; those of moved functions are the later ones.

    Attributes:
        functions_new, functions_gone: the functions.
        defined_new, defined_gone: those of them that the other version does not have at all.
        edges_new, edges_gone: the edges between functions that lie on paths in both.
        functions_same, edges_same: how many are the same.
        edges_beside_new, edges_beside_gone: how many edges there are that begin or end at what is only in one.
    """

    functions_new: list[str]
    functions_gone: list[str]
    defined_new: list[str]
    defined_gone: list[str]
    edges_new: list[EdgeName]
    edges_gone: list[EdgeName]
    functions_same: int
    edges_same: int
    edges_beside_new: int
    edges_beside_gone: int

    @property
    def is_same(self) -> bool:
        """Whether both versions have the same functions and edges."""
        return not (self.functions_new or self.functions_gone or self.edges_new or self.edges_gone)


class TrustDiff(msgspec.Struct, frozen=True):
    """What the trust in a null result rests on.

    Attributes:
        leads_new, leads_gone: those that only one version has, by function and what is called.
        native_exits_new, native_exits_gone: the first call of each native function that only one version calls.
        open_calls_before, open_calls_after: as of `reach`.
    """

    leads_new: list[Lead] = []
    leads_gone: list[Lead] = []
    native_exits_new: list[NativeExitRef] = []
    native_exits_gone: list[NativeExitRef] = []
    open_calls_before: int = 0
    open_calls_after: int = 0

    @property
    def is_same(self) -> bool:
        """Whether both rest on the same."""
        rows = self.leads_new or self.leads_gone or self.native_exits_new or self.native_exits_gone
        return not rows and self.open_calls_before == self.open_calls_after


class DiffAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `diff` to a question (`deepgrep-diff/1`).

    Attributes:
        same: whether nothing differs but lines, names of moved functions, and what is only shown for paths' sake.
        target: null where it is the same, or not in both.
        moved: functions of paths, and accesses of the target, that have another name in the other version.
        accesses: all places that access the target in a version, those that differ first.
        paths: those that the answers show: what is gone, what is new, what is the same.
        hops: of the hops that both have on paths of the later version, those that changed.
        chop: null where the question could not be asked of both.
        trust: where both answers are null results.
    """

    schema: Literal["deepgrep-diff/1"] = "deepgrep-diff/1"
    same: bool
    before: DiffSide
    after: DiffSide
    target: TargetDiff | None
    moved: list[Moved]
    accesses: list[AccessDiff]
    paths: list[PathDiff]
    hops: list[HopDiff]
    chop: ChopDiff | None
    trust: TrustDiff
    notes: list[str]
