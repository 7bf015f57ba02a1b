"""What has certainly run: the calls of functions that have run to their end, and the imports of module bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from deepgrep.graph.columns import BYTE, UNSIGNED, pack_numbers

MODULE_BODY = ".<module>"

# What stands under one of these has run in a function that has run to its end: loops are taken to have something to do.
_PASSED = frozenset({"return", "for", "while", "with", "finally"})


class Edges(NamedTuple):
    """The columns of all edges; those of a function are between its `start` and that of the next."""

    start: Sequence[int]
    certain: Sequence[int]
    plain: Sequence[int]
    callee: Sequence[int]
    guard: Sequence[int]
    requires: Sequence[int]
    is_import: Callable[[int], bool]
    is_certain: Callable[[int], bool]


def always_run(parents: Sequence[int], kinds: Sequence[str]) -> Callable[[int], bool]:
    """Tell whether a function that has run to its end has run what stands under a guard.

    Args:
        parents: of each guard the one around it, or -1.
        kinds: those of the guards.
    """

    def is_run(guard: int) -> bool:
        while guard >= 0 and kinds[guard] in _PASSED:
            guard = parents[guard]
        return guard < 0

    return is_run


def packed_sure_calls(edges: Edges, is_run: Callable[[int], bool]) -> dict[str, bytes]:
    """What each function has certainly called once it has run to its end, and what each of these calls requires.

    Args:
        edges: the edges.
        is_run: what `always_run` gives.
    """
    ends, callees, requires = [], [], []
    for function in range(len(edges.start) - 1):
        certain = range(edges.start[function], edges.certain[function])
        conditional = range(edges.plain[function], edges.start[function + 1])
        sure = dict.fromkeys(
            (edges.callee[edge], edges.requires[edge])
            for edge in (*certain, *filter(edges.is_certain, conditional))
            if is_run(edges.guard[edge])
        )
        callees += [callee for callee, _ in sure]
        requires += [requirement for _, requirement in sure]
        ends.append(len(callees))
    return {
        "sure_start": pack_numbers(UNSIGNED, [0, *ends]),
        "sure_callee": pack_numbers(UNSIGNED, callees),
        "sure_requires": pack_numbers(UNSIGNED, requires),
    }


def packed_imports(names: Sequence[str], edges: Edges, is_run: Callable[[int], bool]) -> dict[str, bytes]:
    """The module bodies, and those that each of them imports, with whether it always does.

    Importing a.b.c runs a and a.b first, whether or not an edge says so.

    Args:
        names: of the functions.
        edges: the edges.
        is_run: what `always_run` gives.
    """
    bodies = [function for function, name in enumerate(names) if name.endswith(MODULE_BODY)]
    named: dict[str, list[int]] = {}
    for body in bodies:
        named.setdefault(names[body].removesuffix(MODULE_BODY), []).append(body)
    ends: list[int] = []
    imported: list[int] = []
    always: list[bool] = []
    for body in bodies:
        found: dict[int, bool] = dict.fromkeys(_packages(names[body].removesuffix(MODULE_BODY), named), True)
        for edge in range(edges.plain[body], edges.start[body + 1]):
            if edges.is_import(edge) and not edges.requires[edge]:
                found[edges.callee[edge]] = found.get(edges.callee[edge], False) or is_run(edges.guard[edge])
        imported += found
        always += found.values()
        ends.append(len(imported))
    return {
        "body_function": pack_numbers(UNSIGNED, bodies),
        "body_start": pack_numbers(UNSIGNED, [0, *ends]),
        "body_import": pack_numbers(UNSIGNED, imported),
        "body_always": pack_numbers(BYTE, always),
    }


def _packages(module: str, named: Mapping[str, list[int]]) -> list[int]:
    """The bodies of the packages that a module is in."""
    parts = module.split(".")
    packages = accumulate(parts[:-1], lambda package, part: f"{package}.{part}")
    return [body for package in packages for body in named.get(package, ())]
