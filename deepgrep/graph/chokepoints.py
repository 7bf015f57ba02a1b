"""Where every path must pass: chokepoints, and a smallest cut."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from deepgrep.graph.chop import Chop

LARGEST_CUT_SEARCH = 10_000
"""Edges of a chop up to which a smallest cut is searched for: about 0.1 s, and 0.2 s to import networkx."""


def chokepoints(chop: Chop, root: Collection[int], path: Sequence[int] = ()) -> list[int]:
    """The functions that every path goes through, those of the root excepted, nearest to the root first.

    These are the dominators of the target; but as only those between one pair are wanted, one walk along one path
    finds them, in less time than the import of a library with a dominator tree.

    Args:
        chop: all paths.
        root: the root's functions.
        path: one of the paths, if one is known.
    """
    path = path or _some_path(chop)
    position = {function: i for i, function in enumerate(path)}
    on_path, goals, left = set(path), set(chop.goals), set(chop.functions).difference(chop.starts)
    # The furthest place on the path that can be reached around what has been walked; len(path) is the target.
    furthest = max((position.get(start, 0) for start in chop.starts), default=0)
    found = []
    waiting = [start for start in chop.starts if start not in position]
    ahead = chop.walk()
    for i in range(-1, len(path)):
        if i >= 0:
            if furthest == i and path[i] not in root:
                found.append(path[i])
            waiting.append(path[i])
        while waiting and furthest < len(path):
            current = waiting.pop()
            if current in goals:
                furthest = len(path)
            new = left.intersection(ahead(current))
            left -= new
            if not on_path.isdisjoint(new):
                furthest = max(furthest, *(position[function] for function in new & on_path))
                new -= on_path
            waiting += new
    return found


def _some_path(chop: Chop) -> list[int]:
    """A shortest path from a start to a goal."""
    goals, left, ahead = set(chop.goals), set(chop.functions).difference(chop.starts), chop.walk()
    parent: dict[int, int | None] = dict.fromkeys(chop.starts)
    order = list(parent)
    for function in order:  # grows as it is walked
        if function in goals:
            path = [function]
            while (before := parent[path[-1]]) is not None:
                path.append(before)
            return path[::-1]
        new = left.intersection(ahead(function))
        left -= new
        parent.update(dict.fromkeys(new, function))
        order += new
    return []


def smallest_cut(chop: Chop, root: Collection[int], single: list[int]) -> list[int] | None:
    """A smallest set of functions, none of them the root's, without which no path is left; the set nearest the target.

    Args:
        chop: what to cut.
        root: the root's functions.
        single: the chop's chokepoints: each alone is a cut.

    Returns:
        The functions; none where the root itself accesses the target, or nothing else, as nothing can cut that; None
        if the chop is too large to search (see LARGEST_CUT_SEARCH).
    """
    if not chop.goals or any(goal in root for goal in chop.goals):
        return []
    if single:
        return single[-1:]
    if chop.edge_count > LARGEST_CUT_SEARCH:
        return None
    import networkx  # late: 140 ms

    source, target = -1, -2
    # The root's functions all become the source, which a cut never holds.
    network: Any = networkx.DiGraph()
    network.add_edges_from((source, start) for start in chop.starts if start not in root)
    for function in chop.functions:
        tail = source if function in root else function
        heads = (callee for callee in chop.successors[function] if callee not in root)
        network.add_edges_from((tail, head) for head in heads)
    network.add_edges_from((goal, target) for goal in chop.goals)
    if source not in network or not networkx.has_path(network, source, target):
        return []  # all that leads there is the root's own
    cut = networkx.minimum_node_cut(network, source, target)
    return [function for function in chop.functions if function in cut]
