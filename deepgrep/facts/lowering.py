"""What all parts of the lowering share: the module, its positions and guards, the current scope, and how to emit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import libcst as cst

from deepgrep.facts.decided import Decided
from deepgrep.facts.guards import Guards
from deepgrep.facts.model import ClassFacts
from deepgrep.facts.operations import (
    NOTHING,
    AnyOperation,
    Assign,
    ClassName,
    Global,
    SetClassName,
    SetGlobal,
)
from deepgrep.facts.scopes import Scope, UnitBuilder

# Where a name is bound by a statement of its own, what follows in the block reads just that. The other forms bind in
# the head of a statement, or in part of an expression, which may not be run.
_STATEMENTS = frozenset({"annotated", "assign", "augmented", "definition", "import", "unpack"})


class VariableTest(NamedTuple):
    """A test of what a variable, or None: any expression, holds; the operand of that, and as of `Narrow`."""

    variable: int | None
    value: int
    types: int
    test: str


class Lowering:
    """A piece of a file on its way from syntax to facts."""

    def __init__(
        self,
        module: cst.Module,
        lines: Mapping[int, int],
        has_walrus: bool,
        declared_elsewhere: frozenset[str],
        apart: frozenset[int] = frozenset(),
    ) -> None:
        """Begin with the module's body.

        Args:
            module: what was parsed.
            lines: by the `id` of a node.
            has_walrus: whether there is a `:=` in the piece.
            declared_elsewhere: the names that a function may bind that are not its own.
            apart: the `id` of the definitions whose bodies are pieces of their own.
        """
        self.has_walrus = has_walrus
        self.declared_elsewhere = declared_elsewhere
        self.apart = apart
        self.stubs: list[tuple[int, int]] = []
        self.guards = Guards(module)
        self.tests = Decided()
        self.units: list[UnitBuilder] = []
        self.classes: list[ClassFacts] = []
        self.line = 1
        self.executed = True
        # Of the current unit: its constants, and for each block around, which operand to read instead of a variable
        # (of a module body, also a global, by name) because more is known of it there: what it was bound to just
        # before, or what `isinstance` says.
        self.constants: dict[tuple[str, object], int] = {}
        self._narrowed: list[dict[int | str, int]] = [{}]
        # What may be a test of a variable, by the node's id.
        self.variable_tests: dict[int, VariableTest] = {}
        self._lines = lines
        body = self.new_unit("<module>", 1, -1)
        self.scope = Scope("module", body, None, "")

    @property
    def unit(self) -> UnitBuilder:
        """The unit that operations are added to."""
        return self.scope.unit

    def new_unit(self, qualname: str, line: int, cls: int) -> UnitBuilder:
        """Add a unit, inside the current one."""
        parent = self.scope.unit.index if self.units else -1
        unit = UnitBuilder(len(self.units), qualname, line, parent, cls)
        self.units.append(unit)
        return unit

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        """Look names up, and add operations, in another scope."""
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def fresh_unit(self) -> Iterator[None]:
        """Lower the body of another unit: what is known of this one's values does not hold there."""
        outer = self.constants, self._narrowed, self.variable_tests, self.executed
        self.constants, self._narrowed, self.variable_tests, self.executed = {}, [{}], {}, True
        try:
            yield
        finally:
            self.constants, self._narrowed, self.variable_tests, self.executed = outer

    def narrow(self, variables: dict[int | str, int]) -> None:
        """For the rest of the block, read the operands given instead of these variables."""
        self._narrowed[-1].update(variables)

    @contextmanager
    def narrowed(self, variables: dict[int | str, int]) -> Iterator[None]:
        """Lower a block, or a part of an expression, in which `narrow(variables)` holds."""
        self._narrowed.append(self._narrowed[-1] | variables)
        try:
            yield
        finally:
            self._narrowed.pop()

    def narrows(self) -> bool:
        """Whether anything is narrowed here."""
        return bool(self._narrowed[-1])

    def widen(self, names: Iterable[str]) -> None:
        """Forget what was said of names that are about to be bound anew, here and in all blocks around."""
        for name in names:
            mangled = self.scope.mangled(name)
            place = self.scope.lookup(mangled)
            if place.kind == "variable":
                self._widen(place.at)
            elif place.kind == "global":
                self._widen(mangled)

    def _widen(self, variable: int | str) -> None:
        for narrowed in self._narrowed:
            narrowed.pop(variable, None)

    def _bound(self, variable: int | str, name: str, form: str, operation: int) -> None:
        """Let what follows in the block read what an operation has just bound."""
        self._widen(variable)
        if form in _STATEMENTS and name not in self.declared_elsewhere:
            self._narrowed[-1][variable] = operation

    @contextmanager
    def unexecuted(self) -> Iterator[None]:
        """Lower what is looked at but never run: annotations, and what only type checkers see."""
        outer, self.executed = self.executed, False
        try:
            yield
        finally:
            self.executed = outer

    def at(self, node: cst.CSTNode | None) -> int:
        """Return the line that an expression is named on (`c` in `a.b.c(d)`), and move there."""
        while node is not None:
            line = self._lines.get(id(node))
            if line is not None:
                self.line = line
                break
            # What is parsed apart (a string annotation) has no lines: it is where its string is.
            match node:
                case cst.Attribute():
                    node = node.attr
                case cst.Call():
                    node = node.func
                case cst.Subscript():
                    node = node.value
                case cst.Await():
                    node = node.expression
                case _:
                    break
        return self.line

    def place(self, line: int | None = None) -> tuple[int, int]:
        """Return (line, guard) for an operation at `line`, or at the last name met."""
        if not self.executed:
            return 0, -1
        return (self.line if line is None else line), self.guards.current()

    def emit(self, operation: AnyOperation) -> int:
        """Add an operation; return its result as an operand."""
        operations = self.scope.unit.operations
        operations.append(operation)
        return len(operations) - 1

    def load(self, name: str) -> int:
        """Return the operand of a name that is used."""
        name = self.scope.mangled(name)
        place = self.scope.lookup(name)
        if place.kind == "variable":
            known = self._narrowed[-1].get(place.at)
            if known is not None:
                return known
            self.unit.read.add(place.at)
            return place.at
        if place.kind == "class":
            return self.emit(ClassName(*self.place(), place.at, name))
        loaded = self.emit(Global(*self.place(), name))
        return self._narrowed[-1].get(name, loaded)

    def store(self, name: str, value: int, form: str) -> None:
        """Bind a name."""
        name = self.scope.mangled(name)
        place = self.scope.lookup(name)
        if place.kind == "variable":
            self._widen(place.at)
            if value != NOTHING:
                if place.at in self.unit.read:
                    self.unit.reads_ahead = True
                self._bound(place.at, name, form, self.emit(Assign(*self.place(), place.at, value, form)))
        elif place.kind == "class":
            self.emit(SetClassName(*self.place(), place.at, name, value, form))
        else:
            operation = self.emit(SetGlobal(*self.place(), name, value, form))
            if self.unit.index == 0 and value != NOTHING:
                self._bound(name, name, form, operation)
            else:
                self._widen(name)
