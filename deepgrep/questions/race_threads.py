"""What the threads that `race` is about can do: run a root, or call any public function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import chop
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.paths import best_routes, edge_between
from deepgrep.graph.premises import premises
from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.allowed import Allowed
from deepgrep.questions.answers import Removed
from deepgrep.questions.asked import Asked
from deepgrep.questions.entry_points import EntryPoints
from deepgrep.questions.evidence import removed
from deepgrep.questions.filters import LEFT_OUT_THOUGH, Resolved
from deepgrep.questions.race_answers import EntryPoint
from deepgrep.questions.targets import Site

_ENTRIES = 3
_DOUBT = list(Certainty)


class Threads:
    """The threads that all run a root; or all threads, where that is None.

    Args:
        graph: the analyzed sources, and the root where that is code.
        filters: what no thread does.
        asked: about the root that the threads run; None for any public function.
        position: of the root among all that are given.
        label: what to call the root.
    """

    def __init__(
        self, graph: CallGraph, filters: Resolved, asked: Asked | None = None, position: int = 0, label: str = ""
    ) -> None:
        self.graph = graph
        self.roots = [] if asked is None else [position]
        self._root = asked.root if asked is not None else None
        self._label = label
        self._filters = filters
        self._reached = asked.reached if asked is not None else None
        self._allowed = Allowed(graph, filters.restriction)
        self._public = EntryPoints(graph, self._allowed)
        self._routes: dict[int, EntryPoint] = {}
        self._nearest: dict[int, list[EntryPoint]] = {}

    def happens(self, site: Site) -> bool:
        """Whether a thread can come to a place."""
        return self._allowed.site(site) if self._reached is None else site.reached(self.graph, self._reached)

    def takes(self, caller: int, edge: int) -> bool:
        """Whether a thread can take an edge, given with its caller."""
        if self._reached is None:
            return self._allowed.edge(caller, edge)
        return bool(self._reached.inside[caller]) and self._reached.takes(self.graph, caller, edge)

    def is_start(self, function: int) -> bool:
        """Whether a thread can begin with a function."""
        if self._root is None:
            return self._public.is_public(function)
        return function in self._root.functions

    def find_routes(self, functions: Iterable[int]) -> None:
        """Search once for the ways from the root to all functions that entry points will be asked of."""
        if self._reached is None or self._root is None:
            return
        graph = self.graph
        root = self._root.ref
        found = chop(graph, self._reached, functions)
        for function, route in best_routes(graph, self._reached, premises(graph, self._reached), found).items():
            kinds = [KINDS[graph.edge_kind[edge_between(graph, self._reached, *hop)]] for hop in pairwise(route)]
            certainty = max((sure for _, sure in kinds), key=_DOUBT.index, default=Certainty.CERTAIN)
            distance = sum(via is not Via.SAME for via, _ in kinds)
            self._routes[function] = EntryPoint(self._label, root.name, root.file, root.line, distance, certainty)

    def entries(self, function: int) -> list[EntryPoint]:
        """Where threads begin that come to a function: the nearest."""
        if self._root is not None:
            return [self._routes[function]] if function in self._routes else []
        if function not in self._nearest:
            self._nearest[function] = self._public.nearest(function, _ENTRIES)
        return self._nearest[function]

    def count(self, functions: Sequence[int]) -> int:
        """How many public functions lead to one of some functions that are come to; of a root, whether it does."""
        return int(bool(functions)) if self._root is not None else self._public.count(functions)

    def said(self) -> list[str]:
        """What the answer says of the filters, once all else has been asked."""
        if self._reached is not None:
            is_refused = self._filters.callers_of_left_out(self.graph, self._reached)
            return [*self._filters.filters, *([LEFT_OUT_THOUGH] if is_refused else [])]
        return [*self._filters.filters, *self._allowed.left_out(self._filters.left_out)]

    def notes(self) -> tuple[str, ...]:
        """What the user should know of how the filters were understood."""
        return self._filters.notes

    def removed(self) -> list[Removed]:
        """The conditions that cannot hold by what is assumed."""
        return [] if self._reached is None else removed(self.graph, self._reached)
