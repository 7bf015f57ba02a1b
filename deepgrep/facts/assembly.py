"""Pieces -> the facts of a file: units, classes and guards get their numbers in the file, operations their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from msgspec.structs import force_setattr, replace

from deepgrep.facts.model import ClassFacts, Guard, ModuleFacts, Piece, Pieces, Unit
from deepgrep.facts.operations import Class, ClassName, Function, SetClassName

_OF_CLASSES = (Class, ClassName, SetClassName)


def assemble(pieces: Pieces, rest: Piece, definitions: Sequence[Piece]) -> ModuleFacts:
    """Put the facts of a file together.

    Args:
        pieces: says where each piece is in the file.
        rest: what is left of the file without its definitions.
        definitions: those, in order.

    Returns:
        The facts, made of the operations of the pieces, which are changed for that: the pieces are used up.
    """
    unit_starts, unit_numbers = _inserted(
        len(rest.units), [unit for unit, _ in rest.stubs], [len(piece.units) - 1 for piece in definitions], after=True
    )
    class_starts, class_numbers = _inserted(
        len(rest.classes), [before for _, before in rest.stubs], [len(piece.classes) for piece in definitions]
    )
    file_lines = range(pieces.lines + 1)
    numbers = _Numbers(list(_rest_lines(pieces, file_lines)), unit_numbers, class_numbers, 0)
    units = list(numbers.units_of(rest.units))
    classes = list(numbers.classes_of(rest.classes))
    guards = list(numbers.guards_of(rest.guards))
    for piece, (first, last), unit, cls in zip(definitions, pieces.bodies, unit_starts, class_starts, strict=True):
        own_units = [0, *range(unit, unit + len(piece.units)), -1]
        own_classes = [*range(cls, cls + len(piece.classes)), -1]
        numbers = _Numbers([0, *file_lines[first : last + 1]], own_units, own_classes, len(guards))
        body, *inner = numbers.units_of(piece.units)
        stub = units[unit]
        units[unit] = replace(body, qualname=stub.qualname, line=stub.line, parent=stub.parent, cls=stub.cls)
        units[unit + 1 : unit + 1] = inner
        classes[cls:cls] = numbers.classes_of(piece.classes)
        guards += numbers.guards_of(piece.guards)
    return ModuleFacts(tuple(units), tuple(classes), tuple(guards))


def _inserted(
    count: int, places: Sequence[int], sizes: Sequence[int], after: bool = False
) -> tuple[list[int], list[int]]:
    """Say how a list is numbered once others are inserted into it.

    Args:
        count: how long the list is.
        places: before which element each of the others comes, in order.
        sizes: how long each of them is.
        after: it comes after that element instead.

    Returns:
        The number of the element at each place, in the result; and that of each element of the list, then -1.
    """
    grown = [0] * (count + 2)
    for place, size in zip(places, sizes, strict=True):
        grown[place + after] += size
    numbers = [index + more for index, more in zip(range(count), accumulate(grown), strict=False)]
    before = accumulate(sizes, initial=0)
    return [place + more for place, more in zip(places, before, strict=False)], [*numbers, -1]


def _rest_lines(pieces: Pieces, file_lines: Sequence[int]) -> Iterator[int]:
    """Yield the line in the file of each line of what is left without the bodies; 0 for line 0, which is none."""
    at = 0
    for first, last in pieces.bodies:
        yield from file_lines[at : first + 1]  # the last of these stands for the body
        at = last + 1
    yield from file_lines[at:]


class _Numbers:
    """What the numbers in one piece are in the file."""

    def __init__(self, lines: list[int], units: list[int], classes: list[int], first_guard: int) -> None:
        """Take the line, unit and class in the file by that in the piece, -1 last; and how many guards come before."""
        self._lines = lines
        self._units = units
        self._classes = classes
        self._first_guard = first_guard

    def units_of(self, units: Sequence[Unit]) -> Iterator[Unit]:
        """Yield the units of the piece as they are in the file; their operations are changed."""
        lines, first_guard = self._lines, self._first_guard
        for unit in units:
            operation: Any  # told apart by its class alone, which is quicker
            for operation in unit.operations:
                if operation.line:
                    force_setattr(operation, "line", lines[operation.line])
                if first_guard and operation.guard >= 0:
                    force_setattr(operation, "guard", operation.guard + first_guard)
                kind = operation.__class__
                if kind is Function:
                    force_setattr(operation, "unit", self._units[operation.unit])
                elif kind in _OF_CLASSES:
                    force_setattr(operation, "cls", self._classes[operation.cls])
            for variable in unit.variables:
                if variable.unit > 0:
                    force_setattr(variable, "unit", self._units[variable.unit])
            line, parent, cls = self._lines[unit.line], self._units[unit.parent], self._classes[unit.cls]
            yield replace(unit, line=line, parent=parent, cls=cls)

    def classes_of(self, classes: Sequence[ClassFacts]) -> Iterator[ClassFacts]:
        """Yield the classes of the piece as they are in the file."""
        for cls in classes:
            yield ClassFacts(cls.qualname, self._lines[cls.line], self._units[cls.unit])

    def guards_of(self, guards: Sequence[Guard]) -> Iterator[Guard]:
        """Yield the guards of the piece as they are in the file."""
        for guard in guards:
            parent = guard.parent + self._first_guard if guard.parent >= 0 else -1
            yield replace(guard, parent=parent, line=self._lines[guard.line])
