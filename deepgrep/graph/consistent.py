"""Paths that agree with what is assumed of parameters, each followed by itself.

A slice decides a condition by what all reached calls pass. A path takes one of these calls: with what that one
passes, a condition on the way may not hold, and then it is another path by which control comes there.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection
from itertools import count, pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import Chop
from deepgrep.graph.costs import COST
from deepgrep.graph.held_values import Held, HeldValues
from deepgrep.graph.kinds import CERTAIN
from deepgrep.graph.paths import Route, edges_between, least_doubtful
from deepgrep.graph.premises import Premises
from deepgrep.graph.slices import ForwardSlice

_STEPS = 100_000
"""Calls looked at in one search: about half a second."""

Ends = Callable[[int, Held], bool]
"""Whether a path can end in a function whose parameters hold something."""


def consistent_edges(
    graph: CallGraph, reached: ForwardSlice, values: HeldValues, route: Route, ends: Ends
) -> tuple[int, ...] | None:
    """The least doubtful edges of a route that agree with each other; None where there are none."""
    held, edges = values.given(route[0]), []
    for caller, callee in pairwise(route):
        between = edges_between(graph, reached, caller, callee)
        possible = [edge for edge in between if not values.blocks(caller, graph.edge_guard[edge], held)]
        if not possible:
            return None
        edges.append(least_doubtful(graph, possible))
        held = values.passed(held, edges[-1])
    return tuple(edges) if ends(route[-1], held) else None


def consistent_routes(
    graph: CallGraph,
    reached: ForwardSlice,
    premises: Premises,
    values: HeldValues,
    chop: Chop,
    goals: Collection[int],
    ends: Ends,
) -> dict[int, tuple[Route, tuple[int, ...]]]:
    """For each of some goals a best route that agrees with itself, and its edges, as far as the search comes.

    Dijkstra's algorithm over functions with what their parameters hold; certain calls go before others. What an edge
    requires costs as much as on the nearest way to its caller.
    """
    found: dict[int, tuple[Route, tuple[int, ...]]] = {}
    number = count()
    waiting: list[tuple[bool, int, int, int, Held, tuple[int, ...]]] = [
        (False, 0, next(number), start, values.given(start), ()) for start in chop.starts
    ]
    done: set[tuple[int, tuple[tuple[int, str], ...]]] = set()
    steps = 0
    while waiting and steps < _STEPS and len(found) < len(goals):
        doubtful, cost, _, function, held, edges = heapq.heappop(waiting)
        key = function, tuple(sorted(held.items()))
        if key in done:
            continue
        done.add(key)
        if function in goals and function not in found and ends(function, held):
            found[function] = (*(graph.edge(edge).caller for edge in edges), function), edges
        way: set[int] | None = None
        for edge in graph.out_edges(function):
            callee = graph.edge_callee[edge]
            if callee not in chop.successors or not reached.takes(graph, function, edge):
                continue
            steps += 1
            if not values.blocks(function, graph.edge_guard[edge], held):
                kind = graph.edge_kind[edge]
                is_doubtful = doubtful or not CERTAIN[kind]
                passed, total = values.passed(held, edge), cost + COST[kind]
                if requirement := graph.edge_requires[edge]:
                    way = way or set(premises.way(function))
                    total += premises.cost(requirement, way)
                heapq.heappush(waiting, (is_doubtful, total, next(number), callee, passed, (*edges, edge)))
    return found
