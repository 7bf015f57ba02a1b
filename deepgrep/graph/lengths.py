"""Paths of at most so many calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import NOTHING, Chop
from deepgrep.graph.contexts import rest_of
from deepgrep.graph.paths import Route

_Steps = dict[int, tuple[int, int]]
"""For each function, how many calls away it is, and the function before it (-1 for none)."""

_Calls = Callable[[int, int], int]
"""How many calls an edge from one function to another is: none where it goes on to the same one."""


def _calls(graph: CallGraph) -> _Calls:
    rest = cache(lambda function: frozenset(rest_of(graph, function)))
    return lambda caller, callee: int(callee not in rest(caller))


def no_longer(graph: CallGraph, parts: list[Chop], most: int) -> tuple[list[Chop], dict[int, Route]]:
    """What of some segments lies on a path of at most `most` calls, and for each goal that is left a shortest route."""
    calls = _calls(graph)
    ahead: list[_Steps] = []
    begin: Mapping[int, int] = dict.fromkeys(parts[0].starts, 0)
    for part in parts:
        ahead.append(_steps(part.successors, begin, calls))
        begin = {goal: ahead[-1][goal][0] for goal in part.goals}
    behind: list[_Steps] = []
    begin = dict.fromkeys(parts[-1].goals, 0)
    for part in reversed(parts):
        behind.insert(0, _steps(_turned(part), begin, lambda callee, caller: calls(caller, callee)))
        begin = {start: behind[0][start][0] for start in part.starts}
    shorter = [_kept(*of_part, most, calls) for of_part in zip(parts, ahead, behind, strict=True)]
    if not all(part.functions for part in shorter):
        return [NOTHING], {}
    return shorter, {goal: _route(ahead, goal) for goal in shorter[-1].goals}


def _steps(following: Mapping[int, Iterable[int]], begin: Mapping[int, int], calls: _Calls) -> _Steps:
    """How far functions are from some that are themselves as far away as `begin` says."""
    layers: dict[int, list[tuple[int, int]]] = {}
    for function, distance in begin.items():
        layers.setdefault(distance, []).append((function, -1))
    found: _Steps = {}
    while layers:
        distance = min(layers)
        for function, before in (layer := layers.pop(distance)):  # grows as it is walked
            if function in found:
                continue
            found[function] = distance, before
            for other in following.get(function, ()):
                if calls(function, other):
                    layers.setdefault(distance + 1, []).append((other, function))
                else:
                    layer.append((other, function))
    return found


def _turned(part: Chop) -> dict[int, list[int]]:
    callers: dict[int, list[int]] = {}
    for caller, callees in part.successors.items():
        for callee in callees:
            callers.setdefault(callee, []).append(caller)
    return callers


def _kept(part: Chop, ahead: _Steps, behind: _Steps, most: int, calls: _Calls) -> Chop:
    def fits(caller: int, callee: int) -> bool:
        return ahead[caller][0] + calls(caller, callee) + behind[callee][0] <= most

    kept = {f for f in part.functions if ahead[f][0] + behind[f][0] <= most}
    return Chop(
        functions=[function for function in part.functions if function in kept],
        successors={f: [c for c in part.successors[f] if c in kept and fits(f, c)] for f in kept},
        starts=[start for start in part.starts if start in kept],
        goals=[goal for goal in part.goals if goal in kept],
    )


def _route(ahead: list[_Steps], goal: int) -> Route:
    """The way that was taken to a goal, through all segments."""
    route = [goal]
    for steps in reversed(ahead):
        while (before := steps[route[-1]][1]) >= 0:
            route.append(before)
    return tuple(reversed(route))


def calls_of(graph: CallGraph, route: Route) -> int:
    """How many calls a route has."""
    calls = _calls(graph)
    return sum(calls(caller, callee) for caller, callee in pairwise(route))
