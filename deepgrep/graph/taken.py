"""Which conditional edges of a slice can be taken: asked edge by edge, or call site by call site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, compress, pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import IMPORT
from deepgrep.graph.restriction import Restriction


@dataclass(frozen=True, slots=True)
class CallSites:
    """The edges that can be taken by call site; many call sites share a fan, which is what they lead to.

    Attributes:
        start: where the sites of each function begin, and where those of the last one end.
        fan: the fan of each site.
        kinds: that of the edges of each fan.
        callees: what each fan leads to that a reached function has, in ascending order. Functions that no path may
            enter can be among them; they are never reached.
        requires: what each of these edges requires, by number.
        led: where for each function the fans begin that may lead to it, and these.
        having: where for each fan the functions begin that have a site with it, and these.
    """

    start: Sequence[int]
    fan: Sequence[int]
    kinds: Sequence[int]
    callees: dict[int, Sequence[int]]
    requires: dict[int, Sequence[int]]

    led: tuple[Sequence[int], Sequence[int]]
    having: tuple[Sequence[int], Sequence[int]]

    def of(self, function: int) -> Sequence[int]:
        """The fans of a reached function's sites."""
        return self.fan[self.start[function] : self.start[function + 1]]


@dataclass(frozen=True)
class RequirementsMet:
    """The conditional edges that reached functions can take, if an edge needs no more than that something was made.

    Attributes:
        fans: 1 for each fan that a site of a reached function has.
        met: 1 for each requirement that is met.
        ran: module bodies that have run: importing them leads nowhere.
        restriction: what the question leaves out.
        blocked: the edges that stand under a condition which cannot hold.
    """

    graph: CallGraph
    fans: bytearray = field(repr=False)
    met: bytes = field(repr=False)
    ran: frozenset[int]
    restriction: Restriction
    blocked: frozenset[int]

    def __contains__(self, edge: int) -> bool:
        graph = self.graph
        return (
            edge not in self.blocked
            and bool(self.met[graph.look("edge_requires")[edge]])
            and not (IMPORT[graph.edge_kind[edge]] and graph.look("edge_callee")[edge] in self.ran)
            and self.restriction.allows(graph, edge)
        )

    @cached_property
    def sites(self) -> CallSites:
        """The same edges by call site."""
        shared = self._shared()
        return self._narrowed(shared) if self.blocked else shared

    def _narrowed(self, shared: CallSites) -> CallSites:
        """The call sites, where functions with blocked edges have fans of their own, one for each kind of edge."""
        graph = self.graph
        places, kinds, callees, requires = list(shared.fan), list(shared.kinds), shared.callees, shared.requires
        nowhere = len(kinds)
        kinds.append(0)
        callees[nowhere] = requires[nowhere] = []
        for function in sorted({graph.caller(edge) for edge in self.blocked}):
            # Each fan has edges of one kind, so there are enough places.
            start, end = shared.start[function], shared.start[function + 1]
            places[start:end] = [nowhere] * (end - start)
            for place, (kind, edges) in enumerate(_by_kind(graph, function, self).items(), start):
                places[place] = fan = len(kinds)
                kinds.append(kind)
                callees[fan], requires[fan] = _led_to(graph, edges)
        led, having = _turned(graph.function_count, shared.start, places, len(kinds), callees)
        return replace(shared, fan=places, kinds=kinds, led=led, having=having)

    def _shared(self) -> CallSites:
        """Those that can be taken where nothing is blocked: a fan leads to the same from everywhere."""
        graph, met, ran, kinds = self.graph, self.met, self.ran, self.restriction.kinds
        fan_start, fan_callee, fan_requires, fan_kind = (
            graph.fan_start,
            graph.fan_callee,
            graph.fan_requires,
            graph.fan_kind,
        )
        callees: dict[int, Sequence[int]] = {}
        requires: dict[int, Sequence[int]] = {}
        is_met = met.__getitem__
        for fan in compress(range(len(fan_kind)), self.fans):
            start, end, kind = fan_start[fan], fan_start[fan + 1], fan_kind[fan]
            found, needed = fan_callee[start:end], fan_requires[start:end]
            if not kinds[kind]:
                callees[fan], requires[fan] = [], []
            elif all(map(is_met, needed)) and not IMPORT[kind]:
                callees[fan], requires[fan] = found.tolist(), needed
            else:
                is_left_out = ran if IMPORT[kind] else ()
                taken = [
                    is_met(requirement) and callee not in is_left_out
                    for callee, requirement in zip(found, needed, strict=True)
                ]
                callees[fan], requires[fan] = list(compress(found, taken)), list(compress(needed, taken))
        led, having = (graph.led_start, graph.led_fan), (graph.having_start, graph.having_function)
        return CallSites(graph.site_start, graph.site_fan, fan_kind, callees, requires, led, having)


@dataclass(frozen=True)
class ChosenEdges:
    """Conditional edges that were chosen one by one.

    Attributes:
        edges: their numbers.
        functions: those that they leave, at least.
    """

    graph: CallGraph
    edges: set[int]
    functions: Iterable[int] = field(repr=False)

    def __contains__(self, edge: int) -> bool:
        return edge in self.edges

    @cached_property
    def sites(self) -> CallSites:
        """The same edges by call site: no two functions share a fan here, and each has one for each kind of edge."""
        graph = self.graph
        sizes = [0] * graph.function_count
        kinds: list[int] = []
        callees: dict[int, Sequence[int]] = {}
        requires: dict[int, Sequence[int]] = {}
        for function in sorted(self.functions):
            by_kind = _by_kind(graph, function, self)
            sizes[function] = len(by_kind)
            for fan, (kind, edges) in enumerate(by_kind.items(), len(kinds)):
                kinds.append(kind)
                callees[fan], requires[fan] = _led_to(graph, edges)
        starts, fans = list(accumulate(sizes, initial=0)), range(len(kinds))
        led, having = _turned(graph.function_count, starts, fans, len(kinds), callees)
        return CallSites(starts, fans, kinds, callees, requires, led, having)


def _by_kind(graph: CallGraph, function: int, taken: RequirementsMet | ChosenEdges) -> dict[int, list[int]]:
    """The conditional edges of a function that can be taken, by kind."""
    found: dict[int, list[int]] = {}
    for edge in range(graph.out_plain[function], graph.out_start[function + 1]):
        if edge in taken:
            found.setdefault(graph.edge_kind[edge], []).append(edge)
    return found


def _led_to(graph: CallGraph, edges: Sequence[int]) -> tuple[list[int], list[int]]:
    """The callees of some edges, and what they require."""
    needed = graph.look("edge_requires")
    return [graph.edge_callee[edge] for edge in edges], [needed[edge] for edge in edges]


_Groups = tuple[Sequence[int], Sequence[int]]


def _turned(
    functions: int, start: Sequence[int], fan: Sequence[int], fans: int, callees: Mapping[int, Iterable[int]]
) -> tuple[_Groups, _Groups]:
    """What leads back along call sites: `led` and `having` of `CallSites`."""
    led: list[list[int]] = [[] for _ in range(functions)]
    for number, members in callees.items():
        for callee in members:
            led[callee].append(number)
    having: list[list[int]] = [[] for _ in range(fans)]
    for function, (first, last) in enumerate(pairwise(start)):
        for number in fan[first:last] if first < last else ():
            having[number].append(function)
    return _joined(led), _joined(having)


def _joined(groups: list[list[int]]) -> _Groups:
    return list(accumulate(map(len, groups), initial=0)), list(chain.from_iterable(groups))
