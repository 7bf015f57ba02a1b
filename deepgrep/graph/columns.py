"""Columns of a stored graph: numbers as fixed little-endian bytes, strings as one text with offsets.

Both are read without decoding the whole: a question looks at a few hundred rows of a graph with a million.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from deepgrep.graph.pages import Blob, malformed, parts, whole

UNSIGNED = "I"
SIGNED = "i"
BYTE = "B"


def pack_numbers(code: str, numbers: Iterable[int]) -> bytes:
    """Encode a column of numbers; `code` is UNSIGNED, SIGNED (both 32 bits) or BYTE."""
    column = array(code, numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def unpack_numbers(code: str, data: Blob, section: str) -> array[int]:
    """Decode what `pack_numbers` wrote.

    Raises:
        DeepgrepError: the length does not fit.
    """
    column: array[int] = array(code)
    if len(data) % column.itemsize:
        raise malformed(section)
    for part in parts(data):
        column.frombytes(part)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def pack_strings(strings: Sequence[str]) -> bytes:
    """Encode a column of strings: their number, the end of each, then all of them, a line each."""
    lines = [string.encode("utf-8", "surrogatepass") + b"\n" for string in strings]
    ends, end = [], 0
    for line in lines:
        end += len(line)
        ends.append(end)
    return pack_numbers(UNSIGNED, [len(lines), *ends]) + b"".join(lines)


def extended_strings(data: bytes, strings: Sequence[str]) -> bytes:
    """Add strings to the end of what `pack_strings` wrote."""
    (count,) = unpack_numbers(UNSIGNED, data[:4], "")
    text = 4 * (count + 1)
    ends = list(unpack_numbers(UNSIGNED, data[text - 4 : text], "")) if count else [0]
    lines = [string.encode("utf-8", "surrogatepass") + b"\n" for string in strings]
    for line in lines:
        ends.append(ends[-1] + len(line))
    return b"".join(
        (
            pack_numbers(UNSIGNED, [count + len(lines)]),
            data[4:text],
            pack_numbers(UNSIGNED, ends[1:]),
            data[text:],
            *lines,
        )
    )


_FEW = 1000
"""Single rows that are decoded in the time that a whole column of torch's edges takes."""


class Rows(Sequence[int]):
    """A column of numbers of 32 bits, of which single ones are decoded; all of them, once many were asked for."""

    def __init__(
        self, blob: Blob, section: str, *, start: int = 0, stop: int | None = None, signed: bool = False
    ) -> None:
        stop = len(blob) if stop is None else stop
        if (stop - start) % 4:
            raise malformed(section)
        self._blob = blob
        self._start = start
        self._count = (stop - start) // 4
        self._signed = signed
        self._left = _FEW

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> int:  # type: ignore[override]  # no slices: nothing needs them
        if not -self._count <= index < self._count:
            raise IndexError(index)
        if not self._left:
            return self._all[index]
        self._left -= 1
        place = self._start + 4 * (index % self._count)
        return int.from_bytes(self._blob[place : place + 4], "little", signed=self._signed)

    @cached_property
    def _all(self) -> array[int]:
        data = self._blob[self._start : self._start + 4 * self._count]
        return unpack_numbers(SIGNED if self._signed else UNSIGNED, data, "")


class Strings(Sequence[str]):
    """A column of strings that decodes only the rows that are asked for, and reads no more of pages than it needs."""

    def __init__(self, data: Blob, section: str) -> None:
        count = unpack_numbers(UNSIGNED, data[:4], section)
        if len(count) != 1 or len(data) < 4 * (count[0] + 1):
            raise malformed(section)
        self._data = data
        self._decoded: dict[int, str] = {}
        self._text = 4 * (count[0] + 1)
        """Where the text begins; ends count from there."""
        self._ends: Sequence[int] = (
            unpack_numbers(UNSIGNED, data[4 : self._text], section)
            if isinstance(data, bytes)
            else Rows(data, section, start=4, stop=self._text)
        )
        if (self._ends[-1] if self._ends else 0) != len(data) - self._text:
            raise malformed(section)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # no slices: nothing needs them
        string = self._decoded.get(index)
        if string is None:
            if len(self._decoded) == _FEW:
                self._read_whole()
            end = self._text + self._ends[index] - 1
            start = self._text + (self._ends[index - 1] if index else 0)
            string = self._decoded[index] = self._data[start:end].decode("utf-8", "surrogatepass")
        return string

    def _read_whole(self) -> None:
        """Read all pages: many rows are asked for."""
        if not isinstance(self._data, bytes):
            self._data = whole(self._data)
            self._ends = unpack_numbers(UNSIGNED, self._data[4 : self._text], "")

    def all(self) -> list[str]:
        """All rows."""
        self._read_whole()
        assert isinstance(self._data, bytes)
        text, start = self._data[self._text :], 0
        strings = []
        for end in self._ends:
            strings.append(text[start : end - 1].decode("utf-8", "surrogatepass"))
            start = end
        return strings

    def __iter__(self) -> Iterator[str]:
        return iter(self.all())

    def ending_with(self, suffix: str) -> Iterator[int]:
        """The rows that end with `suffix`, in order: one search over the text instead of a look at each row."""
        needle = suffix.encode("utf-8", "surrogatepass") + b"\n"
        data = self._data = whole(self._data)
        found = data.find(needle, self._text)
        while found >= 0:
            place = found - self._text
            index = bisect_right(self._ends, place)
            # A row may hold line breaks, so the hit must be at its end.
            if self._ends[index] == place + len(needle):
                yield index
            found = data.find(needle, found + 1)
