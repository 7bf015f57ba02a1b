"""Which states each function of a graph changes by certain calls alone: for all functions at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deepgrep.graph.callgraph import CallGraph

_Bits = int
"""A set of small numbers: bit n is set for the number n."""


def with_certain_calls(graph: CallGraph, direct: Mapping[int, _Bits]) -> Sequence[_Bits]:
    """Give each function what it has itself, and what the functions have that it certainly calls, however far away.

    A call is certain if it has just one callee, and is followed if it requires nothing; imports are not followed. What
    a call stands under is not looked at.

    Args:
        graph: the graph.
        direct: what functions have themselves; those that have nothing may be left out.

    Returns:
        What each function has, by number.
    """
    count = graph.function_count
    start, certain, callees = graph.out_start, graph.out_certain, graph.edge_callee
    bits = [0] * count
    for function, own in direct.items():
        bits[function] = own
    # Tarjan's strong components; functions of a component have the same.
    index = [0] * count
    low = [0] * count
    on_stack = bytearray(count)
    stack: list[int] = []
    visited = 0
    for root in range(count):
        if index[root]:
            continue
        work = [(root, start[root])]
        while work:
            function, edge = work.pop()
            if not index[function]:
                visited += 1
                index[function] = low[function] = visited
                stack.append(function)
                on_stack[function] = 1
            end = certain[function]
            while edge < end:
                callee = callees[edge]
                if not index[callee]:
                    work.append((function, edge))  # it is looked at again, once the callee is done
                    work.append((callee, start[callee]))
                    break
                if on_stack[callee]:
                    low[function] = min(low[function], low[callee])
                bits[function] |= bits[callee]
                edge += 1
            else:
                if low[function] == index[function]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack[member] = 0
                        members.append(member)
                        if member == function:
                            break
                    if len(members) > 1:
                        whole = 0
                        for member in members:
                            whole |= bits[member]
                        for member in members:
                            bits[member] = whole
    return bits
