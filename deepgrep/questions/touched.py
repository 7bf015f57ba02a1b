"""Which shared states the reached functions change or look at, and where."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import ACCESS_KINDS
from deepgrep.graph.rows import ONE_OF_SEVERAL, AccessKind, Certainty, State, Via
from deepgrep.graph.slices import ForwardSlice
from deepgrep.graph.ways import Ways
from deepgrep.questions.scopes import Scopes
from deepgrep.questions.shared_state import INSTANCE, SET_FROM_OUTSIDE, NewObjects, owner_of, shared_state

# By the number in the graph's column.
_KINDS = tuple(kind for kind in ACCESS_KINDS for _restore in (False, True))
_RESTORES = tuple(restore for _kind in ACCESS_KINDS for restore in (False, True))

# Forms whose object may be one of several, each of which is then recorded.
_OF_AN_OBJECT = frozenset(
    {"attribute", "class attribute", "subscript", "mutating call", "augmented", "setattr", "delete"}
)
_FLOW = list(Certainty).index(Certainty.FLOW)


class Touch(NamedTuple):
    """One reached access; they sort with the surest and nearest first.

    Attributes:
        elsewhere: whether it is another process that comes to it.
        doubt: the position in `Certainty` of what is least certain: a call on the way, or what is accessed.
        importing, distance: as of the way to the function.
        function, number: the function and the number of the access.
    """

    elsewhere: bool
    doubt: int
    importing: bool
    distance: int
    function: int
    number: int


@dataclass(frozen=True, slots=True)
class Touched:
    """A state, what it is part of, and the reached places that access it."""

    index: int
    state: State
    owner: str
    touches: list[Touch] = field(default_factory=list)

    @property
    def best(self) -> Touch:
        """The surest and nearest one."""
        return min(self.touches)


def touched_states(graph: CallGraph, reached: ForwardSlice, ways: Ways, access: AccessKind) -> list[Touched]:
    """The shared states that reached functions access so.

    What a constructor does to the object that it makes is left out. Where a part of a state is accessed (an item, an
    attribute), the state as a whole, for which that is recorded too, is left out at that place. A read counts where
    something can have changed what is read. One of several objects is no certain one, and is left out where only what
    is more certain is asked for.
    """
    takes_unsure = reached.restriction.allows_certainty(Certainty.FLOW)
    new_objects, scopes = NewObjects(graph), Scopes(graph)
    found: dict[int, Touched | None] = {}
    for function in ways.entering:
        constructs = new_objects.is_constructor(function)
        elsewhere, doubt, importing, distance = ways.beginning(function)
        for on_line in _accesses_by_line(graph, reached, function, access):
            here = []
            for state, number in on_line:
                if state not in found:
                    found[state] = _untouched(graph, scopes, state, access)
                one = found[state]
                if one is not None and not (constructs and new_objects.touches_its_own(function, one.state)):
                    here.append((one, number))
            if len(here) == 1 and not _is_one_of_several(graph, here[0][1]):
                here[0][0].touches.append(Touch(elsewhere, doubt, importing, distance, function, here[0][1]))
                continue
            for one, number, is_sure in _of_several(graph, here):
                if is_sure or takes_unsure:
                    sure = doubt if is_sure else _FLOW
                    one.touches.append(Touch(elsewhere, sure, importing, distance, function, number))
    return [one for one in found.values() if one and one.touches]


def _untouched(graph: CallGraph, scopes: Scopes, index: int, access: AccessKind) -> Touched | None:
    """A state before any access of it was come to; None for what is no effect however it is accessed."""
    state = shared_state(graph, index)
    if state is None or (access is AccessKind.READ and not _can_have_changed(graph, index, state)):
        return None
    return Touched(index, scopes.of(state), owner_of(state.name))


def _of_several(graph: CallGraph, here: list[tuple[Touched, int]]) -> Iterator[tuple[Touched, int, bool]]:
    """The states that are accessed at one line, without the wholes of which others are parts.

    Yields:
        Each with the number of the access, and whether it is sure: it is not one of several objects.
    """
    wholes = {one.owner for one, _ in here}
    parts = [(one, number) for one, number in here if one.state.name not in wholes]
    forms = [graph.access_form[number] for one, number in parts if one.state.kind != INSTANCE]
    for one, number in parts:
        form = graph.access_form[number]
        is_sure = forms.count(form) < 2 or graph.texts[form] not in _OF_AN_OBJECT
        yield one, number, is_sure and not _is_one_of_several(graph, number)


def _is_one_of_several(graph: CallGraph, number: int) -> bool:
    return graph.texts[graph.access_form[number]].endswith(ONE_OF_SEVERAL)


class SureAccesses:
    """Which accesses are surely of their state, and not of one of several objects."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        places = zip(graph.access_function, graph.access_line, graph.access_form, graph.access_kind, strict=True)
        self._alike = Counter(places)

    def is_sure(self, number: int) -> bool:
        """Whether an access is of its state alone."""
        graph = self._graph
        if graph.texts[graph.access_form[number]] not in _OF_AN_OBJECT:
            return not _is_one_of_several(graph, number)
        place = graph.access_function[number], graph.access_line[number]
        return self._alike[(*place, graph.access_form[number], graph.access_kind[number])] < 2


