"""Relays: nodes of the graph without a line, through which control passes from many functions to many.

Native code, and the places that were given more callables than are followed: `<one of 381>` of a module.
"""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import Certainty, Edge, Via


def is_gathering(graph: CallGraph, function: int) -> bool:
    """Whether a row of the graph is no function, but stands for all that some place was given."""
    return not graph.function_line[function] and ".<one of " in graph.function_names[function]


class Relays:
    """Which functions of a graph are relays, and what they lead to."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        lines = graph.function_line
        self.numbers = frozenset(i for i in range(graph.function_count) if not lines[i])
        self._calls = {number: self._callees(number) for number in sorted(self.numbers)}

    def _callees(self, relay: int) -> list[tuple[int, tuple[int, ...]]]:
        """What a relay leads to, also through others: each callee with what it requires.

        Not through native code that is itself only come to under a requirement: one edge could not say so.
        """
        graph = self._graph
        found: dict[tuple[int, int], None] = {}
        queue = [relay]
        seen = {relay}
        for number in queue:  # grows as it is walked
            for edge in graph.out_edges(number):
                callee = graph.edge_callee[edge]
                if callee not in self.numbers:
                    found[callee, graph.edge_requires[edge]] = None
                elif callee not in seen and (not graph.edge_requires[edge] or is_gathering(graph, callee)):
                    seen.add(callee)
                    queue.append(callee)
        return [(callee, tuple(graph.requirement(requirement))) for callee, requirement in found]

    def calls(self, caller: int) -> Iterator[Edge]:
        """The edges that leave a function that is no relay; instead of one to a relay, one to each callee of it."""
        for number in self._graph.out_edges(caller):
            if self._graph.edge_callee[number] not in self.numbers:
                yield self._graph.edge(number)
        yield from self.through(caller)

    def through(self, caller: int) -> Iterator[Edge]:
        """What a function that is no relay comes to through relays, as edges from it."""
        graph = self._graph
        entered: set[int] = set()
        for edge in graph.out_edges(caller):
            callee, line, guard = graph.edge_callee[edge], graph.edge_line[edge], graph.edge_guard[edge]
            if callee in self.numbers and callee not in entered:
                entered.add(callee)
                for further, needed in self._calls[callee]:
                    via = graph.edge(edge).via if is_gathering(graph, callee) else Via.NATIVE
                    yield Edge(caller, further, line, via, Certainty.FLOW, guard, needed)
