"""Ways from a root to every function that it reaches: one to each, as a tree."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.costs import COST
from deepgrep.graph.kinds import IMPORT, KINDS
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice, onward

_DOUBT = bytes(list(Certainty).index(certainty) for _, certainty in KINDS)
_SAME = bytes(via is Via.SAME for via, _ in KINDS)
_PROCESS = bytes(via is Via.PROCESS for via, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Ways:
    """One way to each function that is reached.

    Attributes:
        entering: for each function the edge by which it is come to; -1 where the ways begin. Nearest functions first.
        distance: the number of calls on the way to it.
        doubt: the position in `Certainty` of the least certain call on the way.
        importing: whether the way goes through an import, which runs a module only the first time.
        elsewhere: whether it goes on in another process.
        before: the ways to where these begin; None where that is the root itself.
    """

    entering: dict[int, int]
    distance: dict[int, int]
    doubt: dict[int, int]
    importing: dict[int, bool]
    elsewhere: dict[int, bool]
    before: Ways | None = None

    def certainty(self, function: int) -> Certainty:
        """How sure the way to a function is."""
        return list(Certainty)[self.doubt[function]]

    def edges(self, graph: CallGraph, function: int) -> list[int]:
        """The edges of the way to a function, the first one first."""
        return list(self._back(graph, function))[::-1]

    def _back(self, graph: CallGraph, function: int) -> Iterator[int]:
        while (edge := self.entering[function]) >= 0:
            yield edge
            function = graph.caller(edge)
        if self.before is not None:
            yield from self.before._back(graph, function)

    def beginning(self, start: int) -> tuple[bool, int, bool, int]:
        """Of the way to a function from which others go on: elsewhere, doubt, importing, distance."""
        return self.elsewhere[start], self.doubt[start], self.importing[start], self.distance[start]


Search = Callable[[ForwardSlice, "Ways | None"], Ways]
"""Finds the ways in a slice, which go on from some other ways."""


def ways_by_stops(graph: CallGraph, reached: ForwardSlice, search: Search) -> Ways:
    """The ways to what is reached by way of every stop of the question; to all that is reached, where there is none."""
    found = search(reached, None)
    for stop in reached.restriction.through:
        reached = onward(graph, reached, [function for function in stop if function in found.entering])
        found = search(reached, found)
    return found


def surest_ways(graph: CallGraph, reached: ForwardSlice, before: Ways | None = None) -> Ways:
    """The surest way to each function, of those the shortest; where nothing is certain, the least doubtful.

    Dijkstra's algorithm. Before costs are compared, a way is as doubtful as its most doubtful call: what can be come to
    by certain calls is, however many these are. Of those, a way without imports is better. One that goes on in another
    process is given only where there is no other.

    Args:
        graph: the graph.
        reached: what the root reaches, or what is reached from where other ways end.
        before: these other ways.
    """
    entering = dict.fromkeys(reached.starts, -1)
    best = {start: before.beginning(start) if before else (False, 0, False, 0) for start in entering}
    distance = {start: away for start, (*_, away) in best.items()}
    waiting = [(*key, start) for start, key in best.items()]
    heapq.heapify(waiting)
    ways = Ways({}, distance, {}, {}, {}, before)
    done = ways.entering
    callees, kinds, inside, plain = graph.edge_callee, graph.edge_kind, reached.inside, graph.out_plain
    takes_all = reached.restriction.takes_all_kinds
    while waiting:
        elsewhere, doubt, importing, cost, function = heapq.heappop(waiting)
        if function in done:
            continue
        done[function], ways.elsewhere[function] = entering[function], elsewhere
        ways.doubt[function], ways.importing[function] = doubt, importing
        # Plain edges to what is reached can be taken, unless the question leaves out edges for themselves.
        asked = plain[function] if takes_all and function not in reached.narrowed else 0
        for edge in graph.out_edges(function):
            callee = callees[edge]
            if callee in done or not inside[callee] or (edge >= asked and not reached.takes(graph, function, edge)):
                continue
            kind = kinds[edge]
            key = (
                elsewhere or bool(_PROCESS[kind]),
                max(doubt, _DOUBT[kind]),
                importing or bool(IMPORT[kind]),
                cost + COST[kind],
            )
            if callee not in best or key < best[callee]:
                best[callee] = key
                entering[callee] = edge
                distance[callee] = distance[function] + 1 - _SAME[kind]
                heapq.heappush(waiting, (*key, callee))
    return ways


def shortest_ways(
    graph: CallGraph, reached: ForwardSlice, before: Ways | None = None, depth: int | None = None
) -> Ways:
    """The way of the fewest calls to each function, of those the surest; to those at most `depth` calls away.

    Other arguments as of `surest_ways`.
    """
    ways = Ways({}, {}, {}, {}, {}, before)
    begin: dict[int, list[int]] = {}
    for start in reached.starts:
        begin.setdefault(before.distance[start] if before else 0, []).append(start)
    callees, kinds = graph.edge_callee, graph.edge_kind
    found: dict[int, tuple[bool, int, bool, int]] = {}
    away = 0
    while (found or begin) and (depth is None or away <= depth):
        layer = []
        for start in begin.pop(away, ()):
            elsewhere, doubt, importing, _ = before.beginning(start) if before else (False, 0, False, 0)
            found[start] = elsewhere, doubt, importing, -1
        for callee in sorted(found):
            if callee not in ways.entering:
                _add(ways, callee, away, found[callee])
                layer.append(callee)
        found = {}
        for function in layer:  # grows as it is walked
            for edge in graph.out_edges(function):
                callee, kind = callees[edge], kinds[edge]
                if callee in ways.entering or not reached.inside[callee] or not reached.takes(graph, function, edge):
                    continue
                key = (
                    ways.elsewhere[function] or bool(_PROCESS[kind]),
                    max(ways.doubt[function], _DOUBT[kind]),
                    ways.importing[function] or bool(IMPORT[kind]),
                    edge,
                )
                if _SAME[kind]:
                    _add(ways, callee, away, key)
                    layer.append(callee)
                elif callee not in found or key[:3] < found[callee][:3]:
                    found[callee] = key
        away += 1
    return ways


def _add(ways: Ways, function: int, distance: int, key: tuple[bool, int, bool, int]) -> None:
    ways.elsewhere[function], ways.doubt[function], ways.importing[function], ways.entering[function] = key
    ways.distance[function] = distance
