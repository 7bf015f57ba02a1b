"""Line numbers for names, without libcst's position metadata, which would double the time of parsing.

A regular expression finds all names of the text in order; a walk over the tree meets the same names in the same order.
Where the two disagree (a quote nested in an f-string, a syntax the expression does not know), libcst's own
provider is asked: slower, and always right.
"""

from __future__ import annotations

import dataclasses
import keyword
import re
from collections.abc import Iterator

import libcst as cst

_TOKENS = re.compile(
    r"""
      \#[^\n]*
    | (?P<prefix>[rRbBuUfFtT]{0,2})
      (?: \"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
        | '''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''
        | "[^"\\\n]*(?:\\.[^"\\\n]*)*"
        | '[^'\\\n]*(?:\\.[^'\\\n]*)*' )
    | \d[\w.]*
    | (?P<name>[^\W\d]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = frozenset(keyword.kwlist) - {"True", "False", "None"}
_SOFT_KEYWORDS = frozenset({"match", "case", "type", "lazy", "_"})
_FORMATTED = "f''"  # stands for a whole f-string in the stream of names

_SKIPPED_FIELDS = frozenset(
    {"lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "equal", "dot", "colon",
     "first_colon", "second_colon", "leading_lines", "lines_after_decorators", "header", "footer", "trailing_whitespace",
     "indent", "relative", "operator", "star_etc", "separator", "encoding", "default_indent", "default_newline",
     "has_trailing_newline", "posonly_ind", "asynchronous", "star", "keyword", "conversion", "format_spec_colon"}
)  # fmt: skip
# Where a node class declares its fields in another order than they are written.
_SOURCE_ORDER: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.FunctionDef: ("decorators", "name", "type_parameters", "params", "returns", "body"),
    cst.ClassDef: ("decorators", "name", "type_parameters", "bases", "keywords", "body"),
    cst.IfExp: ("body", "test", "orelse"),
    cst.Parameters: ("posonly_params", "params", "star_arg", "kwonly_params", "star_kwarg"),
    cst.Param: ("name", "annotation", "default"),
    cst.Arg: ("keyword", "value"),
    cst.ComparisonTarget: ("comparator",),
    cst.BinaryOperation: ("left", "right"),
    cst.BooleanOperation: ("left", "right"),
    cst.UnaryOperation: ("expression",),
    cst.AugAssign: ("target", "value"),
    cst.FormattedStringExpression: ("expression", "format_spec"),
    cst.TypeParam: ("param", "default"),
    cst.ExceptHandler: ("type", "name", "body"),
    cst.ExceptStarHandler: ("type", "name", "body"),
}


def _fields(node_type: type[cst.CSTNode]) -> tuple[str, ...]:
    if node_type in _SOURCE_ORDER:
        return _SOURCE_ORDER[node_type]
    return tuple(
        f.name
        for f in dataclasses.fields(node_type)
        if f.name not in _SKIPPED_FIELDS and not f.name.startswith("whitespace")
    )


_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}
_FORMATTED_NODES = (cst.FormattedString, cst.TemplatedString)
_TEXT_NODES = (cst.FormattedStringText, cst.TemplatedStringText)


class _MismatchError(Exception):
    """The text's names and the tree's are not the same sequence."""


def name_lines(module: cst.Module, text: str) -> dict[int, int]:
    """Return the line of every `Name` of a module, by the node's `id`.

    Args:
        module: the parsed file; must stay alive while the result is used.
        text: its text.
    """
    try:
        return _matched(module, text)
    except _MismatchError:
        return _provided(module)


def _provided(module: cst.Module) -> dict[int, int]:
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return {
        id(node): place.start.line
        for node, place in wrapper.resolve(PositionProvider).items()
        if isinstance(node, cst.Name)
    }


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield (name, line) for all names that are no keywords, and (_FORMATTED, line) for f-strings."""
    line, counted = 1, 0
    for match in _TOKENS.finditer(text):
        name, prefix = match["name"], match["prefix"]
        if name is None:
            if not prefix or not ("f" in prefix or "F" in prefix or "t" in prefix or "T" in prefix):
                continue
            name = _FORMATTED
        elif name in _KEYWORDS:
            continue
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        yield name, line


def _matched(module: cst.Module, text: str) -> dict[int, int]:
    lines: dict[int, int] = {}
    tokens = _tokens(text)
    stack: list[cst.CSTNode] = [module]
    try:
        while stack:
            node = stack.pop()
            node_type = type(node)
            if node_type is cst.Name:
                value = node.value  # type: ignore[attr-defined]
                name, line = next(tokens)
                while name != value:
                    if name not in _SOFT_KEYWORDS:
                        raise _MismatchError
                    name, line = next(tokens)
                lines[id(node)] = line
                continue
            if node_type in _FORMATTED_NODES:
                name, line = next(tokens)
                while name in _SOFT_KEYWORDS:
                    name, line = next(tokens)
                if name is not _FORMATTED:
                    raise _MismatchError
                _formatted(node, line, lines)
                continue
            stack.extend(reversed(children(node)))
    except StopIteration:
        raise _MismatchError from None
    if any(name not in _SOFT_KEYWORDS for name, _ in tokens):
        raise _MismatchError
    return lines


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """Return the children of a node that can hold a name, in source order."""
    node_type = type(node)
    fields = _FIELDS.get(node_type)
    if fields is None:
        fields = _FIELDS[node_type] = _fields(node_type)
    found: list[cst.CSTNode] = []
    for field in fields:
        value = getattr(node, field)
        kind = value.__class__
        if kind is list or kind is tuple:
            found.extend(value)
        elif value is not None and kind is not str and kind is not cst.MaybeSentinel:
            found.append(value)
    return found


def _formatted(string: cst.CSTNode, line: int, lines: dict[int, int]) -> None:
    """Give the names inside an f-string their lines, counting the line ends of the text between them."""
    stack = [string]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name):
            lines[id(node)] = line
        elif isinstance(node, _TEXT_NODES):
            line += node.value.count("\n")
        else:
            stack.extend(reversed(children(node)))
