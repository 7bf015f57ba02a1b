"""The hops of a path, as answers show them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.relays import is_gathering
from deepgrep.graph.rows import Certainty, Edge, Via
from deepgrep.graph.ways import Ways
from deepgrep.questions.answers import Hop
from deepgrep.questions.guards import conditions, locks


def hop(
    graph: CallGraph,
    index: int,
    line: int,
    via: Via,
    certainty: Certainty,
    guard: int,
    depends_on: Sequence[str] = (),
) -> Hop:
    """One hop: the function, and how control leaves it at a line; `depends_on` names parameters of the root."""
    return Hop(
        function=graph.function_names[index],
        file=graph.texts[graph.function_file[index]],
        line=graph.function_line[index],
        call_line=line,
        via=via,
        certainty=certainty,
        conditions=conditions(graph, guard),
        locks=locks(graph, guard),
        depends_on=list(depends_on),
    )


def is_said_by_next(graph: CallGraph, edge: Edge) -> bool:
    """Whether the next hop says all that one along an edge would: that of a clone, or of a gathering."""
    return edge.via is Via.SAME or is_gathering(graph, edge.caller)


class WayHops:
    """The hops of ways; those that many ways share are made once."""

    def __init__(self, graph: CallGraph, ways: Ways) -> None:
        self._graph = graph
        self._ways = ways
        self._of_edge = cache(self._hop)
        self._to: dict[int, list[Hop]] = {}

    def to(self, function: int) -> list[Hop]:
        """The hops of the way to a function, without what happens in the function itself."""
        graph, ways, known, behind, end = self._graph, self._ways, self._to, [], function
        while function not in known and (edge := ways.entering[function]) >= 0:
            behind.append(edge)
            function = graph.caller(edge)
        if function not in known:
            edges = ways.before.edges(graph, function) if ways.before is not None else []
            known[function] = [hop for hop in map(self._of_edge, edges) if hop is not None]
        new = [hop for hop in map(self._of_edge, reversed(behind)) if hop is not None]
        hops = known[end] = [*known[function], *new] if new else known[function]
        return hops

    def _hop(self, edge: int) -> Hop | None:
        row = self._graph.edge(edge)
        if is_said_by_next(self._graph, row):
            return None
        return hop(self._graph, row.caller, row.line, row.via, row.certainty, row.guard)
