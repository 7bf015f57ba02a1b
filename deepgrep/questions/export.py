"""`export`: the whole call graph as data for other tools."""

from __future__ import annotations

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import Certainty, Source, Via


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
    requires: list[int] = []


class ExportedBlindSpot(msgspec.Struct, frozen=True):
    """A call whose callees are not all known."""

    caller: int
    line: int
    expression: str
    reason: str


class ExportedGraph(msgspec.Struct, frozen=True, kw_only=True):
    """The format `deepgrep-callgraph/1`."""

    schema: str = "deepgrep-callgraph/1"
    sources: list[Source]
    functions: list[ExportedFunction]
    edges: list[ExportedEdge]
    blind_spots: list[ExportedBlindSpot]


def export_graph(graph: CallGraph) -> ExportedGraph:
    """Everything, in the order of the graph: edges by caller."""
    rows = [graph.function(i) for i in range(graph.function_count)]
    return ExportedGraph(
        sources=graph.sources,
        functions=[ExportedFunction(row.name, row.file, row.qualname, row.line, row.context) for row in rows],
        edges=[
            ExportedEdge(
                caller,
                graph.edge_callee[edge],
                graph.edge_line[edge],
                *KINDS[graph.edge_kind[edge]],
                list(graph.requirement(graph.edge_requires[edge])),
            )
            for caller in range(graph.function_count)
            for edge in graph.out_edges(caller)
        ],
        blind_spots=[
            ExportedBlindSpot(spot.function, spot.line, spot.expression, spot.reason)
            for function in range(graph.function_count)
            for spot in graph.blind_spots_in(function)
        ],
    )
