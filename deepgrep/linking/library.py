"""What was linked before, as code on top of it sees it: made from the stored interface when it is first looked at.

Modules, classes and functions of a library are as those that are linked with the code, with what they hold filled in;
but its functions have no operations, and its frames are never evaluated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from deepgrep.facts.model import ClassFacts, ModuleFacts, Unit
from deepgrep.linking.cells import Cell
from deepgrep.linking.contexts import depth
from deepgrep.linking.interface import (
    INDEX,
    MANY,
    Kind,
    StoredClass,
    StoredContainer,
    StoredFrame,
    StoredIndex,
    StoredModule,
    StoredPartial,
    StoredUnit,
    section,
)
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Predicate, UnitInfo
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    Context,
    FunctionValue,
    Many,
    ModuleValue,
    Text,
    Value,
    Values,
    Wrapped,
)

if TYPE_CHECKING:
    from deepgrep.linking.solver import Solver

_NO_FACTS = ModuleFacts((Unit("<module>", 1, -1, -1, False, False, False, (), (), ()),), (), ())
_MODULE = msgspec.msgpack.Decoder(StoredModule)
_CLASS = msgspec.msgpack.Decoder(StoredClass)
_UNIT = msgspec.msgpack.Decoder(StoredUnit)
_FRAME = msgspec.msgpack.Decoder(StoredFrame)
_CONTAINER = msgspec.msgpack.Decoder(StoredContainer)
_PARTIAL = msgspec.msgpack.Decoder(StoredPartial)
_NO_CONTEXT = msgspec.msgpack.encode([])
_VALUES = msgspec.msgpack.Decoder(list[Any])


class _StoredCell(Cell):
    """A cell whose values are decoded when they are first read."""

    __slots__ = ("_known", "_library", "_stored")

    def __init__(self, library: Library, stored: msgspec.Raw) -> None:
        self._stored: msgspec.Raw | None = None
        super().__init__()
        self._library = library
        self._stored = stored

    @property
    def values(self) -> Values:
        """What it holds."""
        if self._stored is not None:
            stored, self._stored = self._stored, None
            found = _VALUES.decode(stored)
            self.is_full = bool(found) and found[-1] == [Kind.FULL]
            self._known = frozenset(map(self._library.value, found[:-1] if self.is_full else found))
        return self._known

    @values.setter
    def values(self, values: Values) -> None:
        self._known = values


class _Shelf:
    """A module of the library, with those of its parts that have been looked at."""

    def __init__(self, info: ModuleInfo, stored: StoredModule) -> None:
        self.info = info
        self.stored = stored
        self.classes: dict[int, ClassInfo] = {}
        self.units: dict[int, UnitInfo] = {}
        self.frames: dict[int, Frame] = {}
        self.stored_frames: dict[int, StoredFrame] = {}
        self.containers: dict[int, Container] = {}
        self.partials: dict[int, Value] = {}


class Library:
    """The modules that were linked before.

    Attributes:
        module_names: of all of them, by number.
        relays: the row in the graph of each relay that they lead to.
        higher_order: the last names of their functions that call what they are handed.
    """

    def __init__(self, load: Callable[[str], bytes]) -> None:
        self._load = load
        index = msgspec.msgpack.decode(load(INDEX), type=StoredIndex)
        self.module_names = index.modules
        self.relays = index.relays
        self.higher_order = frozenset(index.higher_order)
        self._numbers = {name: number for number, name in enumerate(self.module_names)}
        self._shelves: dict[int, _Shelf] = {}
        self._units: dict[UnitInfo, StoredUnit] = {}
        self._functions: dict[Frame, int] = {}
        # Of what runs a function that a frame made: the frames by their contexts, as they are stored.
        self._frames: dict[tuple[UnitInfo, Frame | None], dict[bytes, int]] = {}
        self._frame_numbers: dict[Frame, int] = {}
        self._classes: dict[ClassInfo, StoredClass] = {}
        self._class_numbers: dict[ClassInfo, int] = {}
        self._stored: dict[Value, list[Any]] = {}
        self._containers: set[Container] = set()
        self._manies: dict[int, Many] = {}
        self._many_numbers: dict[Many, int] = {}

    def open(self, solver: Solver) -> None:
        """Give what is looked at from now on to a solver."""
        self._solver = solver

    def module_number(self, name: str) -> int | None:
        """Return the number of a module, by its dotted name."""
        return self._numbers.get(name)

    def module(self, name: str) -> ModuleInfo | None:
        """Return a module by its dotted name."""
        number = self._numbers.get(name)
        return self._shelf(number).info if number is not None else None

    def has(self, what: ModuleInfo | ClassInfo | UnitInfo | Frame) -> bool:
        """Whether something is part of the library."""
        match what:
            case ModuleInfo():
                return self._numbers.get(what.name) == what.order and what.facts is _NO_FACTS
            case ClassInfo():
                return what in self._classes
            case UnitInfo():
                return what in self._units
            case Frame():
                return what in self._functions

    def holds(self, container: Container) -> bool:
        """Whether a container was made by the library."""
        return container in self._containers

    def function(self, frame: Frame) -> int:
        """Return the row in the graph of what a frame runs."""
        return self._functions[frame]

    def functions(self, unit: UnitInfo) -> list[int]:
        """Return the rows in the graph of a function, in all its contexts."""
        shelf = self._shelf(unit.module.order)
        return sorted({self._stored_frame(shelf, number).function for _, _, number in self._units[unit].frames})

    def subclasses(self, cls: ClassInfo) -> list[ClassInfo]:
        """Return the direct subclasses of a class, those that the library has."""
        stored = self._classes.get(cls)
        return [self._class(*place) for place in stored.subclasses] if stored is not None else []

    def stand_for(self, frame: Frame, function: int) -> None:
        """Take a frame of the code on top as that of a row in the graph."""
        self._functions[frame] = function

    def frame(self, unit: UnitInfo, parent: Frame | None, context: Context) -> Frame | None:
        """Return the frame of a function in a context, the one for all calls where there is none; None if not here."""
        stored = self._units.get(unit)
        if stored is None:
            return None
        shelf = self._shelf(unit.module.order)
        frames = self._frames.get((unit, parent))
        if frames is None:
            made_by = -1 if parent is None else self._frame_numbers[parent]
            frames = {bytes(known): number for parent_, known, number in stored.frames if parent_ == made_by}
            self._frames[unit, parent] = frames
        return self._frame(shelf, frames.get(self._stored_context(context), frames[_NO_CONTEXT]))

    def _stored_context(self, context: Context) -> bytes:
        handed = [[parameter, self._stored_value(value)] for parameter, value in context]
        return msgspec.msgpack.encode(handed) if all(stored for _, stored in handed) else _NO_CONTEXT

    def _stored_value(self, value: Value | None) -> list[Any] | None:
        """Return how a value would be stored; None where it is of the code on top, or is not in the interface."""
        if value in self._stored:
            return self._stored[value]
        match value:
            case Text():
                return [Kind.TEXT, value.value]
            case FunctionValue() if value.unit in self._units:
                made_by = -1 if value.frame is None else self._frame_numbers[value.frame]
                return [Kind.FUNCTION, value.unit.module.order, value.unit.index, made_by]
            case ClassValue() if value.cls in self._classes:
                return [Kind.CLASS, value.cls.module.order, self._class_numbers[value.cls], value.is_open]
            case ModuleValue() if self.has(value.module):
                return [Kind.MODULE, value.module.order]
            case Bound():
                function, receiver = self._stored_value(value.function), self._stored_value(value.receiver)
                return [Kind.BOUND, function, receiver] if function and receiver else None
            case Wrapped():
                functions = [None if f is None else self._stored_value(f) for f in value.functions]
                is_known = all(f is None or stored for f, stored in zip(value.functions, functions, strict=True))
                return [Kind.WRAPPED, value.kind, functions] if is_known else None
            case _:
                return None

    def value(self, stored: list[Any]) -> Value:
        """Return the value that is stored so."""
        value = self._made(stored)
        self._stored[value] = stored
        return value

    def _made(self, stored: list[Any]) -> Value:
        interner = self._solver.interner
        match stored:
            case [Kind.TEXT, value]:
                return interner.text(value)
            case [Kind.FUNCTION, module, unit, made_by]:
                shelf = self._shelf(module)
                return self._function(shelf, unit, made_by)
            case [Kind.CLASS, module, cls, is_open]:
                return interner.cls(self._class(module, cls), is_open)
            case [Kind.INSTANCE, module, cls, is_open, site, states]:
                return self._known_as(interner.instance(self._class(module, cls), is_open, site), states)
            case [Kind.MODULE, module]:
                return interner.module(self._shelf(module).info)
            case [Kind.EXTERNAL, name]:
                return interner.external(name)
            case [Kind.CONTAINER, module, number]:
                return self._container(module, number)
            case [Kind.CONTENTS, module, cls]:
                return interner.container("contents", self._class(module, cls))
            case [Kind.NAMESPACE, owner]:
                return interner.container("namespace", self.value(owner))
            case [Kind.PLAIN, class_name, site]:
                return interner.container(class_name, site)
            case [Kind.BOUND, function, receiver]:
                return interner.bound(self.value(function), self.value(receiver))
            case [Kind.PARTIAL, module, number]:
                return self._partial(module, number)
            case [Kind.WRAPPED, kind, functions]:
                return interner.wrapped(kind, *(None if f is None else self.value(f) for f in functions))
            case [Kind.SUPER, module, cls, receiver]:
                return interner.super(self._class(module, cls), self.value(receiver))
            case [Kind.GENERATOR, module, frame]:
                return interner.generator(self._frame(self._shelf(module), frame))
            case [Kind.METHODS, owner, pattern]:
                return interner.methods(self.value(owner), pattern)
            case [Kind.MANY, number]:
                return self._many(number)
            case [Kind.CUT]:
                return interner.cut
            case _:
                raise ValueError(f"no stored value: {stored}")

    def _many(self, number: int) -> Many:
        many = self._manies.setdefault(number, Many())
        self._many_numbers[many] = number
        return many

    def members(self, many: Many) -> dict[Value, dict[Frame, None]]:
        """Return what a place was given beyond what it keeps; of what the library holds, what gave it is not kept."""
        number = self._many_numbers.get(many)
        if number is not None and not many.members:
            many.members.update((value, {}) for value in self._values(self._stored_members[number]))
        return many.members

    @cached_property
    def _stored_members(self) -> list[msgspec.Raw]:
        return msgspec.msgpack.decode(self._load(MANY), type=list[msgspec.Raw])

    def _known_as(self, value: Value, states: list[str]) -> Value:
        if states:
            self._solver.objects.setdefault(value, dict.fromkeys(states))
        return value

    def _function(self, shelf: _Shelf, number: int, made_by: int) -> Value:
        unit = self._unit(shelf, number)
        function = self._solver.interner.function(unit, self._frame(shelf, made_by) if made_by >= 0 else None)
        assert isinstance(function, FunctionValue)
        for name, cell in self._units[unit].attributes.get(made_by, {}).items():
            if (function, name) not in self._solver.function_attributes:
                self._solver.function_attributes[function, name] = _StoredCell(self, cell)
        return function

    def _shelf(self, number: int) -> _Shelf:
        shelf = self._shelves.get(number)
        if shelf is None:
            stored = _MODULE.decode(self._load(section(number)))
            info = ModuleInfo(self.module_names[number], stored.path, stored.is_package, _NO_FACTS, number)
            shelf = self._shelves[number] = _Shelf(info, stored)
            info.names = self._cells(stored.names)
            info.late = set(stored.late)
            info.stars = stored.stars
            info.replaced_class = _StoredCell(self, stored.replaced_class)
            info.unnamed = _StoredCell(self, stored.unnamed)
            info.deleted = _StoredCell(self, stored.deleted)
            info.listed = frozenset(stored.listed[0]), stored.listed[1]
            interner = self._solver.interner
            namespace = interner.container("namespace", interner.module(info))
            namespace.items.update(self._cells(stored.generated))
            info.units.append(self._unit(shelf, 0))
        return shelf

    def _class(self, module: int, number: int) -> ClassInfo:
        shelf = self._shelf(module)
        cls = shelf.classes.get(number)
        if cls is None:
            stored = _CLASS.decode(shelf.stored.classes[number])
            facts = ClassFacts(stored.qualname, stored.line, stored.unit)
            cls = ClassInfo(f"{shelf.info.name}.{stored.qualname}", shelf.info, facts, stored.order)
            shelf.classes[number] = cls
            self._classes[cls] = stored
            self._class_numbers[cls] = number
            cls.attributes = self._cells(stored.attributes)
            cls.fields = self._cells(stored.fields)
            cls.factories = self._cells(stored.factories)
            cls.declared = stored.declared
            cls.late_fields = set(stored.late_fields)
            cls.bases = self._values(stored.bases)
            cls.metaclass = self._values(stored.metaclass)
            cls.makes = [self._class(*place) for place in stored.makes]
            self._solver.hierarchy.add_fields(cls)
            if stored.contents >= 0:
                held = _CONTAINER.decode(shelf.stored.containers[stored.contents])
                self._fill(self._solver.contents(cls), held)
            if stored.unnamed:
                self._solver.hierarchy.set_unnamed(cls, self._cells(stored.unnamed))
        return cls

    def _unit(self, shelf: _Shelf, number: int) -> UnitInfo:
        unit = shelf.units.get(number)
        if unit is None:
            stored = _UNIT.decode(shelf.stored.units[number])
            facts = Unit(
                stored.qualname, stored.line, -1, stored.cls, stored.is_generator, stored.is_async, False,
                stored.parameters, (), (),
            )  # fmt: skip
            cls = self._class(shelf.info.order, stored.cls) if stored.cls >= 0 else None
            unit = UnitInfo(shelf.info, number, facts, stored.order, cls, stored.binding, frozenset())
            if stored.predicate is not None:
                classes, is_exact = stored.predicate
                unit.predicate = Predicate(tuple(self._class(*place) for place in classes), is_exact)
            unit.states_result = stored.states_result
            unit.is_inert = stored.is_inert
            unit.returned = stored.returned
            shelf.units[number] = unit
            self._units[unit] = stored
            self._solver.higher_order.know(unit, stored.called, stored.naming)
        return unit

    def _stored_frame(self, shelf: _Shelf, number: int) -> StoredFrame:
        stored = shelf.stored_frames.get(number)
        if stored is None:
            stored = shelf.stored_frames[number] = _FRAME.decode(shelf.stored.frames[number])
        return stored

    def _frame(self, shelf: _Shelf, number: int) -> Frame:
        frame = shelf.frames.get(number)
        if frame is None:
            stored = self._stored_frame(shelf, number)
            parent = self._frame(shelf, stored.parent) if stored.parent >= 0 else None
            context = tuple((parameter, self.value(value)) for parameter, value in _VALUES.decode(stored.context))
            unit = self._unit(shelf, stored.unit)
            frame = Frame(unit, parent, context, depth(parent, context), stored.function, 0)
            shelf.frames[number] = frame
            frame.result = _StoredCell(self, stored.result)
            frame.yielded = _StoredCell(self, stored.yielded)
            self._functions[frame] = stored.function
            self._frame_numbers[frame] = number
        return frame

    def _container(self, module: int, number: int) -> Container:
        shelf = self._shelf(module)
        container = shelf.containers.get(number)
        if container is None:
            stored = _CONTAINER.decode(shelf.stored.containers[number])
            maker = self._frame(shelf, stored.frame) if stored.frame >= 0 else shelf.info.name
            container = self._solver.interner.container(stored.class_name, (maker, "stored", number))
            shelf.containers[number] = container
            self._fill(container, stored)
        return container

    def _fill(self, container: Container, stored: StoredContainer) -> None:
        self._containers.add(container)
        container.element = _StoredCell(self, stored.element)
        container.key = _StoredCell(self, stored.key)
        for key, cell in stored.items:
            container.items[self._key(_VALUES.decode(key))] = _StoredCell(self, cell)
        self._known_as(container, stored.states)

    def _key(self, stored: list[Any]) -> object:
        if stored[0] == Kind.ATTRIBUTE:
            return ("attribute", stored[1])
        value = self.value(stored)
        return value.value if isinstance(value, Text) else value

    def _partial(self, module: int, number: int) -> Value:
        shelf = self._shelf(module)
        partial = shelf.partials.get(number)
        if partial is None:
            stored = _PARTIAL.decode(shelf.stored.partials[number])
            made = self._solver.interner.partial(self._frame(shelf, stored.frame), ("stored", number))
            made.callee = _StoredCell(self, stored.callee)
            made.star = _StoredCell(self, stored.star)
            made.double_star = _StoredCell(self, stored.double_star)
            made.args.update((position, _StoredCell(self, cell)) for position, cell in stored.args)
            made.keywords.update((name, _StoredCell(self, cell)) for name, cell in stored.keywords)
            partial = shelf.partials[number] = made
        return partial

    def _cells(self, stored: dict[str, msgspec.Raw]) -> dict[str, Cell]:
        return {name: _StoredCell(self, cell) for name, cell in stored.items()}

    def _values(self, stored: msgspec.Raw) -> list[Value]:
        return [self.value(value) for value in _VALUES.decode(stored)]
