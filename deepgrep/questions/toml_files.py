"""TOML files as structs; what is wrong with one is said in a line: the file, the line in it, and what may be there.

The parser of the standard library says the line of a syntax error only. Of what is wrong in a file that can be parsed,
the line is found here, statement by statement: tomlkit and rtoml do not give it either.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from deepgrep.errors import DeepgrepError

Key = tuple[str, ...]
"""A key by its name, after the names of the tables that it is in."""

_Struct = TypeVar("_Struct", bound=msgspec.Struct)

# More is no file that someone wrote, and would take long to find a line in.
_LARGEST = 20_000
_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number with a fraction",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


class TomlFile:
    """A TOML file that was read.

    Attributes:
        table: what is in it.
    """

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            DeepgrepError: it cannot be read, or is not TOML.
        """
        self._path = path
        if os.path.exists(path) and not os.path.isfile(path):  # reading a pipe waits for whoever writes into it
            raise DeepgrepError(f"cannot read {path}: it is not a regular file")
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DeepgrepError(f"cannot read {path}: {error.strerror}") from error
        if len(data) > _LARGEST:
            raise self._error(1, f"it has {len(data):,} bytes, of which no more than {_LARGEST:,} are read")
        try:
            self._text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise self._error(data.count(b"\n", 0, error.start) + 1, "it is not UTF-8: save it as that") from None
        self.table = self._parsed()

    def error(self, key: Key, said: str) -> DeepgrepError:
        """What to raise for a key: its line, its name, and what is said."""
        return self._error(_lines(self._text).get(key, 1), f"{'.'.join(key)} {said}")

    def check_keys(self, table: Key, allowed: Sequence[str], required: Sequence[str] = ()) -> None:
        """Refuse keys that a table may not have.

        Args:
            table: the table; () for the whole file.
            allowed: the keys that it may have.
            required: those of them that it must have.

        Raises:
            DeepgrepError: it has another one, or lacks one.
        """
        found: Any = self.table
        for name in table:
            found = found.get(name, {})
        if not isinstance(found, dict):  # said by `convert`
            return
        listed = f"the keys are {', '.join(allowed)}"
        for name in found:
            if name not in allowed:
                near = difflib.get_close_matches(name, allowed, n=1)
                hint = f"did you mean {near[0]}? " if near else ""
                raise self.error(
                    (*table, name), f"is no key of {f'[{table[-1]}]' if table else 'a query'}: {hint}{listed}"
                )
        for name in required:
            if name not in found:
                raise self._error(1, f"there is no {name}: it needs {', '.join(required)}")

    def convert(self, into: type[_Struct], **more: str) -> _Struct:
        """The file as a struct, with some more fields.

        Raises:
            DeepgrepError: a value is of the wrong type, or not one of those that there are.
        """
        try:
            return msgspec.convert({**self.table, **more}, into)
        except msgspec.ValidationError as error:
            said, _, where = str(error).partition(" - at `$.")
            key = tuple(re.sub(r"\[(\d+|\.\.\.)\]", "", where.rstrip("`")).split("."))
            raise self.error(key, _in_words(said, is_item="[" in where)) from None

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            said = str(error)
            found = _AT_LINE.search(said)
            line = int(found[1]) if found else self._text.rstrip("\n").count("\n") + 1
            said = _AT_LINE.sub("", said).removesuffix(" (at end of document)")
            raise self._error(line, f"not TOML: {said[0].lower()}{said[1:]}") from None
        except RecursionError:
            raise self._error(1, "it is nested too deeply") from None
        except ValueError:  # of Python, which reads no numbers of thousands of digits
            raise self._error(1, "not TOML: a number in it is too long") from None

    def _error(self, line: int, said: str) -> DeepgrepError:
        return DeepgrepError(f"{self._path}:{line}: {said}")


def _in_words(said: str, is_item: bool) -> str:
    """What msgspec says of a value, in words for people."""
    found = re.fullmatch(r"Expected `(\w+)[^`]*`, got `(\w+)`", said)
    if found is None:
        return f"is not allowed: {said[0].lower()}{said[1:]}"
    wanted, got = (_KINDS.get(kind, kind) for kind in found.groups())
    return f"holds {got} in its list: each must be {wanted}" if is_item else f"is {got}: it must be {wanted}"


def _lines(text: str) -> dict[Key, int]:
    """The line on which each key is given, of tables two deep: deeper ones there are none in what is read."""
    lines: dict[Key, int] = {}
    table: Key = ()
    for start, statement in _statements(text):
        keys = _keys(tomllib.loads(statement))
        is_header = statement.lstrip().startswith("[")
        for key in keys:
            lines.setdefault(key if is_header else (*table, *key), start)
        if is_header:
            table = max(keys, key=len)
    return lines


# What can hold brackets and line ends that mean nothing, and those that do. The text is known to be TOML.
_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}'''
    r"""|'{3}.*?'{3,5}"""
    r"""|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[{]|[\]}]|\n""",
    re.DOTALL,
)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement with the number of its first line: it ends with the line, but for one in brackets or a string."""
    start, line, begin, depth = 1, 1, 0, 0
    for found in _TOKEN.finditer(f"{text}\n"):
        token = found[0]
        line += token.count("\n")
        depth += (token in "[{") - (token in "]}")
        if token == "\n" and depth == 0:
            yield start, text[begin : found.end()]
            start, begin = line, found.end()


def _keys(table: dict[str, Any]) -> list[Key]:
    inner = [(name, key) for name, value in table.items() if isinstance(value, dict) for key in value]
    return [*((name,) for name in table), *inner]
