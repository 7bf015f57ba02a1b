"""What searches walk, made once from the edges: each callee of a function once, and what leads back.

Half a function's plain edges go where another of its edges goes already, for the same cost or less. Searches over all
edges that a question may take need no more than one of them; which edge it was is asked only for the paths that are
shown, and by questions that leave out some edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise

from deepgrep.graph.columns import BYTE, UNSIGNED, pack_numbers, unpack_numbers
from deepgrep.graph.costs import COST, FAR


def packed_walks(
    starts: Sequence[int],
    certain: Sequence[int],
    plain: Sequence[int],
    callees: Sequence[int],
    kinds: Sequence[int],
    first: int = 0,
) -> tuple[dict[str, bytes], list[tuple[int, int]]]:
    """The plain edges of functions without those to where an earlier one of the same function goes for no more.

    Args:
        starts: for each function where its edges begin.
        certain: where the certain ones end.
        plain: where the plain ones end.
        callees: those of the edges.
        kinds: likewise.
        first: the number of the first one that is kept.

    Returns:
        The sections; and the caller, by its place, and the callee of each that is kept.
    """
    kept_callees: list[int] = []
    kept_kinds: list[int] = []
    ends, certain_ends = [], []
    pairs = []
    for function, (start, certain_end, end) in enumerate(zip(starts, certain, plain, strict=True)):
        cheapest: dict[int, int] = {}
        size = len(kept_callees)
        for edge in range(start, end):
            if edge == certain_end:
                certain_ends.append(first + len(kept_callees))
            callee, kind = callees[edge], kinds[edge]
            if COST[kind] < cheapest.get(callee, FAR):
                cheapest[callee] = COST[kind]
                kept_callees.append(callee)
                kept_kinds.append(kind)
        if certain_end == end:
            certain_ends.append(first + len(kept_callees))
        ends.append(first + len(kept_callees))
        pairs += [(function, callee) for callee in kept_callees[size:]]
    return {
        "walk_start": pack_numbers(UNSIGNED, [first, *ends]),
        "walk_certain": pack_numbers(UNSIGNED, certain_ends),
        "walk_callee": pack_numbers(UNSIGNED, kept_callees),
        "walk_kind": pack_numbers(BYTE, kept_kinds),
    }, pairs


def grouped(count: int, pairs: Iterable[tuple[int, int]], start: str, member: str) -> dict[str, bytes]:
    """Two sections: where the members of each group begin, and the members, each once and in ascending order.

    Args:
        count: how many groups there are.
        pairs: each group with a member.
        start: what to call the one section.
        member: what to call the other.
    """
    ordered = sorted(set(pairs))
    sizes = [0] * count
    for group, _ in ordered:
        sizes[group] += 1
    return {
        start: pack_numbers(UNSIGNED, accumulate(sizes, initial=0)),
        member: pack_numbers(UNSIGNED, (number for _, number in ordered)),
    }


def packed_ways_back(
    pairs: Iterable[tuple[int, int]],
    site_start: Sequence[int],
    site_fan: Sequence[int],
    fan_start: Sequence[int],
    fan_callee: Sequence[int],
) -> dict[str, bytes]:
    """What leads back: to each function the callers that always lead to it, and the fans; to each fan who has it.

    Args:
        pairs: callers with their plain callees.
        site_start: the section of this name.
        site_fan: likewise.
        fan_start: likewise.
        fan_callee: likewise.
    """
    count, fans = len(site_start) - 1, len(fan_start) - 1
    led = ((fan_callee[i], fan) for fan in range(fans) for i in range(fan_start[fan], fan_start[fan + 1]))
    having = (
        (site_fan[i], function)
        for function in range(count)
        for i in range(site_start[function], site_start[function + 1])
    )
    return {
        **grouped(count, ((callee, caller) for caller, callee in pairs), "back_start", "back_caller"),
        **grouped(count, led, "led_start", "led_fan"),
        **grouped(fans, having, "having_start", "having_function"),
    }


def packed_overlaps(
    pairs: Iterable[tuple[int, int]],
    site_start: Sequence[int],
    site_fan: Sequence[int],
    members: Callable[[int], Sequence[int]],
) -> dict[str, bytes]:
    """Say of each function whether some callee is there twice: among its plain edges and in its fans.

    Args:
        pairs: functions, by their place, with their plain callees.
        site_start: where the sites of each function begin, from 0 on.
        site_fan: their fans.
        members: gives the callees of a fan.
    """
    plain: dict[int, list[int]] = {}
    for caller, callee in pairs:
        plain.setdefault(caller, []).append(callee)
    members = cache(members)
    overlaps = bytearray(len(site_start) - 1)
    for function, (start, end) in enumerate(pairwise(site_start)):
        led_to = [plain.get(function, ()), *map(members, site_fan[start:end])]
        overlaps[function] = sum(map(len, led_to)) > len(frozenset().union(*led_to))
    return {"walk_overlaps": bytes(overlaps)}


def search_columns(
    starts: Sequence[int],
    certain: Sequence[int],
    plain: Sequence[int],
    callees: Sequence[int],
    kinds: Sequence[int],
    fans: Mapping[str, bytes],
) -> dict[str, bytes]:
    """All sections that this module makes, of a whole graph.

    Args:
        starts: where the edges of each function begin, and those of the last one end.
        certain: as of `packed_walks`.
        plain: likewise.
        callees: likewise.
        kinds: likewise.
        fans: what `layout.packed_fans` gives.
    """
    site_start, site_fan, fan_start, fan_callee = (
        unpack_numbers(UNSIGNED, fans[name], name) for name in ("site_start", "site_fan", "fan_start", "fan_callee")
    )
    walks, pairs = packed_walks(starts[: len(certain)], certain, plain, callees, kinds)
    return {
        **walks,
        **packed_ways_back(pairs, site_start, site_fan, fan_start, fan_callee),
        **packed_overlaps(pairs, site_start, site_fan, lambda fan: fan_callee[fan_start[fan] : fan_start[fan + 1]]),
    }
