"""Where the nodes of a large picture stand: a map of modules, as a layout by calls would be a ribbon miles long.

Each module is a box with its functions in columns; the boxes stand in rows, what is nearest to the root first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

Size = tuple[float, float]
Point = tuple[float, float]

_GAP = 14.0
_BOX_GAP = 42.0
_MARGIN = 12.0
_LOOKS_LIKE = 1.5
_BOX_LOOKS_LIKE = 3.0
"""Width by height: flat boxes leave little room in a row unused."""


@dataclass(frozen=True, slots=True)
class Box:
    """A module on the map: its corners, bottom left and top right, and the centres of its nodes."""

    corners: tuple[Point, Point]
    centres: list[Point]


def place_boxes(boxes: Sequence[Sequence[Size]], titles: Mapping[int, Size]) -> list[Box]:
    """Place nodes.

    Args:
        boxes: for each module the sizes of its nodes.
        titles: the sizes of the modules' titles, by position in `boxes`; one without a title has no margin.

    Returns:
        A place for each box, in the same order. The map begins at (0, 0) and grows to the right and downwards, so y is
        negative.
    """
    inner = [_in_columns(sizes) for sizes in boxes]
    outer = [_around(size, titles.get(number)) for number, (size, _) in enumerate(inner)]
    area = sum((width + _BOX_GAP) * (height + _BOX_GAP) for width, height in outer)
    most = max(sqrt(area * _LOOKS_LIKE), *(width for width, _ in outer))
    placed: list[Box] = []
    left = top = tallest = 0.0
    for number, ((width, height), (_, centres)) in enumerate(zip(outer, inner, strict=True)):
        if left and left + width > most:
            left, top, tallest = 0.0, top - tallest - _BOX_GAP, 0.0
        inset, below = (_MARGIN, _MARGIN + titles[number][1]) if number in titles else (0.0, 0.0)
        placed.append(
            Box(((left, top - height), (left + width, top)), [(left + inset + x, top - below - y) for x, y in centres])
        )
        left, tallest = left + width + _BOX_GAP, max(tallest, height)
    return placed


def _around(size: Size, title: Size | None) -> Size:
    if title is None:
        return size
    return max(size[0], title[0]) + 2 * _MARGIN, size[1] + title[1] + 2 * _MARGIN


def _in_columns(sizes: Sequence[Size]) -> tuple[Size, list[Point]]:
    """Nodes one below the other, in as many columns as make the box look like the map."""
    total = sum(height + _GAP for _, height in sizes)
    widest = max(width for width, _ in sizes) + _GAP
    columns = max(1, round(sqrt(total / widest * _BOX_LOOKS_LIKE)))
    rows = ceil(len(sizes) / columns)
    centres: list[Point] = []
    left = deepest = 0.0
    for start in range(0, len(sizes), rows):
        column = sizes[start : start + rows]
        width = max(width for width, _ in column)
        y = 0.0
        for _, height in column:
            centres.append((left + width / 2, y + height / 2))
            y += height + _GAP
        left += width + _GAP
        deepest = max(deepest, y - _GAP)
    return (left - _GAP, deepest), centres
