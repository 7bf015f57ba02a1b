"""Forward slices: what a root reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.held_values import HeldValues
from deepgrep.graph.history import History
from deepgrep.graph.kinds import IMPORT, KINDS
from deepgrep.graph.restriction import ALL_KINDS, NONE, Restriction
from deepgrep.graph.rows import Via
from deepgrep.graph.taken import ChosenEdges, RequirementsMet


@dataclass(frozen=True, slots=True)
class ForwardSlice:
    """What the root reaches.

    Attributes:
        starts: where the root begins: itself, in all its contexts, or the module bodies that its imports run.
        history: what had happened before.
        order: the functions reached, nearest first.
        inside: 1 for each of them, by function.
        walked: all that the search came to: more than `order` where what is far away is left out.
        taken: of the edges that are not plain, those that can be taken.
        unmet: the requirements that something reached has and that nothing reached meets, by number.
        restriction: what the question leaves out.
        values: what parameters hold, where something is assumed.
        impossible: the edges that stand under a condition which cannot hold, each with that guard.
        narrowed: the functions that those leave.
    """

    starts: tuple[int, ...]
    history: History
    order: list[int]
    inside: bytearray
    walked: list[int]
    taken: RequirementsMet | ChosenEdges
    unmet: frozenset[int]
    restriction: Restriction = NONE
    values: HeldValues | None = None
    impossible: dict[int, int] = field(default_factory=dict)
    narrowed: frozenset[int] = frozenset()

    def takes(self, graph: CallGraph, caller: int, edge: int) -> bool:
        """Whether an edge of a reached caller can be taken."""
        if edge >= graph.out_plain[caller]:
            return edge in self.taken
        return edge not in self.impossible and self.restriction.allows(graph, edge)

    @property
    def takes_all(self) -> bool:
        """Whether every plain edge of a reached function to another one can be taken."""
        return self.restriction.takes_all_kinds and not self.impossible

    def walked_edges(
        self, graph: CallGraph, *, only_certain: bool = False
    ) -> tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int]]:
        """The plain edges that a search has to look at: where those of each function begin and end, callees, kinds.

        Where all can be taken, the cheapest to each callee; else all, of which `takes` tells.
        """
        if self.takes_all:
            ends: Sequence[int] = graph.walk_certain if only_certain else memoryview(graph.walk_start)[1:]
            return graph.walk_start, ends, graph.walk_callee, graph.walk_kind
        ends = graph.out_certain if only_certain else graph.out_plain
        return graph.out_start, ends, graph.edge_callee, graph.edge_kind

    def plain_callees(self, graph: CallGraph, caller: int, *, only_certain: bool = False) -> Sequence[int]:
        """The callees of the plain edges of a reached caller that can be taken; of the certain ones alone.

        Functions that no path may enter can be among them; they are never reached.
        """
        if self.restriction.takes_all_kinds and caller not in self.narrowed:
            start, end = (
                graph.walk_start[caller],
                (graph.walk_certain[caller] if only_certain else graph.walk_start[caller + 1]),
            )
            return graph.walk_callee[start:end]
        end = graph.out_certain[caller] if only_certain else graph.out_plain[caller]
        return [graph.edge_callee[e] for e in range(graph.out_start[caller], end) if self.takes(graph, caller, e)]

    def conditional_callees(self, function: int, kinds: bytes = ALL_KINDS) -> Sequence[int]:
        """The callees of the other edges of a reached function that can be taken, by number; those of some kinds."""
        sites = self.taken.sites
        fans = [fan for fan in sites.of(function) if kinds[sites.kinds[fan]]]
        if len(fans) == 1:
            return sites.callees[fans[0]]
        return sorted({callee for fan in fans for callee in sites.callees[fan]})

    def waiting(self, graph: CallGraph) -> Iterator[int]:
        """The edges that wait for a requirement which nothing meets, by requirement, as the search came to them."""
        found: dict[int, list[int]] = {}
        for function in self.walked if self.unmet else ():
            for edge in _conditional(graph, function):
                requirement = graph.edge_requires[edge]
                if requirement in self.unmet:
                    is_import = IMPORT[graph.edge_kind[edge]]
                    if not (is_import and graph.edge_callee[edge] in self.history.ran):
                        found.setdefault(requirement, []).append(edge)
        return (edge for edges in found.values() for edge in edges)

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


_MET = 1
_UNMET = 2
_IS_MET = bytes(state == _MET for state in range(256))


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
        """Functions to look at, where something is assumed: new ones, and those of which less is known than before."""
        self._requirements = bytearray(len(graph.requires_start) - 1)
        """For each requirement whether it is met, unmet so far, or not looked at."""
        self._requirements[0] = _MET
        self._unmet: dict[int, list[int]] = {}
        """What waits for a requirement: edges where something is assumed, else callees."""
        self._watched: dict[int, list[int]] = {}
        self._waits: set[int] = set()
        """Edges that have waited, where something is assumed."""
        self._fans = bytearray(len(graph.fan_kind))
        """1 for each fan that was looked at, where nothing is assumed: then it leads to the same from everywhere."""
        self._columns = graph.fan_start, graph.fan_callee, graph.fan_requires, graph.fan_kind
        for start in starts:
            self._enter(start)

    def _enter(self, function: int) -> None:
        self._seen[function] = self._inside[function] = 1
        self._order.append(function)
        if self._values is not None:
            self._waiting.append(function)

    def run(self) -> None:
        """Look at functions until there is nothing new."""
        if self._values is not None:
            self._run_assuming(self._values)
        else:
            self._run_freely()

    def _run_assuming(self, values: HeldValues) -> None:
        out_start, out_plain = self._graph.out_start, self._graph.out_plain
        for function in self._waiting:  # grows as it is walked
            if values.is_called_otherwise:
                return
            plain = out_plain[function]
            self._take(function, range(out_start[function], plain))
            if plain != out_start[function + 1]:
                self._take_conditional(function, values)
            if function in self._watched:
                self._meet(function)

    def _run_freely(self) -> None:
        """Where nothing is assumed, a fan that was looked at needs no second look."""
        graph, seen, fans = self._graph, self._seen, self._fans
        starts, callees, sites, site_fans = graph.walk_start, graph.walk_callee, graph.site_start, graph.site_fan
        inside, order, watched = self._inside, self._order, self._watched
        takes_all = self._restriction.takes_all_kinds
        for function in order:  # grows as it is walked
            if takes_all:
                for callee in callees[starts[function] : starts[function + 1]]:
                    if not seen[callee]:  # what `_enter` does
                        seen[callee] = inside[callee] = 1
                        order.append(callee)
            else:
                self._take(function, range(graph.out_start[function], graph.out_plain[function]))
            first, last = sites[function], sites[function + 1]
            if first != last and (new := [fan for fan in site_fans[first:last] if not fans[fan]]):
                self._look_at(new)
            if function in watched:
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

    def _take_conditional(self, caller: int, values: HeldValues) -> None:
        graph, state, ran, free = self._graph, self._requirements, self._history.ran, values.free
        kinds, callees, requires = graph.edge_kind, graph.edge_callee, graph.edge_requires
        new = []
        for edge in _conditional(graph, caller):
            callee, requirement = callees[edge], requires[edge]
            if free[callee] and state[requirement] == _MET:  # most
                continue
            if IMPORT[kinds[edge]] and callee in ran:
                continue
            if state[requirement] == _MET or self._is_met(requirement):
                new.append(edge)
            elif edge not in self._waits:
                self._waits.add(edge)
                self._unmet[requirement].append(edge)
        if new:
            self._take(caller, new)

    def _look_at(self, new: list[int]) -> None:
        """Take what the new fans of a function lead to, as far as what it requires is met."""
        seen, state = self._seen, self._requirements
        fan_start, fan_callee, fan_requires, fan_kind = self._columns
        members: list[tuple[int, int, int]] = []
        for fan in new:
            self._fans[fan] = 1
            start, end, kind = fan_start[fan], fan_start[fan + 1], fan_kind[fan]
            is_open, left_out = self._restriction.kinds[kind], self._history.ran if IMPORT[kind] else ()
            # Most are known, and what they require: nothing is to be done for these.
            members += [
                (callee, requirement, is_open)
                for callee, requirement in zip(fan_callee[start:end], fan_requires[start:end], strict=True)
                if (not seen[callee] or not state[requirement]) and callee not in left_out
            ]
        if len(new) > 1:
            members.sort()  # as edges are: their order shows in the answer, where the same is as near
        for callee, requirement, is_open in members:
            known = state[requirement]
            if known == _MET or (not known and self._is_met(requirement)):
                if is_open and not seen[callee]:
                    self._enter(callee)
            elif is_open and not seen[callee]:
                self._unmet[requirement].append(callee)

    def _is_met(self, requirement: int) -> bool:
        """Whether a requirement is met, which is not known to be; if not, it is waited for."""
        if self._requirements[requirement]:
            return False
        members = self._graph.requirement(requirement)
        if any(map(self._inside.__getitem__, members)) or self._history.meets(requirement):
            self._requirements[requirement] = _MET
            return True
        self._requirements[requirement] = _UNMET
        self._unmet[requirement] = []
        for member in members:
            self._watched.setdefault(member, []).append(requirement)
        return False

    def _meet(self, function: int) -> None:
        """Take what waited for a function."""
        for requirement in sorted(self._unmet.keys() & self._watched[function]):
            self._requirements[requirement] = _MET
            for waiting in self._unmet.pop(requirement):
                if self._values is not None:
                    if not self._values.free[self._graph.edge_callee[waiting]]:
                        self._take(self._graph.caller(waiting), [waiting])
                elif not self._seen[waiting]:
                    self._enter(waiting)

    def result(self) -> ForwardSlice:
        """What has been found."""
        blocked = self._blocked()
        impossible = {edge: guard for edge, guard in blocked.items() if edge not in self._waits}
        found = ForwardSlice(
            starts=self._starts,
            history=self._history,
            order=self._order,
            inside=self._inside,
            walked=self._order,
            taken=RequirementsMet(
                self._graph,
                self._fans_seen(),
                bytes(self._requirements.translate(_IS_MET)),
                self._history.ran,
                self._restriction,
                frozenset(blocked),
            ),
            unmet=frozenset(self._unmet),
            restriction=self._restriction,
            values=self._values,
            impossible=impossible,
            narrowed=frozenset(self._graph.caller(edge) for edge in impossible),
        )
        most = self._restriction.most_calls
        return found if most is None else _no_further(self._graph, found, most)

    def _fans_seen(self) -> bytearray:
        """1 for each fan that a site of a reached function has."""
        if self._values is not None and not self._values.is_called_otherwise:
            site_start, site_fan = self._graph.site_start, self._graph.site_fan
            for function in self._order:
                for fan in site_fan[site_start[function] : site_start[function + 1]]:
                    self._fans[fan] = 1
        return self._fans

    def _blocked(self) -> dict[int, int]:
        """The edges that stand under a condition which cannot hold, each with that guard."""
        graph, values = self._graph, self._values
        found: dict[int, int] = {}
        if values is None or values.is_called_otherwise:  # then the search was given up
            return found
        guards = graph.edge_guard
        for function in filter(values.knows, self._order):
            for edge in graph.out_edges(function):
                if guards[edge] >= 0 and (guard := values.blocking(function, guards[edge])) >= 0:
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
        plain = reached.plain_callees(graph, function)
        for callee in chain(plain, reached.conditional_callees(function)):
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
    inside, order = bytearray(reached.inside), list(reached.order)
    taken = {edge for function in order for edge in _conditional(graph, function) if edge in reached.taken}
    for function in range(len(made)):
        if made[function] and not inside[function] and reached.restriction.enters(function):
            inside[function] = 1
            order.append(function)
    for function in order:
        for edge in _conditional(graph, function):
            if IMPORT[graph.edge_kind[edge]] and made[graph.edge_callee[edge]] and not graph.edge_requires[edge]:
                taken.add(edge)
    return replace(reached, order=order, inside=inside, taken=ChosenEdges(graph, taken, order))


def _conditional(graph: CallGraph, function: int) -> range:
    return range(graph.out_plain[function], graph.out_start[function + 1])
