"""`export`: the whole call graph as data for other tools."""

from __future__ import annotations

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.relays import Relays
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
    """Everything, in the order of the graph: edges by caller; instead of a relay, what callers come to through it."""
    relays = Relays(graph)
    functions = [i for i in range(graph.function_count) if i not in relays.numbers]
    numbers = {function: number for number, function in enumerate(functions)}
    rows = [graph.function(i) for i in functions]
    return ExportedGraph(
        sources=graph.sources,
        functions=[ExportedFunction(row.name, row.file, row.qualname, row.line, row.context) for row in rows],
        edges=[
            ExportedEdge(
                numbers[edge.caller],
                numbers[edge.callee],
                edge.line,
                edge.via,
                edge.certainty,
                [numbers[needed] for needed in edge.requires],
            )
            for caller in functions
            for edge in relays.calls(caller)
        ],
        blind_spots=[
            ExportedBlindSpot(numbers[spot.function], spot.line, spot.expression, spot.reason)
            for function in functions
            for spot in graph.blind_spots_in(function)
        ],
    )
