"""What filters leave of the calls that lead to a place, where a question has no root."""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.held_values import HeldValues
from deepgrep.graph.restriction import Restriction
from deepgrep.questions.filters import LEFT_OUT_THOUGH
from deepgrep.questions.targets import Site


class Allowed:
    """What of the calls that lead to a function the filters let pass."""

    def __init__(self, graph: CallGraph, restriction: Restriction) -> None:
        self._graph = graph
        self.restriction = restriction
        assumed = restriction.assumptions
        self._values = None if assumed is None else HeldValues(graph, assumed, ())
        self._refused: set[int] = set()

    def site(self, site: Site) -> bool:
        """Whether a place that calls the target may count."""
        if site.edge >= 0:
            return self.edge(site.function, site.edge)
        if not self.enters(site.function):
            self._refused.add(site.function)
            return False
        return site.is_sure_enough(self.restriction) and self._can_happen(site.function, site.guard)

    def edge(self, caller: int, edge: int) -> bool:
        """Whether an edge, seen from its callee, may be taken."""
        if not self.enters(caller):
            self._refused.add(caller)
            return False
        is_open = self.restriction.kinds[self._graph.edge_kind[edge]]
        return bool(is_open) and self._can_happen(caller, self._graph.edge_guard[edge])

    def _can_happen(self, function: int, guard: int) -> bool:
        return self._values is None or self._values.blocking(function, guard, at_any_call=True) < 0

    def enters(self, function: int) -> bool:
        """Whether a path may pass through a function."""
        return self.restriction.enters(function)

    def left_out(self, functions: tuple[int, ...]) -> Iterator[str]:
        """What to say of what is left out by default, where a call came from there."""
        if not self._refused.isdisjoint(functions):
            yield LEFT_OUT_THOUGH
