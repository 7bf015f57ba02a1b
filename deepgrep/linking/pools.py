"""Pools: many cells that are read as one, while solving.

An attribute of objects of an open class is held by thousands of subclasses, and a table by hundreds of keys. Whoever
reads all of them reads their pool: it is one reader, not one of each, and is evaluated again only if together they hold
more. What cells give up again (widening.py) stays in the pool; so the last evaluation reads the cells themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.linking.cells import Cell
from deepgrep.linking.values import NOTHING

# As many cells are read one by one.
FEW = 4


def pour(cells: Iterable[Cell], pool: Cell) -> None:
    """Let all that some cells hold, or will hold, be in a pool; its readers must know of it by other means."""
    new = [cell for cell in cells if pool not in cell.pools]
    for cell in new:
        cell.pools += (pool,)
    pool.take(NOTHING.union(*(cell.values for cell in new)))
