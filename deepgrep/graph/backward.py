"""Backward slices: what reaches a target, and what could."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import IMPORT
from deepgrep.graph.slices import ForwardSlice


def backward_slice(graph: CallGraph, goals: Iterable[int], within: ForwardSlice) -> bytearray:
    """1 for each function of a forward slice that reaches one of `goals` over edges that can be taken."""
    left, inside, order = bytearray(within.inside), bytearray(graph.function_count), []
    for goal in goals:
        if left[goal]:
            left[goal] = 0
            order.append(goal)
    in_start, in_plain, callers = graph.in_start, graph.in_plain, graph.in_caller
    takes_all, narrowed, sites = within.restriction.takes_all_kinds, within.narrowed, within.taken.sites
    for function in order:  # grows as it is walked
        inside[function] = 1
        start, plain, end = in_start[function], in_plain[function], in_start[function + 1]
        for position, caller in enumerate(callers[start:plain], start):
            if left[caller] and (
                (takes_all and caller not in narrowed) or within.takes(graph, caller, graph.in_edge[position])
            ):
                left[caller] = 0
                order.append(caller)
        for caller in callers[plain:end]:
            # Few are asked whether their calls can be taken: most are known to be inside by then.
            if left[caller] and any(function in sites.callees[fan] for fan in sites.of(caller)):
                left[caller] = 0
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
    in_edge, requires = graph.in_edge, graph.edge_requires
    for function in order:  # grows as it is walked
        plain = in_plain[function]
        for position, caller in enumerate(callers[in_start[function] : plain], in_start[function]):
            if not seen[caller] and (takes_all or is_open(caller, graph.in_edge[position])):
                seen[caller] = inside[caller] = 1
                order.append(caller)
        has_run = function in beyond.history.ran
        for position, caller in enumerate(callers[plain : in_start[function + 1]], plain):
            edge = in_edge[position]
            waits = beyond.inside[caller] and requires[edge] in beyond.unmet
            if seen[caller] and not waits:
                continue
            if (has_run and IMPORT[graph.edge_kind[edge]]) or not (takes_all or is_open(caller, edge)):
                continue
            add((caller,))
            if waits:
                add(graph.requirement(requires[edge]))
    return inside
