"""Which lines of a file belong to which function."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

LAMBDA = "<lambda>"
MODULE = "<module>"

Key = tuple[str, int]
"""A function in its file: its name, and the line of its definition; for the module itself line 1."""


@dataclass(frozen=True, slots=True)
class _Extent:
    """The lines of a function, its decorators' among them."""

    key: Key
    first: int
    last: int

    def holds(self, line: int) -> bool:
        return self.first <= line <= self.last


@dataclass(frozen=True, slots=True)
class Extents:
    """Some functions of one file, those within others after these."""

    functions: tuple[_Extent, ...]
    lambdas: tuple[_Extent, ...]

    def owners(self, line: int) -> list[Key]:
        """The functions that a line belongs to: the innermost `def` around it, or the module, and lambdas in it.

        A line in the middle of a lambda is that lambda's alone; its first and last are also those of the code around.
        """
        function = next((extent for extent in reversed(self.functions) if extent.holds(line)), None)
        lambdas = [extent for extent in self.lambdas if extent.holds(line)]
        if function is not None:
            lambdas = [extent for extent in lambdas if extent.first >= function.first]
        whole = [extent.key for extent in lambdas if extent.first < line < extent.last]
        if whole:
            return whole[-1:]
        around = (MODULE, 1) if function is None else function.key
        return [around, *(extent.key for extent in lambdas)]


def extents(source: bytes, lines: Sequence[int]) -> Extents | None:
    """The functions of a file that hold some of `lines`, which are in order; None if this Python cannot parse it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    functions, lambdas = [], []
    with_lambda = [number for number, line in enumerate(source.splitlines(), 1) if b"lambda" in line]
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        first, last = _lines(node)
        # None of the lines is in here; or no function is.
        if first and not _any_within(lines, first, last):
            continue
        if isinstance(node, ast.expr) and not _any_within(with_lambda, first, last):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(_Extent((node.name, node.lineno), first, last))
        elif isinstance(node, ast.Lambda):
            lambdas.append(_Extent((LAMBDA, node.lineno), first, last))
        waiting.extend(ast.iter_child_nodes(node))
    return Extents(_outer_first(functions), _outer_first(lambdas))


def _any_within(lines: Sequence[int], first: int, last: int) -> bool:
    """Whether some of `lines`, which are in order, are from `first` to `last`."""
    place = bisect_left(lines, first)
    return place < len(lines) and lines[place] <= last


def _lines(node: ast.AST) -> tuple[int, int]:
    """The first and last line of a node, decorators included; 0 where it has no place of its own."""
    first = getattr(node, "lineno", 0)
    decorators = getattr(node, "decorator_list", ())
    return min([first, *(decorator.lineno for decorator in decorators)]), getattr(node, "end_lineno", None) or first


def _outer_first(found: list[_Extent]) -> tuple[_Extent, ...]:
    return tuple(sorted(found, key=lambda extent: (extent.first, -extent.last)))