def _accesses_by_line(
    graph: CallGraph, reached: ForwardSlice, function: int, access: AccessKind
) -> Iterator[list[tuple[int, int]]]:
    """A function's accesses of one kind that can happen, as states with their numbers, for each line that has some."""
    kinds, lines, starts = graph.access_kind, graph.access_line, graph.access_start
    first, end = graph.function_access_start[function], graph.function_access_start[function + 1]
    on_line: list[tuple[int, int]] = []
    line = -1
    for number in graph.function_access[first:end]:
        if _KINDS[kinds[number]] is not access or not reached.can_happen(function, graph.access_guard[number]):
            continue
        if lines[number] != line and on_line:
            yield on_line
            on_line = []
        line = lines[number]
        on_line.append((bisect_right(starts, number) - 1, number))
    if on_line:
        yield on_line


def _can_have_changed(graph: CallGraph, index: int, state: State) -> bool:
    """Whether a state is one that others set, or is written somewhere."""
    if state.kind in SET_FROM_OUTSIDE:
        return True
    start, end = graph.access_start[index], graph.access_start[index + 1]
    return any(_KINDS[kind] is AccessKind.WRITE for kind in graph.access_kind[start:end])


def is_restored(graph: CallGraph, reached: ForwardSlice, touched: Touched) -> bool:
    """Whether each function that changes a state restores it, or does so together with one beside it.

    What is only put back was changed by something else before: for the root, that is a change. Nor is it put back where
    a method that changes it is called by itself, and the one beside it, which would restore it, is not called after it.
    """
    restoring: set[int] = set()
    writing: set[int] = set()
    for touch in touched.touches:
        (restoring if is_restore(graph, touch.number) else writing).add(touch.function)
    names = {graph.function_names[function] for function in restoring}
    by_place: dict[str, list[int]] = {}
    for function in restoring:
        by_place.setdefault(_around(graph, function), []).append(function)
    by_place.pop("", None)
    return bool(restoring and writing) and all(
        graph.function_names[function] in names
        or not _is_left_open(graph, reached, function, by_place.get(_around(graph, function), []))
        for function in writing
    )


def _is_left_open(graph: CallGraph, reached: ForwardSlice, function: int, beside: list[int]) -> bool:
    """Whether a function can be called so that none of those beside it, which put back what it changes, follows.

    One that is called by one of its own name (`super().__enter__()`) or of its class is followed by what follows that.
    """
    if not beside:
        return True
    last, around = graph.function_last[function], _around(graph, function)
    for edge in graph.in_edges(function):
        row = graph.edge(edge)
        if row.via is not Via.CALL or not reached.inside[row.caller] or not reached.takes(graph, row.caller, edge):
            continue
        if graph.function_last[row.caller] == last or _around(graph, row.caller) == around:
            continue
        after = (graph.edge_callee[e] for e in graph.out_edges(row.caller) if graph.edge_line[e] > row.line)
        if not any(callee in beside for callee in after):
            return True
    return False


def is_restore(graph: CallGraph, number: int) -> bool:
    """Whether an access puts back a value that was saved before."""
    return _RESTORES[graph.access_kind[number]]


def _around(graph: CallGraph, function: int) -> str:
    """The class or function that a function is defined in; "" if that is the module."""
    around = graph.function_names[function].rpartition(".")[0]
    return "" if around == graph.module(function) else around
