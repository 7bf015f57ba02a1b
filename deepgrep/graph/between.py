"""All that lies between a root and its goals, with every stop and length that a question asks for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from deepgrep.graph import chokepoints as narrow
from deepgrep.graph import paths
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.chop import Chop, segments, united
from deepgrep.graph.counting import MOST, count_paths, most_steps
from deepgrep.graph.lengths import calls_of, no_longer
from deepgrep.graph.paths import Route
from deepgrep.graph.premises import Premises, premises
from deepgrep.graph.slices import ForwardSlice


@dataclass(frozen=True)
class Between:
    """What lies on the paths of a question.

    Attributes:
        parts: the chop; where paths must pass through something, one up to each stop, and one from the last on.
        shortest: where the length is limited, a shortest route to each goal; else None.
    """

    graph: CallGraph
    reached: ForwardSlice
    parts: list[Chop]
    shortest: dict[int, Route] | None
    _narrow: dict[tuple[int, ...], list[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def whole(self) -> Chop:
        """All parts as one."""
        return united(self.parts)

    @cached_property
    def premises(self) -> Premises:
        """How far away it is what edges require."""
        return premises(self.graph, self.reached)

    @cached_property
    def best_routes(self) -> dict[int, Route]:
        """For each goal its best route; see `paths.best_routes`."""
        if self.shortest is not None:
            return self.shortest
        best: dict[int, Route] = {start: (start,) for start in self.parts[0].starts}
        for part in self.parts:
            found = paths.best_routes(self.graph, self.reached, self.premises, part, best)
            best = {goal: best[route[0]][:-1] + route for goal, route in found.items()}
        return best

    def alternatives(self, known: Sequence[Route], wanted: int) -> tuple[list[Route], bool]:
        """Up to `wanted` more routes than are known, and whether the search ended by itself."""
        if len(self.parts) > 1:
            return [], False
        found, complete = paths.alternatives(self.graph, self.reached, self.premises, self.whole, known, wanted)
        most = self.reached.restriction.most_calls
        fitting = [route for route in found if most is None or calls_of(self.graph, route) <= most]
        return fitting, complete and len(fitting) == len(found)

    def count(self) -> tuple[int, bool]:
        """The number of paths, and whether it is exact; where it is not, there are at least so many."""
        counts = [count_paths(part) for part in self.parts]
        total = min(MOST, prod(count for count, _ in counts))
        exact = len(counts) == 1 and counts[0][1]
        if self.shortest is None or (exact and self._all_fit(total)):
            return total, exact
        return min(total, len(self.shortest)), False

    def _all_fit(self, count: int) -> bool:
        """Whether no path is too long."""
        most = self.reached.restriction.most_calls
        assert most is not None
        assert self.shortest is not None
        return count == len(self.shortest) or most_steps(self.whole) <= most

    def chokepoints(self, root: tuple[int, ...]) -> list[int]:
        """The functions that every path goes through; see `chokepoints.chokepoints`."""
        if root not in self._narrow:
            self._narrow[root] = self._chokepoints(root)
        return self._narrow[root]

    def _chokepoints(self, root: Collection[int]) -> list[int]:
        found: dict[int, None] = {}
        for part, start in zip(self.parts, self._starts(root), strict=True):
            path = next(iter(self.best_routes.values()), ()) if len(self.parts) == 1 else ()
            found.update(dict.fromkeys(narrow.chokepoints(part, start, path)))
        return [function for function in found if function not in root]

    def smallest_cut(self, root: tuple[int, ...]) -> list[int] | None:
        """A smallest set of functions without which no path is left; see `chokepoints.smallest_cut`."""
        if single := self.chokepoints(root):
            return single[-1:] if not any(goal in root for goal in self.parts[-1].goals) else []
        return narrow.smallest_cut(self.whole, root, [])

    def _starts(self, root: Collection[int]) -> list[Collection[int]]:
        return [root, *(part.starts for part in self.parts[1:])]


def between(graph: CallGraph, reached: ForwardSlice, goals: Collection[int]) -> Between:
    """What lies between the root of a slice and some goals."""
    parts, shortest = segments(graph, reached, goals), None
    most = reached.restriction.most_calls
    if most is not None:
        parts, shortest = no_longer(graph, parts, most)
    return Between(graph, reached, parts, shortest)
