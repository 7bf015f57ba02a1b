"""Following a path of one version in the other, call by call, as far as it goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.paths import Route
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.diff_names import Renamed, compared_name
from deepgrep.questions.diff_sides import Side
from deepgrep.questions.guards import conditions, locks
from deepgrep.questions.hops import is_said_by_next

_DOUBT = list(Certainty)
_SAME = bytes(via is Via.SAME for via, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a path, that from a context of a function to the same function aside.

    Attributes:
        hop: the position of the hop that shows it.
        edge: its edge; -1 for the access at the end.
    """

    hop: int
    caller: int
    callee: int
    edge: int


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a path could be followed in the other version.

    Attributes:
        steps: the calls of the path.
        edges: for each of them that could be followed, the edge of the other version.
        at: the functions of the other version that come to where it ends.
    """

    steps: list[Step]
    edges: list[int]
    at: list[int]

    @property
    def broken(self) -> Step | None:
        """The first call that could not be followed."""
        return self.steps[len(self.edges)] if len(self.edges) < len(self.steps) else None


def steps_of(side: Side, route: Route) -> list[Step]:
    """The calls of a path."""
    assert side.findings is not None
    graph, hop, steps = side.graph, 0, []
    for caller, callee, edge in zip(route, route[1:], side.findings.edges(route), strict=False):
        if not _SAME[graph.edge_kind[edge]]:
            steps.append(Step(hop, caller, callee, edge))
        hop += not is_said_by_next(graph, graph.edge(edge))
    return steps


def walk(side: Side, route: Route, other: Side, renamed: Renamed, *, is_later: bool) -> Walk:
    """Follow a path of one version in the other.

    Args:
        side: the version that has the path.
        route: the path.
        other: the other version, which has the root.
        renamed: what is called otherwise there.
        is_later: whether the path is of the later version.
    """
    assert other.reached is not None
    graph, reached = other.graph, other.reached
    steps = steps_of(side, route)

    def there(function: int) -> str:
        return renamed.other(compared_name(side.graph, function), is_later=is_later)

    assert side.root is not None
    assert other.root is not None
    first = there(route[0])
    starts = [start for start in reached.starts if compared_name(graph, start) == first]
    if not starts and side.graph.function_names[route[0]] == side.root.ref.name:
        starts = list(other.root.functions)
    at = _closed(graph, reached, starts)
    edges: list[int] = []
    for step in steps if at else ():
        wanted, shown = there(step.callee), conditions(side.graph, side.graph.edge(step.edge).guard)
        found: list[tuple[int, int, int]] = []
        following: dict[int, None] = {}
        for function in at:
            for edge in graph.out_edges(function):
                callee = graph.edge_callee[edge]
                if (
                    reached.inside[callee]
                    and compared_name(graph, callee) == wanted
                    and reached.takes(graph, function, edge)
                ):
                    following[callee] = None
                    row = graph.edge(edge)
                    found.append((_DOUBT.index(row.certainty), conditions(graph, row.guard) != shown, edge))
        if not found:
            break
        edges.append(min(found)[2])
        at = _closed(graph, reached, following)
    return Walk(steps, edges, at)


def _closed(graph: CallGraph, reached: ForwardSlice, functions: Iterable[int]) -> list[int]:
    """Functions, and what they go on to as the same functions in any context."""
    order = list(functions)
    for function in order:  # grows as it is walked
        for edge in graph.out_edges(function):
            callee = graph.edge_callee[edge]
            if _SAME[graph.edge_kind[edge]] and callee not in order and reached.takes(graph, function, edge):
                order.append(callee)
    return order


def standing(graph: CallGraph, edge: int) -> tuple[list[str], list[str], Certainty, int]:
    """What a call stands under: conditions and locks; how sure it is, and its line."""
    row = graph.edge(edge)
    return conditions(graph, row.guard), locks(graph, row.guard), row.certainty, row.line
