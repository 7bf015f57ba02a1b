"""Paths through a chop: the best one to each goal, and alternatives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import Chop
from deepgrep.graph.costs import COST, FAR
from deepgrep.graph.kinds import CERTAIN
from deepgrep.graph.premises import BEFORE, Premises
from deepgrep.graph.restriction import ALL_KINDS
from deepgrep.graph.slices import ForwardSlice

Route = tuple[int, ...]
"""A path as the functions it goes through."""

NO_ROUTES: Mapping[int, Route] = {}


_ALTERNATIVES_WORK = 300_000
"""Edges looked at in search of alternatives: about half a second."""

_LARGEST_ALTERNATIVES_SEARCH = 100_000
"""Edges of a chop up to which alternatives are searched for: above, networkx takes too long to build its graph."""


def best_routes(
    graph: CallGraph, reached: ForwardSlice, premises: Premises, chop: Chop, before: Mapping[int, Route] = NO_ROUTES
) -> dict[int, Route]:
    """For each goal its best route: the cheapest over certain edges alone, or else over all.

    An edge that requires what lies away from the way to it costs more: what is nearest can happen most likely.

    Args:
        graph: the graph.
        reached: what the root reaches.
        premises: where what edges require is met.
        chop: all paths.
        before: for each start of the chop the route to it, where that is not where the root begins.
    """
    goals = set(chop.goals)
    routes = _cheapest(graph, reached, premises, chop, before, goals, only_certain=True)
    if goals := goals - routes.keys():
        routes |= _cheapest(graph, reached, premises, chop, before, goals)
    return routes


def certain_callees(graph: CallGraph, reached: ForwardSlice, function: int) -> list[int]:
    """The callees of a reached function over certain edges that can be taken."""
    plain = reached.plain_callees(graph, function, only_certain=True)
    return [*plain, *reached.conditional_callees(function, CERTAIN)]


def _cheapest(
    graph: CallGraph,
    reached: ForwardSlice,
    premises: Premises,
    chop: Chop,
    before: Mapping[int, Route],
    goals: set[int],
    *,
    only_certain: bool = False,
) -> dict[int, Route]:
    """Dijkstra's algorithm from the starts, with a list for each cost, as costs are small whole numbers.

    Of the functions that have a site with a fan only the nearest looks at it: seldom another comes to its callees
    sooner, which has passed through what they require.
    """
    sites, fans_done = reached.taken.sites, bytearray(len(reached.taken.sites.kinds))
    starts, ends, callees, kinds = reached.walked_edges(graph, only_certain=only_certain)
    open_kinds = CERTAIN if only_certain else ALL_KINDS
    takes_all = reached.takes_all
    open_goals = set(goals)
    # Nothing is nearer than 0, so the search stays in the chop.
    distance = [0] * graph.function_count
    for function in chop.functions:
        distance[function] = FAR
    for start in chop.starts:
        distance[start] = 0
    parent = dict.fromkeys(chop.starts, -1)
    charged: dict[int, int] = {}
    """The functions that are come to at the cost of what the call requires, each with that requirement."""
    levels: list[list[int]] = [list(chop.starts)]
    done = bytearray(graph.function_count)
    level = 0
    while level < len(levels) and open_goals:
        for function in levels[level]:  # grows as it is walked
            if distance[function] != level or done[function]:
                continue
            done[function] = 1
            open_goals.discard(function)
            first, last = starts[function], ends[function]
            for edge, callee in enumerate(callees[first:last], first):
                if distance[callee] > level:
                    total = level + COST[kinds[edge]]
                    if total < distance[callee] and (takes_all or reached.takes(graph, function, edge)):
                        distance[callee], parent[callee], charged[callee] = total, function, 0
                        while total >= len(levels):
                            levels.append([])
                        levels[total].append(callee)
            fans = [fan for fan in sites.of(function) if not fans_done[fan] and open_kinds[sites.kinds[fan]]]
            conditional: list[tuple[int, int, int]] = []
            for fan in fans:
                fans_done[fan] = 1
                conditional += zip(sites.callees[fan], repeat(sites.kinds[fan]), sites.requires[fan])
            if len(fans) > 1:
                conditional.sort()  # as edges are: of what is as near, the first counts
            way: set[int] | None = None
            for callee, kind, requirement in conditional:
                total = level + COST[kind]
                if total >= distance[callee]:
                    continue
                extra = 0
                if requirement and premises.nearest.get(requirement, BEFORE) != BEFORE:
                    if way is None:
                        way = _premised_way(premises, parent, charged, before, function)
                    extra = premises.cost(requirement, way)
                    total += extra
                    if total >= distance[callee]:
                        continue
                distance[callee], parent[callee], charged[callee] = total, function, requirement if extra else 0
                while total >= len(levels):
                    levels.append([])
                levels[total].append(callee)
        level += 1
    found = goals - open_goals
    return {goal: _route_to(goal, parent) for goal in chop.goals if goal in found}


def _premised_way(
    premises: Premises, parent: dict[int, int], charged: dict[int, int], before: Mapping[int, Route], function: int
) -> set[int]:
    """What must have run where a way comes to a function: the way, and the ways to what it was charged for."""
    found: set[int] = set()
    while function >= 0:
        found.add(function)
        if charged.get(function):
            found.update(premises.way(premises.nearest[charged[function]]))
        if parent[function] < 0:
            found.update(before.get(function, ()))
        function = parent[function]
    return found


def _route_to(goal: int, parent: dict[int, int]) -> Route:
    route = [goal]
    while (before := parent[route[-1]]) >= 0:
        route.append(before)
    return tuple(reversed(route))


def open_requirements(
    graph: CallGraph, premises: Premises, start: int, edges: Iterable[int]
) -> list[tuple[int, list[int]]]:
    """For each edge of a route what it costs, and the way to what it requires.

    That begins with a function on the route and ends with the nearest that meets the requirement. It is empty where the
    requirement is met on the route so far, on the way to what an edge before required, or before the root.
    """
    way, found = {start}, []
    requires = graph.look("edge_requires")
    for edge in edges:
        requirement = requires[edge]
        cost, leading = COST[graph.edge_kind[edge]], []
        if not premises.is_met(requirement, way):
            cost += premises.cost(requirement, way)
            leading = premises.way_from(premises.nearest[requirement], way)
            way.update(leading)
        way.add(graph.look("edge_callee")[edge])
        found.append((cost, leading))
    return found


def edge_between(graph: CallGraph, reached: ForwardSlice, caller: int, callee: int) -> int:
    """The least doubtful edge that can be taken from one function to the next; the first in the text of several."""
    return least_doubtful(graph, edges_between(graph, reached, caller, callee))


def least_doubtful(graph: CallGraph, edges: Iterable[int]) -> int:
    """The least doubtful of some edges; the first in the text of several."""
    return min(edges, key=lambda e: (COST[graph.edge_kind[e]], e))


def edges_between(graph: CallGraph, reached: ForwardSlice, caller: int, callee: int) -> list[int]:
    """All edges that can be taken from one function to the next, by line."""
    callees = graph.look("edge_callee")
    edges = [e for e in graph.out_edges(caller) if callees[e] == callee and reached.takes(graph, caller, e)]
    lines = graph.look("edge_line")
    return sorted(edges, key=lambda e: (lines[e], e))


def alternatives(
    graph: CallGraph, reached: ForwardSlice, premises: Premises, chop: Chop, known: Sequence[Route], wanted: int
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
            (function, callee, {"cost": cost})
            for callee, cost in _costs(graph, reached, premises, chop, function).items()
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


def _costs(graph: CallGraph, reached: ForwardSlice, premises: Premises, chop: Chop, function: int) -> dict[int, int]:
    """What the cheapest edge to each successor costs, by the nearest way to this function."""
    costs: dict[int, int] = {}
    way: set[int] = set()
    for edge in graph.out_edges(function):
        callee = graph.edge_callee[edge]
        if callee in chop.successors and reached.takes(graph, function, edge):
            cost, requirement = COST[graph.edge_kind[edge]], graph.edge_requires[edge]
            if not premises.is_met(requirement, ()):  # most require nothing, and ways are long
                way = way or set(premises.way(function))
                cost += premises.cost(requirement, way)
            costs[callee] = min(cost, costs.get(callee, cost))
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
