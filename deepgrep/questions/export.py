"""`export`: the whole call graph as data for other tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.relays import Relays
from deepgrep.graph.rows import Certainty, Edge, Source, Via


class ExportedFunction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A function, once for each context."""

    name: str
    file: str
    qualname: str
    line: int
    context: str = ""


class ExportedEdge(msgspec.Struct, frozen=True, omit_defaults=True):
    """An edge, by positions in the list of functions."""

    caller: int
    callee: int
    line: int
    via: Via
    certainty: Certainty
    requires: tuple[int, ...] = ()


class ExportedBlindSpot(msgspec.Struct, frozen=True):
    """A call whose callees are not all known."""

    caller: int
    line: int
    expression: str
    reason: str


class ExportedGraph(msgspec.Struct, frozen=True, kw_only=True):
    """The format `deepgrep-callgraph/1`."""

    schema: Literal["deepgrep-callgraph/1"] = "deepgrep-callgraph/1"
    sources: list[Source]
    functions: list[ExportedFunction]
    edges: list[ExportedEdge]
    blind_spots: list[ExportedBlindSpot]


def export_graph(graph: CallGraph) -> ExportedGraph:
    """Everything, in the order of the graph: edges by caller.

    A relay is a function at line 0. What callers come to through it is given besides, as edges of their own: once for
    each function, as it is the same in all contexts.
    """
    rows = [graph.function(i) for i in range(graph.function_count)]
    required: dict[tuple[int, ...], tuple[int, ...]] = {}  # many edges require the same
    return ExportedGraph(
        sources=graph.sources,
        functions=[ExportedFunction(row.name, row.file, row.qualname, row.line, row.context) for row in rows],
        edges=[
            ExportedEdge(
                edge.caller,
                edge.callee,
                edge.line,
                edge.via,
                edge.certainty,
                required.setdefault(edge.requires, edge.requires),
            )
            for edge in _edges(graph)
        ],
        blind_spots=[
            ExportedBlindSpot(spot.function, spot.line, spot.expression, spot.reason)
            for function in range(graph.function_count)
            for spot in graph.blind_spots_in(function)
        ],
    )


def _edges(graph: CallGraph) -> Iterator[Edge]:
    relays = Relays(graph)
    expanded: set[tuple[str, int]] = set()
    for caller in range(graph.function_count):
        yield from map(graph.edge, graph.out_edges(caller))
        if caller in relays.numbers:
            continue
        function = graph.function_names[caller], graph.function_line[caller]
        if function not in expanded and (through := list(relays.through(caller))):
            expanded.add(function)
            yield from through
