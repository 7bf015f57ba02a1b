"""Which code names which function: until some that does has run, no call can have it as a value.

A call of whatever flows to it leads only to functions that reached code has named: whose address is taken, as compilers
say. A direct call names its callee too, and reaches it anyhow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from deepgrep.facts.operations import (
    AnyOperation,
    Attribute,
    Call,
    Global,
    ImportFrom,
    SetGlobal,
    Subscript,
    operands,
)
from deepgrep.linking.functions import without_receiver
from deepgrep.linking.program import Frame, UnitInfo
from deepgrep.linking.values import ClassValue, Container, External, FunctionValue, ModuleValue, Values

_Held = Callable[[int], Values]


class References:
    """Notes what the last evaluation of each frame names."""

    def __init__(self) -> None:
        self._named: dict[UnitInfo, dict[Frame, None]] = {}

    def note(self, frame: Frame, indices: Iterable[int], held: _Held) -> None:
        """Note what some operations of a frame name.

        Args:
            frame: that is evaluated.
            indices: of the operations.
            held: gives what an operand holds.
        """
        operations = frame.unit.facts.operations
        used = _used_as_value(operations) if frame.unit.is_module else None
        for index in indices:
            op = operations[index]
            if index in used if used is not None else _may_name(op, held):
                for value in held(index):
                    function = without_receiver(value)
                    if isinstance(function, FunctionValue) and is_plain(function.unit):
                        self._named.setdefault(function.unit, {})[frame] = None

    def of(self, unit: UnitInfo) -> tuple[Frame, ...]:
        """Return the frames that name a function; none if that is not known."""
        return tuple(self._named.get(unit, ()))


def is_plain(unit: UnitInfo) -> bool:
    """Whether a function is one of a module: it can be had by its name alone."""
    return unit.cls is None and unit.facts.parent == 0 and not unit.facts.qualname.endswith("<lambda>")


def _may_name(op: AnyOperation, held: _Held) -> bool:
    match op:
        case Global() | ImportFrom():
            return True
        case Attribute():
            return any(isinstance(value, ModuleValue | ClassValue) for value in held(op.base))
        case Subscript():
            return any(isinstance(v, Container) and v.class_name == "namespace" for v in held(op.base))
        case Call():
            return op.decorator or any(isinstance(value, External) for value in held(op.func))
        case _:
            return False


def _used_as_value(operations: Sequence[AnyOperation]) -> set[int]:
    """Return what a module body uses other than to call it, or to bind what it imports."""
    used: set[int] = set()
    for op in operations:
        if isinstance(op, SetGlobal) and op.form in ("import", "definition"):
            continue
        read = operands(op)
        used.update(read[1:] if isinstance(op, Call) else read)
    return used
