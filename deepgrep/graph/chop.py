"""The chop: exactly the functions and edges that lie on some path from root to target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.slices import ForwardSlice, backward_slice


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


def chop(graph: CallGraph, reached: ForwardSlice, goals: Iterable[int]) -> Chop:
    """Forward slice ∩ backward slice from `goals`, over the edges that the root can take."""
    goals = set(goals)
    inside = backward_slice(graph, goals, reached)
    functions = [function for function in reached.order if inside[function]]
    out_start, out_plain, callees, taken = graph.out_start, graph.out_plain, graph.edge_callee, reached.taken
    successors = {}
    for function in functions:
        plain, end = out_plain[function], out_start[function + 1]
        found = [callee for callee in callees[out_start[function] : plain] if inside[callee]]
        if plain != end:
            found += [callees[edge] for edge in range(plain, end) if edge in taken and inside[callees[edge]]]
        successors[function] = list(dict.fromkeys(found)) if len(found) > 1 else found
    return Chop(
        functions=functions,
        successors=successors,
        starts=[start for start in reached.starts if inside[start]],
        goals=[function for function in functions if function in goals],
    )
