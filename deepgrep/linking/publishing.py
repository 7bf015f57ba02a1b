"""Writes the interface of what was linked: all that code on top of it can come to see (see `interface`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from deepgrep.linking.cells import Cell
from deepgrep.linking.interface import (
    INDEX,
    Kind,
    StoredClass,
    StoredContainer,
    StoredFrame,
    StoredModule,
    StoredPartial,
    StoredUnit,
    section,
)
from deepgrep.linking.passing import Passing
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo
from deepgrep.linking.solver import Solver
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    External,
    FunctionValue,
    Generator,
    InstanceValue,
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


class _Draft:
    """What is known so far of a module that is written: what values name, numbered as it is come to."""

    def __init__(self) -> None:
        self.units: dict[UnitInfo, list[int]] = {}
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
        self._frames_of: dict[tuple[UnitInfo, Frame | None], list[Frame]] = {}
        for frame in solver.frames.values():
            self._frames_of.setdefault((frame.unit, frame.parent), []).append(frame)
        self._attributes: dict[UnitInfo, dict[str, Cell]] = {}
        for (unit, name), cell in solver.function_attributes.items():
            self._attributes.setdefault(unit, {})[name] = cell
        # What was numbered, and is not written yet.
        self._queue: deque[UnitInfo | Frame | Container | Partial] = deque()
        self._written: dict[object, bytes] = {}
        self._written_attributes: dict[UnitInfo, dict[str, msgspec.Raw]] = {}

    def sections(self) -> dict[str, bytes]:
        for module in self._modules:
            self._frame(self._solver.frames[module.units[0], None, None])
        heads = [self._head(module) for module in self._modules]
        while self._queue:
            self._write(self._queue.popleft())
        result = {INDEX: _encode([module.name for module in self._modules])}
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
        return result

    def _head(self, module: ModuleInfo) -> StoredModule:
        return StoredModule(
            module.path,
            module.is_package,
            module.stars,
            self._cells(module.names),
            self._cell(module.replaced_class),
            [msgspec.Raw(_encode(self._class(cls))) for cls in module.classes],
            {}, [], [], [],
        )  # fmt: skip

    def _class(self, cls: ClassInfo) -> StoredClass:
        subclasses = [(sub.module.order, self._classes[sub]) for sub in self._solver.hierarchy.direct_subclasses(cls)]
        return StoredClass(
            cls.facts.qualname,
            cls.facts.line,
            cls.facts.unit,
            cls.order,
            self._list(cls.bases),
            self._list(cls.metaclass),
            self._cells(cls.attributes),
            self._cells(cls.fields),
            cls.declared,
            subclasses,
        )

    def _unit(self, unit: UnitInfo, frames: list[int]) -> msgspec.Raw:
        facts = unit.facts
        stored = StoredUnit(
            facts.qualname,
            facts.line,
            unit.order,
            facts.cls,
            unit.binding,
            unit.states_result,
            facts.is_generator,
            facts.is_async,
            facts.parameters,
            self._passing.returned(unit),
            self._written_attributes[unit],
            frames,
        )
        return msgspec.Raw(_encode(stored))

    def _write(self, what: UnitInfo | Frame | Container | Partial) -> None:
        match what:
            case UnitInfo():
                self._written_attributes[what] = self._cells(self._attributes.get(what, {}))
                return
            case Frame():
                stored: Any = self._stored_frame(what)
            case Container():
                items = [(self._key(key), self._cell(cell)) for key, cell in what.items.items()]
                state = self._solver.objects.get(what, "")
                stored = StoredContainer(what.class_name, state, self._cell(what.element), self._cell(what.key), items)
            case Partial():
                stored = StoredPartial(
                    self._cell(what.callee),
                    self._cell(what.star),
                    self._cell(what.double_star),
                    [(position, self._cell(cell)) for position, cell in what.args.items()],
                    [(name, self._cell(cell)) for name, cell in what.keywords.items()],
                )
        self._written[what] = _encode(stored)

    def _stored_frame(self, frame: Frame) -> StoredFrame:
        parent = -1 if frame.parent is None else self._frame(frame.parent)
        result = frame.result.values
        # What it was handed and gives back, it gives back of what is handed to it then.
        for parameter in self._passing.returned(frame.unit):
            result -= frame.cell(parameter + 1).values
        return StoredFrame(
            frame.unit.index,
            parent,
            msgspec.Raw(_encode([] if frame.context is None else self._value(frame.context))),
            self._values(result, frame.result.is_full),
            self._cell(frame.yielded),
            self._functions[frame],
        )

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
                self._frames(value.unit, value.frame)
                made_by = -1 if value.frame is None else self._frame(value.frame)
                return [Kind.FUNCTION, value.unit.module.order, value.unit.index, made_by]
            case ClassValue():
                return [Kind.CLASS, value.cls.module.order, self._classes[value.cls], value.is_open]
            case InstanceValue():
                number = self._classes[value.cls]
                state = self._solver.objects.get(value, "")
                return [Kind.INSTANCE, value.cls.module.order, number, value.is_open, value.site, state]
            case ModuleValue():
                return [Kind.MODULE, value.module.order]
            case External():
                return [Kind.EXTERNAL, value.name]
            case Container():
                return self._container(value)
            case Bound():
                return [Kind.BOUND, self._value(value.function), self._value(value.receiver)]
            case Partial():
                module = _module_of(value.site)
                assert module is not None
                return [Kind.PARTIAL, module.order, self._number(self._drafts[module].partials, value)]
            case Wrapped():
                functions = [f if f is None else self._value(f) for f in value.functions]
                return [Kind.WRAPPED, value.kind, functions]
            case Super():
                number = self._classes[value.cls]
                return [Kind.SUPER, value.cls.module.order, number, self._value(value.receiver)]
            case Generator():
                return [Kind.GENERATOR, value.frame.unit.module.order, self._frame(value.frame)]

    def _container(self, container: Container) -> list[object]:
        site = container.site
        match container.class_name, site:
            case "contents", ClassInfo():
                return [Kind.CONTENTS, site.module.order, self._classes[site]]
            case "namespace", ModuleInfo():
                return [Kind.NAMESPACE, site.order]
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
            if frame.unit not in draft.units:
                draft.units[frame.unit] = []
                self._queue.append(frame.unit)
            draft.units[frame.unit].append(draft.frames[frame])
            self._queue.append(frame)
        return draft.frames[frame]

    def _frames(self, unit: UnitInfo, parent: Frame | None) -> None:
        """Have all frames written that run a function."""
        for frame in self._frames_of[unit, parent]:
            self._frame(frame)


def _module_of(site: object) -> ModuleInfo | None:
    """Return the module of the first frame in what says where something is made."""
    if isinstance(site, Frame):
        return site.unit.module
    if isinstance(site, tuple):
        return next((module for part in site if (module := _module_of(part)) is not None), None)
    return None
