"""The chop: exactly the functions and edges that lie on some path from root to target."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from deepgrep.graph.backward import backward_slice, callers
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.slices import ForwardSlice, onward


@dataclass(frozen=True)
class Chop:
    """What lies between a root and its goals.

    Attributes:
        functions: nearest to the root first; empty where there is no path.
        successors: for each of them the distinct functions of the chop that it leads to.
        starts: where paths begin: those functions of the root that lie in the chop.
        goals: the functions, reached, that access the target, nearest first: where paths end.
    """

    functions: list[int]
    successors: Mapping[int, list[int]]
    starts: list[int]
    goals: list[int]

    @cached_property
    def edge_count(self) -> int:
        """The number of edges, parallel ones counted once."""
        if isinstance(self.successors, _Successors):
            return self.successors.count()
        return sum(map(len, self.successors.values()))

    def walk(self) -> Callable[[int], Iterable[int]]:
        """For a search that looks at each function once: gives what one leads to, but not again what it was given.

        What does not lie in the chop can be among it.
        """
        return self.successors.walk() if isinstance(self.successors, _Successors) else self.successors.__getitem__

    def callers(self) -> Callable[[int], Iterable[int]]:
        """Gives the functions of the chop that lead to one."""
        if isinstance(self.successors, _Successors):
            return self.successors.callers
        turned: dict[int, list[int]] = {}
        for caller, callees in self.successors.items():
            for callee in callees:
                turned.setdefault(callee, []).append(caller)
        return lambda function: turned.get(function, ())


NOTHING = Chop([], {}, [], [])


class _Successors(Mapping[int, list[int]]):
    """What functions between a root and its goals lead to, each looked up when it is asked for: few are."""

    def __init__(self, graph: CallGraph, reached: ForwardSlice, functions: list[int], inside: bytearray) -> None:
        self._graph, self._reached, self._functions, self._inside = graph, reached, functions, inside
        self._is_inside = inside.__getitem__
        self._sites = reached.taken.sites
        self._known: dict[int, list[int]] = {}
        self._within: dict[int, list[int]] = {}
        """What of a fan lies in the chop."""

    def __len__(self) -> int:
        return len(self._functions)

    def __iter__(self) -> Iterator[int]:
        return iter(self._functions)

    def __contains__(self, function: object) -> bool:
        return isinstance(function, int) and bool(self._inside[function])

    def __getitem__(self, function: int) -> list[int]:
        known = self._known.get(function)
        if known is None:
            found, fans = self._plain(function), self._sites.of(function)
            if len(fans) == 1:
                found += self._fan(fans[0])
            elif fans:
                found += sorted(set().union(*map(self._fan, fans)))
            known = self._known[function] = list(dict.fromkeys(found)) if len(found) > 1 else found
        return known

    def _plain(self, function: int) -> list[int]:
        return list(filter(self._is_inside, self._reached.plain_callees(self._graph, function)))

    def _fan(self, fan: int) -> list[int]:
        if fan not in self._within:
            self._within[fan] = list(filter(self._is_inside, self._sites.callees[fan]))
        return self._within[fan]

    def count(self) -> int:
        """How many edges there are."""
        graph, reached, sites, is_inside = self._graph, self._reached, self._sites, self._is_inside
        if not reached.takes_all:
            return sum(map(len, self.values()))
        starts, callees, overlaps = graph.walk_start, graph.walk_callee, graph.walk_overlaps
        site_start, site_fan = sites.start, sites.fan
        sizes: dict[int, int] = {}
        total = 0
        for function in self._functions:
            if overlaps[function]:
                total += len(self[function])
                continue
            total += sum(map(is_inside, callees[starts[function] : starts[function + 1]]))
            for fan in site_fan[site_start[function] : site_start[function + 1]]:
                if fan not in sizes:
                    sizes[fan] = sum(map(is_inside, sites.callees[fan]))
                total += sizes[fan]
        return total

    def walk(self) -> Callable[[int], Iterable[int]]:
        """As of `Chop.walk`: what a fan leads to is given once."""
        graph, reached, sites = self._graph, self._reached, self._sites
        starts, callees, takes_all = graph.walk_start, graph.walk_callee, reached.takes_all
        site_start, site_fan, fan_callees = sites.start, sites.fan, sites.callees
        done = bytearray(len(sites.kinds))

        def ahead(function: int) -> Iterable[int]:
            found: Iterable[int] = (
                callees[starts[function] : starts[function + 1]]
                if takes_all
                else reached.plain_callees(graph, function)
            )
            first, last = site_start[function], site_start[function + 1]
            if first != last:
                for fan in site_fan[first:last]:
                    if not done[fan]:
                        done[fan] = 1
                        found = chain(found, fan_callees[fan])
            return found

        return ahead

    def callers(self, function: int) -> list[int]:
        """The functions of the chop that lead to one."""
        return [caller for caller in callers(self._graph, self._reached, function) if self._inside[caller]]


def chop(graph: CallGraph, reached: ForwardSlice, goals: Iterable[int]) -> Chop:
    """Forward slice ∩ backward slice from `goals`, over the edges that the root can take."""
    goals = set(goals)
    inside = backward_slice(graph, goals, reached)
    functions = list(filter(inside.__getitem__, reached.order))
    return Chop(
        functions=functions,
        successors=_Successors(graph, reached, functions, inside),
        starts=[start for start in reached.starts if inside[start]],
        goals=[function for function in functions if function in goals],
    )


def segments(graph: CallGraph, reached: ForwardSlice, goals: Collection[int]) -> list[Chop]:
    """The chops from each stop that the question's paths pass through to the next: one, where there is no stop.

    Each begins where the one before ends. Where there is no path, the only one is empty.
    """
    stops = [[f for f in stop if reached.inside[f]] for stop in reached.restriction.through]
    slices = [reached, *(onward(graph, reached, stop) for stop in stops)]
    found: list[Chop] = []
    for here in reversed(slices):
        part = chop(graph, here, goals)
        if not part.functions:
            return [NOTHING]
        found.append(part)
        goals = part.starts
    return found[::-1]


def united(parts: list[Chop]) -> Chop:
    """Segments as one chop."""
    if len(parts) == 1:
        return parts[0]
    successors: dict[int, dict[int, None]] = {}
    for part in parts:
        for function, following in part.successors.items():
            successors.setdefault(function, {}).update(dict.fromkeys(following))
    whole = {function: list(following) for function, following in successors.items()}
    return replace(parts[0], functions=list(whole), successors=whole, goals=parts[-1].goals)
