"""The whole program's static tables: modules, classes and units by name, and the frames that run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from deepgrep.facts.model import ClassFacts, ModuleFacts, Unit
from deepgrep.facts.operations import (
    Call,
    Collection,
    Function,
    Global,
    ImportFrom,
    InstanceOf,
    Iterate,
    Join,
    Operands,
    SetAttribute,
    SetClassName,
    SetGlobal,
    Subscript,
    operands,
)
from deepgrep.linking.cells import Cell
from deepgrep.linking.values import Value, Values
from deepgrep.sources.tree import SourceFile

_IMPLICIT_BINDING = {"__new__": "static", "__init_subclass__": "class", "__class_getitem__": "class"}


class LinkModule(msgspec.Struct, frozen=True):
    """One file to link: where it is, and what it says."""

    source_file: SourceFile
    facts: ModuleFacts


@dataclass(eq=False, slots=True, repr=False)
class ModuleInfo:
    """A module of the analyzed sources.

    Attributes:
        names: what its globals hold; only names that something binds.
        stars: (module, level) of its `from ... import *`.
        replaced_class: what was assigned to its `__class__`.
        unnamed: what was assigned to attributes of it whose names are not known.
        deleted: holds something if attributes of it whose names are not known were deleted.
    """

    name: str
    path: str
    is_package: bool
    facts: ModuleFacts
    order: int
    names: dict[str, Cell] = field(default_factory=dict)
    stars: list[tuple[str, int]] = field(default_factory=list)
    units: list[UnitInfo] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    replaced_class: Cell = field(default_factory=Cell)
    unnamed: Cell = field(default_factory=Cell)
    deleted: Cell = field(default_factory=Cell)
    submodules: dict[str, ModuleInfo] = field(default_factory=dict)

    def absolute(self, module: str, level: int) -> str:
        """Return the absolute name of what a relative import in this module names."""
        if level == 0:
            return module
        parts = self.name.split(".")
        drop = level - 1 if self.is_package else level
        base = parts[: len(parts) - drop] if drop else parts
        return ".".join([*base, module] if module else base)


@dataclass(eq=False, slots=True, repr=False)
class ClassInfo:
    """A class of the analyzed sources.

    Attributes:
        bases: what its base expressions may be, in order.
        stated_bases: the same for each frame that runs the class statement.
        attributes: names bound in its body, or on the class from outside.
        fields: attributes assigned on its instances.
        makes: of a metaclass, other ones whose classes its `__new__` makes instead.
        late_fields: those that no statement of its own methods assigns: `setattr`, assignments from outside.
        declared: names annotated in its body, in order: the fields of a dataclass or named tuple.
    """

    name: str
    module: ModuleInfo
    facts: ClassFacts
    order: int
    bases: list[Value] = field(default_factory=list)
    stated_bases: dict[Frame, list[Value]] = field(default_factory=dict)
    metaclass: list[Value] = field(default_factory=list)
    attributes: dict[str, Cell] = field(default_factory=dict)
    fields: dict[str, Cell] = field(default_factory=dict)
    late_fields: set[str] = field(default_factory=set)
    makes: list[ClassInfo] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)


@dataclass(eq=False, slots=True, repr=False)
class UnitInfo:
    """A unit with what the solver asks of it.

    Attributes:
        binding: what its first parameter is: `instance`, `class`, `static` (nothing special), or "" outside classes.
        shared: its variables that functions inside it use.
        stated: parameters of which an annotation says what they hold.
        states_result: whether an annotation says what objects it returns. Of what is returned, only code still flows:
            objects are of the stated class, or of a subclass.
        states_contents: whether it says too what they hold; if not (`list[Any]`), containers flow as well.
    """

    module: ModuleInfo
    index: int
    facts: Unit
    order: int
    cls: ClassInfo | None
    binding: str
    shared: frozenset[int]
    stated: set[int] = field(default_factory=set)
    states_result: bool = False
    states_contents: bool = True
    _users: dict[int, list[int]] | None = None

    def users(self, operand: int) -> list[int]:
        """Return the operations that depend on an operand."""
        if self._users is None:
            self._users = _users(self.facts)
        return self._users.get(operand, _NO_USERS)

    def forget_users(self) -> None:
        """Drop what `users` has found out."""
        self._users = None

    @property
    def name(self) -> str:
        """Full name."""
        return f"{self.module.name}.{self.facts.qualname}"

    @property
    def is_module(self) -> bool:
        """Whether it is a module's own code."""
        return self.index == 0


