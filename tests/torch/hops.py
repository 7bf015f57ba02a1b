"""Whether a path is true, told from the source text alone, by other means than the analyzer's."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

Hop = dict[str, Any]

# What must be written at a line from where control passes in such a way: the kinds of nodes, any of which will do.
_FORMS: dict[str, tuple[type[ast.AST], ...]] = {
    "with": (ast.With, ast.AsyncWith, ast.Call),
    "import": (ast.Import, ast.ImportFrom, ast.Call),
    "decorate": (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    "setattr": (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Call, ast.For, ast.With),
    "property": (ast.Attribute, ast.Call),
    "construct": (ast.Call, ast.FunctionDef, ast.ClassDef),
}

# What nobody keeps a function under: calls of these lead to a function of their own name, or to none.
_BUILTINS = frozenset(dir(builtins))
_BUILTIN_METHODS = frozenset(name for kind in (str, bytes, list, dict, set) for name in dir(kind))


def path_faults(hops: list[Hop], sources: Path) -> Iterator[str]:
    """What the source text contradicts in a path, one text each.

    Args:
        hops: as in the JSON answer of `reach`.
        sources: the folder that holds the package.
    """
    for hop in hops:
        if _is_python(hop):
            yield from _place_faults(hop, sources)
    for hop, following in pairwise(hops):
        if _is_python(hop) and _is_python(following):
            yield from _passing_faults(hop, following, sources)


def _is_python(hop: Hop) -> bool:
    """Whether the source of a hop is at hand: of the code that is asked about and of native code (line 0) it is not."""
    return hop["file"] != "<root>" and hop["line"] != 0


def _place_faults(hop: Hop, sources: Path) -> Iterator[str]:
    """The call must be code, and of that function rather than of one around or inside it."""
    source = _Source.read(sources / hop["file"])
    where = f"{hop['file']}:{hop['call_line']}"
    if not source.text(hop["call_line"]) or source.text(hop["call_line"]).startswith("#"):
        yield f"{where}: no code on this line, in a path through {hop['function']}"
    elif hop["line"] not in source.starts_around(hop["call_line"]):
        yield f"{where}: not a line of {hop['function']}, which begins at line {hop['line']}"


def _passing_faults(hop: Hop, following: Hop, sources: Path) -> Iterator[str]:
    """The statement must name what it leads to, or be of a form that leads there without a name."""
    source = _Source.read(sources / hop["file"])
    nodes = source.nodes_at(hop["call_line"])
    said = f"{hop['file']}:{hop['call_line']}: {source.text(hop['call_line'])!r} leads to {following['function']}"
    form = _FORMS.get(hop["via"])
    if form is not None and not any(isinstance(node, form) for node in nodes):
        yield f"{said} by {hop['via']}?"
    if hop["via"] == "call" and not _can_call(following["function"], nodes, source):
        yield f"{said}, and names it nowhere"


def _can_call(function: str, nodes: list[ast.AST], source: _Source) -> bool:
    """Whether a statement calls a function: by its name, or through something that can hold that function."""
    name = function.rpartition(".")[2]
    if name in _names(nodes):
        return True
    return any(_can_hold(node.func, function, source) for node in nodes if isinstance(node, ast.Call))


def _can_hold(called: ast.expr, function: str, source: _Source) -> bool:
    match called:
        case ast.Name(name):
            return name not in source.plain_functions and name not in _BUILTINS
        case ast.Attribute(attr=name):
            # A closure may be what a decorator made of a method of any name.
            return "<locals>" in function or name not in _BUILTIN_METHODS
    return True


def _names(nodes: list[ast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }


class _Source:
    """One file, as Python's own parser sees it."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self._lines = data.decode().splitlines()
        self._tree = ast.parse(data)
        functions = [n for n in ast.walk(self._tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        self._functions = [(n.body[0].lineno, n.end_lineno or 0, n.lineno) for n in functions]
        self._lambdas = [(n.lineno, n.end_lineno or 0) for n in ast.walk(self._tree) if isinstance(n, ast.Lambda)]
        # Functions that a call of their name certainly means: defined once, and by no decorator made something else.
        defined = [n.name for n in functions]
        self.plain_functions = {
            n.name
            for n in self._tree.body
            if isinstance(n, ast.FunctionDef) and not n.decorator_list and defined.count(n.name) == 1
        }

    @classmethod
    @cache
    def read(cls, path: Path) -> _Source:
        return cls(path)

    def text(self, line: int) -> str:
        """A line without the blanks around it; "" where there is none."""
        return self._lines[line - 1].strip() if 0 < line <= len(self._lines) else ""

    def starts_around(self, line: int) -> set[int]:
        """The first lines of what a line can belong to: the innermost function (1 for the module), or a lambda."""
        around = [(start, first) for start, end, first in self._functions if start <= line <= end]
        innermost = max(around)[1] if around else 1
        return {innermost} | {start for start, end in self._lambdas if start <= line <= end}

    def nodes_at(self, line: int) -> list[ast.AST]:
        """The innermost statement at a line, with what it holds; of a compound statement, its head."""
        statements = [node for node in ast.walk(self._tree) if isinstance(node, ast.stmt)]
        around = [node for node in statements if _begin(node) <= line <= (node.end_lineno or 0)]
        if not around:
            return []
        statement = max(around, key=_begin)
        return [statement, *(found for child in _head(statement) for found in ast.walk(child))]


def _begin(statement: ast.stmt) -> int:
    """Its first line, decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _head(statement: ast.stmt) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler):
            yield child
