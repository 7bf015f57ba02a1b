"""Which operations of a function are to be evaluated again when an operand holds more."""

from __future__ import annotations

from deepgrep.facts.model import Unit
from deepgrep.facts.operations import (
    Assign,
    Call,
    Collection,
    InstanceOf,
    Iterate,
    Join,
    Operands,
    SetGlobal,
    Subscript,
    operands,
)

# Operations that look through those that made their operands: a type expression, the value behind a `*`.
_LOOKS_THROUGH = (InstanceOf, Call)
_LOOKED_THROUGH = (Assign, Collection, Iterate, Join, SetGlobal, Subscript)


def users_of(unit: Unit) -> list[int | list[int] | None]:
    """Return the operations that depend on each operand, as a list indexed by operands: variables are at its end.

    Most operands have one user, which stands for itself: there are millions of them.
    """
    users: list[int | list[int] | None] = [None] * (len(unit.operations) + len(unit.variables))
    for index, op in enumerate(unit.operations):
        read = operands(op)
        for operand in _looked_through(unit, read) if isinstance(op, _LOOKS_THROUGH) else read:
            known = users[operand]
            if known is None:
                users[operand] = index
            elif isinstance(known, int):
                if known != index:
                    users[operand] = [known, index]
            elif known[-1] != index:
                known.append(index)
    return users


def _looked_through(unit: Unit, read: Operands) -> set[int]:
    """Return some operands, and those behind them that are looked at too."""
    found = set(read)
    queue = list(found)
    while queue:
        operand = queue.pop()
        inner = unit.operations[operand] if operand >= 0 else None
        if isinstance(inner, _LOOKED_THROUGH):
            new = set(operands(inner)) - found
            found |= new
            queue += new
    return found
