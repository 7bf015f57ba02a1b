"""How many paths there are."""

from __future__ import annotations

import heapq
from collections import Counter
from itertools import chain

from deepgrep.graph.chop import Chop

_STEPS = 20_000
"""Steps of the enumeration that a cyclic chop needs: about 10 ms."""

MOST = 10**15
"""Counts are not followed beyond this: JSON numbers stay exact in every reader."""


def count_paths(chop: Chop) -> tuple[int, bool]:
    """The number of paths from root to target, as sequences of functions none of which comes twice.

    Returns:
        The count, and whether it is exact; where it is not, there are at least so many.
    """
    order = None if _comes_round(chop) else _topological(chop)
    if order is not None:
        count = _count_forward(chop, order)
        return (count, True) if count <= MOST else (MOST, False)
    # Paths that only ever lead away from the root, as its functions were found, are some of them.
    some = _count_forward(chop, chop.functions)
    if some > _STEPS:  # more than can be walked
        return min(MOST, some), False
    count, complete = _enumerate(chop)
    return (count, True) if complete else (max(count, some), False)


def most_steps(chop: Chop) -> int:
    """The most steps that a path may have: those of the longest; of a cyclic chop, as many as its functions allow."""
    order = _topological(chop)
    if order is None:
        return len(chop.functions) - 1
    steps = dict.fromkeys(order, 0)
    for function in order:
        for callee in chop.successors[function]:
            steps[callee] = max(steps[callee], steps[function] + 1)
    return max(steps.values(), default=0)


def _comes_round(chop: Chop) -> bool:
    """Whether the walk that always takes the first way runs into a cycle: most chops with cycles have many."""
    seen: set[int] = set()
    for start in chop.starts:
        seen.clear()
        function = start
        while function not in seen:
            seen.add(function)
            if not (following := chop.successors[function]):
                break
            function = following[0]
        else:
            return True
    return False


def _topological(chop: Chop) -> list[int] | None:
    """The functions, callers first, or None if there is a cycle."""
    open_callers = Counter(chain.from_iterable(chop.successors.values()))
    order = [function for function in chop.functions if not open_callers[function]]
    for function in order:  # grows as it is walked
        for callee in chop.successors[function]:
            open_callers[callee] -= 1
            if not open_callers[callee]:
                order.append(callee)
    return order if len(order) == len(chop.functions) else None


def _count_forward(chop: Chop, order: list[int]) -> int:
    """The number of paths that follow `order`, `MOST` + 1 for more.

    Counted from the goals back, function by function: few of them have a way ahead from which nothing leads back.
    """
    position = {function: place for place, function in enumerate(order)}
    callers = chop.callers()
    ways: dict[int, int] = {}
    waiting: list[int] = []
    """Places in the order, the last one first, as negative numbers."""
    for goal in chop.goals:
        ways[goal] = 1
        heapq.heappush(waiting, -position[goal])
    while waiting:
        function = order[-heapq.heappop(waiting)]
        # Capped: huge numbers would take their time.
        here = ways[function] = min(ways[function], MOST + 1)
        for caller in callers(function):
            if position[caller] < position[function]:
                if caller not in ways:
                    ways[caller] = 0
                    heapq.heappush(waiting, -position[caller])
                ways[caller] += here
    return min(sum(ways.get(start, 0) for start in chop.starts), MOST + 1)


def _enumerate(chop: Chop) -> tuple[int, bool]:
    """Walk every path, for a limited number of steps; the count so far, and whether that was all."""
    goals, count, steps = set(chop.goals), 0, 0
    for start in chop.starts:
        path, branches = {start: None}, [iter(chop.successors[start])]
        count += start in goals
        while branches:
            callee = next(branches[-1], None)
            steps += 1
            if steps > _STEPS:
                return count, False
            if callee is None:
                branches.pop()
                path.popitem()
            elif callee not in path:
                count += callee in goals
                path[callee] = None
                branches.append(iter(chop.successors[callee]))
    return count, True
