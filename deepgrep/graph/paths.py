"""Paths through a chop: the best one to each goal, and alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress, repeat
from typing import Any

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import Chop
from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice

Route = tuple[int, ...]
"""A path as the functions it goes through."""

_WEIGHTS = {Certainty.CERTAIN: 1, Certainty.DISPATCH: 4, Certainty.FLOW: 6}
_IMPORT_WEIGHT = 2

# By the kind of an edge.
COST = bytes(
    0 if via is Via.SAME else max(_WEIGHTS[certainty], _IMPORT_WEIGHT * (via is Via.IMPORT)) for via, certainty in KINDS
)
_CERTAIN = bytes(certainty is Certainty.CERTAIN for _, certainty in KINDS)

_FAR = 1 << 60
"""More than any path costs."""

_ALTERNATIVES_WORK = 300_000
"""Edges looked at in search of alternatives: about half a second."""

_LARGEST_ALTERNATIVES_SEARCH = 100_000
"""Edges of a chop up to which alternatives are searched for: above, networkx takes too long to build its graph."""


def best_routes(graph: CallGraph, reached: ForwardSlice, chop: Chop) -> dict[int, Route]:
    """For each goal its best route: the shortest over certain edges alone, or else the least doubtful one."""
    routes = _shortest_certain(graph, reached, chop)
    if len(routes) == len(chop.goals):
        return routes
    return routes | _cheapest(graph, reached, chop, set(chop.goals) - routes.keys())


def _shortest_certain(graph: CallGraph, reached: ForwardSlice, chop: Chop) -> dict[int, Route]:
    """A shortest route over certain edges to each goal that has one."""
    inside = chop.successors
    parent = dict.fromkeys(chop.starts, -1)
    order, open_goals = list(parent), set(chop.goals) - parent.keys()
    for function in order:  # grows as it is walked
        for callee in certain_callees(graph, reached, function):
            if callee not in parent and callee in inside:
                parent[callee] = function
                order.append(callee)
                open_goals.discard(callee)
        if not open_goals:
            break
    return {goal: _route_to(goal, parent) for goal in chop.goals if goal in parent}


def certain_callees(graph: CallGraph, reached: ForwardSlice, function: int) -> list[int]:
    """The callees of a reached function over certain edges that can be taken."""
    plain = reached.plain_callees(graph, function, graph.out_certain[function])
    return [*plain, *reached.conditional_callees(function, _CERTAIN)]


def _cheapest(graph: CallGraph, reached: ForwardSlice, chop: Chop, goals: set[int]) -> dict[int, Route]:
    """Dijkstra's algorithm from the starts, with a list for each cost, as costs are small whole numbers.

    Of the functions that have a site with a fan only the nearest looks at it: no other comes to its callees sooner.
    """
    sites, fans_done = reached.taken.sites, bytearray(len(reached.taken.sites.kinds))
    out_start, out_plain, callees, kinds = graph.out_start, graph.out_plain, graph.edge_callee, graph.edge_kind
    takes_all = reached.restriction.takes_all_kinds and not reached.impossible
    open_goals = set(goals)
    # Nothing is nearer than 0, so the search stays in the chop.
    distance = [0] * graph.function_count
    for function in chop.functions:
        distance[function] = _FAR
    for start in chop.starts:
        distance[start] = 0
    parent = dict.fromkeys(chop.starts, -1)
    levels: list[list[int]] = [list(chop.starts)]
    level = 0
    while level < len(levels) and open_goals:
        for function in levels[level]:
            if distance[function] != level:
                continue
            open_goals.discard(function)
            begin, end = out_start[function], out_plain[function]
            steps: Iterable[tuple[int, int]] = zip(callees[begin:end], kinds[begin:end], strict=True)
            if not takes_all:
                steps = compress(steps, (reached.takes(graph, function, edge) for edge in range(begin, end)))
            fans = [fan for fan in sites.of(function) if not fans_done[fan]]
            conditional: list[tuple[int, int]] = []
            for fan in fans:
                fans_done[fan] = 1
                conditional += zip(sites.callees[fan], repeat(sites.kinds[fan]))
            if len(fans) > 1:
                conditional.sort()  # as edges are: of what is as near, the first counts
            for callee, kind in chain(steps, conditional):
                total = level + COST[kind]
                if total < distance[callee]:
                    distance[callee], parent[callee] = total, function
                    while total >= len(levels):
                        levels.append([])
                    levels[total].append(callee)
        level += 1
    return {goal: _route_to(goal, parent) for goal in sorted(goals - open_goals)}


def _route_to(goal: int, parent: dict[int, int]) -> Route:
    route = [goal]
    while (before := parent[route[-1]]) >= 0:
        route.append(before)
    return tuple(reversed(route))


def edge_between(graph: CallGraph, reached: ForwardSlice, caller: int, callee: int) -> int:
    """The least doubtful edge that can be taken from one function to the next; the first in the text of several."""
    return least_doubtful(graph, edges_between(graph, reached, caller, callee))


def least_doubtful(graph: CallGraph, edges: Iterable[int]) -> int:
    """The least doubtful of some edges; the first in the text of several."""
    return min(edges, key=lambda e: (COST[graph.edge_kind[e]], e))


def edges_between(graph: CallGraph, reached: ForwardSlice, caller: int, callee: int) -> list[int]:
    """All edges that can be taken from one function to the next, by line."""
    edges = [
        edge
        for edge in graph.out_edges(caller)
        if graph.edge_callee[edge] == callee and reached.takes(graph, caller, edge)
    ]
    lines = graph.look("edge_line")
    return sorted(edges, key=lambda e: (lines[e], e))


def alternatives(
    graph: CallGraph, reached: ForwardSlice, chop: Chop, known: Sequence[Route], wanted: int
) -> tuple[list[Route], bool]:
    """Up to `wanted` more routes than are `known`, least doubtful first.

    Returns:
        The routes, and whether the search ended by itself: False if it was given up as too long.
    """
    if chop.edge_count > _LARGEST_ALTERNATIVES_SEARCH:
        return [], False
    import networkx  # late: 140 ms

    # Nodes of their own for the two ends, as there may be several starts and goals.
    root, target = -1, -2
    network: Any = networkx.DiGraph()
    network.add_edges_from(((root, start) for start in chop.starts), cost=0)
    for function in chop.functions:
        network.add_edges_from(
            (function, callee, {"cost": cost}) for callee, cost in _costs(graph, reached, chop, function).items()
        )
    network.add_edges_from(((goal, target) for goal in chop.goals), cost=0)
    budget = _Budget(_ALTERNATIVES_WORK)
    found: list[Route] = []
    try:
        for nodes in networkx.shortest_simple_paths(network, root, target, weight=budget.weight):
            route = tuple(nodes[1:-1])
            if route not in known:
                found.append(route)
            if len(found) == wanted:
                break
    except _BudgetSpentError:
        return found, False
    return found, True


def _costs(graph: CallGraph, reached: ForwardSlice, chop: Chop, function: int) -> dict[int, int]:
    """What the least doubtful edge to each successor costs."""
    costs: dict[int, int] = {}
    for edge in graph.out_edges(function):
        callee, cost = graph.edge_callee[edge], COST[graph.edge_kind[edge]]
        if callee in chop.successors and cost < costs.get(callee, cost + 1) and reached.takes(graph, function, edge):
            costs[callee] = cost
    return costs


class _BudgetSpentError(Exception):
    """The search looked at as many edges as it may."""


class _Budget:
    """An edge weight that counts how often it is asked: a limit that, unlike a clock, falls the same each time."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def weight(self, _tail: int, _head: int, data: dict[str, int]) -> int:
        self._left -= 1
        if self._left < 0:
            raise _BudgetSpentError
        return data["cost"]
