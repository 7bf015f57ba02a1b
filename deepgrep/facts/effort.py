"""A file's text -> whether parsing it takes too much; nothing is parsed for that.

libcst's parser keeps a copy of what is in brackets for each pair around it, and makes one more of what it has of an
expression at each operator that follows. So a few kilobytes can take all memory, or hours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from deepgrep.facts import ExtractError
from deepgrep.facts.splitting import STRING, LogicalLine, Scan

# Python itself takes no more than 200 brackets in one another.
_MOST_BRACKETS = 200
# About 1 KB of memory each.
_MOST_CHARACTERS = 4_000_000
# Less than a microsecond each. Polynomials written out by programs reach 80 million.
_MOST_COPIES = 100_000_000
# What is nested in what follows these is kept at each level, too: it takes memory, not only time.
_NESTING = frozenset({"lambda", "else", "not", "await"})
_NESTING_WEIGHT = 10
# Patterns take twice as long for each bracket around them, four times for each brace.
_MOST_DOUBLINGS = 16
# Shorter lines are not worth the count.
_LONG = 1_000

_TOKENS = re.compile(rf"(?P<string>{STRING})|\#[^\n]*|\w+|[^\w\s]", re.VERBOSE | re.DOTALL)


def check(scan: Scan) -> None:
    """Check that a text can be parsed with bounded time and memory.

    Args:
        scan: of the text.

    Raises:
        ExtractError: it cannot.
    """
    if scan.depth > _MOST_BRACKETS:
        raise ExtractError(f"nested too deeply: {scan.depth:,} brackets in one another, where Python takes 200")
    if scan.copied > _MOST_CHARACTERS:
        raise ExtractError(
            f"too large to be parsed: {scan.copied:,} characters of code, those in brackets counted once more for each "
            f"pair, of at most {_MOST_CHARACTERS:,}"
        )
    if any(line.code.startswith("case") and _doublings(line.code) > _MOST_DOUBLINGS for line in scan.lines):
        raise ExtractError(
            f"nested too deeply: a pattern of a `case` of more than {_MOST_DOUBLINGS} brackets in one another"
        )
    # Where brackets do not match, what looks like one line may be the rest of the file.
    if scan.is_balanced and _copies(scan.lines) > _MOST_COPIES:
        raise ExtractError("too large to be parsed: an expression of thousands of operators in a row")


def _copies(lines: Iterable[LogicalLine]) -> int:
    """Return how many tokens are copied in long expressions: at each operator, all those before it."""
    copied = 0
    for line in lines:
        if len(line.code) > _LONG:
            copied += _copies_in(line.code)
    return copied


def _copies_in(code: str) -> int:
    """Return how many tokens are copied in one statement."""
    copied = number = start = 0  # `start`: the token with which the innermost expression starts
    around: list[int] = []
    for number, match in enumerate(_TOKENS.finditer(code), start=1):
        token = match[0]
        if token in "([{":
            copied += number - start
            around.append(start)
            start = number
        elif token in ")]}":
            start = around.pop() if around else 0
        elif token in ",;":
            start = number
        elif match.lastgroup is None and token[0] != "#":  # strings that follow each other are one
            copied += (number - start) * (_NESTING_WEIGHT if token in _NESTING else 1)
    return copied


def _doublings(code: str) -> int:
    """Return how often the time for the patterns of a `case` doubles."""
    depth = most = 0
    for match in _TOKENS.finditer(code):
        weight = 2 if match[0] in "{}" else 1
        if match[0] in "([{":
            depth += weight
            most = max(most, depth)
        elif match[0] in ")]}":
            depth -= weight
    return most
