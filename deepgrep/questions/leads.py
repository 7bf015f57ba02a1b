"""What a null result rests on: reached calls that are not understood, and whether they could matter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress, islice

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import NO_TEXT
from deepgrep.graph.slices import ForwardSlice, could_reach
from deepgrep.questions.answers import Lead, NativeExitRef

_SHOWN = 200
_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Leads:
    """The leads, nearest to the root first, and what is to be said of those not shown."""

    shown: list[Lead]
    notes: list[str]


def leads(graph: CallGraph, reached: ForwardSlice, goals: Iterable[int]) -> Leads:
    """The reached blind spots that would lead to a goal if their callee were some function of the name they call.

    A class counts by its name for what constructing it runs. Functions that are reached anyway are not candidates:
    calling them once more leads nowhere new.
    """
    candidates = _by_name(graph, reached, could_reach(graph, goals, reached))
    if not candidates:
        return Leads([], [])
    # One for all contexts of a function.
    sites: dict[tuple[int, ...], tuple[int, int]] = {}
    for function in reached.order:
        for spot in range(graph.blind_start[function], graph.blind_start[function + 1]):
            if graph.blind_name[spot] in candidates:
                place = graph.function_file[function], graph.blind_line[spot], graph.blind_expression[spot]
                sites.setdefault(place, (function, spot))
    shown = [_lead(graph, *site, candidates) for site in islice(sites.values(), _SHOWN)]
    notes = []
    if len(sites) > _SHOWN:
        notes.append(f"{len(sites)} leads, of which the {_SHOWN} nearest to the root are listed")
    if any(len(names) > _NAMES_SHOWN for names in candidates.values()):
        notes.append(f"of what a lead could be, at most {_NAMES_SHOWN} functions are listed")
    return Leads(shown, notes)


def native_exits(graph: CallGraph, reached: ForwardSlice) -> list[NativeExitRef]:
    """The reached calls into native code without a model, nearest to the root first; of contexts, the first."""
    found: dict[NativeExitRef, None] = {}
    for index in reached.order:
        if graph.exit_start[index] == graph.exit_start[index + 1]:
            continue
        name, file = graph.function_names[index], graph.texts[graph.function_file[index]]
        for row in graph.native_exits_in(index):
            found[NativeExitRef(name, file, row.line, row.callee)] = None
    return list(found)


def count_blind_spots(graph: CallGraph, reached: ForwardSlice) -> tuple[int, int]:
    """How many blind spots are reached, and how many of them say no name."""
    total = unnamed = 0
    starts, names = graph.blind_start, graph.blind_name
    for function in reached.order:
        start, end = starts[function], starts[function + 1]
        if start != end:
            total += end - start
            unnamed += names[start:end].count(NO_TEXT)
    return total, unnamed


def _by_name(graph: CallGraph, reached: ForwardSlice, could: bytearray) -> dict[int, list[int]]:
    """The functions that would lead to a goal, by what a call of them is named (as the number of a text)."""
    candidates: dict[int, list[int]] = {}
    inside, lasts = reached.inside, graph.function_last
    for function in compress(range(len(could)), could):
        if not inside[function]:
            candidates.setdefault(lasts[function], []).append(function)
    for name, function in zip(graph.constructor_name, graph.constructor_function, strict=True):
        if could[function] and not inside[function]:
            candidates.setdefault(name, []).append(function)
    return candidates


def _lead(graph: CallGraph, index: int, spot: int, candidates: dict[int, list[int]]) -> Lead:
    function, row = graph.function(index), graph.blind_spot(spot, index)
    names = sorted({graph.function_names[i] for i in candidates[graph.blind_name[spot]]})
    return Lead(function.name, function.file, row.line, row.expression, row.reason, names[:_NAMES_SHOWN])
