"""The root's own call as a function for itself, laid over the graph: it does what the root does, and nothing calls it.

What is assumed of the root's parameters holds for its own call alone: a path may enter the root once more, with other
arguments.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec.structs import replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.overlay import CodeEdge, CodeRows, lay_over
from deepgrep.graph.rows import BuiltinCall, Guard, Via


def with_own_calls(graph: CallGraph, functions: Sequence[int]) -> tuple[CallGraph, tuple[int, ...]]:
    """A graph in which some functions are there once more, and the numbers that they have there."""
    first = graph.function_count
    own = {function: first + i for i, function in enumerate(functions)}
    guards = _Guards(graph)
    states: dict[int, int] = {}
    edges, accesses, blind_spots, exits, builtins = [], [], [], [], []
    for function, number in own.items():
        for index in graph.out_edges(function):
            edge = graph.edge(index)
            callee = own.get(edge.callee, edge.callee) if edge.via is Via.SAME else edge.callee
            edge = replace(edge, caller=number, callee=callee, guard=guards.number(edge.guard))
            edges.append(CodeEdge(edge, requirement=graph.edge_requires[index]))
        for access in graph.accesses_in(function):
            state = states.setdefault(access.state, len(states))
            accesses.append(replace(access, function=number, state=state, guard=guards.number(access.guard)))
        spots, natives = graph.blind_spots_in(function), graph.native_exits_in(function)
        blind_spots += [replace(spot, function=number, guard=guards.number(spot.guard)) for spot in spots]
        exits += [replace(native, function=number, guard=guards.number(native.guard)) for native in natives]
        builtins += [BuiltinCall(number, callee) for callee in graph.builtins_in(function)]
    rows = CodeRows(
        first=first,
        body=-1,
        functions=[graph.function(function) for function in functions],
        edges=edges,
        guards=guards.rows,
        states=[graph.state(state) for state in states],
        accesses=accesses,
        blind_spots=blind_spots,
        native_exits=exits,
        builtin_calls=builtins,
        makes=[],
        members={},
        meets=[(requirement, own[f]) for f in functions for requirement in _met_by(graph, f)],
    )
    return lay_over(graph, rows), tuple(own.values())


class _Guards:
    """Guards numbered anew, from 0, each after those around it."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._numbers = {-1: -1}
        self.rows: list[Guard] = []

    def number(self, index: int) -> int:
        """The new number of a guard."""
        if index not in self._numbers:
            guard = self._graph.guard(index)
            self.rows.append(replace(guard, parent=self.number(guard.parent)))
            self._numbers[index] = len(self.rows) - 1
        return self._numbers[index]


def _met_by(graph: CallGraph, function: int) -> list[int]:
    """The requirements that a function meets."""
    members, starts = graph.requires_member, graph.requires_start
    found: dict[int, None] = {}
    place = -1
    for _ in range(members.count(function)):
        place = members.index(function, place + 1)
        found[bisect_right(starts, place) - 1] = None
    return list(found)
