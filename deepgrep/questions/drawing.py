"""What a drawing of the chop shows: the best paths and what matters most around them."""

from __future__ import annotations

from itertools import pairwise

from deepgrep.graph.chokepoints import chokepoints
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import Route, edge_between, edges_between
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.reach import Findings

_DRAWN = 40


def drawing(findings: Findings, *, everything: bool = False) -> Drawing | None:
    """The chop as a drawing needs it, or None where there is no path to draw.

    Args:
        findings: what `investigate` found.
        everything: draw all of it; otherwise, of more than about 40 functions: the best path whole, and further paths
            as far as they fit, with no calls but those of the paths.
    """
    between = findings.chop
    if not between.functions:
        return None
    narrow = chokepoints(between, findings.root.functions)
    whole = everything or len(between.functions) <= _DRAWN
    paths = [] if whole else _paths_that_fit(findings.routes)
    kept = set(between.functions) if whole else {function for path in paths for function in path}
    steps = {step for path in paths for step in pairwise(path)}
    shown = [function for function in between.functions if function in kept]
    functions = [_drawn(findings, function, chokepoint=function in narrow) for function in shown]
    position = {function: i for i, function in enumerate(shown)}
    edges = [
        _edge(findings, position, caller, callee)
        for caller in shown
        for callee in between.successors[caller]
        if callee in kept and (whole or (caller, callee) in steps)
    ]
    starts = [position[start] for start in between.starts if start in position]
    return Drawing(
        root=starts[0],
        targets=[position[goal] for goal in between.goals if goal in position],
        functions=functions,
        edges=edges,
        left_out_functions=len(between.functions) - len(shown),
        left_out_edges=between.edge_count - len(edges),
    )


def _paths_that_fit(routes: list[Route]) -> list[Route]:
    """The first path, and of the others those that keep the drawing readable."""
    fitting = [routes[0]]
    kept = set(routes[0])
    for route in routes[1:]:
        if len(kept | set(route)) <= _DRAWN:
            fitting.append(route)
            kept |= set(route)
    return fitting


def _drawn(findings: Findings, index: int, *, chokepoint: bool) -> DrawnFunction:
    graph = findings.graph
    function = graph.function(index)
    return DrawnFunction(
        name=function.name,
        module=graph.module(index),
        label=function.qualname,
        file=function.file,
        line=function.line,
        chokepoint=chokepoint,
        accesses=sorted({site.line for site in findings.sites.get(index, ())}),
    )


def _edge(findings: Findings, position: dict[int, int], caller: int, callee: int) -> ChopEdge:
    graph = findings.graph
    via, certainty = KINDS[graph.edge_kind[edge_between(graph, findings.reached, caller, callee)]]
    lines = {graph.edge_line[edge] for edge in edges_between(graph, findings.reached, caller, callee)}
    return ChopEdge(position[caller], position[callee], sorted(lines), via, certainty)
