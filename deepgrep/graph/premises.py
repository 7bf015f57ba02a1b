"""How far away it is what edges require: an instance made, a mode entered, a closure made.

Knuth's generalization of Dijkstra's algorithm (1977) over all that the root reaches: an edge that requires one of some
functions is taken once the first of them has been come to, so nothing counts as met by what lies behind itself. What
ran before the root meets requirements for nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.costs import COST, FAR
from deepgrep.graph.slices import ForwardSlice

BEFORE = -1
"""In place of a function: what ran before the root."""


@dataclass(frozen=True, slots=True)
class Premises:
    """Where what edges require is met first.

    Attributes:
        nearest: for each requirement the nearest function that meets it, or `BEFORE`.
        parent: for each function that is reached the one before it on the nearest way; -1 where ways begin.
        distance: what that way costs, by function, what it requires included.
    """

    graph: CallGraph
    nearest: dict[int, int]
    parent: dict[int, int]
    distance: list[int]

    def way(self, function: int) -> list[int]:
        """The nearest way to a function, backwards."""
        found = []
        while function >= 0:
            found.append(function)
            function = self.parent.get(function, -1)
        return found

    def way_from(self, function: int, way: Collection[int]) -> list[int]:
        """What of the nearest way to a function lies after the last function that another way has too, with that."""
        found: list[int] = []
        for before in self.way(function):
            found.append(before)
            if before in way:
                break
        return found[::-1]

    def is_met(self, requirement: int, way: Collection[int]) -> bool:
        """Whether what an edge at the end of a way requires is on the way, or ran before the root."""
        if self.nearest.get(requirement, BEFORE) == BEFORE:
            return True
        return any(member in way for member in self.graph.requirement(requirement))

    def cost(self, requirement: int, way: Collection[int]) -> int:
        """What it adds to the cost of an edge at the end of a way that the edge requires something.

        How far that lies away from the way: half of it, as what is required may hold for a reason that is not in the
        sources, while a call that is not made is not made.
        """
        if self.is_met(requirement, way):
            return 0
        function = nearest = self.nearest[requirement]
        while function >= 0 and function not in way:
            function = self.parent[function]
        return (self.distance[nearest] - (self.distance[function] if function >= 0 else 0) + 1) // 2

    def members(self, requirement: int) -> list[int]:
        """The functions that meet a requirement and are reached, nearest first."""
        found = [member for member in self.graph.requirement(requirement) if member in self.parent]
        first = self.nearest.get(requirement, BEFORE)
        return sorted(found, key=lambda member: (member != first, self.distance[member], member))


def premises(graph: CallGraph, reached: ForwardSlice) -> Premises:
    """How far away from the root of a slice everything is that edges of it require."""
    search = _Search(graph, reached)
    search.run()
    return Premises(graph, search.nearest, search.parent, search.distance)


class _Search:
    """With a list for each cost, as costs are small whole numbers."""

    def __init__(self, graph: CallGraph, reached: ForwardSlice) -> None:
        self._graph, self._reached = graph, reached
        self.nearest: dict[int, int] = {0: BEFORE}
        self.parent = dict.fromkeys(reached.starts, -1)
        # Nothing is nearer than 0, so the search stays in the slice.
        self.distance = [FAR * is_reached for is_reached in reached.inside]
        for start in reached.starts:
            self.distance[start] = 0
        self._levels = [list(reached.starts)]
        self._done = bytearray(graph.function_count)
        self._watched: dict[int, list[int]] = {}
        self._waiting: dict[int, list[tuple[int, int, int]]] = {}
        """What waits for a requirement: a callee, what the call costs, and the caller."""

    def run(self) -> None:
        """Look at all that is reached, nearest first.

        Of the functions that have a site with a fan only the nearest looks at it: no other comes to its callees sooner.
        """
        graph, reached, sites = self._graph, self._reached, self._reached.taken.sites
        starts, ends, callees, kinds = reached.walked_edges(graph)
        distance, levels, done, nearest = self.distance, self._levels, self._done, self.nearest
        site_start, site_fan, parent = sites.start, sites.fan, self.parent
        fan_kinds, fan_callees, fan_requires = sites.kinds, sites.callees, sites.requires
        watched, waiting = self._watched, self._waiting
        takes_all = reached.takes_all
        fans_done = bytearray(len(sites.kinds))
        level = 0
        most = max(COST)
        while any(levels[level:]):
            totals = [level + cost for cost in COST]
            levels += [[] for _ in range(level + most + 1 - len(levels))]
            for function in levels[level]:  # grows as it is walked
                if done[function]:
                    continue
                done[function] = 1
                if function in watched:
                    self._meet(function, level)
                start, end = starts[function], ends[function]
                for edge, callee in enumerate(callees[start:end], start):
                    if distance[callee] > level:
                        total = totals[kinds[edge]]
                        if total < distance[callee] and (takes_all or reached.takes(graph, function, edge)):
                            distance[callee], parent[callee] = total, function  # what `_come` does
                            levels[total].append(callee)
                for fan in site_fan[site_start[function] : site_start[function + 1]]:
                    if fans_done[fan]:
                        continue
                    fans_done[fan] = 1
                    total = totals[fan_kinds[fan]]
                    for callee, requirement in zip(fan_callees[fan], fan_requires[fan], strict=True):
                        if total < distance[callee]:
                            if requirement in nearest or (requirement not in waiting and self._is_met(requirement)):
                                distance[callee], parent[callee] = total, function
                                levels[total].append(callee)
                            else:
                                waiting[requirement].append((callee, total - level, function))
            level += 1

    def _come(self, callee: int, total: int, caller: int) -> None:
        self.distance[callee], self.parent[callee] = total, caller
        self._levels[total].append(callee)

    def _is_met(self, requirement: int) -> bool:
        """Whether something that was made, or has been come to, meets a requirement; if not, it is waited for."""
        if self._reached.history.meets(requirement):
            self.nearest[requirement] = BEFORE
            return True
        members = self._graph.requirement(requirement)
        met = [member for member in members if self._done[member]]
        if met:
            self.nearest[requirement] = min(met, key=lambda member: (self.distance[member], member))
            return True
        self._waiting[requirement] = []
        for member in members:
            self._watched.setdefault(member, []).append(requirement)
        return False

    def _meet(self, function: int, level: int) -> None:
        """Take what waited for a function."""
        for requirement in self._watched.pop(function):
            if requirement not in self.nearest:
                self.nearest[requirement] = function
                for callee, cost, caller in self._waiting.pop(requirement):
                    if level + cost < self.distance[callee]:
                        self._come(callee, level + cost, caller)
