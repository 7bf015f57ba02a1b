"""Backward slices: what reaches a target, and what could."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import IMPORT
from deepgrep.graph.slices import ForwardSlice


def backward_slice(graph: CallGraph, goals: Iterable[int], within: ForwardSlice) -> bytearray:
    """1 for each function of a forward slice that reaches one of `goals` over edges that can be taken."""
    left, inside, order = bytearray(within.inside), bytearray(graph.function_count), []
    for goal in goals:
        if left[goal]:
            left[goal] = 0
            order.append(goal)
    sites = within.taken.sites
    led_start, led_fan = sites.led
    having_start, having = sites.having
    callees, fans_done = sites.callees, bytearray(len(sites.kinds))
    starts, plain = graph.back_start, graph.back_caller
    takes_all = within.takes_all
    for function in order:  # grows as it is walked
        inside[function] = 1
        if takes_all:
            for caller in plain[starts[function] : starts[function + 1]]:
                if left[caller]:
                    left[caller] = 0
                    order.append(caller)
        else:
            for caller in _plain_callers(graph, within, function, left):
                left[caller] = 0
                order.append(caller)
        for fan in led_fan[led_start[function] : led_start[function + 1]]:
            # Of a fan that was not looked at nothing is known, and what it requires need not be met.
            if not fans_done[fan] and function in callees.get(fan, ()):
                fans_done[fan] = 1
                for caller in having[having_start[fan] : having_start[fan + 1]]:
                    if left[caller]:
                        left[caller] = 0
                        order.append(caller)
    return inside


def _plain_callers(graph: CallGraph, within: ForwardSlice, function: int, among: bytearray) -> set[int]:
    """Those of some reached functions that have a plain edge to a function that can be taken."""
    start, end = graph.in_start[function], graph.in_plain[function]
    takes_all, narrowed = within.restriction.takes_all_kinds, within.narrowed
    return {
        caller
        for position, caller in enumerate(graph.in_caller[start:end], start)
        if among[caller]
        and ((takes_all and caller not in narrowed) or within.takes(graph, caller, graph.in_edge[position]))
    }


def callers(graph: CallGraph, within: ForwardSlice, function: int) -> list[int]:
    """The distinct functions of a forward slice that lead to one over edges that can be taken."""
    sites, inside = within.taken.sites, within.inside
    if within.takes_all:
        found = list(graph.back_caller[graph.back_start[function] : graph.back_start[function + 1]])
    else:
        found = list(_plain_callers(graph, within, function, inside))
    (led_start, led_fan), (having_start, having) = sites.led, sites.having
    for fan in led_fan[led_start[function] : led_start[function + 1]]:
        if function in sites.callees.get(fan, ()):
            found += having[having_start[fan] : having_start[fan + 1]]
    return [caller for caller in dict.fromkeys(found) if inside[caller]]


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
