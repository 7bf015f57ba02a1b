"""Which lines of a file belong to which function."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from deepgrep.questions.blocks import LAMBDA, Extent, Key, blocks

MODULE = "<module>"


def owners(source: bytes, lines: Sequence[int]) -> dict[int, list[Key]] | None:
    """The functions that each of some lines belongs to.

    These are the innermost `def` around it, or the module, and the lambdas in it.
    A line in the middle of a lambda is that lambda's alone; its first and last are also those of the code around.

    Args:
        source: a file.
        lines: numbers of lines in it, in order.

    Returns:
        The functions by line; None if this Python cannot parse the file, and it cannot be told otherwise.
    """
    found = blocks(source) or _parsed(source)
    if found is None:
        return None
    functions, lambdas = found
    innermost = {line: extent for extent in _outer_first(functions) for line in _held(lines, extent)}
    inside: dict[int, list[Extent]] = {}
    for extent in _outer_first(lambdas):
        for line in _held(lines, extent):
            inside.setdefault(line, []).append(extent)
    return {line: _owners(line, innermost.get(line), inside.get(line, [])) for line in lines}


def _owners(line: int, function: Extent | None, lambdas: list[Extent]) -> list[Key]:
    if function is not None:
        lambdas = [extent for extent in lambdas if extent.first >= function.first]
    whole = [extent.key for extent in lambdas if extent.first < line < extent.last]
    if whole:
        return whole[-1:]
    return [(MODULE, 1) if function is None else function.key, *(extent.key for extent in lambdas)]


def _parsed(source: bytes) -> tuple[list[Extent], list[Extent]] | None:
    """What `blocks` gives; None if this Python cannot parse the file."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    functions, lambdas = [], []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                functions.append(Extent((name, node.lineno), first, node.end_lineno or node.lineno))
            case ast.Lambda():
                lambdas.append(Extent((LAMBDA, node.lineno), node.lineno, node.end_lineno or node.lineno))
    return functions, lambdas


def _held(lines: Sequence[int], extent: Extent) -> Sequence[int]:
    """Which of some lines, which are in order, an extent holds."""
    return lines[bisect_left(lines, extent.first) : bisect_right(lines, extent.last)]


def _outer_first(found: list[Extent]) -> list[Extent]:
    return sorted(found, key=lambda extent: (extent.first, -extent.last))
