"""Units under construction, and the scopes in which names are looked up (Python reference, "Resolution of names")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from deepgrep.facts.model import Parameter, Unit, Variable
from deepgrep.facts.operations import AnyOperation


@dataclass(slots=True)
class UnitBuilder:
    """A unit while its body is lowered."""

    index: int
    qualname: str
    line: int
    parent: int
    cls: int
    is_async: bool = False
    is_generator: bool = False
    reads_ahead: bool = False
    parameters: tuple[Parameter, ...] = ()
    variables: list[Variable] = field(default_factory=lambda: [Variable("", -1, 0)])
    operations: list[AnyOperation] = field(default_factory=list)
    outer: dict[tuple[int, int], int] = field(default_factory=dict)
    read: set[int] = field(default_factory=set)  # the variables read so far, as operands

    def own(self, name: str) -> int:
        """Add a variable of this unit; return its operand."""
        self.variables.append(Variable(name, -1, 0))
        return ~(len(self.variables) - 1)

    def free(self, name: str, unit: int, operand: int) -> int:
        """Return the operand by which this unit names another unit's variable."""
        key = (unit, ~operand)
        if key not in self.outer:
            self.variables.append(Variable(name, unit, ~operand))
            self.outer[key] = ~(len(self.variables) - 1)
        return self.outer[key]

    def finish(self) -> Unit:
        """Return the finished unit."""
        return Unit(
            self.qualname, self.line, self.parent, self.cls, self.is_generator, self.is_async,
            self.reads_ahead, self.parameters, tuple(self.variables), tuple(self.operations),
        )  # fmt: skip


class Place(NamedTuple):
    """Where a name lives: `kind` is `variable` (`at` is its operand), `class` (`at` is the class) or `global`."""

    kind: str
    at: int


_GLOBAL = Place("global", 0)


@dataclass(slots=True)
class Scope:
    """A block in which names are looked up.

    Attributes:
        kind: `module`, `class`, `function` or `comprehension`.
        unit: the unit that its code belongs to.
        variables: name -> operand in `unit`; for functions and comprehensions.
        cls: of a class scope, the class.
        class_name: of that, and of the scope of its type parameters.
        names: of a class scope, the names that its body binds; private names are mangled here and below.
        globals: the names that it declares `global`.
        prefix: what the qualnames of definitions in it start with: `Tracer.`, `f.<locals>.`, or "".
    """

    kind: str
    unit: UnitBuilder
    parent: Scope | None
    prefix: str
    variables: dict[str, int] = field(default_factory=dict)
    cls: int = -1
    class_name: str = ""
    names: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()

    def lookup(self, name: str) -> Place:
        """Say where `name`, used directly in this scope, lives."""
        if name in self.names:
            return Place("class", self.cls)
        scope: Scope | None = self
        while scope is not None:
            operand = scope.variables.get(name)
            if operand is not None:
                if scope.unit is not self.unit:
                    operand = self.unit.free(name, scope.unit.index, operand)
                return Place("variable", operand)
            # What a class body declares holds directly in it, not in the functions and comprehensions inside.
            if name in scope.globals and (scope is self or scope.kind != "class"):
                break
            scope = scope.parent
        return _GLOBAL

    def is_as_passed(self, name: str) -> bool:
        """Whether `name`, used in this scope, is a parameter of its function that still holds what was passed."""
        name = self.mangled(name)
        scope: Scope | None = self
        while scope is not None and scope.kind == "comprehension" and name not in scope.variables:
            scope = scope.parent
        if scope is None or scope.kind != "function":
            return False
        return any(scope.mangled(p.name) == name and not p.is_rebound for p in scope.unit.parameters)

    def qualname(self, name: str) -> str:
        """Return the `__qualname__` of a function or class defined in this scope."""
        return name if self.mangled(name) in self.globals else self.prefix + name

    def mangled(self, name: str) -> str:
        """Return a private name (`__x` in a class body) as Python stores it: `_Class__x`."""
        if not name.startswith("__") or name.endswith("__"):
            return name
        scope: Scope | None = self
        while scope is not None and not scope.class_name:
            scope = scope.parent
        owner = scope.class_name.lstrip("_") if scope else ""
        return f"_{owner}{name}" if owner else name
