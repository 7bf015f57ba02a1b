"""Forward and backward slices: what a root reaches, and what could reach a target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.history import History
from deepgrep.graph.layout import KINDS
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
    """

    starts: tuple[int, ...]
    history: History
    order: list[int]
    inside: bytearray
    taken: set[int]
    unmet: dict[int, list[int]]

    def takes(self, graph: CallGraph, caller: int, edge: int) -> bool:
        """Whether an edge of a reached caller can be taken."""
        return edge < graph.out_plain[caller] or edge in self.taken


def forward_slice(graph: CallGraph, starts: Iterable[int], history: History) -> ForwardSlice:
    """Everything that `starts` reach.

    An edge that requires one of some functions is taken once one of them is reached (rapid type analysis, from this
    root): until then it waits. An import of a module that has been run before the root leads nowhere.
    """
    starts = tuple(starts)
    out_start, out_plain, callees = graph.out_start, graph.out_plain, graph.edge_callee
    kinds, requires = graph.edge_kind, graph.edge_requires
    inside, order = bytearray(graph.function_count), list(starts)
    taken: set[int] = set()
    unmet: dict[int, list[int]] = {}
    met: set[int] = {0}
    watched: dict[int, list[int]] = {}
    ran = history.ran
    for start in starts:
        inside[start] = 1

    def is_met(requirement: int) -> bool:
        if requirement in unmet:
            return False
        members = graph.requirement(requirement)
        if any(inside[member] or history.made[member] for member in members):
            met.add(requirement)
            return True
        unmet[requirement] = []
        for member in members:
            watched.setdefault(member, []).append(requirement)
        return False

    for function in order:  # grows as it is walked
        plain = out_plain[function]
        for callee in callees[out_start[function] : plain]:
            if not inside[callee]:
                inside[callee] = 1
                order.append(callee)
        free: list[int] = []
        for edge in range(plain, out_start[function + 1]):
            if _IMPORT[kinds[edge]] and callees[edge] in ran:
                continue
            requirement = requires[edge]
            if requirement in met or is_met(requirement):
                free.append(edge)
            else:
                unmet[requirement].append(edge)
        if function in watched:
            for requirement in sorted(unmet.keys() & watched[function]):
                met.add(requirement)
                free += unmet.pop(requirement)
        for edge in free:
            taken.add(edge)
            if not inside[callees[edge]]:
                inside[callees[edge]] = 1
                order.append(callees[edge])
    return ForwardSlice(starts, history, order, inside, taken, unmet)


def with_imports(graph: CallGraph, reached: ForwardSlice) -> ForwardSlice:
    """A slice with what the imports before it ran: the module bodies, and what those certainly call (see History)."""
    made = reached.history.made
    inside, order, taken = bytearray(reached.inside), list(reached.order), set(reached.taken)
    for function in range(len(made)):
        if made[function] and not inside[function]:
            inside[function] = 1
            order.append(function)
    for function in order:
        for edge in range(graph.out_plain[function], graph.out_start[function + 1]):
            if _IMPORT[graph.edge_kind[edge]] and made[graph.edge_callee[edge]] and not graph.edge_requires[edge]:
                taken.add(edge)
    return ForwardSlice(reached.starts, reached.history, order, inside, taken, reached.unmet)


def backward_slice(graph: CallGraph, goals: Iterable[int], within: ForwardSlice) -> bytearray:
    """1 for each function of a forward slice that reaches one of `goals` over edges that can be taken."""
    reached, taken = within.inside, within.taken
    inside, order = bytearray(graph.function_count), []
    for goal in goals:
        if reached[goal] and not inside[goal]:
            inside[goal] = 1
            order.append(goal)
    in_start, in_plain, callers, edges = graph.in_start, graph.in_plain, graph.in_caller, graph.in_edge
    for function in order:  # grows as it is walked
        plain = in_plain[function]
        for caller in callers[in_start[function] : plain]:
            if reached[caller] and not inside[caller]:
                inside[caller] = 1
                order.append(caller)
        for position in range(plain, in_start[function + 1]):
            if edges[position] in taken and not inside[callers[position]]:
                inside[callers[position]] = 1
                order.append(callers[position])
    return inside


def could_reach(graph: CallGraph, goals: Iterable[int], beyond: ForwardSlice) -> bytearray:
    """1 for each function that would lead to one of `goals` if the root, which reaches none, called it.

    Generous, as the promise that nothing could lead there rests on it: requirements count as met, and where only a
    requirement keeps the root from the goal, what would meet it counts too.
    """
    inside, order = bytearray(graph.function_count), []

    def add(functions: Iterable[int]) -> None:
        for function in functions:
            if not inside[function]:
                inside[function] = 1
                order.append(function)

    add(goals)
    in_start, in_plain, callers = graph.in_start, graph.in_plain, graph.in_caller
    for function in order:  # grows as it is walked
        plain = in_plain[function]
        for caller in callers[in_start[function] : plain]:
            if not inside[caller]:
                inside[caller] = 1
                order.append(caller)
        has_run = function in beyond.history.ran
        for position in range(plain, in_start[function + 1]):
            edge, caller = graph.in_edge[position], callers[position]
            if has_run and _IMPORT[graph.edge_kind[edge]]:
                continue
            add((caller,))
            if beyond.inside[caller] and graph.edge_requires[edge] in beyond.unmet:
                add(graph.requirement(graph.edge_requires[edge]))
    return inside
