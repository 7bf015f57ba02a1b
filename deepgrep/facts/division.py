"""A file's bytes -> its text, divided into pieces, with their keys. Nothing is parsed for that."""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deepgrep.facts import ExtractError
from deepgrep.facts.effort import check
from deepgrep.facts.model import Pieces
from deepgrep.facts.splitting import STUB, Definition, content_key, definitions, key, scan

_SPACE = r"(?:[ \t\f]|\\\n)"
_DECLARATION = re.compile(rf"\b(?:global|nonlocal){_SPACE}+(\w+(?:{_SPACE}*,{_SPACE}*\w+)*){_SPACE}*(?:[;\#\n]|$)")


class Division(NamedTuple):
    """A file that is divided into several pieces.

    Attributes:
        lines: those of the file.
        definitions: those that are pieces of their own.
        rest: the text that is left, in which each of their bodies is one line.
        declared: the names in `global` and `nonlocal` statements: several functions may bind them.
        pieces: the keys of the pieces, and where they are.
    """

    lines: list[str]
    definitions: list[Definition]
    rest: str
    declared: frozenset[str]
    pieces: Pieces


def decoded(data: bytes) -> str:
    r"""Return the text of a file, with `\n` as line end.

    Raises:
        ExtractError: it has none.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:  # SyntaxError: of the line that declares the encoding
        raise ExtractError(f"cannot be decoded: {error}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def divided(text: str) -> Division | None:
    """Divide a file; None where it has no definitions that could be pieces.

    Raises:
        ExtractError: it takes too much to parse.
    """
    scanned = scan(text)
    check(scanned)
    found = definitions(scanned)
    if not found:
        return None
    lines = text.split("\n")
    rest = "\n".join(with_stubs(lines, found))
    names = declared(text)
    keys = (content_key("rest", rest, *sorted(names)), *(key(definition, lines) for definition in found))
    bodies = tuple((definition.first, definition.last) for definition in found)
    return Division(lines, found, rest, names, Pieces(keys, bodies, len(lines)))


def undivided(text: str) -> Pieces:
    """Take a file as one piece."""
    return Pieces((content_key("whole", text),), (), text.count("\n") + 1)


def with_stubs(lines: Sequence[str], stubbed: Sequence[Definition]) -> Iterator[str]:
    """Yield the lines of a file in which the bodies of some definitions are one line each."""
    at = 0
    for definition in stubbed:
        yield from lines[at : definition.first - 1]
        header = lines[definition.line - 1]
        yield f"{header[: len(header) - len(header.lstrip())]} {STUB}"
        at = definition.last
    yield from lines[at:]


def declared(text: str) -> frozenset[str]:
    """Return the names in `global` and `nonlocal` statements."""
    return frozenset(normalized(name) for names in _DECLARATION.findall(text) for name in re.findall(r"\w+", names))


def normalized(name: str) -> str:
    """Return a name as Python stores it."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)
