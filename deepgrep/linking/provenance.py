"""Where callables that are read from attributes were put there: until that has run, none are there.

A call of `self.hook` leads to a function only once some code that assigns the function to `hook` has been reached. Of
each value that is called, the last attribute that it was kept in is looked at; what kept it there may have got it from
anywhere. (Requirements in the manner of rapid type analysis, Bacon and Sweeney 1996, for code that is kept.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from deepgrep.facts.operations import Assign, Attribute, Call, Join, Narrow
from deepgrep.linking.values import NOTHING, InstanceValue

if TYPE_CHECKING:
    from deepgrep.linking.cells import Cell
    from deepgrep.linking.evaluation import Evaluation
    from deepgrep.linking.program import Frame
    from deepgrep.linking.values import Value, Values

# A callable that is kept in an attribute.
Kept = tuple["Cell", "Value"]


class Provenance:
    """Listens to what the last evaluation reads from attributes of instances, and assigns to them."""

    def __init__(self) -> None:
        self._keepers: dict[Kept, dict[Frame, None]] = {}
        self._read: dict[int, dict[Cell, None]] = {}
        self._inherited: dict[int, Values] = {}

    def begin(self) -> None:
        """Forget what was read: another frame is evaluated next."""
        self._read.clear()
        self._inherited.clear()

    def read(self, operation: int, cells: Iterable[Cell], inherited: Values) -> None:
        """Note that an operation of the frame that is evaluated reads attributes.

        Args:
            operation: by its index.
            cells: what instances hold.
            inherited: what their classes have under that name.
        """
        self._read.setdefault(operation, {}).update(dict.fromkeys(cells))
        self._inherited[operation] = self._inherited.get(operation, NOTHING) | inherited

    def keep(self, frame: Frame, cell: Cell, code: Values) -> None:
        """Note that a frame assigns callables to an attribute."""
        for value in code:
            self._keepers.setdefault((cell, value), {})[frame] = None

    def kept(self, ev: Evaluation, call: Call, callee: Value) -> list[Kept]:
        """Return the attributes that a call has its callee from; none if it may have it from somewhere else.

        Not of objects: an annotation says as much of them, and a call of one requires that there is one anyhow.
        """
        if isinstance(callee, InstanceValue):
            return []
        operations = ev.frame.unit.facts.operations
        found: list[Kept] = []
        queue, seen = [call.func], {call.func}
        while queue:
            operand = queue.pop()
            if operand < 0 or callee not in ev.values[operand]:
                if operand < 0:
                    return []
                continue
            match operations[operand]:
                case Assign() | Narrow() as op:
                    new = [op.value]
                case Join() as op:
                    new = list(op.values)
                case Attribute():
                    cells = [cell for cell in self._read.get(operand, ()) if callee in cell.values]
                    if not cells or callee in self._inherited[operand]:
                        return []
                    found += [(cell, callee) for cell in cells]
                    new = []
                case _:
                    return []
            queue += [operand for operand in new if operand not in seen]
            seen.update(new)
        return found

    def keepers(self, kept: Iterable[Kept]) -> dict[Frame, None]:
        """Return the frames that put a value into one of some attributes; none if that is not known of each."""
        found: dict[Frame, None] = {}
        for one in kept:
            keepers = self._keepers.get(one)
            if not keepers or any(frame.unit.is_module for frame in keepers):
                return {}
            found |= keepers
        return found
