"""Functions that have another name in the other version: what has the same code there, or nearly the same.

A function of many lines is known by its code alone; a short one, of which there are many alike, only if its name says
so too.
"""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Collection, Iterable
from itertools import chain
from typing import TYPE_CHECKING

from deepgrep.questions.diff_answers import Moved

if TYPE_CHECKING:
    from deepgrep.questions.diff_sides import Version

_Code = tuple[str, ...]

_TELLING = 4
"""So many lines of code are hardly twice there by chance."""
_ALIKE_SAME_NAME, _ALIKE_SAME_PLACE = 0.6, 0.75
_CLEARLY = 0.05
_MOST_CANDIDATES = 60


def moves(
    before: Version, after: Version, gone: Collection[str], new: Collection[str], looked_at: Collection[str]
) -> list[Moved]:
    """Which functions of the earlier version have another name in the later one.

    Args:
        before: the earlier version.
        after: the later one.
        gone: functions that only the earlier has.
        new: functions that only the later has: what has exactly the same code is looked for among these.
        looked_at: those of `gone` for which all others that only the later has are looked through too, if they have
            the same last name, or are in the same class or module; and for which nearly the same code will do.
    """
    near = {name: _near(before, after, name) for name in sorted(set(gone).intersection(looked_at))}
    found = _exact(before, after, sorted(gone), sorted({*new, *chain.from_iterable(near.values())}))
    taken = {one.after for one in found}
    left = set(gone) - {one.before for one in found}
    for name in sorted(left.intersection(near)):
        if (moved := _nearest(before, after, name, [other for other in near[name] if other not in taken])) is not None:
            found.append(moved)
            taken.add(moved.after)
    return sorted(found, key=lambda one: one.before)


def moved_to(there: Version, here: Version, name: str) -> str | None:
    """What a function is called in a version that has none of its name; None where nothing has its code."""
    found = moves(there, here, [name], [], [name])
    return found[0].after if found else None


def _exact(before: Version, after: Version, gone: Iterable[str], new: Iterable[str]) -> list[Moved]:
    """The pairs that have the same code, and no other has it."""
    by_code: dict[_Code, tuple[list[str], list[str]]] = {}
    for side, (version, names) in enumerate(((before, gone), (after, new))):
        for name in names:
            if code := _code(version, name):
                by_code.setdefault(code, ([], []))[side].append(name)
    found = []
    for code, (old_names, new_names) in by_code.items():
        rests = set(old_names), set(new_names)
        for part_of in (_last_two, _last):
            for part in sorted({part_of(name) for name in rests[0]}):
                pair = [[name for name in rest if part_of(name) == part] for rest in rests]
                is_told = part_of is _last_two or len(code) >= _TELLING - 1
                if is_told and len(pair[0]) == len(pair[1]) == 1:
                    found.append(Moved(pair[0][0], pair[1][0], exact=True))
                    rests[0].discard(pair[0][0])
                    rests[1].discard(pair[1][0])
        if len(code) >= _TELLING and len(rests[0]) == len(rests[1]) == 1:
            found.append(Moved(rests[0].pop(), rests[1].pop(), exact=True))
    return found


def _nearest(before: Version, after: Version, name: str, candidates: list[str]) -> Moved | None:
    """The candidate whose code is most like a function's, if it is alike enough, and clearly more than the others'."""
    code = _code(before, name)
    if not code or len(candidates) > _MOST_CANDIDATES:
        return None
    rated = []
    for candidate in candidates:
        other = _code(after, candidate)
        least = _ALIKE_SAME_NAME if _last(candidate) == _last(name) else _ALIKE_SAME_PLACE
        matcher = difflib.SequenceMatcher(None, code, other, autojunk=False)
        if len(other) >= _TELLING and matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least:
            rated.append((ratio, candidate))
    rated.sort(reverse=True)
    if not rated or (len(rated) > 1 and rated[0][0] - rated[1][0] < _CLEARLY):
        return None
    return Moved(name, rated[0][1], exact=rated[0][0] == 1)


def _code(version: Version, name: str) -> _Code:
    functions = version.graph.functions_named(name)
    return version.bodies.normal(version.graph, functions[0]) if functions else ()


def _near(before: Version, after: Version, name: str) -> list[str]:
    """What only the later version has, if it has the last name of a function, or is where that was."""
    graph = after.graph
    last, place = _last(name), f"{name.rpartition('.')[0]}."
    found = {graph.function_names[i] for i in graph.function_names.ending_with(f".{last}")}
    position = bisect_left(graph.function_order, place, key=graph.function_names.__getitem__)
    for function in graph.function_order[position:]:
        other = graph.function_names[function]
        if not other.startswith(place):
            break
        if "." not in other[len(place) :]:
            found.add(other)
    return sorted(other for other in found if not before.has(other))


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _last_two(name: str) -> str:
    return ".".join(name.split(".")[-2:])
