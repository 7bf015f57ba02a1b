"""The work list: frames are evaluated until no cell holds more.

Inclusion-based (Andersen 1994), with the frame as the unit of work: what flows inside a function is followed by
evaluating its operations, what flows between functions goes through cells. A cell that grows puts its readers on the
list. Functions are called as they are found (on-the-fly call graph).
"""

from __future__ import annotations

from collections import deque
from typing import Any

from deepgrep.linking.cells import Cell
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.plugins import OPERATIONS
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.recording import Recorder
from deepgrep.linking.values import (
    CODE,
    Bound,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    Interner,
    ModuleValue,
    Partial,
    Value,
    Values,
)
from deepgrep.linking.widening import MANY, Widening
from deepgrep.models import Models
from deepgrep.models.model import FunctionModel


class Solver:
    """The state of the analysis: frames, cells, and the work list.

    Attributes:
        objects: the state that holds an object: `registry = {}` in a module body makes the dict `m.registry`.
    """

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models
        self.interner = Interner()
        self.hierarchy = Hierarchy(program)
        self.widening = Widening(self.interner, self.hierarchy)
        self.frames: dict[tuple[UnitInfo, Frame | None, Value | None], Frame] = {}
        self.objects: dict[Value, str] = {}
        # Applied decorators, by site: what they decorate, and where the result goes.
        self.decorated: dict[object, tuple[Value, Cell]] = {}
        self._code: dict[Values, Values] = {}
        # Calls whose arguments have flowed already: nothing is new in them.
        self.flowed: set[tuple[object, ...]] = set()
        self._function_attributes: dict[tuple[UnitInfo, str], Cell] = {}
        self._models: dict[str, FunctionModel | None] = {}
        self._watchers: dict[ClassInfo, dict[str, dict[int, Frame]]] = {}
        self._missed: dict[tuple[ModuleInfo, str], dict[int, Frame]] = {}
        self._item_watchers: dict[Container, dict[int, Frame]] = {}
        self._operations = 0
        self._queue: deque[Frame] = deque()
        self._queued: set[Frame] = set()
        # Functions found while only module bodies, and what they call, are evaluated; None after that.
        self._waiting: dict[Frame, None] | None = {}

    def frame(self, unit: UnitInfo, parent: Frame | None, context: Value | None = None) -> Frame:
        """Return the frame of a unit in a context; a new one will be evaluated."""
        key = (unit, parent, context)
        frame = self.frames.get(key)
        if frame is None:
            frame = self.frames[key] = Frame(unit, parent, context, len(self.frames), self._operations)
            self._operations += len(unit.facts.operations)
            self._seed(frame)
            if self._waiting is not None:
                self._waiting[frame] = None
            else:
                self.enqueue(frame)
        return frame

    def called(self, frame: Frame) -> Frame:
        """Evaluate a frame soon: something that is evaluated calls it."""
        if self._waiting and frame in self._waiting:
            del self._waiting[frame]
            self.enqueue(frame)
        return frame

    def enqueue(self, frame: Frame) -> None:
        """Evaluate a frame (again) later."""
        if frame not in self._queued:
            self._queued.add(frame)
            self._queue.append(frame)

    def again(self, readers: dict[int, Frame]) -> None:
        """Evaluate operations again later; `readers` as in Cell."""
        for number, frame in readers.items():
            frame.pending.add(number - frame.number)
            self.enqueue(frame)

    def add(self, cell: Cell, values: Values) -> None:
        """Add values to a cell; if it grows, its readers are evaluated again."""
        known = cell.values
        if cell.is_full or values <= known:
            return
        values = self.widening.uncovered(known, values)
        if not values:
            return
        grown = known | values if known else values
        if len(grown) > MANY:
            grown = self.widening.widened(grown)
            kept = self.widening.cut(known & grown, grown)
            cell.is_full = len(kept) < len(grown)
            # What is dropped must be covered by something new: else the same values would come and go for ever.
            if kept <= known:
                return
            grown = kept
        cell.values = grown
        self.again(cell.readers)

    def state(self, cell: Cell, values: Values) -> None:
        """Add what an annotation states to a cell, however much it holds already."""
        if not values <= cell.values:
            cell.values |= values
            self.again(cell.readers)

    def flow(self, frame: Frame, parameter: int, values: Values) -> None:
        """Let code that is passed flow to a parameter of a frame; which objects it holds, annotations say.

        Objects flow to constructors alone, where no annotation does: what an object is made of is asked of it in many
        places, and few are made of anything.
        """
        unit = frame.unit
        if parameter not in unit.stated and unit.facts.qualname.endswith(".__init__"):
            values = self.code(values) | frozenset(filter(_is_exact, values))
        else:
            values = self.code(values)
        if values:
            self.add(frame.cell(parameter + 1), values)

    def code(self, values: Values) -> Values:
        """Return those of some values that are code: functions, methods, classes, modules, callable instances."""
        known = self._code.get(values)
        if known is None:
            kept = frozenset(filter(self._is_code, values))
            known = self._code[values] = values if len(kept) == len(values) else kept
        return known

    def _is_code(self, value: Value) -> bool:
        if isinstance(value, Bound) and isinstance(value.function, External):
            # Any attribute of an outside object looks like a method: only one that is known is handed on.
            return self.model(value.function.name) is not None
        return isinstance(value, (*CODE, ModuleValue)) or (
            isinstance(value, InstanceValue)
            and not (value.is_open and self.hierarchy.subclasses(value.cls))
            and self.hierarchy.find(value.cls, "__call__", False).inherited is not None
        )

    def first(self, values: Values, most: int) -> Values:
        """Return the first of some values, in the order in which they were made; all are evaluated, all the same."""
        for value in values:
            function = value.function if isinstance(value, Bound) else value
            if isinstance(function, FunctionValue):
                self.called(self.base_frame(function)).is_cut = True
        return frozenset(sorted(values, key=hash)[:most])

    def watch(self, cls: ClassInfo, name: str, ev: Evaluation) -> None:
        """Evaluate an operation again when a class, or one above or below it, gets other bases or attribute `name`."""
        self._watchers.setdefault(cls, {}).setdefault(name, {})[ev.number] = ev.frame

    def watch_items(self, container: Container, ev: Evaluation) -> None:
        """Evaluate an operation again when a container gets an item at a new key."""
        self._item_watchers.setdefault(container, {})[ev.number] = ev.frame

    def bases_changed(self, cls: ClassInfo) -> None:
        """Evaluate again what looked for any attribute of a class, or of one above or below it."""
        self.widening.forget()
        for affected in self._around(cls):
            for readers in self._watchers.get(affected, {}).values():
                self.again(readers)

    def _attribute_added(self, cls: ClassInfo, name: str) -> None:
        """Evaluate again what looked for an attribute of a class, or of one above or below it."""
        for affected in self._around(cls):
            self.again(self._watchers.get(affected, {}).get(name, {}))

    def _around(self, cls: ClassInfo) -> list[ClassInfo]:
        around = (*self.hierarchy.mro(cls), *self.hierarchy.subclasses(cls))
        return [c for c in around if isinstance(c, ClassInfo)]

    def class_attribute(self, cls: ClassInfo, name: str) -> Cell:
        """Return the cell of a class attribute that is assigned from outside the class body."""
        if name in cls.attributes:
            return cls.attributes[name]
        cell = self.hierarchy.add_attribute(cls, name)
        self._attribute_added(cls, name)
        return cell

    def instance_field(self, cls: ClassInfo, name: str) -> Cell:
        """Return the cell of an attribute that is assigned on instances of a class."""
        if name in cls.fields:
            return cls.fields[name]
        cell = self.hierarchy.add_field(cls, name)
        self._attribute_added(cls, name)
        return cell

    def unnamed_attribute(self, cls: ClassInfo) -> Cell:
        """Return the cell of what is assigned to attributes of a class whose names are not known."""
        cell, is_new = self.hierarchy.add_unnamed(cls)
        if is_new:
            self.bases_changed(cls)
        return cell

    def module_name(self, module: ModuleInfo, name: str) -> Cell:
        """Return the cell of a module's global that may be assigned from outside the module."""
        if name not in module.names:
            module.names[name] = Cell()
            self.again(self._missed.get((module, name), {}))
        return module.names[name]

    def missed(self, module: ModuleInfo, name: str, ev: Evaluation) -> None:
        """Evaluate an operation again when a module gets a global that it looked for in vain."""
        self._missed.setdefault((module, name), {})[ev.number] = ev.frame

    def function_attribute(self, unit: UnitInfo, name: str) -> Cell:
        """Return the cell of an attribute of a function."""
        return self._function_attributes.setdefault((unit, name), Cell())

    def item(self, container: Container, key: object) -> Cell:
        """Return the cell of what a container holds at a key."""
        cell = container.items.get(key)
        if cell is None:
            cell = container.items[key] = Cell()
            self.again(self._item_watchers.get(container, {}))
        return cell

    def argument(self, partial: Partial, key: int | str) -> Cell:
        """Return the cell of an argument that a partial passes, by position or name."""
        cells: dict[Any, Cell] = partial.args if isinstance(key, int) else partial.keywords
        if key not in cells:
            cells[key] = Cell()
            self.again(partial.callee.readers)
        return cells[key]

    def contents(self, cls: ClassInfo) -> Container:
        """Return what instances of a class that extends a container hold."""
        return self.interner.container("contents", cls)

    def namespace(self, module: ModuleInfo) -> Container:
        """Return the dict of a module's globals."""
        return self.interner.container("namespace", module)

    def decorated_cell(self, site: object, value: Value) -> Cell:
        """Return the cell of what a decorator, applied to a value at a site, gives back."""
        if site not in self.decorated:
            self.decorated[site] = (value, Cell())
        return self.decorated[site][1]

    def model(self, name: str) -> FunctionModel | None:
        """Return the model of a function or method outside the analyzed sources."""
        if name not in self._models:
            self._models[name] = self.models.function(name)
        return self._models[name]

    def solve(self) -> None:
        """Evaluate everything until nothing changes."""
        for module in self.program.modules.values():
            self.called(self.frame(module.units[0], None))
        self._run()  # module bodies first: most globals are known before the functions are looked at
        waiting, self._waiting = self._waiting or {}, None
        for frame in waiting:
            self.enqueue(frame)
        self._run()
        self._assume_transparent_decorators()

    def record(self, recorder: Recorder) -> None:
        """Evaluate every frame once more, with a listener; those too that are first called while it listens."""
        self._forget_solving()
        for waiting in (self._watchers, self._item_watchers, self._missed):
            waiting.clear()
        done = 0
        while done < len(self.frames):
            frames = list(self.frames.values())[done:]
            done += len(frames)
            for frame in frames:
                recorder.listen(frame)
                self._evaluate(frame, recorder)

    def _forget_solving(self) -> None:
        """Drop what only solving needs: it is as large as the rest."""
        self.flowed.clear()
        for unit in self.program.units():
            unit.forget_users()
        cells = [
            cell for frame in self.frames.values() for cell in (*frame.cells.values(), frame.result, frame.yielded)
        ]
        cells += [cell for module in self.program.modules.values() for cell in module.names.values()]
        for cls in self.program.classes():
            cells += [*cls.attributes.values(), *cls.fields.values()]
        for cell in cells:
            cell.readers = {}

    def _run(self) -> None:
        while self._queue:
            frame = self._queue.popleft()
            self._queued.discard(frame)
            frame.at_import |= self._waiting is not None
            self._evaluate(frame, None)

    def _evaluate(self, frame: Frame, recorder: Recorder | None) -> None:
        Evaluation(self, frame, recorder).run(OPERATIONS)

    def _assume_transparent_decorators(self) -> None:
        """Let a decorator that gives back nothing known give back what it decorates, as nearly all do."""
        while True:
            open_ones = [(value, cell) for value, cell in self.decorated.values() if not cell.values]
            if not open_ones:
                return
            for value, cell in open_ones:
                self.add(cell, self.interner.one(value))
            self._run()

    def _seed(self, frame: Frame) -> None:
        """Give a frame what its parameters hold whoever calls it: `self`, `cls`, `*args` and `**kwargs`."""
        unit = frame.unit
        for index, parameter in enumerate(unit.facts.parameters):
            if parameter.kind in ("*", "**"):
                frame.cell(index + 1).values = self.interner.one(self.rest_container(frame, index))
            elif index == 0 and unit.cls is not None and unit.binding in ("instance", "class"):
                make = self.interner.instance if unit.binding == "instance" else self.interner.cls
                frame.cell(1).values = self.interner.one(make(unit.cls, True))

    def rest_container(self, frame: Frame, index: int) -> Container:
        """Return the tuple or dict that a frame's `*args` or `**kwargs` holds."""
        kind = "tuple" if frame.unit.facts.parameters[index].kind == "*" else "dict"
        return self.interner.container(kind, (frame, index))

    def base_frame(self, function: FunctionValue) -> Frame:
        """Return the frame that stands for all calls of a function."""
        return self.frame(function.unit, function.frame)


def _is_exact(value: Value) -> bool:
    return isinstance(value, InstanceValue) and not value.is_open
