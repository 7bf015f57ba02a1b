"""What a drawing of the chop shows: the best paths and what matters most around them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.costs import COST
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import Route, edges_between, least_doubtful
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
    graph = findings.graph
    narrow = set(findings.between.chokepoints(findings.root.functions))
    whole = everything or len(between.functions) <= _DRAWN
    paths = [] if whole else _paths_that_fit(findings.routes)
    kept = set(between.functions) if whole else {function for path in paths for function in path}
    steps = {step for path in paths for step in pairwise(path)}
    # The contexts of a function are drawn as one.
    shown = [function for function in between.functions if function in kept]
    drawn: dict[tuple[str, int], list[int]] = {}
    for function in shown:
        drawn.setdefault((graph.function_names[function], graph.function_line[function]), []).append(function)
    position = {function: i for i, alike in enumerate(drawn.values()) for function in alike}
    functions = [_drawn(findings, alike, chokepoint=not narrow.isdisjoint(alike)) for alike in drawn.values()]
    edges = _edges(
        findings,
        position,
        (
            (caller, callee)
            for caller in shown
            for callee in between.successors[caller]
            if callee in kept and (whole or (caller, callee) in steps) and position[caller] != position[callee]
        ),
    )
    starts = [position[start] for start in between.starts if start in position]
    return Drawing(
        root=starts[0],
        targets=list(dict.fromkeys(position[goal] for goal in between.goals if goal in position)),
        functions=functions,
        edges=edges,
        left_out_functions=len(_names(graph, between.functions)) - len(drawn),
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


def _names(graph: CallGraph, functions: list[int]) -> set[tuple[str, int]]:
    return {(graph.function_names[function], graph.function_line[function]) for function in functions}


def _drawn(findings: Findings, alike: list[int], *, chokepoint: bool) -> DrawnFunction:
    graph = findings.graph
    function = graph.function(alike[0])
    return DrawnFunction(
        name=function.name,
        module=graph.module(alike[0]),
        label=function.qualname,
        file=function.file,
        line=function.line,
        chokepoint=chokepoint,
        accesses=sorted({site.line for index in alike for site in findings.sites.get(index, ())}),
    )


def _edges(findings: Findings, position: dict[int, int], steps: Iterable[tuple[int, int]]) -> list[ChopEdge]:
    """One for each two functions drawn, the least doubtful of several contexts'."""
    graph = findings.graph
    lines: dict[tuple[int, int], set[int]] = {}
    best: dict[tuple[int, int], int] = {}
    for caller, callee in steps:
        ends = position[caller], position[callee]
        between = edges_between(graph, findings.reached, caller, callee)
        lines.setdefault(ends, set()).update(graph.edge_line[e] for e in between)
        edge = least_doubtful(graph, between)
        if ends not in best or COST[graph.edge_kind[edge]] < COST[graph.edge_kind[best[ends]]]:
            best[ends] = edge
    return [ChopEdge(*ends, sorted(lines[ends]), *KINDS[graph.edge_kind[edge]]) for ends, edge in best.items()]
