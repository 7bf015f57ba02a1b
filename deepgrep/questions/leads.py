"""What a null result rests on: reached calls that are not understood, and whether they could matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import compress, islice
from operator import and_, sub

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import NO_TEXT
from deepgrep.graph.paths import certain_callees
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.answers import Lead, NativeExitRef
from deepgrep.questions.guards import conditions

_SHOWN = 200
_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Leads:
    """The leads, nearest to the root first, how many there are, and what is to be said of those not shown."""

    shown: list[Lead]
    count: int
    notes: list[str]


def leads(graph: CallGraph, reached: ForwardSlice, could: bytearray) -> Leads:
    """The reached blind spots that would lead to a goal if their callee were some function of the name they call.

    A class counts by its name for what constructing it runs. Functions that are reached anyway are not candidates:
    calling them once more leads nowhere new; except where something is assumed, as another call could pass something
    else. Those that certain calls lead to come first, then the nearest.

    Args:
        graph: the graph.
        reached: what the root reaches.
        could: what would lead to a goal (see `could_reach`).
    """
    candidates = _by_name(graph, reached, could)
    if not candidates:
        return Leads([], 0, [])
    # One for all contexts of a function.
    sites: dict[tuple[int, ...], tuple[int, int, bool]] = {}
    for function, is_certain in by_certainty(graph, reached):
        for spot in range(graph.blind_start[function], graph.blind_start[function + 1]):
            if graph.blind_name[spot] in candidates and reached.can_happen(function, graph.blind_guard[spot]):
                place = graph.function_file[function], graph.blind_line[spot], graph.blind_expression[spot]
                sites.setdefault(place, (function, spot, is_certain))
    shown = [_lead(graph, *site, candidates) for site in islice(sites.values(), _SHOWN)]
    notes = []
    if len(sites) > _SHOWN:
        notes.append(f"{len(sites)} leads, of which the first {_SHOWN} are listed")
    named = {graph.blind_name[spot] for _, spot, _ in islice(sites.values(), _SHOWN)}
    if any(len(candidates[name]) > _NAMES_SHOWN for name in named):
        notes.append(f"of what a lead could be, at most {_NAMES_SHOWN} functions are listed")
    return Leads(shown, len(sites), notes)


def native_exits(graph: CallGraph, reached: ForwardSlice) -> list[NativeExitRef]:
    """The reached calls into native code without a model: those that certain calls lead to first, then the nearest."""
    found: dict[tuple[str, str, int, str], bool] = {}
    starts = graph.exit_start
    for index, is_certain in by_certainty(graph, reached):
        if starts[index] == starts[index + 1]:
            continue
        name, file = graph.function_names[index], graph.texts[graph.function_file[index]]
        for row in graph.native_exits_in(index):
            if reached.can_happen(index, row.guard):
                # A relay, which is native itself, has no lines.
                line = row.line if graph.function_line[index] else 0
                found.setdefault((name, file, line, row.callee), is_certain)
    return [NativeExitRef(*place, certain=is_certain) for place, is_certain in found.items()]


def count_native_exits(graph: CallGraph, reached: ForwardSlice) -> int:
    """How many `native_exits` gives."""
    # Only code on top of a graph has a number of its own for a text that is there.
    is_alone = graph.function_count == len(graph.function_order)
    starts, callees, lines, guards = graph.exit_start, graph.exit_callee, graph.exit_line, graph.exit_guard
    inside, named, function_lines = reached.inside, graph.function_named, graph.function_line
    text = cache(graph.texts.__getitem__)
    found: set[tuple[int, int, str | int]] = set()
    sizes = map(sub, islice(starts, 1, None), starts)
    for function in compress(range(len(inside)), map(and_, map(bool, sizes), inside)):
        for i in range(starts[function], starts[function + 1]):
            if reached.can_happen(function, guards[i]):
                line = lines[i] if function_lines[function] else 0
                found.add((named[function], line, callees[i] if is_alone else text(callees[i])))
    return len(found)


def by_certainty(graph: CallGraph, reached: ForwardSlice) -> list[tuple[int, bool]]:
    """What is reached: first what certain calls lead to, then the rest, each nearest first; and which of both it is."""
    certain = dict.fromkeys(reached.starts)
    order = list(certain)
    for function in order:  # grows as it is walked
        for callee in certain_callees(graph, reached, function):
            if callee not in certain and reached.inside[callee]:
                certain[callee] = None
                order.append(callee)
    return [(f, True) for f in order] + [(f, False) for f in reached.order if f not in certain]


def count_blind_spots(graph: CallGraph, reached: ForwardSlice) -> tuple[int, int]:
    """How many blind spots are reached, and how many of them say no name."""
    total = unnamed = 0
    starts, names, guards = graph.blind_start, graph.blind_name, graph.blind_guard
    for function in reached.order:
        start, end = starts[function], starts[function + 1]
        for spot in range(start, end) if start != end else ():
            if reached.values is None or reached.can_happen(function, guards[spot]):
                total += 1
                unnamed += names[spot] == NO_TEXT
    return total, unnamed


def _by_name(graph: CallGraph, reached: ForwardSlice, could: bytearray) -> dict[int, list[int]]:
    """The functions that would lead to a goal, by what a call of them is named (as the number of a text)."""
    candidates: dict[int, list[int]] = {}
    inside, lasts = reached.inside, graph.function_last
    if reached.values is not None:
        inside = bytearray(graph.function_count)
    for function in compress(range(len(could)), could):
        if not inside[function]:
            candidates.setdefault(lasts[function], []).append(function)
    for name, function in zip(graph.constructor_name, graph.constructor_function, strict=True):
        if could[function] and not inside[function]:
            candidates.setdefault(name, []).append(function)
    return candidates


def _lead(graph: CallGraph, index: int, spot: int, is_certain: bool, candidates: dict[int, list[int]]) -> Lead:
    function, row = graph.function(index), graph.blind_spot(spot, index)
    names = sorted({graph.function_names[i] for i in candidates[graph.blind_name[spot]]})
    return Lead(
        function=function.name,
        file=function.file,
        line=row.line,
        expression=row.expression,
        reason=row.reason,
        could_be=names[:_NAMES_SHOWN],
        conditions=conditions(graph, row.guard),
        certain=is_certain,
    )
