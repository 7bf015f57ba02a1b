"""Two windows of a state that cross, step by step: the second restore puts back what the first thread wrote."""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.questions.race_answers import Interleaving, PairKind, RacePair, Step, Window
from deepgrep.questions.statements import is_constant

_OLD = "the old value"


def interleavings(pairs: Sequence[RacePair], windows: Sequence[Window], initial: str) -> list[Interleaving]:
    """One for each pair of windows that can cross.

    Thread A saves and writes; B saves what A wrote, and writes; A restores; B restores what A had written. Of the two
    windows, A's is the one whose value is not what the state was at first, if there is one.

    Those that leave the state wrong for ever come first, then those to which public functions or roots lead.
    """
    found = []
    for pair in pairs:
        if pair.kind is PairKind.RESTORES_CROSS:
            found += [_interleaving(windows, pair.first, other, initial) for other in pair.others]

    def is_hidden(one: Interleaving) -> bool:
        return not (windows[one.first].entries and windows[one.second].entries)

    return sorted(found, key=lambda one: (not one.is_stuck, is_hidden(one), one.first == one.second))


def _interleaving(windows: Sequence[Window], one: int, other: int, initial: str) -> Interleaving:
    if windows[one].part:
        initial = ""  # that of the whole state
    first, second = sorted((one, other), key=lambda i: (not _is_stuck(windows[i], initial), not windows[i].writes))
    a, b = windows[first], windows[second]
    roots = _roots(a.roots, b.roots)
    old = initial if is_constant(initial) else _OLD
    left = a.value if is_constant(a.value) else f"A's {a.value}" if a.value else "what A wrote"
    steps = [
        *_opening("A", a, old),
        *_opening("B", b, left),
        Step("A", a.end_function, a.end_file, a.end_line, "restores", old),
        Step("B", b.end_function, b.end_file, b.end_line, "restores", left),
    ]
    return Interleaving(first, second, *roots, steps, left, _is_stuck(a, initial))


def _roots(first: Sequence[int], second: Sequence[int]) -> tuple[int, int]:
    """A root for each of two threads: two different ones, unless there is only one."""
    if not first:
        return -1, -1
    different = ((one, other) for one in first for other in second if one != other)
    return next(different, (first[0], second[0]))


def _opening(thread: str, window: Window, saved: str) -> list[Step]:
    steps = []
    if window.save_line:
        steps.append(Step(thread, window.function, window.file, window.save_line, "saves", saved))
    if window.writes:
        steps.append(Step(thread, window.function, window.file, window.line, "writes", window.value))
    return steps


def _is_stuck(window: Window, initial: str) -> bool:
    """Whether what a window writes is known not to be what the state was at first."""
    return is_constant(window.value) and is_constant(initial) and window.value != initial
