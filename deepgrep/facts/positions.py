"""Line numbers, without libcst's position metadata, which would double the time of parsing.

A regular expression finds all names, literals and some keywords of the text in order; a walk over the tree meets the
same ones in the same order. Where the two disagree (a quote nested in an f-string, a syntax the expression does not
know), libcst's own provider is asked: slower, and always right.
"""

from __future__ import annotations

import dataclasses
import keyword
import re
from collections.abc import Iterator

import libcst as cst

_TOKENS = re.compile(
    r"""
      (?P<name>[^\W\d]\w*+)(?!["'])
    | (?P<number>\d(?:[eE][+-]\d|[\w.])*)
    | (?P<prefix>[rRbBuUfFtT]{0,2})
      (?P<string> \"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
        | '''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''
        | "[^"\\\n]*(?:\\.[^"\\\n]*)*"
        | '[^'\\\n]*(?:\\.[^'\\\n]*)*' )
    | (?P<empty>\[(?:[\s\\]|\#[^\n]*)*+\] | \{(?:[\s\\]|\#[^\n]*)*+\})
    | \#[^\n]*
    """,
    re.VERBOSE | re.DOTALL,
)
_STRING, _FORMATTED, _NUMBER = "''", "f''", "0"  # what stands for literals in the stream of tokens
# The token that a node starts with, or consists of; names aside.
_TOKEN_OF: dict[type[cst.CSTNode], str] = {
    cst.SimpleString: _STRING,
    cst.FormattedString: _FORMATTED,
    cst.TemplatedString: _FORMATTED,
    cst.Integer: _NUMBER,
    cst.Float: _NUMBER,
    cst.Imaginary: _NUMBER,
    cst.Assert: "assert",
    cst.ExceptHandler: "except",
    cst.ExceptStarHandler: "except",
    cst.Finally: "finally",
    cst.If: "if",
    cst.Lambda: "lambda",
    cst.LazyImport: "lazy",
    cst.LazyImportFrom: "lazy",
    cst.Match: "match",
    cst.MatchCase: "case",
    cst.Raise: "raise",
    cst.Return: "return",
    cst.TypeAlias: "type",
    cst.While: "while",
    cst.Yield: "yield",
}
_KEYWORDS = frozenset(keyword.kwlist) - {"True", "False", "None", "elif", *_TOKEN_OF.values()}
_CAPTURES = (cst.MatchAs, cst.MatchStar)
# The brackets of what is empty: nothing in it has a place.
_EMPTY_LIST, _EMPTY_DICT = "[]", "{}"
_MAY_BE_EMPTY = (cst.List, cst.Dict, cst.MatchList, cst.MatchMapping)

_SKIPPED_FIELDS = frozenset(
    {"lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace", "comma", "semicolon", "equal", "dot", "colon",
     "first_colon", "second_colon", "leading_lines", "lines_after_decorators", "header", "footer",
     "trailing_whitespace", "indent", "relative", "operator", "star_etc", "separator", "encoding", "default_indent",
     "default_newline", "has_trailing_newline", "posonly_ind", "asynchronous", "star", "keyword", "conversion",
     "format_spec_colon"}
)  # fmt: skip
# Where a node class declares its fields in another order than they are written.
_SOURCE_ORDER: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.FunctionDef: ("decorators", "name", "type_parameters", "params", "returns", "body"),
    cst.ClassDef: ("decorators", "name", "type_parameters", "bases", "keywords", "body"),
    cst.IfExp: ("body", "test", "orelse"),
    cst.MatchCase: ("pattern", "guard", "body"),
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
    """Return the fields that can hold a name, in source order."""
    if node_type in _SOURCE_ORDER:
        return _SOURCE_ORDER[node_type]
    names = (f.name for f in dataclasses.fields(node_type))
    return tuple(name for name in names if name not in _SKIPPED_FIELDS and not name.startswith("whitespace"))


_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}  # of `push_children`: last field first
_TEXT_NODES = (cst.FormattedStringText, cst.TemplatedStringText)
_PLACED = frozenset({cst.Name, *_TOKEN_OF})


class MismatchError(Exception):
    """The text's tokens and the tree's are not the same sequence."""


