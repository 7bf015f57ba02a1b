"""What `race` answers: plain data, in the fields of the format `deepgrep-race/1`."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Source
from deepgrep.questions.answers import Removed, RootRef


class RaceVerdict(StrEnum):
    """Whether threads can interleave on a state; only the first means that they can."""

    CAN_INTERLEAVE = "can-interleave"
    LOCKED = "locked"
    SEPARATE = "separate"
    NOT_SHARED = "not-shared"


class PairKind(StrEnum):
    """What happens on two threads at once, worst first.

    Of a pair, `first` is what the kind names first. A window is from the write of a saved state to its restore.
    """

    RESTORES_CROSS = "restores cross"
    READ_IN_WINDOW = "read in window"
    WRITE_IN_WINDOW = "write in window"
    READ_THEN_WRITE = "read, then write"
    WRITE_AND_WRITE = "write and write"
    WRITE_AND_READ = "write and read"


class StateRef(msgspec.Struct, frozen=True):
    """The state that is asked about.

    Attributes:
        scope: for whom a write is visible: `process`, `thread`, `context`, `environment`, `object`, or "" where
            unknown.
        scope_reason: what that rests on, where the kind does not say it.
        initial: what it is at first, as written in its module or class; "" where unknown.
        initial_file, initial_line: where that is written.
    """

    name: str
    kind: str
    scope: str
    scope_reason: str
    initial: str
    initial_file: str
    initial_line: int


class Lock(msgspec.Struct, frozen=True):
    """A lock, told from others by its name.

    Attributes:
        name: of the state that holds it: `pkg.m._lock`; or what the code calls it and where, if that is not known.
        may_differ: two places that hold it may hold two locks: each object has its own, a function replaces it, or
            it is not known which it is.
    """

    name: str
    may_differ: bool


class EntryPoint(msgspec.Struct, frozen=True):
    """A public function, or one of the given roots, that leads to an access.

    Attributes:
        name: the public name, which may be an alias of the function's own.
        distance: how many calls away; 0 for the accessing function itself.
        certainty: of the least certain call.
    """

    name: str
    function: str
    file: str
    line: int
    distance: int
    certainty: Certainty


class RaceAccess(msgspec.Struct, frozen=True, kw_only=True):
    """One place that writes or reads the state.

    Attributes:
        value: what is written, as the code says it; "" for reads and where it cannot be told.
        part: which part of the state it accesses: `.flag`, `['key']`, `[*]` for some item; "" for the whole.
        through: the function that reads the state and returns it to this place; "" for a direct access.
        handed_on: it only returns the value: who calls it is listed as a reader of its own.
        at_import: it is in the body of the state's own module, which runs once, before others can see the state.
        is_sure: whether it is known to be this state.
        locks: those held here on every path.
        entries: the nearest entry points; the roots, where some were given.
        roots: the positions of the given roots that reach it.
    """

    function: str
    file: str
    line: int
    access: AccessKind
    form: str
    restore: bool
    value: str
    part: str
    through: str
    handed_on: bool
    at_import: bool
    is_sure: bool
    conditions: list[str]
    locks: list[Lock]
    entries: list[EntryPoint]
    roots: list[int]


class WithUse(msgspec.Struct, frozen=True):
    """A `with` whose body is part of a window, and what it calls; nothing where a function is decorated instead."""

    function: str
    file: str
    line: int
    calls: list[str]


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """From a write of a state whose value was saved, to the write that puts the saved value back.

    Attributes:
        function, file, line: where the window opens: the write, or the save where no write follows it.
        part: which part of the state it is of, as for accesses.
        save_line: where the value is saved; 0 where that is not known.
        end_function, end_file, end_line: where the value is put back.
        writes: whether a write opens it; otherwise the value is only saved.
        value: what is written, as the code says it; "" where it cannot be told.
        locks: those held from beginning to end.
        calls: what is called meanwhile, by line.
        uses: where the window is the body of a `with`: those that were found.
        conditions: of the write that opens it.
        roots: the positions of the given roots that reach it.
    """

    function: str
    file: str
    line: int
    part: str
    save_line: int
    end_function: str
    end_file: str
    end_line: int
    writes: bool
    value: str
    locks: list[Lock]
    calls: list[str]
    uses: list[WithUse]
    conditions: list[str]
    entries: list[EntryPoint]
    roots: list[int]


class RacePair(msgspec.Struct, frozen=True):
    """What can interleave with each of some others, as no lock is common to them.

    Attributes:
        first: position in `windows` where the kind is of a window, otherwise in `accesses`.
        others: positions in `windows` for `restores cross`, otherwise in `accesses`.
    """

    kind: PairKind
    first: int
    others: list[int]


class Step(msgspec.Struct, frozen=True):
    """One step of an interleaving.

    Attributes:
        thread: `A` or `B`.
        does: `saves`, `writes` or `restores`.
        value: the value saved, written or restored.
    """

    thread: str
    function: str
    file: str
    line: int
    does: str
    value: str


class Interleaving(msgspec.Struct, frozen=True):
    """Two windows that cross.

    Attributes:
        first, second: the windows of threads A and B, by position.
        first_root, second_root: the roots that they run, by position; -1 where none were given.
        left: the value that the state has when both threads are done.
        is_stuck: whether that is known to differ from what it was at first: then it stays so for ever.
    """

    first: int
    second: int
    first_root: int
    second_root: int
    steps: list[Step]
    left: str
    is_stuck: bool


class RaceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `race` (`deepgrep-race/1`).

    Attributes:
        roots: the given roots; none where every public function may run on any thread.
        common_locks: the locks that are held at every access after import.
        locked_pairs: how many pairs a common lock keeps apart.
        writer_entries, reader_entries: how many public functions, or roots, lead to some write, to some read.
        filters, removed: as of `reach`; `removed` for the given roots.
    """

    schema: Literal["deepgrep-race/1"] = "deepgrep-race/1"
    verdict: RaceVerdict
    sources: list[Source]
    state: StateRef
    roots: list[RootRef]
    accesses: list[RaceAccess]
    windows: list[Window]
    pairs: list[RacePair]
    interleavings: list[Interleaving]
    common_locks: list[str]
    locked_pairs: int
    writer_entries: int
    reader_entries: int
    skipped: list[Skipped]
    notes: list[str]
    filters: list[str] = []
    removed: list[Removed] = []
