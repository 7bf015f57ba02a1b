"""What a drawing of the chop shows: the best paths and what matters most around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deepgrep.graph.chokepoints import chokepoints
from deepgrep.graph.chop import Chop
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import edge_between, edges_between
from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.reach import Findings
from deepgrep.questions.roots import CODE

_DRAWN = 40


def drawing(findings: Findings, *, everything: bool = False) -> Drawing | None:
    """The chop as a drawing needs it, or None where there is no path to draw.

    Args:
        findings: what `investigate` found.
        everything: draw all of it; otherwise about 40 functions: the best path whole, further paths and chokepoints as
            far as they fit, then what lies on the shortest ways.
    """
    between = findings.chop
    if not between.functions:
        return None
    narrow = chokepoints(between, findings.root.functions)
    kept = set(between.functions if everything else _most_telling(findings, narrow))
    shown = [function for function in between.functions if function in kept]
    functions = [_drawn(findings, function, chokepoint=function in narrow) for function in shown]
    # Code has no function in the graph: it stands before the others.
    offset = int(findings.root.is_code)
    position = {function: i + offset for i, function in enumerate(shown)}
    edges = [
        _edge(findings, position, caller, callee)
        for caller in shown
        for callee in between.successors[caller]
        if callee in kept
    ]
    if findings.root.is_code:
        functions.insert(0, DrawnFunction(CODE, "", CODE, CODE, 1, chokepoint=False, accesses=[]))
        edges = [*_imports(findings, position), *edges]
    starts = [position[start] for start in between.starts if start in position]
    return Drawing(
        root=0 if findings.root.is_code else starts[0],
        targets=[position[goal] for goal in between.goals if goal in position],
        functions=functions,
        edges=edges,
        left_out_functions=len(between.functions) - len(shown),
        left_out_edges=between.edge_count + offset * len(between.starts) - len(edges),
    )


def _most_telling(findings: Findings, narrow: list[int]) -> Iterable[int]:
    kept = dict.fromkeys(findings.routes[0])
    for group in [*findings.routes[1:], *([function] for function in narrow), *_by_detour(findings.chop)]:
        if len(kept.keys() | group) <= _DRAWN:
            kept |= dict.fromkeys(group)
    return kept


def _by_detour(chop: Chop) -> Iterator[list[int]]:
    """Each function, those on the shortest ways from root to target first."""
    predecessors: dict[int, list[int]] = {function: [] for function in chop.functions}
    for caller, callees in chop.successors.items():
        for callee in callees:
            predecessors[callee].append(caller)
    before, after = _hops(chop.starts, chop.successors), _hops(chop.goals, predecessors)
    for function in sorted(chop.functions, key=lambda f: (before[f] + after[f], before[f], f)):
        yield [function]


def _hops(starts: list[int], neighbours: dict[int, list[int]]) -> dict[int, int]:
    hops = dict.fromkeys(starts, 0)
    order = list(hops)
    for function in order:  # grows as it is walked
        for neighbour in neighbours[function]:
            if neighbour not in hops:
                hops[neighbour] = hops[function] + 1
                order.append(neighbour)
    return hops


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


def _imports(findings: Findings, position: dict[int, int]) -> Iterator[ChopEdge]:
    for start in findings.chop.starts:
        if start in position:
            lines = sorted({line for body, line in findings.root.imports if body == start})
            yield ChopEdge(0, position[start], lines, Via.IMPORT, Certainty.CERTAIN)