def node_lines(module: cst.Module, text: str) -> dict[int, int]:
    r"""Return the lines of names, of literals, of empty lists and dicts, and of what starts with one of some keywords.

    Args:
        module: the parsed file; must stay alive while the result is used.
        text: its text, with `\n` as line end.

    Returns:
        The line by the node's `id`.
    """
    try:
        return matched_lines(module, text)
    except MismatchError:
        return _provided(module)


def _provided(module: cst.Module) -> dict[int, int]:
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    return {
        id(node): place.start.line
        for node, place in wrapper.resolve(PositionProvider).items()
        if type(node) in _PLACED or _empty(node)
    }


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (token, first line, number of line ends inside); keywords that start no placed node are left out."""
    line, counted = 1, 0
    for match in _TOKENS.finditer(text):
        kind = match.lastgroup
        inside = 0
        if kind == "name":
            token = match.group()
            if token in _KEYWORDS:
                continue
            if token == "elif":
                token = "if"
        elif kind == "number":
            token = _NUMBER
        elif kind == "string":
            prefix = match["prefix"].lower()
            token = _FORMATTED if "f" in prefix or "t" in prefix else _STRING
            inside = match["string"].count("\n")
        elif kind == "empty":
            token = _EMPTY_LIST if match.group()[0] == "[" else _EMPTY_DICT
        else:
            continue  # a comment
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        yield token, line, inside


def matched_lines(module: cst.Module, text: str) -> dict[int, int]:
    """Return the same, from the text's tokens alone.

    Raises:
        MismatchError: these are not the tree's: the regular expression has read the text in another way.
    """
    lines: dict[int, int] = {}
    tokens = _tokens(text)
    stack: list[cst.CSTNode] = [module]
    try:
        while stack:
            node = stack.pop()
            node_type = type(node)
            if node_type is cst.Name:
                expected = node.value  # type: ignore[attr-defined]
            elif node_type in _CAPTURES:
                expected = _wildcard(node)
            elif node_type in _MAY_BE_EMPTY:
                expected = _empty(node)
            else:
                expected = _TOKEN_OF.get(node_type)
            if expected is not None:
                token, line, inside = next(tokens)
                # An `if` that is no statement (`a if b else c`) stands between the nodes.
                while token != expected:
                    if token != "if":
                        raise MismatchError
                    token, line, inside = next(tokens)
                lines[id(node)] = line
                if expected is _FORMATTED:
                    _formatted(node, line, inside, lines)
                    continue
            push_children(node, stack)
    except StopIteration:
        raise MismatchError from None
    if any(token != "if" for token, _, _ in tokens):
        raise MismatchError
    return lines


def _wildcard(pattern: cst.CSTNode) -> str | None:
    match pattern:
        case cst.MatchAs(pattern=None, name=None) | cst.MatchStar(name=None):
            return "_"
        case _:
            return None


def _empty(node: cst.CSTNode) -> str | None:
    match node:
        case cst.List(elements=[]) | cst.MatchList(patterns=[]):
            return _EMPTY_LIST
        case cst.Dict(elements=[]) | cst.MatchMapping(elements=[], rest=None):
            return _EMPTY_DICT
        case _:
            return None


def push_children(node: cst.CSTNode, stack: list[cst.CSTNode]) -> None:
    """Put the children of a node that can hold a name on a stack, the first on top."""
    node_type = type(node)
    fields = _FIELDS.get(node_type)
    if fields is None:
        fields = _FIELDS[node_type] = _fields(node_type)[::-1]
    for field in fields:
        value = getattr(node, field)
        kind = value.__class__
        if kind is list or kind is tuple:
            stack.extend(value[::-1])
        elif value is not None and kind is not str and kind is not cst.MaybeSentinel:
            stack.append(value)


def _formatted(string: cst.CSTNode, line: int, inside: int, lines: dict[int, int]) -> None:
    """Give what is inside an f-string its lines, counting the line ends of the text between the expressions."""
    end = line + inside
    stack = [string]
    while stack:
        node = stack.pop()
        if type(node) in _PLACED or _empty(node):
            lines[id(node)] = line
        if isinstance(node, _TEXT_NODES):
            line += node.value.count("\n")
        else:
            push_children(node, stack)
    if line != end:
        raise MismatchError  # a line ends inside an expression
