"""Cells: the places between functions that values flow through, and who reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.linking.values import NOTHING, Many, Values

if TYPE_CHECKING:
    from deepgrep.linking.program import Frame


class Cell:
    """A place that several functions write and read: a parameter, a result, a global, an attribute, an element.

    Its set only grows. The operations that have read it are evaluated again when it does.

    Attributes:
        values: what it holds.
        readers: operations that have read it, by number (see Frame), with the frame each belongs to.
        is_full: whether it was cut at the limit: it takes no more.
        many: one of its values, for the callables that it was given beyond the limit; None if there are none.
    """

    __slots__ = ("is_full", "many", "readers", "values")

    def __init__(self) -> None:
        self.is_full = False
        self.many: Many | None = None
        self.values: Values = NOTHING
        self.readers: dict[int, Frame] = {}
