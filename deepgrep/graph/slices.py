"""Forward and backward slices: what a root reaches, and what could reach a target."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.held_values import HeldValues
from deepgrep.graph.history import History
from deepgrep.graph.layout import KINDS
from deepgrep.graph.restriction import NONE, Restriction
from deepgrep.graph.rows import Via

_IMPORT = bytes(via is Via.IMPORT for via, _ in KINDS)


@dataclass(frozen=True, slots=True)
class ForwardSlice:
    """What the root reaches.

    Attributes:
        starts: where the root begins: itself, in all its contexts, or the module bodies that its imports run.
        history: what had happened before.
        order: the functions reached, nearest first.
        inside: 1 for each of them, by function.
        taken: of the edges that are not plain, those that can be taken.
        unmet: the requirements that nothing reached meets, by number, with the edges that wait for them.
        restriction: what the question leaves out.
        values: what parameters hold, where something is assumed.
        impossible: the edges that stand under a condition which cannot hold, each with that guard.
        narrowed: the functions that those leave.
    """

    starts: tuple[int, ...]
    history: History
    order: list[int]
    inside: bytearray
    taken: set[int]
    unmet: dict[int, list[int]]
    restriction: Restriction = NONE
    values: HeldValues | None = None
    impossible: dict[int, int] = field(default_factory=dict)
    narrowed: frozenset[int] = frozenset()

    def takes(self, graph: CallGraph, caller: int, edge: int) -> bool:
        """Whether an edge of a reached caller can be taken."""
        if edge >= graph.out_plain[caller]:
            return edge in self.taken
        return edge not in self.impossible and self.restriction.allows(graph, edge)

    def plain_callees(self, graph: CallGraph, caller: int, end: int) -> Sequence[int]:
        """The callees of the plain edges of a reached caller that can be taken, those before edge `end`.

        Functions that no path may enter can be among them; they are never reached.
        """
        start = graph.out_start[caller]
        if self.restriction.takes_all_kinds and caller not in self.narrowed:
            return graph.edge_callee[start:end]
        return [graph.edge_callee[edge] for edge in range(start, end) if self.takes(graph, caller, edge)]

    def can_happen(self, function: int, guard: int) -> bool:
        """Whether what stands under a guard in a reached function is possible, by what is assumed."""
        return self.values is None or self.values.blocking(function, guard) < 0


def forward_slice(
    graph: CallGraph, starts: Iterable[int], history: History, restriction: Restriction = NONE
) -> ForwardSlice:
    """Everything that `starts` reach.

    Where something is assumed of their parameters and what they reach calls them with something else, the search is
    given up, and `values.is_called_otherwise`: their own call must be told from that one first (see `own_call`).

    An edge that requires one of some functions is taken once one of them is reached (rapid type analysis, from this
    root): until then it waits. An import of a module that has been run before the root leads nowhere.
    """
    search = _Search(graph, tuple(starts), history, restriction)
    search.run()
    return search.result()


class _Search:
    """The search for all that some functions reach."""

    def __init__(self, graph: CallGraph, starts: tuple[int, ...], history: History, restriction: Restriction) -> None:
        self._graph = graph
        self._starts = starts
        self._history = history
        self._restriction = restriction
        assumed = restriction.assumptions
        self._values = HeldValues(graph, assumed, starts) if assumed is not None else None
        # Entered already: reached, or closed.
        self._seen = bytearray(restriction.closed) or bytearray(graph.function_count)
        self._inside = bytearray(graph.function_count)
        self._order: list[int] = []
        self._waiting: list[int] = []
        """Functions to look at: those that are new, and those of which less is known than before."""
        self._taken: set[int] = set()
        self._met: set[int] = {0}
        self._unmet: dict[int, list[int]] = {}
        self._watched: dict[int, list[int]] = {}
        self._waits: set[int] = set()
        for start in starts:
            self._enter(start)

    def _enter(self, function: int) -> None:
        self._seen[function] = self._inside[function] = 1
        self._order.append(function)
        self._waiting.append(function)

    def run(self) -> None:
        """Look at functions until there is nothing new."""
        graph, seen = self._graph, self._seen
        out_start, out_plain, callees = graph.out_start, graph.out_plain, graph.edge_callee
        takes_all = self._restriction.takes_all_kinds and self._values is None
        for function in self._waiting:  # grows as it is walked
            if self._values is not None and self._values.is_called_otherwise:
                return
            plain = out_plain[function]
            if takes_all:
                for callee in callees[out_start[function] : plain]:
                    if not seen[callee]:
                        self._enter(callee)
            else:
                self._take(function, range(out_start[function], plain))
            if plain != out_start[function + 1]:
                conditional = range(plain, out_start[function + 1])
                (self._take_met if takes_all else self._take_conditional)(function, conditional)
            if function in self._watched:
                self._meet(function)

    def _take(self, caller: int, edges: Iterable[int]) -> None:
        """Take those of some edges that are not left out."""
        graph, seen, values = self._graph, self._seen, self._values
        kinds, kind, callees, guards = self._restriction.kinds, graph.edge_kind, graph.edge_callee, graph.edge_guard
        decides = values is not None and values.knows(caller)
        for edge in edges:
            if not kinds[kind[edge]]:
                continue
            callee = callees[edge]
            if seen[callee] and (values is None or values.free[callee] or not self._inside[callee]):
                continue
            if values is not None:
                if decides and values.blocking(caller, guards[edge]) >= 0:
                    continue
                if values.passes(caller, edge) and seen[callee]:
                    self._waiting.append(callee)
            if not seen[callee]:
                self._enter(callee)

    def _take_conditional(self, caller: int, edges: Iterable[int]) -> None:
        graph, ran = self._graph, self._history.ran
        free = []
        for edge in edges:
            if _IMPORT[graph.edge_kind[edge]] and graph.edge_callee[edge] in ran:
                continue
            requirement = graph.edge_requires[edge]
            if requirement in self._met or self._is_met(requirement):
                free.append(edge)
            elif edge not in self._waits:
                self._waits.add(edge)
                self._unmet[requirement].append(edge)
        if free:
            self._free(caller, free)

    def _take_met(self, _caller: int, edges: Iterable[int]) -> None:
        """What `_take_conditional` does, where no edge is left out for itself: most questions, so it has to be fast."""
        graph, ran, met, taken, seen = self._graph, self._history.ran, self._met, self._taken, self._seen
        kinds, callees, requires, closed = (
            graph.edge_kind,
            graph.edge_callee,
            graph.edge_requires,
            self._restriction.closed,
        )
        for edge in edges:
            callee, requirement = callees[edge], requires[edge]
            if _IMPORT[kinds[edge]] and callee in ran:
                continue
            if requirement in met or self._is_met(requirement):
                if not closed or not closed[callee]:
                    taken.add(edge)
                    if not seen[callee]:
                        self._enter(callee)
            else:
                self._unmet[requirement].append(edge)

    def _free(self, caller: int, edges: list[int]) -> None:
        """Take edges whose requirements are met."""
        values, guards = self._values, self._graph.edge_guard
        open_ones = [
            edge
            for edge in edges
            if self._restriction.allows(self._graph, edge)
            and (values is None or values.blocking(caller, guards[edge]) < 0)
        ]
        self._taken.update(open_ones)
        self._take(caller, open_ones)

    def _is_met(self, requirement: int) -> bool:
        if requirement in self._unmet:
            return False
        members = self._graph.requirement(requirement)
        if any(self._inside[member] or self._history.made[member] for member in members):
            self._met.add(requirement)
            return True
        self._unmet[requirement] = []
        for member in members:
            self._watched.setdefault(member, []).append(requirement)
        return False

    def _meet(self, function: int) -> None:
        """Take what waited for a function."""
        for requirement in sorted(self._unmet.keys() & self._watched[function]):
            self._met.add(requirement)
            for edge in self._unmet.pop(requirement):
                self._free(bisect_right(self._graph.out_start, edge) - 1, [edge])

    def result(self) -> ForwardSlice:
        """What has been found."""
        impossible = self._impossible()
        found = ForwardSlice(
            starts=self._starts,
            history=self._history,
            order=self._order,
            inside=self._inside,
            taken=self._taken,
            unmet=self._unmet,
            restriction=self._restriction,
            values=self._values,
            impossible=impossible,
            narrowed=frozenset(bisect_right(self._graph.out_start, edge) - 1 for edge in impossible),
        )
        most = self._restriction.most_calls
        return found if most is None else _no_further(self._graph, found, most)

    def _impossible(self) -> dict[int, int]:
        graph, values = self._graph, self._values
        found: dict[int, int] = {}
        for function in self._order if values is not None else ():
            assert values is not None
            if not values.knows(function):
                continue
            for edge in graph.out_edges(function):
                if graph.edge_guard[edge] >= 0 and edge not in self._waits:
                    guard = values.blocking(function, graph.edge_guard[edge])
                    if guard >= 0:
                        found[edge] = guard
        return found


def distances(graph: CallGraph, reached: ForwardSlice) -> dict[int, int]:
    """How many calls each function is away from the root; going on in another context is none."""
    found = dict.fromkeys(reached.starts, 0)
    layer, distance = list(reached.starts), 0
    while layer:
        following: list[int] = []
        for function in layer:  # grows as it is walked
            for edge in graph.out_edges(function):
                callee = graph.edge_callee[edge]
                if callee in found or not reached.inside[callee] or not reached.takes(graph, function, edge):
                    continue
                is_same = KINDS[graph.edge_kind[edge]][0] is Via.SAME
                found[callee] = distance + (not is_same)
                (layer if is_same else following).append(callee)
        layer, distance = following, distance + 1
    return found


def onward(graph: CallGraph, reached: ForwardSlice, starts: Iterable[int]) -> ForwardSlice:
    """What of a slice some of its functions reach, over the edges that the root can take."""
    starts = tuple(starts)
    order = list(starts)
    inside = bytearray(graph.function_count)
    for start in order:
        inside[start] = 1
    for function in order:  # grows as it is walked
        plain, end = graph.out_plain[function], graph.out_start[function + 1]
        conditional = [graph.edge_callee[edge] for edge in range(plain, end) if edge in reached.taken]
        for callee in (*reached.plain_callees(graph, function, plain), *conditional):
            if reached.inside[callee] and not inside[callee]:
                inside[callee] = 1
                order.append(callee)
    return replace(reached, starts=starts, order=order, inside=inside)


def passed_all(graph: CallGraph, reached: ForwardSlice) -> ForwardSlice:
    """What of a slice paths come to that have passed through every stop of the question: all, where there is none."""
    for stop in reached.restriction.through:
        reached = onward(graph, reached, [function for function in stop if reached.inside[function]])
    return reached


def _no_further(graph: CallGraph, reached: ForwardSlice, most: int) -> ForwardSlice:
    """What of a slice is at most so many calls away."""
    near = {function for function, distance in distances(graph, reached).items() if distance <= most}
    inside = bytearray(function in near for function in range(graph.function_count))
    return replace(reached, order=[function for function in reached.order if inside[function]], inside=inside)


def with_imports(graph: CallGraph, reached: ForwardSlice) -> ForwardSlice:
    """A slice with what the imports before it ran: the module bodies, and what those certainly call (see History)."""
    made = reached.history.made
    inside, order, taken = bytearray(reached.inside), list(reached.order), set(reached.taken)
    for function in range(len(made)):
        if made[function] and not inside[function] and reached.restriction.enters(function):
            inside[function] = 1
            order.append(function)
    for function in order:
        for edge in range(graph.out_plain[function], graph.out_start[function + 1]):
            if _IMPORT[graph.edge_kind[edge]] and made[graph.edge_callee[edge]] and not graph.edge_requires[edge]:
                taken.add(edge)
    return replace(reached, order=order, inside=inside, taken=taken)


def backward_slice(graph: CallGraph, goals: Iterable[int], within: ForwardSlice) -> bytearray:
    """1 for each function of a forward slice that reaches one of `goals` over edges that can be taken."""
    reached, taken = within.inside, within.taken
    inside, order = bytearray(graph.function_count), []
    for goal in goals:
        if reached[goal] and not inside[goal]:
            inside[goal] = 1
            order.append(goal)
    in_start, in_plain, callers, edges = graph.in_start, graph.in_plain, graph.in_caller, graph.in_edge
    takes_all = within.restriction.takes_all_kinds and not within.impossible
    for function in order:  # grows as it is walked
        plain = in_plain[function]
        for position, caller in enumerate(callers[in_start[function] : plain], in_start[function]):
            if reached[caller] and not inside[caller] and (takes_all or within.takes(graph, caller, edges[position])):
                inside[caller] = 1
                order.append(caller)
        for position in range(plain, in_start[function + 1]):
            caller = callers[position]
            # Of a part of a slice, an edge may be taken from outside of it.
            if edges[position] in taken and reached[caller] and not inside[caller]:
                inside[caller] = 1
                order.append(caller)
    return inside


def could_reach(graph: CallGraph, goals: Iterable[int], beyond: ForwardSlice) -> bytearray:
    """1 for each function that would lead to one of `goals` if the root, which reaches none, called it.

    Generous, as the promise that nothing could lead there rests on it: requirements count as met, and where only a
    requirement keeps the root from the goal, what would meet it counts too. Parameters may hold anything; what is
    assumed of other values holds here too, and what the question leaves out stays out.
    """
    restriction, values = beyond.restriction, beyond.values
    seen = bytearray(restriction.closed) or bytearray(graph.function_count)
    inside, order = bytearray(graph.function_count), []

    def add(functions: Iterable[int]) -> None:
        for function in functions:
            if not seen[function]:
                seen[function] = inside[function] = 1
                order.append(function)

    def is_open(caller: int, edge: int) -> bool:
        if not restriction.kinds[graph.edge_kind[edge]]:
            return False
        return values is None or values.blocking(caller, graph.edge_guard[edge], at_any_call=True) < 0

    add(goals)
    takes_all = restriction.takes_all_kinds and (
        restriction.assumptions is None or not restriction.assumptions.premises
    )
    in_start, in_plain, callers = graph.in_start, graph.in_plain, graph.in_caller
    for function in order:  # grows as it is walked
        plain = in_plain[function]
        for position, caller in enumerate(callers[in_start[function] : plain], in_start[function]):
            if not seen[caller] and (takes_all or is_open(caller, graph.in_edge[position])):
                seen[caller] = inside[caller] = 1
                order.append(caller)
        has_run = function in beyond.history.ran
        for position in range(plain, in_start[function + 1]):
            edge, caller = graph.in_edge[position], callers[position]
            if (has_run and _IMPORT[graph.edge_kind[edge]]) or not (takes_all or is_open(caller, edge)):
                continue
            add((caller,))
            if beyond.inside[caller] and graph.edge_requires[edge] in beyond.unmet:
                add(graph.requirement(graph.edge_requires[edge]))
    return inside
