"""Ways from a root to every function that it reaches: one to each, as a tree."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import COST
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice

_DOUBT = bytes(list(Certainty).index(certainty) for _, certainty in KINDS)
_SAME = bytes(via is Via.SAME for via, _ in KINDS)
_IMPORT = bytes(via is Via.IMPORT for via, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Ways:
    """One way to each function that is reached.

    Attributes:
        entering: for each function the edge by which it is come to; -1 for the root itself. Nearest functions first.
        distance: the number of calls on the way to it.
        doubt: the position in `Certainty` of the least certain call on the way.
        importing: whether the way goes through an import, which runs a module only the first time.
    """

    entering: dict[int, int]
    distance: dict[int, int]
    doubt: dict[int, int]
    importing: dict[int, bool]

    def certainty(self, function: int) -> Certainty:
        """How sure the way to a function is."""
        return list(Certainty)[self.doubt[function]]

    def edges(self, graph: CallGraph, function: int) -> list[int]:
        """The edges of the way to a function, the first one first."""
        return list(self._back(graph, function))[::-1]

    def _back(self, graph: CallGraph, function: int) -> Iterator[int]:
        while (edge := self.entering[function]) >= 0:
            yield edge
            function = graph.edge(edge).caller


def surest_ways(graph: CallGraph, reached: ForwardSlice) -> Ways:
    """The surest way to each function, of those the shortest; where nothing is certain, the least doubtful.

    Dijkstra's algorithm. Before costs are compared, a way is as doubtful as its most doubtful call: what can be come to
    by certain calls is, however many these are. Of those, a way without imports is better.
    """
    entering = dict.fromkeys(reached.starts, -1)
    distance = dict.fromkeys(entering, 0)
    best = dict.fromkeys(entering, (0, False, 0))
    waiting = [(0, False, 0, start) for start in entering]
    ways = Ways({}, distance, {}, {})
    done = ways.entering
    plain, callees, kinds, taken = graph.out_plain, graph.edge_callee, graph.edge_kind, reached.taken
    while waiting:
        doubt, importing, cost, function = heapq.heappop(waiting)
        if function in done:
            continue
        done[function], ways.doubt[function], ways.importing[function] = entering[function], doubt, importing
        always = plain[function]
        for edge in graph.out_edges(function):
            callee = callees[edge]
            if callee in done or (edge >= always and edge not in taken):
                continue
            kind = kinds[edge]
            key = max(doubt, _DOUBT[kind]), importing or bool(_IMPORT[kind]), cost + COST[kind]
            if callee not in best or key < best[callee]:
                best[callee] = key
                entering[callee] = edge
                distance[callee] = distance[function] + 1 - _SAME[kind]
                heapq.heappush(waiting, (*key, callee))
    return ways


def shortest_ways(graph: CallGraph, reached: ForwardSlice, depth: int | None = None) -> Ways:
    """The way of the fewest calls to each function, of those the surest; to those at most `depth` calls away."""
    starts = reached.starts
    ways = Ways(
        dict.fromkeys(starts, -1), dict.fromkeys(starts, 0), dict.fromkeys(starts, 0), dict.fromkeys(starts, False)
    )
    callees, kinds = graph.edge_callee, graph.edge_kind
    layer, away = list(ways.entering), 0
    while layer:
        found: dict[int, tuple[int, bool, int]] = {}
        for function in layer:  # grows as it is walked
            for edge in graph.out_edges(function):
                callee, kind = callees[edge], kinds[edge]
                if callee in ways.entering or not reached.takes(graph, function, edge):
                    continue
                key = max(ways.doubt[function], _DOUBT[kind]), ways.importing[function] or bool(_IMPORT[kind]), edge
                if _SAME[kind]:
                    _add(ways, callee, away, key)
                    layer.append(callee)
                elif callee not in found or key[:2] < found[callee][:2]:
                    found[callee] = key
        away += 1
        if depth is not None and away > depth:
            break
        layer = [callee for callee in sorted(found) if callee not in ways.entering]
        for callee in layer:
            _add(ways, callee, away, found[callee])
    return ways


def _add(ways: Ways, function: int, distance: int, key: tuple[int, bool, int]) -> None:
    ways.doubt[function], ways.importing[function], ways.entering[function] = key
    ways.distance[function] = distance
