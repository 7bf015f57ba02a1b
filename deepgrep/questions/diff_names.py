"""What functions are called in the other version."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.diff_answers import Moved

_SEVERAL = re.compile(r"<one of \d[\d,]*>")


class Renamed(msgspec.Struct, frozen=True, dict=True):
    """The functions that have another name in the other version."""

    moved: list[Moved]

    @cached_property
    def later(self) -> dict[str, str]:
        """By the earlier name, the later one."""
        return {one.before: one.after for one in self.moved}

    @cached_property
    def earlier(self) -> dict[str, str]:
        """By the later name, the earlier one."""
        return {one.after: one.before for one in self.moved}

    def other(self, name: str, *, is_later: bool) -> str:
        """What a function of one version is called in the other, one within a function that moved too.

        Args:
            name: what it is called in one.
            is_later: whether that is the later version.
        """
        names = self.earlier if is_later else self.later
        if name in names or not names:
            return names.get(name, name)
        around, inside, rest = name.rpartition(".<locals>.")
        return f"{self.other(around, is_later=is_later)}{inside}{rest}" if inside else name


def compared_name(graph: CallGraph, function: int) -> str:
    """A function's name; a place that was given many functions is called the same, however many there are."""
    name = graph.function_names[function]
    return name if graph.function_line[function] else _SEVERAL.sub("<one of several>", name)


def is_several(graph: CallGraph, function: int) -> bool:
    """Whether this is no function, but a place that was given many: how many those are decides whether there is one."""
    return not graph.function_line[function] and bool(_SEVERAL.search(graph.function_names[function]))


def compared_names(graph: CallGraph, functions: Iterable[int]) -> dict[int, str]:
    """The names of many."""
    names, lines = graph.function_names, graph.function_line
    return {f: names[f] if lines[f] else compared_name(graph, f) for f in functions}


def named(graph: CallGraph, name: str) -> list[int]:
    """Every function that is compared by this name."""
    if "<one of several>" not in name:
        return graph.functions_named(name)
    return [f for f, line in enumerate(graph.function_line) if not line and compared_name(graph, f) == name]
