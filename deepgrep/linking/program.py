"""The whole program's static tables: modules, classes and units by name, and the frames that run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from deepgrep.facts.model import ClassFacts, ModuleFacts, Unit
from deepgrep.facts.operations import (
    Assign,
    Call,
    Collection,
    Function,
    Join,
    Return,
    SetAttribute,
    SetGlobal,
)
from deepgrep.linking.cells import Cell
from deepgrep.linking.clones import Own, OwnValues, OwnVariables
from deepgrep.linking.declarations import declare, listed_names, method_bindings
from deepgrep.linking.scripts import as_run
from deepgrep.linking.users import users_of
from deepgrep.linking.values import Context, Value, Values
from deepgrep.sources.tree import SourceFile

if TYPE_CHECKING:
    from deepgrep.linking.library import Library

# More tuples than this that a function returns are taken as one: a place would not hold them all (widening.py).
_MOST_TUPLES = 4
_NO_OPERATIONS: frozenset[int] = frozenset()
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
        late: of these, those that no statement of its own body binds: they hide nothing that it has otherwise.
        stars: (module, level) of its `from ... import *`.
        replaced_class: what was assigned to its `__class__`.
        unnamed: what was assigned to attributes of it whose names are not known.
        deleted: holds something if attributes of it whose names are not known were deleted.
        listed: the names that `__all__` lists, and whether they are all that it lists.
    """

    name: str
    path: str
    is_package: bool
    facts: ModuleFacts
    order: int
    names: dict[str, Cell] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    stars: list[tuple[str, int]] = field(default_factory=list)
    units: list[UnitInfo] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    replaced_class: Cell = field(default_factory=Cell)
    unnamed: Cell = field(default_factory=Cell)
    deleted: Cell = field(default_factory=Cell)
    listed: tuple[frozenset[str], bool] = (frozenset(), False)

    def exports(self, name: str) -> bool:
        """Whether `import *` of this module brings a name: one that `__all__` lists; without one, a public name."""
        names, is_known = self.listed
        return name in names or not (is_known or name.startswith("_"))

    def defines(self, name: str) -> bool:
        """Whether a statement of its own body binds a name."""
        return name in self.names and name not in self.late

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
        or_outside: of a base that may be one of several, those outside the analyzed sources, by dotted name.
        attributes: names bound in its body, or on the class from outside.
        fields: attributes assigned on its instances.
        makes: of a metaclass, other ones whose classes its `__new__` makes instead.
        late_fields: those that no statement of its own methods assigns: `setattr`, assignments from outside.
        declared: names annotated in its body, in order: the fields of a dataclass or named tuple.
        factories: what makes the default of a field, for those that have a `default_factory`.
    """

    name: str
    module: ModuleInfo
    facts: ClassFacts
    order: int
    bases: list[Value] = field(default_factory=list)
    stated_bases: dict[Frame, list[Value]] = field(default_factory=dict)
    or_outside: dict[str, None] = field(default_factory=dict)
    metaclass: list[Value] = field(default_factory=list)
    attributes: dict[str, Cell] = field(default_factory=dict)
    fields: dict[str, Cell] = field(default_factory=dict)
    late_fields: set[str] = field(default_factory=set)
    makes: list[ClassInfo] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)
    factories: dict[str, Cell] = field(default_factory=dict)
    _stored: dict[str, list[tuple[UnitInfo, int]]] | None = None

    def stored(self, name: str) -> list[tuple[UnitInfo, int]]:
        """Return the operands that its methods assign to an attribute of `self`, each with its unit."""
        if self._stored is None:
            self._stored = {}
            for unit in self.module.units:
                if unit.cls is self:
                    for op in unit.facts.operations:
                        if isinstance(op, SetAttribute) and op.base == ~1:
                            self._stored.setdefault(op.name, []).append((unit, op.value))
        return self._stored.get(name, [])


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a function that returns a `TypeGuard` or `TypeIs` tests its first argument for.

    Attributes:
        classes: the analyzed classes of which it may be an instance where the function returns true.
        is_exact: whether it is an instance of none of them where it returns false.
    """

    classes: tuple[ClassInfo, ...]
    is_exact: bool


