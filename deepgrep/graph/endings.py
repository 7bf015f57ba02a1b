"""Rows by the end of their names: what people type is looked up without reading all names.

A name is found by what follows a dot in it: its last part, and where it has items (`os.environ[A.B].x`), the longer
ends that hold these too. The rows are sorted by a checksum of that; who looks one up compares the names.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

from deepgrep.graph.columns import UNSIGNED, pack_numbers


def last_part(name: str) -> str:
    """What follows the last dot outside of brackets."""
    return name[name[: name.find("[") if "[" in name else None].rfind(".") + 1 :]


def checksum(part: str) -> int:
    """What rows are sorted by."""
    return crc32(part.encode("utf-8", "surrogatepass"))


def first_of_each(names: Iterable[str]) -> list[int]:
    """For each row the first one of the same name."""
    first: dict[str, int] = {}
    return [first.setdefault(name, row) for row, name in enumerate(names)]


def packed_endings(column: str, names: Sequence[str], first: int = 0) -> dict[str, bytes]:
    """The sections by which `rows_ending` finds the rows of a column.

    Args:
        column: the section of the names.
        names: the names.
        first: the number of the first row.
    """
    ordered = endings(names, first)
    return {
        f"{column}_sum": pack_numbers(UNSIGNED, (found for found, _ in ordered)),
        f"{column}_row": pack_numbers(UNSIGNED, (row for _, row in ordered)),
    }


def endings(names: Sequence[str], first: int = 0) -> list[tuple[int, int]]:
    """The checksums of what names end with, each with the row, in order; arguments as of `packed_endings`."""
    return sorted({(checksum(part), row) for row, name in enumerate(names, first) for part in _ends(name)})


def _ends(name: str) -> Iterator[str]:
    """What the last part of something typed can be that a name ends with."""
    yield name[name.rfind(".") + 1 :]
    bracket = name.find("[")
    while bracket >= 0:
        yield name[name.rfind(".", 0, bracket) + 1 :]
        bracket = name.find("[", bracket + 1)


def rows_ending(sums: Sequence[int], rows: Sequence[int], typed: str) -> Iterator[int]:
    """The rows, in order, whose names may end with what was typed; few others are among them.

    Args:
        sums: the one section of `packed_endings`.
        rows: the other.
        typed: the end of a name.
    """
    wanted = checksum(last_part(typed))
    place = bisect_left(sums, wanted)
    while place < len(sums) and sums[place] == wanted:
        yield rows[place]
        place += 1
