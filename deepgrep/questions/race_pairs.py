"""Which accesses and windows of a state can interleave: those of two threads without a common lock, one a write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deepgrep.graph.rows import AccessKind
from deepgrep.questions.parts import may_meet
from deepgrep.questions.race_answers import Lock, PairKind, RaceAccess, RacePair, Window
from deepgrep.questions.statements import is_constant


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs that can interleave, worst kinds first, and how many a common lock keeps apart."""

    found: list[RacePair]
    locked: int


def pairs(accesses: Sequence[RaceAccess], windows: Sequence[Window], *, roots: int, of_object: bool) -> Pairs:
    """The pairs of a state that all threads share.

    Args:
        accesses: all of them.
        windows: all of them.
        roots: how many roots were given; with two or more, each thread runs another one.
        of_object: whether the state is of one object, so that its own locks count.
    """
    pairing = _Pairing(roots, of_object)
    rows = [(i, row) for i, row in enumerate(accesses) if not row.at_import and not row.handed_on]
    # `items.append(x)` reads the list that it changes: the write says it all.
    changing = {_place(row) for _, row in rows if row.access is AccessKind.WRITE}
    reads = [
        (i, row)
        for i, row in rows
        if row.access is AccessKind.READ and _place(row) not in changing and not _is_save(row, windows)
    ]
    writes = [(i, row) for i, row in rows if row.access is AccessKind.WRITE and not _is_within(row, windows)]
    for i, window in enumerate(windows):
        # Of two that only save, each puts back what was there.
        others = [
            (j, w) for j, w in enumerate(windows) if j >= i and w.part == window.part and (w.writes or window.writes)
        ]
        pairing.add(PairKind.RESTORES_CROSS, i, window, others)
    for i, window in enumerate(windows):
        pairing.add(PairKind.READ_IN_WINDOW, i, window, reads)
    for i, window in enumerate(windows):
        pairing.add(PairKind.WRITE_IN_WINDOW, i, window, writes)
    reads_in: dict[tuple[str, str], list[RaceAccess]] = {}
    for _, row in rows:
        if row.access is AccessKind.READ:
            reads_in.setdefault((row.function, row.file), []).append(row)
    rewriting = {i for i, row in writes if _reads_first(row, reads_in.get((row.function, row.file), []))}
    for i, row in writes:
        if i in rewriting:
            disturbing = [other for other in writes if other[0] >= i or other[0] not in rewriting]
            pairing.add(PairKind.READ_THEN_WRITE, i, row, disturbing)
    for i, row in writes:
        if i not in rewriting:
            later = [other for other in writes if other[0] > i and other[0] not in rewriting]
            # Two threads that write the same constant do no harm.
            pairing.add(PairKind.WRITE_AND_WRITE, i, row, later if is_constant(row.value) else [(i, row), *later])
    for i, row in writes:
        pairing.add(PairKind.WRITE_AND_READ, i, row, reads)
    return Pairs(pairing.found, pairing.locked)


def counted(locks: Iterable[Lock], *, of_object: bool) -> set[str]:
    """The names of the locks that exclude two threads from each other wherever both hold them."""
    return {lock.name for lock in locks if of_object or not lock.may_differ}


class _Pairing:
    def __init__(self, roots: int, of_object: bool) -> None:
        self._roots = roots
        self._of_object = of_object
        self.found: list[RacePair] = []
        self.locked = 0

    def add(
        self,
        kind: PairKind,
        index: int,
        first: RaceAccess | Window,
        others: Sequence[tuple[int, RaceAccess]] | Sequence[tuple[int, Window]],
    ) -> None:
        locks = counted(first.locks, of_object=self._of_object)
        free = []
        for i, other in others:
            if not self._on_two_threads(first.roots, other.roots) or not may_meet(first.part, other.part):
                continue
            if locks and locks & counted(other.locks, of_object=self._of_object):
                self.locked += 1
            else:
                free.append(i)
        if free:
            self.found.append(RacePair(kind, index, free))

    def _on_two_threads(self, one: list[int], other: list[int]) -> bool:
        return self._roots < 2 or len({*one, *other}) > 1


def _place(row: RaceAccess) -> tuple[str, str, int]:
    return row.function, row.file, row.line


def _is_save(row: RaceAccess, windows: Sequence[Window]) -> bool:
    return any(_place(row) == (w.function, w.file, w.save_line) for w in windows)


def _is_within(row: RaceAccess, windows: Sequence[Window]) -> bool:
    """Whether a write opens, closes or is part of a window."""
    return any(
        (row.function == window.function and row.file == window.file and window.line <= row.line <= _end(window))
        or _place(row) == (window.end_function, window.end_file, window.end_line)
        for window in windows
    )


def _end(window: Window) -> int:
    return window.end_line if window.end_function == window.function else window.line


def _reads_first(write: RaceAccess, reads: Sequence[RaceAccess]) -> bool:
    """Whether what a function writes may depend on what it read before; `reads` are those of the same function."""
    if write.form.startswith("augmented"):
        return True
    return any(
        (row.line < write.line or (row.line == write.line and row.form == write.form))
        and may_meet(row.part, write.part)
        for row in reads
    )
