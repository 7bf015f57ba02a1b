"""Following a path of one version in the other, call by call, as far as it goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.paths import Route
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.diff_names import Renamed, compared_name, is_several, named
from deepgrep.questions.diff_sides import Side
from deepgrep.questions.guards import conditions, locks
from deepgrep.questions.hops import is_said_by_next

_DOUBT = list(Certainty)
_SAME = bytes(via is Via.SAME for via, _ in KINDS)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a path, that from a context of a function to the same function aside.

    A call of one of many functions is one step, to that function: whether a place between is given more of them than
    are followed is no difference of the code.

    Attributes:
        hop: the position of the hop that shows it.
        edge: its edge; -1 for the access at the end.
    """

    hop: int
    caller: int
    callee: int
    edge: int


@dataclass(frozen=True, slots=True)
class Break:
    """A call of a path that the other version does not have.

    Attributes:
        step: None where it does not begin as the path does.
        at: the functions of the other version that come to where the call is not there.
    """

    step: Step | None
    at: list[int]


@dataclass(frozen=True, slots=True)
class Walk:
    """What of a path the other version has.

    After a call that is not there, it is gone on from the next function of the path that is reached there otherwise.

    Attributes:
        followed: the calls that both have, each with the edge of the other version.
        breaks: the others that begin at what is reached there.
        at: the functions of the other version that come to where the path ends.
    """

    followed: list[tuple[Step, int]]
    breaks: list[Break]
    at: list[int]


def steps_of(side: Side, route: Route) -> list[Step]:
    """The calls of a path."""
    assert side.findings is not None
    graph, hop = side.graph, 0
    steps: list[Step] = []
    for caller, callee, edge in zip(route, route[1:], side.findings.edges(route), strict=False):
        if steps and is_several(graph, caller):
            steps[-1] = replace(steps[-1], callee=callee)
        elif not _SAME[graph.edge_kind[edge]]:
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

    def there(function: int) -> str:
        return renamed.other(compared_name(side.graph, function), is_later=is_later)

    assert side.root is not None
    assert other.root is not None
    first = there(route[0])
    starts = [start for start in reached.starts if compared_name(graph, start) == first]
    if not starts and side.graph.function_names[route[0]] == side.root.ref.name:
        starts = list(other.root.functions)
    at = _closed(graph, reached, starts)
    followed: list[tuple[Step, int]] = []
    breaks = [] if at else [Break(None, [])]
    for step in steps_of(side, route):
        wanted = there(step.callee)
        edge, following = _step(graph, reached, at, wanted, conditions(side.graph, side.graph.edge(step.edge).guard))
        if edge is not None:
            followed.append((step, edge))
        elif at:
            breaks.append(Break(step, at))
        if not following:
            following = [function for function in named(graph, wanted) if reached.inside[function]]
        at = _closed(graph, reached, following)
    return Walk(followed, breaks, at)


def _step(
    graph: CallGraph, reached: ForwardSlice, at: list[int], wanted: str, shown: list[str]
) -> tuple[int | None, list[int]]:
    """The call of some functions that leads to one of a name: of several the surest, and what stands under the same.

    Returns:
        The edge, or None; and what all such calls lead to.
    """
    found: list[tuple[int, bool, int]] = []
    following: dict[int, None] = {}
    for function in at:
        for edge, callee, taken in called(graph, function):
            if not reached.inside[callee] or compared_name(graph, callee) != wanted:
                continue
            if all(reached.takes(graph, caller, each) for caller, each in taken):
                following[callee] = None
                row = graph.edge(edge)
                found.append((_DOUBT.index(row.certainty), conditions(graph, row.guard) != shown, edge))
    return (min(found)[2] if found else None), list(following)


def called(graph: CallGraph, function: int) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """What a function calls, also by way of a place that was given many functions.

    Yields:
        The edge that begins at the function, what is called in the end, and all edges to there, each with its caller.
    """
    seen: set[tuple[int, int]] = set()
    waiting = [(edge, [(function, edge)]) for edge in graph.out_edges(function)]
    for first, taken in waiting:  # grows as it is walked
        callee = graph.edge_callee[taken[-1][1]]
        if not is_several(graph, callee):
            yield first, callee, taken
        elif (first, callee) not in seen:
            seen.add((first, callee))
            waiting += [(first, [*taken, (callee, edge)]) for edge in graph.out_edges(callee)]


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