@dataclass(eq=False, slots=True, repr=False)
class UnitInfo:
    """A unit with what the solver asks of it.

    Attributes:
        binding: what its first parameter is: `instance`, `class`, `static` (nothing special), or "" outside classes.
        shared: its variables that functions inside it use.
        stated: parameters of which an annotation says what they hold.
        closed: of those whose annotation rules out functions (-1: the result), the analyzed classes that it admits.
        predicate: what it tests its first argument for, if its annotation says so.
        states_result: whether an annotation says what objects it returns. Of what is returned, only code still flows:
            objects are of the stated class, or of a subclass.
        states_contents: whether it says too what they hold; if not (`list[Any]`), containers flow as well.
        is_inert: whether it is a lambda that calls nothing, a message mostly: who calls it does not matter.
        returned: of a function of the library, the parameters that it returns as they are.
    """

    module: ModuleInfo
    index: int
    facts: Unit
    order: int
    cls: ClassInfo | None
    binding: str
    shared: frozenset[int]
    stated: set[int] = field(default_factory=set)
    closed: dict[int, tuple[ClassInfo, ...]] = field(default_factory=dict)
    predicate: Predicate | None = None
    states_result: bool = False
    states_contents: bool = True
    is_inert: bool = False
    returned: tuple[int, ...] = ()
    _users: list[int | list[int] | None] | None = None
    _made_for_globals: frozenset[int] | None = None
    _returned_tuples: frozenset[int] | None = None
    _positional: tuple[tuple[str, ...], int | None] | None = None
    _places: tuple[list[int], dict[str, int]] | None = None
    _given_back: tuple[int, ...] | None = None

    @property
    def positional(self) -> tuple[tuple[str, ...], int | None]:
        """The positional parameters without a default, and how many positional arguments it takes; None for any."""
        if self._positional is None:
            parameters = self.facts.parameters
            found = [p for p in parameters if p.kind not in ("*", "**", "keyword-only")]
            most = None if any(p.kind == "*" for p in parameters) else len(found)
            self._positional = tuple(p.name for p in found if not p.has_default), most
        return self._positional

    @property
    def given_back(self) -> tuple[int, ...]:
        """The parameters that it returns as they are, by a statement that says so, and that nothing binds anew."""
        if self._given_back is None:
            facts, found = self.facts, set[int]()
            if not (facts.is_generator or facts.is_async):
                returned = {~op.value for op in facts.operations if isinstance(op, Return) and op.value < 0}
                for variable in returned:
                    is_own = 0 < variable <= len(facts.parameters) and facts.variables[variable].unit < 0
                    if is_own and not facts.parameters[variable - 1].is_rebound:
                        found.add(variable - 1)
            self._given_back = tuple(sorted(i for i in found if facts.parameters[i].kind not in ("*", "**")))
        return self._given_back

    @property
    def places(self) -> tuple[list[int], dict[str, int]]:
        """The parameters that take arguments by position, and by name."""
        if self._places is None:
            parameters = self.facts.parameters
            by_position = [i for i, p in enumerate(parameters) if p.kind.startswith("positional")]
            by_name = {p.name: i for i, p in enumerate(parameters) if p.kind in ("positional", "keyword-only")}
            self._places = by_position, by_name
        return self._places

    @property
    def made_for_globals(self) -> frozenset[int]:
        """The operations whose results are stored in globals."""
        if self._made_for_globals is None:
            operations = self.facts.operations
            queue = [op.value for op in operations if isinstance(op, SetGlobal)]
            found: set[int] = set()
            while queue:
                operand = queue.pop()
                if operand >= 0 and operand not in found:
                    found.add(operand)
                    op = operations[operand]
                    queue += op.values if isinstance(op, Join) else (op.value,) if isinstance(op, Assign) else ()
            self._made_for_globals = frozenset(found)
        return self._made_for_globals

    @property
    def returned_tuples(self) -> frozenset[int]:
        """The operations that make the tuples which it returns, where those are more than a place may hold: as one."""
        if self._returned_tuples is None:
            operations = self.facts.operations
            returned = [op.value for op in operations if isinstance(op, Return) and op.value >= 0]
            tuples = {r for r in returned if isinstance(op := operations[r], Collection) and op.kind == "tuple"}
            self._returned_tuples = frozenset(tuples) if len(tuples) > _MOST_TUPLES else _NO_OPERATIONS
        return self._returned_tuples

    def users(self, operand: int) -> Sequence[int]:
        """Return the operations that depend on an operand."""
        if self._users is None:
            self._users = users_of(self.facts)
        found = self._users[operand]
        if isinstance(found, int):
            return (found,)
        return found or ()

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


_NOTHING_DECLARED: Mapping[int, Values] = MappingProxyType({})


