"""The chop: exactly the functions and edges that lie on some path from root to target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from deepgrep.graph.backward import backward_slice
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.slices import ForwardSlice, onward


@dataclass(frozen=True, slots=True)
class Chop:
    """What lies between a root and its goals.

    Attributes:
        functions: nearest to the root first; empty where there is no path.
        successors: for each of them the distinct functions of the chop that it leads to.
        starts: where paths begin: those functions of the root that lie in the chop.
        goals: the functions, reached, that access the target, nearest first: where paths end.
    """

    functions: list[int]
    successors: dict[int, list[int]]
    starts: list[int]
    goals: list[int]

    @property
    def edge_count(self) -> int:
        """The number of edges, parallel ones counted once."""
        return sum(map(len, self.successors.values()))


NOTHING = Chop([], {}, [], [])


def chop(graph: CallGraph, reached: ForwardSlice, goals: Iterable[int]) -> Chop:
    """Forward slice ∩ backward slice from `goals`, over the edges that the root can take."""
    goals = set(goals)
    inside = backward_slice(graph, goals, reached)
    functions = [function for function in reached.order if inside[function]]
    out_start, out_plain, callees = graph.out_start, graph.out_plain, graph.edge_callee
    takes_all, narrowed, sites = reached.restriction.takes_all_kinds, reached.narrowed, reached.taken.sites
    site_start, site_fan, fan_callees = sites.start, sites.fan, sites.callees
    within: dict[int, list[int]] = {}
    """What of a fan lies in the chop."""
    successors = {}
    for function in functions:
        if takes_all and function not in narrowed:  # what `plain_callees` does
            plain: Sequence[int] = callees[out_start[function] : out_plain[function]]
        else:
            plain = reached.plain_callees(graph, function, out_plain[function])
        found = [callee for callee in plain if inside[callee]]
        fans = site_fan[site_start[function] : site_start[function + 1]]
        for fan in fans:
            if fan not in within:
                within[fan] = [callee for callee in fan_callees[fan] if inside[callee]]
        if len(fans) == 1:
            found += within[fans[0]]
        elif fans:
            found += sorted(set().union(*[within[fan] for fan in fans]))
        successors[function] = list(dict.fromkeys(found)) if len(found) > 1 else found
    return Chop(
        functions=functions,
        successors=successors,
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
