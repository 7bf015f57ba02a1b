"""Which conditional edges of a slice can be taken: asked edge by edge, or call site by call site."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, compress

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import IMPORT
from deepgrep.graph.restriction import Restriction


@dataclass(frozen=True, slots=True)
class CallSites:
    """The edges that can be taken by call site; many call sites share a fan, which is what they lead to.

    Attributes:
        start: where the sites of each function begin, and where those of the last one end.
        fan: the fan of each site.
        kinds: that of the edges of each fan.
        callees: what each fan leads to that a reached function has, in ascending order.
        requires: what each of these edges requires, by number.
    """

    start: Sequence[int]
    fan: Sequence[int]
    kinds: Sequence[int]
    callees: dict[int, list[int]]
    requires: Mapping[int, Sequence[int]]

    def of(self, function: int) -> Sequence[int]:
        """The fans of a reached function's sites."""
        return self.fan[self.start[function] : self.start[function + 1]]


@dataclass(frozen=True)
class RequirementsMet:
    """The conditional edges that reached functions can take, if an edge needs no more than that something was made.

    Attributes:
        fans: 1 for each fan that a site of a reached function has.
        met: the requirements that are met, by number.
        ran: module bodies that have run: importing them leads nowhere.
        restriction: what the question leaves out.
    """

    graph: CallGraph
    fans: bytearray = field(repr=False)
    met: set[int]
    ran: Collection[int]
    restriction: Restriction

    def __contains__(self, edge: int) -> bool:
        graph = self.graph
        return (
            graph.look("edge_requires")[edge] in self.met
            and not (IMPORT[graph.edge_kind[edge]] and graph.edge_callee[edge] in self.ran)
            and self.restriction.allows(graph, edge)
        )

    @cached_property
    def sites(self) -> CallSites:
        """The same edges by call site."""
        graph, met, ran, kinds = self.graph, self.met, self.ran, self.restriction.kinds
        closed = self.restriction.closed or bytes(graph.function_count)
        fan_start, fan_callee, fan_requires, fan_kind = (
            graph.fan_start,
            graph.fan_callee,
            graph.fan_requires,
            graph.fan_kind,
        )
        callees: dict[int, list[int]] = {}
        requires: dict[int, Sequence[int]] = {}
        for fan in compress(range(len(fan_kind)), self.fans):
            start, end, kind = fan_start[fan], fan_start[fan + 1], fan_kind[fan]
            found, needed = fan_callee[start:end], fan_requires[start:end]
            is_left_out = ran if IMPORT[kind] else ()
            taken = [
                requirement in met and not closed[callee] and callee not in is_left_out
                for callee, requirement in zip(found, needed, strict=True)
            ]
            if not kinds[kind]:
                callees[fan], requires[fan] = [], []
            elif all(taken):
                callees[fan], requires[fan] = found.tolist(), needed
            else:
                callees[fan], requires[fan] = list(compress(found, taken)), list(compress(needed, taken))
        return CallSites(graph.site_start, graph.site_fan, fan_kind, callees, requires)


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
        fans: list[tuple[int, list[int]]] = []
        needed = graph.look("edge_requires")
        for function in sorted(self.functions):
            by_kind: dict[int, list[int]] = {}
            for edge in range(graph.out_plain[function], graph.out_start[function + 1]):
                if edge in self.edges:
                    by_kind.setdefault(graph.edge_kind[edge], []).append(edge)
            fans += by_kind.items()
            sizes[function] = len(by_kind)
        return CallSites(
            start=list(accumulate(sizes, initial=0)),
            fan=range(len(fans)),
            kinds=[kind for kind, _ in fans],
            callees={fan: [graph.edge_callee[edge] for edge in edges] for fan, (_, edges) in enumerate(fans)},
            requires={fan: [needed[edge] for edge in edges] for fan, (_, edges) in enumerate(fans)},
        )
