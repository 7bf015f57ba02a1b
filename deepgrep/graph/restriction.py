"""What a question leaves out: functions and edges that no path may take, and what is assumed of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.conditions import Constant, Premise
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import Certainty

_DOUBT = list(Certainty)
ALL_KINDS = bytes([1]) * len(KINDS)


def kinds_up_to(certainty: Certainty) -> bytes:
    """1 for each kind of edge that is at least as certain."""
    return bytes(_DOUBT.index(found) <= _DOUBT.index(certainty) for _, found in KINDS)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is assumed of values, wherever they are looked at.

    Attributes:
        parameters: of the root, by name.
        premises: of other expressions, by the place of the condition that they stand in: the number of the file's
            name, and the line.
    """

    parameters: Mapping[str, Constant] = field(default_factory=dict)
    premises: Mapping[tuple[int, int], tuple[Premise, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Restriction:
    """What a question leaves out.

    Attributes:
        closed: 1 for each function that no path may enter; empty for none.
        kinds: 1 for each kind of edge that a path may take.
        assumptions: None where nothing is assumed: then conditions are not looked at.
        most_calls: how many calls a path may have; None for any number.
        through: what every path passes through, in this order: for each stop the functions that are one.
    """

    closed: bytes = b""
    kinds: bytes = ALL_KINDS
    assumptions: Assumptions | None = None
    most_calls: int | None = None
    through: tuple[tuple[int, ...], ...] = ()

    @property
    def takes_all_kinds(self) -> bool:
        """Whether no edge between functions that are open is left out for its kind."""
        return self.kinds == ALL_KINDS

    def allows_certainty(self, certainty: Certainty) -> bool:
        """Whether a path may hold what is so certain."""
        return any(is_open and found is certainty for is_open, (_, found) in zip(self.kinds, KINDS, strict=True))

    def enters(self, function: int) -> bool:
        """Whether a path may pass through a function."""
        return not self.closed or not self.closed[function]

    def allows(self, graph: CallGraph, edge: int) -> bool:
        """Whether a path may take an edge, what is assumed left aside."""
        return bool(self.kinds[graph.edge_kind[edge]]) and self.enters(graph.look("edge_callee")[edge])


NONE = Restriction()
"""Leaves nothing out."""
