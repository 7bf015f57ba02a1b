"""What `grep` looks for, and in which lines of a source text it finds it."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deepgrep.errors import DeepgrepError

# Python 3.11 gives an f-string as one token, expressions and all: it is left in, lest a use of a name be missed.
_STRINGS = frozenset(
    number for name in ("STRING", "FSTRING_MIDDLE", "TSTRING_MIDDLE") if (number := getattr(tokenize, name, 0))
)


@dataclass(frozen=True, slots=True)
class Patterns:
    """Any of some expressions.

    Attributes:
        typed: as the user wrote them.
        expressions: any of these is looked for.
        words: as bytes, one of which a file must hold; empty where that cannot be told.
        strings, comments: whether what is in them counts.
    """

    typed: tuple[str, ...]
    expressions: tuple[re.Pattern[str], ...]
    words: tuple[bytes, ...]
    strings: bool = True
    comments: bool = True

    def may_match(self, source: bytes) -> bool:
        """Whether a file is worth a closer look."""
        return not self.words or any(word in source for word in self.words)

    def matches(self, line: str) -> bool:
        """Whether a line holds one of the expressions."""
        return any(expression.search(line) for expression in self.expressions)


def patterns(
    typed: Sequence[str],
    *,
    regular: bool = False,
    ignore_case: bool = False,
    strings: bool = True,
    comments: bool = True,
) -> Patterns:
    """Understand patterns as they were typed.

    Args:
        typed: the patterns, any of which may match.
        regular: they are Python's regular expressions; otherwise fixed strings.
        ignore_case: upper and lower case are the same.
        strings: whether what is in string literals counts; f-strings always do where Python gives these as one.
        comments: whether what is in comments counts.

    Raises:
        DeepgrepError: one is no regular expression, or can match no line.
    """
    expressions = []
    for pattern in typed:
        if "\n" in pattern:
            raise DeepgrepError(f"pattern {pattern!r} has a line break, and each line is looked at alone: give two")
        try:
            expressions.append(re.compile(pattern if regular else re.escape(pattern), re.I if ignore_case else 0))
        except (re.error, OverflowError, RecursionError) as error:  # not all that it raises is an `re.error`
            raise DeepgrepError(
                f"pattern {pattern!r} is no regular expression ({error}): leave out -E to look for it as it stands"
            ) from error
    is_fixed = not regular and not ignore_case
    words = tuple(pattern.encode(errors="surrogateescape") for pattern in typed) if is_fixed else ()
    return Patterns(tuple(typed), tuple(expressions), words, strings, comments)


def matching_lines(source: bytes, wanted: Patterns) -> tuple[list[tuple[int, str]], bool]:
    """The lines of a file that match, with their numbers.

    Returns:
        The lines, and whether strings and comments could be told from code, where that is needed.
    """
    if not wanted.may_match(source):
        return [], True
    lines = source.splitlines()
    found = [(number, text) for number, line in _worth_a_look(lines, wanted) if wanted.matches(text := _text(line))]
    if not found or (wanted.strings and wanted.comments):
        return found, True
    code, understood = _without([_text(line) for line in lines], wanted)
    return [(number, line) for number, line in found if wanted.matches(code[number - 1])], understood


def _worth_a_look(lines: Sequence[bytes], wanted: Patterns) -> Iterable[tuple[int, bytes]]:
    """The lines that could match, with their numbers."""
    if not wanted.words:
        return enumerate(lines, 1)
    numbers = {number for word in wanted.words for number, line in enumerate(lines, 1) if word in line}
    return ((number, lines[number - 1]) for number in sorted(numbers))


def _text(line: bytes) -> str:
    return line.decode(errors="replace")


def _without(lines: Sequence[str], wanted: Patterns) -> tuple[list[str], bool]:
    """The lines with blanks in place of strings and comments."""
    left_out = set() if wanted.strings else set(_STRINGS)
    if not wanted.comments:
        left_out.add(tokenize.COMMENT)
    code = list(lines)
    text = io.StringIO("\n".join(lines) + "\n")
    try:
        for token in tokenize.generate_tokens(text.readline):
            if token.type in left_out and not _is_whole_f_string(token):
                _blank(code, token.start, token.end)
    except (tokenize.TokenError, SyntaxError):
        return code, False
    return code, True


def _is_whole_f_string(token: tokenize.TokenInfo) -> bool:
    prefix = re.match(r"\w*", token.string)
    return token.type == tokenize.STRING and prefix is not None and "f" in prefix.group().lower()


def _blank(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> None:
    for number in range(start[0], end[0] + 1):
        line = lines[number - 1]
        first = start[1] if number == start[0] else 0
        last = end[1] if number == end[0] else len(line)
        lines[number - 1] = line[:first] + " " * (last - first) + line[last:]
