"""Contexts of a function: each leads on to what the function does in any context, over an edge that is no call."""

from __future__ import annotations

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import Via

_SAME = bytes(via is Via.SAME for via, _ in KINDS)


def rest_of(graph: CallGraph, function: int) -> list[int]:
    """What a function in a context goes on to as the same function in any context."""
    return [graph.edge_callee[edge] for edge in graph.out_edges(function) if _SAME[graph.edge_kind[edge]]]


def clones_of(graph: CallGraph, function: int) -> list[int]:
    """The contexts of a function that go on to what it does in any context."""
    start, end = graph.in_start[function], graph.in_start[function + 1]
    entering = zip(graph.in_caller[start:end], graph.in_edge[start:end], strict=True)
    return [caller for caller, edge in entering if _SAME[graph.edge_kind[edge]]]
