"""What a drawing of two versions in one shows: what their own drawings show, and what of it only one of them has."""

from __future__ import annotations

import msgspec

from deepgrep.questions.answers import Drawing, DrawnFunction
from deepgrep.questions.diff import Compared
from deepgrep.questions.diff_answers import Change
from deepgrep.questions.diff_names import Renamed, named
from deepgrep.questions.diff_sides import Side
from deepgrep.questions.drawing import drawing
from deepgrep.questions.hops import is_said_by_next


class DiffNode(msgspec.Struct, frozen=True):
    """A function of either version, as the later calls it.

    Attributes:
        change: `new` and `gone` for what is reached in one version only, else `same`.
        function: as it is drawn; of what both have, that of the later version.
        before: what the earlier version calls it, where that is another name.
    """

    change: Change
    function: DrawnFunction
    before: str = ""


class DiffEdge(msgspec.Struct, frozen=True):
    """Calls from a function to another, by positions; the callee -1 is the target.

    Attributes:
        change: `new` and `gone` for what the root comes to in one version only, else `same`.
        before_lines, after_lines: the lines of the calls, or accesses.
    """

    caller: int
    callee: int
    change: Change
    before_lines: list[int]
    after_lines: list[int]


class DiffDrawing(msgspec.Struct, frozen=True):
    """Two drawings as one.

    Attributes:
        root: the positions of the root: two where it is another function now.
        left_out_before, left_out_after: how many functions on paths of each version are not drawn.
    """

    root: list[int]
    nodes: list[DiffNode]
    edges: list[DiffEdge]
    left_out_before: int
    left_out_after: int


_Edges = dict[tuple[str, str], list[int]]
_TARGET = ""


def diff_drawing(compared: Compared) -> DiffDrawing | None:
    """The drawings of both versions as one; None where neither has a path."""
    old, new = compared.before, compared.after
    drawn = [None if side.findings is None else drawing(side.findings) for side in (old, new)]
    if drawn[0] is None and drawn[1] is None:
        return None
    renamed = (compared.renamed, None)
    functions = [_functions(one, names) for one, names in zip(drawn, renamed, strict=True)]
    edges = [_edges(one, names) for one, names in zip(drawn, renamed, strict=True)]
    there = [_There(side, names) for side, names in zip((old, new), renamed, strict=True)]
    order = list(dict.fromkeys([*functions[1], *functions[0]]))
    place = {name: number for number, name in enumerate(order)} | {_TARGET: -1}
    nodes = []
    for name in order:
        function = functions[1].get(name) or functions[0][name]
        earlier = functions[0].get(name)
        was = earlier.name if earlier is not None and earlier.name != name else ""
        nodes.append(DiffNode(_change(*(one.reaches(name) for one in there)), function, was))
    return DiffDrawing(
        root=sorted(
            {
                place[_later(one.functions[one.root].name, names)]
                for one, names in zip(drawn, renamed, strict=True)
                if one
            }
        ),
        nodes=nodes,
        edges=[
            DiffEdge(
                place[ends[0]],
                place[ends[1]],
                _change(*(one.has(*ends) for one in there)),
                edges[0].get(ends, []),
                edges[1].get(ends, []),
            )
            for ends in sorted({*edges[0], *edges[1]}, key=lambda ends: (place[ends[0]], place[ends[1]]))
        ],
        left_out_before=_left_out(old, drawn[0]),
        left_out_after=_left_out(new, drawn[1]),
    )


def _left_out(side: Side, drawn: Drawing | None) -> int:
    """How many of the functions that the answer counts are not drawn."""
    if drawn is None or side.answer is None:
        return 0
    return len({*side.answer.chop.functions} - {function.name for function in drawn.functions})


def _later(name: str, renamed: Renamed | None) -> str:
    return name if renamed is None else renamed.other(name, is_later=False)


def _functions(drawn: Drawing | None, renamed: Renamed | None) -> dict[str, DrawnFunction]:
    return {_later(function.name, renamed): function for function in (drawn.functions if drawn else ())}


def _edges(drawn: Drawing | None, renamed: Renamed | None) -> _Edges:
    """The lines of calls by the names of both ends, and those of accesses by the function and the target."""
    if drawn is None:
        return {}
    names = [_later(function.name, renamed) for function in drawn.functions]
    found: _Edges = {}
    for edge in drawn.edges:
        found.setdefault((names[edge.caller], names[edge.callee]), []).extend(edge.lines)
    for index in drawn.targets:
        found.setdefault((names[index], _TARGET), []).extend(drawn.functions[index].accesses)
    return found


class _There:
    """What the root reaches in a version, by the later names."""

    def __init__(self, side: Side, renamed: Renamed | None) -> None:
        self._side = side
        self._renamed = renamed

    def _functions(self, name: str) -> list[int]:
        side = self._side
        if side.reached is None:
            return []
        name = name if self._renamed is None else self._renamed.other(name, is_later=True)
        return [function for function in named(side.graph, name) if side.reached.inside[function]]

    def reaches(self, name: str) -> bool:
        """Whether the root reaches a function."""
        return bool(self._functions(name))

    def has(self, caller: str, callee: str) -> bool:
        """Whether the root comes to a call, or an access of the target."""
        side, callers = self._side, self._functions(caller)
        reached, graph = side.reached, side.graph
        if reached is None:
            return False
        if callee == _TARGET:
            sites = side.target.sites if side.target is not None else []
            return any(site.function in callers and site.reached(graph, reached) for site in sites)
        callees = set(self._functions(callee))
        seen = list(callers)
        for function in seen:  # grows as it is walked, by contexts
            for edge in graph.out_edges(function):
                if graph.edge_callee[edge] in callees and reached.takes(graph, function, edge):
                    return True
                if is_said_by_next(graph, graph.edge(edge)) and graph.edge_callee[edge] not in seen:
                    seen.append(graph.edge_callee[edge])
        return False


def _change(before: bool, after: bool) -> Change:
    return Change.SAME if before and after else Change.NEW if after else Change.GONE