@dataclass(eq=False, slots=True, repr=False)
class Frame:
    """A unit in a context: the closure it runs in, and the call it belongs to (None: every call).

    Attributes:
        parent: the frame that made the function.
        cells: of its parameters and shared variables, by variable.
        result, yielded: what it returns and yields.
        number: of its first operation; operations are numbered through all frames.
        values, variables: what its operations and own variables hold so far; empty until it is evaluated.
        pending: operations to evaluate again.
        is_cut: whether some call's arguments did not flow to its parameters.
        at_import: whether importing the modules runs it.
    """

    unit: UnitInfo
    parent: Frame | None
    context: Value | None
    order: int
    number: int
    cells: dict[int, Cell] = field(default_factory=dict)
    result: Cell = field(default_factory=Cell)
    yielded: Cell = field(default_factory=Cell)
    values: list[Values] = field(default_factory=list)
    variables: list[Values] = field(default_factory=list)
    pending: set[int] = field(default_factory=set)
    is_cut: bool = False
    at_import: bool = False

    def cell(self, variable: int) -> Cell:
        """Return the cell of one of its own variables."""
        cell = self.cells.get(variable)
        if cell is None:
            cell = self.cells[variable] = Cell()
        return cell

    def ancestor(self, unit: int) -> Frame:
        """Return the frame around this one that runs a unit of the same module."""
        frame: Frame | None = self
        while frame is not None and frame.unit.index != unit:
            frame = frame.parent
        assert frame is not None, (self.unit.name, unit)
        return frame


class Program:
    """All modules that are linked together."""

    def __init__(self, modules: Iterable[LinkModule]) -> None:
        self.modules: dict[str, ModuleInfo] = {}
        self._units = 0
        self._classes = 0
        for module in modules:
            self._add(module)
        for info in self.modules.values():
            package, _, name = info.name.rpartition(".")
            if package in self.modules:
                self.modules[package].submodules[name] = info

    def units(self) -> Iterator[UnitInfo]:
        """Yield all units, module by module."""
        for module in self.modules.values():
            yield from module.units

    def classes(self) -> Iterator[ClassInfo]:
        """Yield all classes, module by module."""
        for module in self.modules.values():
            yield from module.classes

    def _add(self, linked: LinkModule) -> None:
        source, facts = linked.source_file, linked.facts
        module = ModuleInfo(source.module, source.path, source.is_package, facts, len(self.modules))
        self.modules[module.name] = module
        for cls in facts.classes:
            module.classes.append(ClassInfo(f"{module.name}.{cls.qualname}", module, cls, self._classes))
            self._classes += 1
        bindings = _method_bindings(facts)
        shared: list[set[int]] = [set() for _ in facts.units]
        for unit in facts.units:
            for variable in unit.variables:
                if variable.unit >= 0:
                    shared[variable.unit].add(variable.variable)
        for index, unit in enumerate(facts.units):
            owner = module.classes[unit.cls] if unit.cls >= 0 else None
            binding = ""
            if owner is not None:
                method = unit.qualname.rpartition(".")[2]
                binding = bindings.get(index) or _IMPLICIT_BINDING.get(method, "instance")
            info = UnitInfo(module, index, unit, self._units, owner, binding, frozenset(shared[index]))
            module.units.append(info)
            self._units += 1
            _declare(module, unit)


def _declare(module: ModuleInfo, unit: Unit) -> None:
    """Note the names that a unit binds in its module and classes: look-ups know them before they hold anything."""
    for op in unit.operations:
        if isinstance(op, SetGlobal):
            module.names.setdefault(op.name, Cell())
        elif isinstance(op, SetClassName):
            cls = module.classes[op.cls]
            if op.form in ("annotation", "annotated"):
                cls.declared.append(op.name)
            if op.form != "annotation":
                cls.attributes.setdefault(op.name, Cell())
            else:
                cls.fields.setdefault(op.name, Cell())
        elif isinstance(op, ImportFrom) and op.name == "*":
            module.stars.append((op.module, op.level))
        elif isinstance(op, SetAttribute) and unit.cls >= 0 and op.base == ~1 and unit.parameters:
            module.classes[unit.cls].fields.setdefault(op.name, Cell())


_NO_USERS: list[int] = []
# Operations that look through those that made their operands: a type expression, the value behind a `*`.
_LOOKS_THROUGH = (InstanceOf, Call)
_LOOKED_THROUGH = (Subscript, Join, Collection, Iterate)


def _users(unit: Unit) -> dict[int, list[int]]:
    users: dict[int, list[int]] = {}
    for index, op in enumerate(unit.operations):
        read = operands(op)
        for operand in _looked_through(unit, read) if isinstance(op, _LOOKS_THROUGH) else read:
            listed = users.setdefault(operand, [])
            if not listed or listed[-1] != index:
                listed.append(index)
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


def _method_bindings(facts: ModuleFacts) -> dict[int, str]:
    """Return which units are under `@staticmethod` or `@classmethod`."""
    found: dict[int, str] = {}
    for unit in facts.units:
        made: dict[int, int] = {}
        for index, op in enumerate(unit.operations):
            if isinstance(op, Function):
                made[index] = op.unit
            elif isinstance(op, Call) and op.decorator and op.args[0] in made:
                function = made[index] = made[op.args[0]]
                decorator = unit.operations[op.func] if op.func >= 0 else None
                if isinstance(decorator, Global) and decorator.name in ("staticmethod", "classmethod"):
                    found[function] = decorator.name.removesuffix("method")
    return found