@dataclass(eq=False, slots=True, repr=False)
class Frame:
    """A unit in a context: the closure it runs in, and the callables it is handed (contexts.py; () for every call).

    Attributes:
        parent: the frame that made the function.
        base: the frame without a context that it is a clone of; None if it is none.
        own: what a clone does not share with its base.
        clones: of a base, those that there are, with what is their own.
        is_rest: whether it stands for what a base and its clones have in common; it is never evaluated itself.
        cells: of its parameters and shared variables, by variable.
        result, yielded: what it returns and yields.
        stated: what its annotation says that it returns.
        declared: what defaults and annotations say that parameters hold, by index.
        depth: how many contexts it lies in.
        number: of its first operation; operations are numbered through all frames.
        values, variables: what its operations and own variables hold so far; empty until it is evaluated.
        pending: operations to evaluate again.
        is_cut: whether some call's arguments did not flow to its parameters.
        at_import: whether importing the modules runs it.
    """

    unit: UnitInfo
    parent: Frame | None
    context: Context
    depth: int
    order: int
    number: int
    base: Frame | None = None
    own: Own | None = None
    cells: dict[int, Cell] = field(default_factory=dict)
    result: Cell = field(default_factory=Cell)
    stated: Cell = field(default_factory=Cell)
    yielded: Cell = field(default_factory=Cell)
    values: list[Values] | OwnValues = field(default_factory=list)
    variables: list[Values] | OwnVariables = field(default_factory=list)
    pending: set[int] = field(default_factory=set)
    is_cut: bool = False
    clones: list[tuple[Frame, Own]] = field(default_factory=list)
    is_rest: bool = False
    at_import: bool = False
    declared: Mapping[int, Values] = field(default_factory=lambda: _NOTHING_DECLARED)

    def holder(self, variable: int) -> Frame:
        """Return the frame that holds one of its unit's variables: itself, or of what a clone shares, its base."""
        if self.base is not None and self.own is not None and variable not in self.own.variables:
            return self.base
        return self

    def cell(self, variable: int) -> Cell:
        """Return the cell of one of its unit's variables."""
        cells = self.holder(variable).cells
        cell = cells.get(variable)
        if cell is None:
            cell = cells[variable] = Cell()
        return cell

    def ancestor(self, unit: int) -> Frame:
        """Return the frame around this one that runs a unit of the same module."""
        frame: Frame | None = self
        while frame is not None and frame.unit.index != unit:
            frame = frame.parent
        assert frame is not None, (self.unit.name, unit)
        return frame


class Program:
    """All modules that are linked together.

    Attributes:
        library: what was linked before, on top of which these are; None where there is nothing beneath.
    """

    def __init__(self, modules: Iterable[LinkModule], library: Library | None = None) -> None:
        self.modules: dict[str, ModuleInfo] = {}
        self.library = library
        self._units = 0
        self._classes = 0
        for module in modules:
            self._add(module)

    def module(self, name: str) -> ModuleInfo | None:
        """Return the module of a dotted name, of the library too."""
        found = self.modules.get(name)
        if found is None and self.library is not None:
            found = self.library.module(name)
        return found

    @property
    def packages(self) -> set[str]:
        """The top-level names of all modules, of the library too."""
        names = [*self.modules, *(self.library.module_names if self.library is not None else ())]
        return {name.partition(".")[0] for name in names}

    def units(self) -> Iterator[UnitInfo]:
        """Yield all units, module by module."""
        for module in self.modules.values():
            yield from module.units

    def classes(self) -> Iterator[ClassInfo]:
        """Yield all classes, module by module."""
        for module in self.modules.values():
            yield from module.classes

    def forget_operations(self) -> None:
        """Drop what the functions do; not the bodies of modules that keep options: rows say what these are."""
        for module in self.modules.values():
            module.facts = replace(module.facts, units=())
            for unit in module.units[1 if module.replaced_class.values else 0 :]:
                unit.facts = replace(unit.facts, operations=(), variables=())

    def _add(self, linked: LinkModule) -> None:
        source = linked.source_file
        facts = as_run(linked.facts, source.module)
        module = ModuleInfo(source.module, source.path, source.is_package, facts, len(self.modules))
        module.listed = listed_names(facts.units[0])
        self.modules[module.name] = module
        for cls in facts.classes:
            module.classes.append(ClassInfo(f"{module.name}.{cls.qualname}", module, cls, self._classes))
            self._classes += 1
        bindings = method_bindings(facts)
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
            info.is_inert = _is_inert(unit)
            module.units.append(info)
            self._units += 1
            declare(module, unit)


def _is_inert(unit: Unit) -> bool:
    is_lambda = unit.qualname.endswith("<lambda>")
    return is_lambda and not any(isinstance(op, Call | Function) for op in unit.operations)
