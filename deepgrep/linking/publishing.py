"""Writes the interface of what was linked: all that code on top of it can come to see (see `interface`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from deepgrep.linking.cells import Cell
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
from deepgrep.linking.name_patterns import ANY_NAME
from deepgrep.linking.passing import Passing
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo
from deepgrep.linking.solver import Solver
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    Context,
    Cut,
    External,
    FunctionValue,
    Generator,
    InstanceValue,
    Many,
    Methods,
    ModuleValue,
    Partial,
    Super,
    Text,
    Value,
    Values,
    Wrapped,
)

_encode = msgspec.msgpack.Encoder().encode


def publish(solver: Solver, functions: Mapping[Frame, int]) -> dict[str, bytes]:
    """Return the sections of the interface.

    Args:
        solver: which has solved everything.
        functions: the frames, with their rows in the graph.
    """
    return _Publisher(solver, functions).sections()


class _Calls(NamedTuple):
    """All that may run a function: a unit, and the frame that made the function of it."""

    unit: UnitInfo
    parent: Frame | None


class _Draft:
    """What is known so far of a module that is written: what values name, numbered as it is come to."""

    def __init__(self) -> None:
        self.units: dict[UnitInfo, list[tuple[int, msgspec.Raw, int]]] = {}
        self.frames: dict[Frame, int] = {}
        self.containers: dict[Container, int] = {}
        self.partials: dict[Partial, int] = {}


class _Publisher:
    def __init__(self, solver: Solver, functions: Mapping[Frame, int]) -> None:
        self._solver = solver
        self._functions = functions
        self._modules = list(solver.program.modules.values())
        self._drafts = {module: _Draft() for module in self._modules}
        self._classes = {cls: number for module in self._modules for number, cls in enumerate(module.classes)}
        self._passing = Passing(solver.hierarchy)
        self._known: dict[Values, msgspec.Raw] = {}
        self._frames_of: dict[_Calls, list[tuple[Context, Frame]]] = {}
        for (unit, parent, context), frame in solver.frames.items():
            self._frames_of.setdefault(_Calls(unit, parent), []).append((context, frame))
        self._attributes: dict[UnitInfo, dict[Frame | None, dict[str, Cell]]] = {}
        for (function, name), cell in solver.function_attributes.items():
            of_unit = self._attributes.setdefault(function.unit, {})
            of_unit.setdefault(function.frame, {})[name] = cell
        # What was numbered, and is not written yet.
        self._queue: deque[UnitInfo | Frame | Container | Partial | Many | _Calls] = deque()
        self._manies: dict[Many, int] = {}
        self._queued: set[_Calls] = set()
        self._written: dict[object, bytes] = {}
        self._written_attributes: dict[UnitInfo, dict[int, dict[str, msgspec.Raw]]] = {}
        self._higher_order: set[str] = set()

    def sections(self) -> dict[str, bytes]:
        for module in self._modules:
            self._frame(self._solver.frames[module.units[0], None, ()])
        heads = [self._head(module) for module in self._modules]
        while self._queue:
            self._write(self._queue.popleft())
        result = {}
        for number, (module, head) in enumerate(zip(self._modules, heads, strict=True)):
            draft = self._drafts[module]
            stored = msgspec.structs.replace(
                head,
                units={unit.index: self._unit(unit, numbers) for unit, numbers in draft.units.items()},
                frames=[msgspec.Raw(self._written[frame]) for frame in draft.frames],
                containers=[msgspec.Raw(self._written[container]) for container in draft.containers],
                partials=[msgspec.Raw(self._written[partial]) for partial in draft.partials],
            )
            result[section(number)] = _encode(stored)
        relays = {name: self._functions[frame] for name, frame in self._solver.relays.items()}
        names = [module.name for module in self._modules]
        result[MANY] = _encode([msgspec.Raw(self._written[many]) for many in self._manies])
        result[INDEX] = _encode(StoredIndex(names, relays, sorted(self._higher_order)))
        return result

    def _head(self, module: ModuleInfo) -> StoredModule:
        return StoredModule(
            module.path,
            module.is_package,
            module.stars,
            self._cells(module.names),
            sorted(module.late),
            self._cell(module.replaced_class),
            self._cell(module.unnamed),
            self._cell(module.deleted),
            self._generated(module),
            (sorted(module.listed[0]), module.listed[1]),
            [msgspec.Raw(_encode(self._class(cls))) for cls in module.classes],
            {}, [], [], [],
        )  # fmt: skip

    def _generated(self, module: ModuleInfo) -> dict[str, msgspec.Raw]:
        namespace = self._solver.interner.container("namespace", self._solver.interner.module(module))
        known = {key: cell for key, cell in namespace.items.items() if isinstance(key, str)}
        return self._cells({ANY_NAME: namespace.element, **known})

    def _class(self, cls: ClassInfo) -> StoredClass:
        contents = self._solver.contents_known.get(cls)
        return StoredClass(
            cls.facts.qualname,
            cls.facts.line,
            cls.facts.unit,
            cls.order,
            self._list(cls.bases),
            self._list(cls.metaclass),
            self._cells(cls.attributes),
            self._cells(cls.fields),
            self._cells(cls.factories),
            self._cells(self._solver.hierarchy.own_unnamed(cls)),
            -1 if contents is None else self._number(self._drafts[cls.module].containers, contents),
            cls.declared,
            sorted(cls.late_fields),
            self._places(cls.makes),
            self._places(self._solver.hierarchy.direct_subclasses(cls)),
        )

    def _places(self, classes: Iterable[ClassInfo]) -> list[tuple[int, int]]:
        return [(cls.module.order, self._classes[cls]) for cls in classes]

    def _unit(self, unit: UnitInfo, frames: list[tuple[int, msgspec.Raw, int]]) -> msgspec.Raw:
        facts, higher_order = unit.facts, self._solver.higher_order
        parameters = range(len(facts.parameters))
        called = tuple(i for i in parameters if higher_order.calls(unit, i))
        if called:
            self._higher_order.add(facts.qualname.rpartition(".")[2])
        stored = StoredUnit(
            facts.qualname,
            facts.line,
            unit.order,
            facts.cls,
            unit.binding,
            (self._places(unit.predicate.classes), unit.predicate.is_exact) if unit.predicate else None,
            unit.states_result,
            facts.is_generator,
            facts.is_async,
            unit.is_inert,
            facts.parameters,
            self._passing.returned(unit),
            called,
            tuple(i for i in parameters if higher_order.names(unit, i)),
            self._written_attributes[unit],
            frames,
        )
        return msgspec.Raw(_encode(stored))

    def _write(self, what: UnitInfo | Frame | Container | Partial | Many | _Calls) -> None:
        match what:
            case UnitInfo():
                attributes = self._attributes.get(what, {})
                self._written_attributes[what] = {
                    self._parent(f): self._cells(cells) for f, cells in attributes.items()
                }
                return
            case _Calls():
                frames = self._drafts[what.unit.module].units[what.unit]
                for context, frame in self._frames_of[what]:
                    frames.append((self._parent(what.parent), self._context(context), self._frame(frame)))
                return
            case Frame():
                stored: Any = self._stored_frame(what)
            case Container():
                items = [(self._key(key), self._cell(cell)) for key, cell in what.items.items()]
                states = list(self._solver.objects.get(what, ()))
                maker = what.site[0] if isinstance(what.site, tuple) and isinstance(what.site[0], Frame) else None
                element, key = self._cell(what.element), self._cell(what.key)
                stored = StoredContainer(what.class_name, self._parent(maker), states, element, key, items)
            case Many():
                stored = [self._value(member) for member in self._solver.members(what)]
            case Partial():
                stored = StoredPartial(
                    self._frame(what.frame),
                    self._cell(what.callee),
                    self._cell(what.star),
                    self._cell(what.double_star),
                    [(position, self._cell(cell)) for position, cell in what.args.items()],
                    [(name, self._cell(cell)) for name, cell in what.keywords.items()],
                )
        self._written[what] = _encode(stored)

    def _stored_frame(self, frame: Frame) -> StoredFrame:
        result = frame.result.values
        # What it was handed and gives back, it gives back of what is handed to it then.
        for parameter in self._passing.returned(frame.unit):
            result -= frame.cell(parameter + 1).values
        return StoredFrame(
            frame.unit.index,
            self._parent(frame.parent),
            self._context(frame.context),
            self._values(result, frame.result.is_full),
            self._cell(frame.yielded),
            self._functions[frame],
        )

    def _parent(self, frame: Frame | None) -> int:
        return -1 if frame is None else self._frame(frame)

    def _context(self, context: Context) -> msgspec.Raw:
        return msgspec.Raw(_encode([[parameter, self._value(value)] for parameter, value in context]))

    def _cells(self, cells: Mapping[str, Cell]) -> dict[str, msgspec.Raw]:
        return {name: self._cell(cell) for name, cell in cells.items()}

    def _cell(self, cell: Cell) -> msgspec.Raw:
        return self._values(cell.values, cell.is_full)

    def _values(self, values: Values, is_full: bool) -> msgspec.Raw:
        if is_full:
            return msgspec.Raw(_encode([*map(self._value, sorted(values, key=hash)), [Kind.FULL]]))
        known = self._known.get(values)
        if known is None:
            known = self._known[values] = self._list(sorted(values, key=hash))
        return known

    def _list(self, values: Iterable[Value]) -> msgspec.Raw:
        return msgspec.Raw(_encode([self._value(value) for value in values]))

    def _key(self, key: object) -> msgspec.Raw:
        match key:
            case ("attribute", name):
                return msgspec.Raw(_encode([Kind.ATTRIBUTE, name]))
            case str() | int() | bool() | None:
                return msgspec.Raw(_encode([Kind.TEXT, key]))
            case _:
                assert isinstance(key, Value)
                return msgspec.Raw(_encode(self._value(key)))

    def _value(self, value: Value) -> list[object]:
        match value:
            case Text():
                return [Kind.TEXT, value.value]
            case FunctionValue():
                self._calls(_Calls(value.unit, value.frame))
                return [Kind.FUNCTION, value.unit.module.order, value.unit.index, self._parent(value.frame)]
            case ClassValue():
                return [Kind.CLASS, value.cls.module.order, self._classes[value.cls], value.is_open]
            case InstanceValue():
                number = self._classes[value.cls]
                states = list(self._solver.objects.get(value, ()))
                return [Kind.INSTANCE, value.cls.module.order, number, value.is_open, value.site, states]
            case ModuleValue():
                return [Kind.MODULE, value.module.order]
            case External():
                return [Kind.EXTERNAL, value.name]
            case Container():
                return self._container(value)
            case Bound():
                return [Kind.BOUND, self._value(value.function), self._value(value.receiver)]
            case Partial():
                module = value.frame.unit.module
                return [Kind.PARTIAL, module.order, self._number(self._drafts[module].partials, value)]
            case Wrapped():
                functions = [f if f is None else self._value(f) for f in value.functions]
                return [Kind.WRAPPED, value.kind, functions]
            case Super():
                number = self._classes[value.cls]
                return [Kind.SUPER, value.cls.module.order, number, self._value(value.receiver)]
            case Generator():
                return [Kind.GENERATOR, value.frame.unit.module.order, self._frame(value.frame)]
            case Methods():
                return [Kind.METHODS, self._value(value.owner), value.pattern]
            case Many():
                if value not in self._manies:
                    self._manies[value] = len(self._manies)
                    self._queue.append(value)
                return [Kind.MANY, self._manies[value]]
            case Cut():
                return [Kind.CUT]

    def _container(self, container: Container) -> list[object]:
        site = container.site
        match container.class_name, site:
            case "contents", ClassInfo():
                return [Kind.CONTENTS, site.module.order, self._classes[site]]
            case "namespace", owner if isinstance(owner, Value):
                return [Kind.NAMESPACE, self._value(owner)]
            case class_name, str():
                return [Kind.PLAIN, class_name, site]
            case _:
                module = _module_of(site)
                assert module is not None, site
                return [Kind.CONTAINER, module.order, self._number(self._drafts[module].containers, container)]

    def _number(self, numbers: dict[Any, int], what: Container | Partial) -> int:
        if what not in numbers:
            numbers[what] = len(numbers)
            self._queue.append(what)
        return numbers[what]

    def _frame(self, frame: Frame) -> int:
        draft = self._drafts[frame.unit.module]
        if frame not in draft.frames:
            if frame.parent is not None:
                self._frame(frame.parent)
            draft.frames[frame] = len(draft.frames)
            self._calls(_Calls(frame.unit, frame.parent))
            self._queue.append(frame)
        return draft.frames[frame]

    def _calls(self, calls: _Calls) -> None:
        """Have all frames written that run a function."""
        if calls in self._queued:
            return
        self._queued.add(calls)
        self._queue.append(calls)
        units = self._drafts[calls.unit.module].units
        if calls.unit not in units:
            units[calls.unit] = []
            self._queue.append(calls.unit)


def _module_of(site: object) -> ModuleInfo | None:
    """Return the module of the first frame in what says where something is made."""
    if isinstance(site, Frame):
        return site.unit.module
    if isinstance(site, tuple):
        return next((module for part in site if (module := _module_of(part)) is not None), None)
    return None
