"""The text of a file -> the definitions in it whose facts do not depend on the rest: top-level functions and methods.

Found in the text alone, since a definition whose facts are known need not be parsed. What is found is only a claim,
until the parsed rest of the file agrees with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

# What a body is replaced by. A file that has this word is not divided.
STUB = "__deepgrep_body__"
_KEY_BYTES = 16

STRING = r"""
    \"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*\"\"\"
  | '''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''
  | "[^"\\\n]*(?:\\.[^"\\\n]*)*"
  | '[^'\\\n]*(?:\\.[^'\\\n]*)*'
"""
"""A string, as a verbose regular expression in which `.` stands for line ends too."""

# What decides where a logical line ends. Names and operators in between do not.
_MARKS = re.compile(
    rf"""
      (?P<string>{STRING})
    | (?P<comment>\#[^\n]*)
    | (?P<open>[(\[{{])
    | (?P<close>[)\]}}])
    | (?P<continued>\\\n)
    | (?P<end>\n)
    """,
    re.VERBOSE | re.DOTALL,
)
_DEF = re.compile(r"(?:async[ ]+)?def[ ]+(\w+)")
# Methods of one with type parameters know these: they depend on more than their own text.
_CLASS = re.compile(r"class[ ]+(\w++)(?![\s\\]*+\[)")
# In what is no text: a docstring may speak of what is global.
_GLOBAL = re.compile(r"(?![rRbBuU]?[\"'])(?:.*[;:]\s*)?global\s", re.DOTALL)


class Definition(NamedTuple):
    """A function, by its place in the text; lines count from 1.

    Attributes:
        owner: the class that it is a method of, or "".
        line: of its `def`; decorators come before.
        first, last: the lines of its body.
    """

    owner: str
    name: str
    line: int
    first: int
    last: int


class LogicalLine(NamedTuple):
    """A statement's line, or lines; `opens` is whether it ends with a colon, so that a block follows."""

    indent: int
    code: str
    first: int
    last: int
    opens: bool


class Scan(NamedTuple):
    """What is seen of a text without parsing it.

    Attributes:
        lines: the logical lines that have code.
        is_balanced: whether brackets are closed in order; if not, it is no Python, or not what it seems.
        is_divisible: whether the lines can be trusted.
        depth: how many brackets there are in one another.
        copied: how many characters of code there are, outside strings and comments, those in brackets counted once
            more for each pair.
    """

    lines: list[LogicalLine]
    is_balanced: bool
    is_divisible: bool
    depth: int
    copied: int


def definitions(scanned: Scan) -> list[Definition]:
    """Return the functions at the top level of a file, and those directly in its top-level classes, in order.

    Those on one line, and those under a condition, are left out; in a file that is laid out with tabs, or whose strings
    are nested in a way that a regular expression does not see, all of them.

    Args:
        scanned: the text of the file.
    """
    lines = scanned.lines if scanned.is_divisible else []
    found: list[Definition] = []
    at = 0
    while at < len(lines):
        end = _block_end(lines, at)
        if lines[at].opens and end > at + 1:
            if match := _DEF.match(lines[at].code):
                found.append(_definition("", match[1], lines, at, end))
            elif match := _CLASS.match(lines[at].code):
                found += _methods(match[1], lines, at + 1, end)
        at = end
    return found


def key(definition: Definition, lines: Sequence[str]) -> bytes:
    """What the facts of a definition are a function of, as a digest: its class's name and its text.

    Args:
        definition: the definition.
        lines: those of the file, each without its end.
    """
    text = "\n".join(lines[definition.line - 1 : definition.last])
    return content_key("def", definition.owner, text)


def content_key(*texts: str) -> bytes:
    """Return the digest of some texts."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def _methods(owner: str, lines: list[LogicalLine], start: int, end: int) -> list[Definition]:
    """Return the functions directly in a class's body, which is the logical lines from `start` to `end`."""
    indent = lines[start].indent
    found = []
    at = start
    while at < end:
        after = _block_end(lines, at)
        match = _DEF.match(lines[at].code)
        if match and lines[at].indent == indent and lines[at].opens and after > at + 1:
            found.append(_definition(owner, match[1], lines, at, after))
        # What a class body declares global has another qualified name.
        elif any(_GLOBAL.match(line.code) for line in lines[at:after]):
            return []
        at = after
    return found


def _definition(owner: str, name: str, lines: list[LogicalLine], at: int, end: int) -> Definition:
    return Definition(owner, name, lines[at].first, lines[at].last + 1, lines[end - 1].last)


def _block_end(lines: list[LogicalLine], at: int) -> int:
    """Return the index of the first line after `at` that is not indented deeper."""
    indent = lines[at].indent
    at += 1
    while at < len(lines) and lines[at].indent > indent:
        at += 1
    return at


def scan(text: str) -> Scan:
    r"""Find the logical lines of a text, and how deep it is.

    Args:
        text: with `\n` as line end.
    """
    opened: list[int] = []
    deepest, copied, apart = 0, len(text), 0  # `apart`: characters in strings and comments
    is_balanced = True
    number, first = 1, 1
    start, code_end = 0, 0  # of the current logical line: where it starts, and where a comment ends its code
    found = []
    for match in _MARKS.finditer(text):
        kind = match.lastgroup
        if kind == "string":
            apart += match.end() - match.start()
            number += text.count("\n", *match.span())
        elif kind == "open":
            opened.append(match.start() - apart)
            deepest = max(deepest, len(opened))
        elif kind == "close":
            if opened:
                copied += match.start() - apart - opened.pop()
            else:
                is_balanced = False
        elif kind == "comment":
            apart += match.end() - match.start()
            if not opened:
                code_end = match.start()
        elif kind == "continued" or opened:
            number += 1
        else:
            line = _logical_line(text[start : code_end or match.start()], first, number)
            if line is not None:
                found.append(line)
            number += 1
            first, start, code_end = number, match.end(), 0
    line = _logical_line(text[start : code_end or len(text)], first, number)
    if line is not None:
        found.append(line)
    is_balanced = is_balanced and not opened
    has_tabs = any(line.code[0] in "\t\f" for line in found)
    is_divisible = is_balanced and not has_tabs and STUB not in text
    return Scan(found, is_balanced, is_divisible, deepest, copied - apart)


def _logical_line(text: str, first: int, last: int) -> LogicalLine | None:
    code = text.lstrip(" ").rstrip()
    if not code:
        return None
    return LogicalLine(len(text) - len(text.lstrip(" ")), code, first, last, code.endswith(":"))
