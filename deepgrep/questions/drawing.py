"""What a drawing of the chop shows: the best paths, and as much around them as there is room for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise

from deepgrep.graph.chop import Chop
from deepgrep.graph.costs import COST
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.relays import is_gathering
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.reach import Findings

_DRAWN = 40
# Of a best path of more functions, only the two ends are drawn: nobody follows it further, and a renderer takes hours.
_LONGEST = 100
# Nor is more of it drawn where everything is asked for.
_LONGEST_OF_ALL = 2_000

_Pair = tuple[int, int]


def drawing(findings: Findings, *, most: int | None = None) -> Drawing | None:
    """The chop as a drawing needs it, or None where there is no path to draw.

    The contexts of a function are drawn as one.

    Args:
        findings: what `investigate` found.
        most: how many functions to draw, with all calls between them: those on the best paths first, then those on
            the shortest of the others. None: of more than about 40 functions the best path whole, and further paths
            as far as they fit, with no calls but those of the paths. Of a path of more functions, or of more than 100
            where there is no limit, and of one of more than 2,000 in any case, one node stands for all between its two
            ends.
    """
    chop = findings.chop
    if not chop.functions:
        return None
    position, alike = _drawn_as(findings)
    routes = [[position[function] for function in route] for route in findings.routes]
    calls = _calls(chop, position)
    total = len(calls)
    gap = _gap(routes[0], _LONGEST if most is None else min(most, _LONGEST_OF_ALL))
    if gap:
        ends = routes[0][: gap.start], routes[0][gap.stop :]
        kept = {number for end in ends for number in end}
        calls = {call for end in ends for call in pairwise(end) if call[0] != call[1]}
    elif most is None and len(alike) > _DRAWN:
        paths = _paths_that_fit(routes)
        kept = {number for path in paths for number in path}
        calls = {step for path in paths for step in pairwise(path) if step[0] != step[1]}
    else:
        kept = set(range(len(alike)))
        if most is not None and len(alike) > most:
            kept = _nearest(chop, position, routes, calls, most)
            calls = {call for call in calls if call[0] in kept and call[1] in kept}
    narrow = {
        position[function]
        for function in findings.between.chokepoints(findings.root.functions)
        if not is_gathering(findings.graph, function)
    }
    shown = [number for number in range(len(alike)) if number in kept]
    place = {number: i for i, number in enumerate(shown)}
    edges = _edges(findings, position, place, calls)
    functions = [_drawn(findings, alike[number], chokepoint=number in narrow) for number in shown]
    best = [_once(place[number] for number in route) for route in routes if kept.issuperset(route)]
    between: list[ChopEdge] = []
    if gap:
        functions.append(_standing_for(len(set(routes[0][gap.start : gap.stop]) - kept)))
        first, last = place[routes[0][gap.start - 1]], place[routes[0][gap.stop]]
        between = _around_gap(findings, gap, first, len(shown), last)
        ends_drawn = [[place[number] for number in end] for end in ends]
        best = [_once([*ends_drawn[0], len(shown), *ends_drawn[1]])]
    return Drawing(
        root=place[position[next(start for start in chop.starts if position[start] in kept)]],
        targets=list(dict.fromkeys(place[position[goal]] for goal in chop.goals if position[goal] in kept)),
        functions=functions,
        edges=[*edges, *between],
        left_out_functions=len(alike) - len(shown),
        left_out_edges=total - len(edges),
        best=best,
        is_too_long=len(set(routes[0])) > _LONGEST_OF_ALL,
    )


def _gap(route: Sequence[int], most: int) -> range:
    """The places of a path that are left out, so that what is left of it, with one node for them, is small."""
    if len(set(route)) <= most:
        return range(0)
    ends = min(most, _DRAWN)
    return range(ends // 2, len(route) - (ends - 1) // 2)


def _standing_for(functions: int) -> DrawnFunction:
    label = f"… {functions:,} functions of this path …"
    return DrawnFunction(name=label, module="", label=label, file="", line=0, chokepoint=False, accesses=[])


def _around_gap(findings: Findings, gap: range, first: int, middle: int, last: int) -> list[ChopEdge]:
    """The calls into and out of what is left out of the best path; what is least certain of it shows in the first."""
    graph, along = findings.graph, findings.edges(findings.routes[0])
    entering, leaving = along[gap.start - 1], along[gap.stop - 1]
    kind = max((graph.edge_kind[edge] for edge in along[gap.start - 1 : gap.stop - 1]), key=lambda kind: COST[kind])
    via = KINDS[graph.edge_kind[entering]][0]
    return [
        ChopEdge(first, middle, [graph.edge_line[entering]], via, KINDS[kind][1]),
        ChopEdge(middle, last, [], *KINDS[graph.edge_kind[leaving]]),
    ]


def _drawn_as(findings: Findings) -> tuple[dict[int, int], list[list[int]]]:
    """For each function of the chop the number of what it is drawn as, and for each number the functions."""
    graph = findings.graph
    drawn: dict[tuple[str, int], list[int]] = {}
    for function in findings.chop.functions:
        drawn.setdefault((graph.function_names[function], graph.function_line[function]), []).append(function)
    alike = list(drawn.values())
    return {function: number for number, contexts in enumerate(alike) for function in contexts}, alike


def _calls(chop: Chop, position: Mapping[int, int]) -> set[_Pair]:
    """Caller and callee of each call between two that are drawn apart."""
    return {
        (position[caller], position[callee])
        for caller, callees in chop.successors.items()
        for callee in callees
        if position[caller] != position[callee]
    }


def _paths_that_fit(routes: list[list[int]]) -> list[list[int]]:
    """The first path, and of the others those that keep the drawing readable."""
    fitting = [routes[0]]
    kept = set(routes[0])
    for route in routes[1:]:
        if len(kept | set(route)) <= _DRAWN:
            fitting.append(route)
            kept |= set(route)
    return fitting


def _nearest(
    chop: Chop, position: Mapping[int, int], routes: list[list[int]], calls: set[_Pair], most: int
) -> set[int]:
    """The best paths and then the shortest through any other function, as far as all of one fit."""
    onward: dict[int, list[int]] = {}
    back: dict[int, list[int]] = {}
    for caller, callee in sorted(calls):
        onward.setdefault(caller, []).append(callee)
        back.setdefault(callee, []).append(caller)
    from_root = _Ways([position[start] for start in chop.starts], onward)
    to_target = _Ways([position[goal] for goal in chop.goals], back)
    length = {number: steps + to_target.steps[number] for number, steps in from_root.steps.items()}
    kept = set(routes[0])
    others = ([*from_root.to(number), *to_target.to(number)] for number in sorted(length, key=lambda n: (length[n], n)))
    for path in (*routes[1:], *others):
        if len(kept) == most:
            break
        if len(kept) + len(set(path) - kept) <= most:
            kept.update(path)
    return kept


class _Ways:
    """To each function one of the shortest ways from some ends.

    Attributes:
        steps: how many functions are on the way to each, both ends included.
    """

    def __init__(self, ends: Iterable[int], neighbours: Mapping[int, list[int]]) -> None:
        self._before: dict[int, int | None] = dict.fromkeys(ends)
        self.steps = dict.fromkeys(self._before, 1)
        queue = list(self._before)
        for number in queue:  # grows as it is walked
            for neighbour in neighbours.get(number, ()):
                if neighbour not in self._before:
                    self._before[neighbour] = number
                    self.steps[neighbour] = self.steps[number] + 1
                    queue.append(neighbour)

    def to(self, number: int) -> list[int]:
        """The way to a function, both ends included."""
        way: list[int] = []
        at: int | None = number
        while at is not None:
            way.append(at)
            at = self._before[at]
        return way[::-1]


def _once(route: Iterable[int]) -> list[int]:
    """A route without the steps between contexts of one function."""
    return [number for number, _ in groupby(route)]


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


def _edges(
    findings: Findings, position: Mapping[int, int], place: Mapping[int, int], calls: set[_Pair]
) -> list[ChopEdge]:
    """One for each two functions drawn that a call is between, the least doubtful of several contexts'."""
    graph, reached, chop = findings.graph, findings.reached, findings.chop
    lines: dict[_Pair, set[int]] = {}
    best: dict[_Pair, tuple[int, int]] = {}
    for caller in chop.functions:
        number = position[caller]
        if number not in place:
            continue
        callees = {callee for callee in chop.successors[caller] if (number, position[callee]) in calls}
        for edge in graph.out_edges(caller) if callees else ():
            callee = graph.edge_callee[edge]
            if callee in callees and reached.takes(graph, caller, edge):
                ends = place[number], place[position[callee]]
                kind = graph.edge_kind[edge]
                doubt = COST[kind], kind
                lines.setdefault(ends, set()).add(graph.edge_line[edge])
                best[ends] = min(doubt, best.get(ends, doubt))
    return [ChopEdge(*ends, sorted(lines[ends]), *KINDS[best[ends][1]]) for ends in sorted(best)]
