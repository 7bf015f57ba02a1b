"""What many subclasses have instead of an attribute: looked at once for all who look it up."""

from __future__ import annotations

from deepgrep.linking.cells import Cell
from deepgrep.linking.constructors import is_constructor
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import (
    NOTHING,
    FunctionValue,
    Interner,
    ManyMethods,
    Value,
    Values,
    Wrapped,
)

# In a chain of classes, each of which has many below it, calls would grow with the square of its length. So where the
# product of those below, which override an attribute, and those above is larger than this, it is not told apart at
# which class the attribute was looked up. In torch it is a few thousand.
MOST_TOLD_APART = 250_000


class Overrides:
    """What many subclasses have instead of an attribute: looked at once for all who look it up.

    Attributes:
        cells: theirs, with the classes.
        pool: of the cells.
    """

    __slots__ = ("_methods", "_others", "_seen", "cells", "pool")

    def __init__(self, cells: tuple[tuple[ClassInfo, Cell], ...], pool: Cell) -> None:
        self.cells = cells
        self.pool = pool
        self._seen: object = None
        self._methods: Values = NOTHING
        self._others: list[tuple[Value, ClassInfo]] = []

    def bound(self, seen: object, interner: Interner) -> tuple[Values, list[tuple[Value, ClassInfo]]]:
        """Return the methods, each bound to an object of its class; and all others, with the class that has each.

        Args:
            seen: another one if the cells may hold more than when they were last looked at.
            interner: makes the values.
        """
        if seen is not self._seen:
            methods: dict[Value, None] = {}
            self._others = []
            for cls, cell in self.cells:
                for value in cell.values:
                    unit = value.unit if isinstance(value, FunctionValue) else None
                    if unit is not None and unit.cls and unit.binding == "instance" and not is_constructor(unit):
                        methods[interner.bound(value, interner.instance(unit.cls, True))] = None
                    else:
                        self._others.append((value, cls))
            self._methods = frozenset(methods)
            self._seen = seen
        return self._methods, self._others


class MethodsPool(Cell):
    """What the subclasses of a class have as an attribute, where they are too many to be told apart.

    One value of each kind stands for all methods (too_many.py), so that however many classes there are, and in however
    many of them the attribute is looked up, it leads to each method once.

    Attributes:
        functions: all functions that it leads to.
    """

    __slots__ = ("_interner", "_kinds", "_top", "functions")

    def __init__(self, interner: Interner, top: ClassInfo) -> None:
        super().__init__()
        self._interner = interner
        self._top = top
        self._kinds: dict[tuple[str, int], ManyMethods] = {}
        self.functions: dict[FunctionValue, None] = {}

    def take(self, values: Values) -> bool:
        """Hold more values; return whether it holds others than before."""
        return super().take(frozenset(map(self._standing_for, values)))

    def _standing_for(self, value: Value) -> Value:
        match value:
            case FunctionValue():
                return self._one_of("", 0, value)
            case Wrapped():
                functions = [
                    self._one_of(value.kind, index, function) if isinstance(function, FunctionValue) else function
                    for index, function in enumerate(value.functions)
                ]
                return self._interner.wrapped(value.kind, *functions)
            case _:
                return value

    def _one_of(self, kind: str, index: int, function: FunctionValue) -> ManyMethods:
        many = self._kinds.setdefault((kind, index), ManyMethods())
        self.functions[function] = None
        if kind in ("staticmethod", "classmethod"):
            many.members.setdefault(function, {})
        else:
            receiver = self._interner.instance(function.unit.cls or self._top, True)
            many.members.setdefault(self._interner.bound(function, receiver), {})
        return many
