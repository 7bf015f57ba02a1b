"""Cells: the places between functions that values flow through, and who reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from deepgrep.linking.values import NOTHING, Many, Values

if TYPE_CHECKING:
    from deepgrep.linking.program import Frame


Readers: TypeAlias = "dict[int, Frame] | tuple[int, Frame] | None"
"""Operations, by number (see Frame), with the frame each belongs to; one alone as a pair: most places have no more."""


def with_reader(readers: Readers, number: int, frame: Frame) -> Readers:
    """Return readers with one more, for them to be replaced by."""
    if readers is None:
        return (number, frame)
    if isinstance(readers, tuple):
        if readers[0] == number:
            return readers
        return {readers[0]: readers[1], number: frame}
    readers[number] = frame
    return readers


def each_reader(readers: Readers) -> Iterable[tuple[int, Frame]]:
    """Return each reader, in the order in which they came."""
    if readers is None:
        return ()
    return (readers,) if isinstance(readers, tuple) else readers.items()


class Cell:
    """A place that several functions write and read: a parameter, a result, a global, an attribute, an element.

    Its set only grows. The operations that have read it are evaluated again when it does.

    Attributes:
        values: what it holds.
        readers: operations that have read it.
        is_full: whether it was cut at the limit: it takes no more.
        many: one of its values, for the callables that it was given beyond the limit; None if there are none.
        pools: what holds all that it holds (pools.py).
    """

    __slots__ = ("is_full", "many", "pools", "readers", "values")

    def __init__(self) -> None:
        self.is_full = False
        self.many: Many | None = None
        self.pools: tuple[Cell, ...] = ()
        self.values: Values = NOTHING
        self.readers: Readers = None

    def take(self, values: Values) -> bool:
        """Hold more values, as a pool; return whether there are new ones among them."""
        if values <= self.values:
            return False
        self.values |= values
        return True
