"""The work list: frames are evaluated until no cell holds more.

Inclusion-based (Andersen 1994), with the frame as the unit of work: what flows inside a function is followed by
evaluating its operations, what flows between functions goes through cells. A cell that grows puts its readers on the
list. Functions are called as they are found (on-the-fly call graph).
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from deepgrep.linking.cells import Cell
from deepgrep.linking.client_code import close, is_client, reopen
from deepgrep.linking.clones import NO_PLACES, Clones, Own, OwnValues, OwnVariables
from deepgrep.linking.closed_types import Closed, fitting
from deepgrep.linking.contexts import depth
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.higher_order import HigherOrder
from deepgrep.linking.name_patterns import is_name
from deepgrep.linking.plugins import OPERATIONS
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.recording import Recorder
from deepgrep.linking.relays import relay_unit
from deepgrep.linking.states import name_held
from deepgrep.linking.values import (
    CODE,
    Bound,
    ClassValue,
    Container,
    Context,
    Cut,
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

# A class that may be any of more subclasses than this is not handed on.
_MOST_CLASSES = 8


class Solver:
    """The state of the analysis: frames, cells, and the work list.

    Attributes:
        objects: the states that hold an object: `registry = {}` in a module body makes the dict `m.registry`.
    """

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models
        self.interner = Interner()
        self.hierarchy = Hierarchy(program)
        self.higher_order = HigherOrder(program, models)
        self.widening = Widening(self.interner, self.hierarchy)
        self.frames: dict[tuple[UnitInfo, Frame | None, Context], Frame] = {}
        self.objects: dict[Value, dict[str, None]] = {}
        # Applied decorators, by site: what they decorate, and where the result goes.
        self.decorated: dict[object, tuple[Value, Cell]] = {}
        self._code: dict[Values, Values] = {}
        self._passed: dict[tuple[Values, bool], Values] = {}
        self._fitting: dict[tuple[Closed, Values], Values] = {}
        # Calls whose arguments have flowed already: nothing is new in them.
        self.flowed: set[tuple[object, ...]] = set()
        # What instances of classes that extend a container hold.
        self.contents_known: dict[ClassInfo, Container] = {}
        self.function_attributes: dict[tuple[FunctionValue, str], Cell] = {}
        self._models: dict[str, FunctionModel | None] = {}
        # Operations that looked for an attribute, by its name and the class; and the names, by the class.
        self._watchers: dict[str, dict[ClassInfo, dict[int, Frame]]] = {}
        self._watched: dict[ClassInfo, dict[str, None]] = {}
        self._missed: dict[tuple[ModuleInfo, str], dict[int, Frame]] = {}
        self._item_watchers: dict[Container, dict[int, Frame]] = {}
        self._clones = Clones()
        # Constant names that have contexts of their own, by the function that takes an attribute by them.
        self.names_told_apart: dict[UnitInfo, dict[Value, None]] = {}
        self._made: list[Frame] = []
        self.relays: dict[str, Frame] = {}
        # Calls in clones that wait for what they hand on, by number; and those that have waited long enough.
        self.deferred: dict[int, tuple[Frame, int]] = {}
        self.settled: set[int] = set()
        self._operations = 0
        self._queue: deque[Frame] = deque()
        self._queued: set[Frame] = set()
        # Functions found while only module bodies, and what they call, are evaluated; None after that.
        self._waiting: dict[Frame, None] | None = {}
        if program.library is not None:
            program.library.open(self)

    def frame(self, unit: UnitInfo, parent: Frame | None, context: Context = ()) -> Frame:
        """Return the frame of a unit in a context; a new one will be evaluated."""
        key = (unit, parent, context)
        frame = self.frames.get(key)
        if frame is None and self.program.library is not None:
            frame = self.program.library.frame(unit, parent, context)
        if frame is None:
            frame = self.frames[key] = self._new_frame(unit, parent, context)
        return frame

    def _new_frame(self, unit: UnitInfo, parent: Frame | None, context: Context) -> Frame:
        base, own = None, None
        if context or (parent is not None and parent.own is not None):
            base = self.frame(unit, parent.base or parent if parent is not None else None)
            around = parent.own.places if parent is not None and parent.own is not None else NO_PLACES
            handed = frozenset(index + 1 for index, _ in context)
            absent = frozenset(index + 1 for index, value in context if value is self.interner.text(None))
            given = frozenset(index + 1 for index, value in context if not is_name(value))
            own = self._clones.own(unit, handed, given, absent, around)
            if own is None:
                return base
        frame = Frame(unit, parent, context, depth(parent, context), len(self._made), self._operations, base, own)
        self._made.append(frame)
        self._operations += len(unit.facts.operations)
        self._seed(frame)
        if base is not None and own is not None:
            base.clones.append((frame, own))
            frame.values, frame.variables = OwnValues(base), OwnVariables(base)
            self.add(frame.result, base.stated.values)
            for index, value in context:
                if unit.facts.parameters[index].kind not in ("*", "**"):
                    self.add(frame.cell(index + 1), self.interner.one(value))
        if self._waiting is not None:
            self._waiting[frame] = None
        else:
            self.enqueue(frame)
        return frame

    def relay(self, name: str) -> Frame:
        """Return the frame of a relay (relays.py)."""
        if name not in self.relays:
            library = self.program.library
            is_stored = library is not None and name in library.relays
            unit = relay_unit(self.models.relays[name], list(self.models.relays).index(name), is_stored)
            frame = self.relays[name] = self.called(self.frame(unit, None))
            if library is not None and is_stored:
                library.stand_for(frame, library.relays[name])
        return self.relays[name]

    def called(self, frame: Frame) -> Frame:
        """Evaluate a frame soon: something that is evaluated calls it."""
        if self._waiting and frame in self._waiting:
            if frame.base is not None:
                self.called(frame.base)
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
            kept, cell.is_full = self.widening.cut(known & grown, grown)
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
        is_open = parameter not in unit.stated and unit.facts.qualname.endswith(".__init__")
        values = self.passed(values, is_open)
        if values and parameter in unit.closed:
            values = self.fitting(unit.closed[parameter], values)
        if values:
            self.add(frame.cell(parameter + 1), values)

    def fitting(self, classes: Closed, values: Values) -> Values:
        """Return those of some values that a place of a closed type may hold (closed_types.py)."""
        key = (classes, values)
        if key not in self._fitting:
            self._fitting[key] = fitting(self.hierarchy, classes, values)
        return self._fitting[key]

    def passed(self, values: Values, with_objects: bool) -> Values:
        """Return those of some values that flow to parameters."""
        known = self._passed.get((values, with_objects))
        if known is None:
            kept = self.code(values) | frozenset(v for v in values if _is_passed(v, with_objects))
            known = self._passed[values, with_objects] = values if len(kept) == len(values) else kept
        return known

    def code(self, values: Values) -> Values:
        """Return those of some values that are code: functions, methods, classes, modules, callable instances."""
        known = self._code.get(values)
        if known is None:
            kept = frozenset(filter(self._is_code, values))
            known = self._code[values] = values if len(kept) == len(values) else kept
        return known

    def _is_code(self, value: Value) -> bool:
        if isinstance(value, External):
            return value.name.endswith("()")  # a callable that a model gives back
        if isinstance(value, Bound) and isinstance(value.function, External):
            # Any attribute of an outside object looks like a method: only one that is known is handed on.
            return self.model(value.function.name) is not None
        most = _MOST_CLASSES
        if isinstance(value, ClassValue) and value.is_open and len(self.hierarchy.subclasses(value.cls)) > most:
            return False  # `type(x)`, of anything: nothing is known of what it makes
        return isinstance(value, (*CODE, ModuleValue, Cut)) or (
            isinstance(value, InstanceValue)
            and not (value.is_open and self.hierarchy.direct_subclasses(value.cls))
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
        """Evaluate an operation again when a class, or one above or below it, gets other bases or attribute `name`.

        "" is for the bases alone.
        """
        self._watchers.setdefault(name, {}).setdefault(cls, {})[ev.number] = ev.frame
        self._watched.setdefault(cls, {})[name] = None

    def watch_items(self, container: Container, ev: Evaluation) -> None:
        """Evaluate an operation again when a container gets an item at a new key."""
        self._item_watchers.setdefault(container, {})[ev.number] = ev.frame

    def bases_changed(self, cls: ClassInfo) -> None:
        """Evaluate again what looked for any attribute of a class, or of one above or below it."""
        self.widening.forget()
        self._fitting.clear()
        above = [cls] if is_client(cls.module) else self.hierarchy.mro(cls)
        for affected in (*above, *self.hierarchy.subclasses(cls)):
            if isinstance(affected, ClassInfo):
                for name in self._watched.get(affected, ()):
                    self.again(self._watchers[name][affected])

    def _attribute_added(self, cls: ClassInfo, name: str) -> None:
        """Evaluate again what looked for an attribute of a class, or of one above or below it."""
        watchers = self._watchers.get(name)
        if watchers:
            around = {*self.hierarchy.mro(cls), *self.hierarchy.subclasses(cls)}
            for watched, readers in watchers.items():
                if watched in around:
                    self.again(readers)

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

    def set_field(self, cls: ClassInfo, name: str, values: Values) -> None:
        """Add values to an attribute of instances of a class, as far as its type admits them."""
        types = self.hierarchy.closed(cls, name)
        self.add(self.instance_field(cls, name), values if types is None else self.fitting(types, values))

    def unnamed_attribute(self, cls: ClassInfo, pattern: str) -> Cell:
        """Return the cell of what is assigned to attributes of a class under names of which a pattern is known."""
        cell, is_new = self.hierarchy.add_unnamed(cls, pattern)
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

    def function_attribute(self, function: FunctionValue, name: str) -> Cell:
        """Return the cell of an attribute of a function."""
        return self.function_attributes.setdefault((function, name), Cell())

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
        if cls not in self.contents_known:
            self.contents_known[cls] = self.interner.container("contents", cls)
        return self.contents_known[cls]

    def decorated_cell(self, site: object, value: Value) -> Cell:
        """Return the cell of what a decorator, applied to a value at a site, gives back."""
        if site not in self.decorated:
            self.decorated[site] = (value, Cell())
        return self.decorated[site][1]

    def model(self, name: str) -> FunctionModel | None:
        """Return the model of a function or method outside the analyzed sources."""
        if name not in self._models:
            self._models[name] = self.models.function(name) or self._starred_model(name)
        return self._models[name]

    def _starred_model(self, name: str) -> FunctionModel | None:
        """Return the model of what a module has from an `import *` of native code: `torch.get_num_threads`."""
        owner, _, last = name.rpartition(".")
        module = self.program.module(owner)
        if module is None:
            return None
        starred = [module.absolute(star, level) for star, level in reversed(module.stars)]
        names = [f"{star}.{last}" for star in starred if self.program.module(star) is None]
        exact = next((self.models.functions[n] for n in names if n in self.models.functions), None)
        is_class = last[:1].isupper() or any(self.models.class_(n) is not None for n in names)
        if exact is not None or is_class:
            return exact
        return next((model for n in names if (model := self.models.function(n)) is not None), None)

    def solve(self) -> None:
        """Evaluate everything until nothing changes."""
        clients = [module for module in self.program.modules.values() if is_client(module)]
        for module in self.program.modules.values():
            if module not in clients:
                self.called(self.frame(module.units[0], None))
        if self.program.library is not None:
            # Whatever of the library leads to a relay, it calls what the code defines.
            for name in self.program.library.relays:
                self.relay(name)
        self._run()  # module bodies first: most globals are known before the functions are looked at
        waiting, self._waiting = self._waiting or {}, None
        for frame in waiting:
            self.enqueue(frame)
        self._run()
        self._assume_transparent_decorators()
        if clients:
            closed = close(self)
            for module in clients:
                self.called(self.frame(module.units[0], None))
            self._run()
            self._assume_transparent_decorators()
            reopen(closed)

    def record(self, recorder: Recorder) -> None:
        """Evaluate every frame once more, with a listener; those too that are first called while it listens."""
        name_held(self)
        self._forget_solving()
        for waiting in (self._watchers, self._watched, self._item_watchers, self._missed):
            waiting.clear()
        done = 0
        while done < len(self._made):
            frames = self._made[done:]
            done += len(frames)
            bases: dict[Frame, None] = {}
            for frame in frames:
                if frame.base is not None:
                    bases[frame.base] = None
                    continue
                if self.program.library is not None and self.program.library.has(frame):
                    continue  # a relay that is recorded already
                recorder.listen(frame)
                self._evaluate(frame, recorder)
            new = set(frames)
            for base in bases:
                self._record_clones(base, [(clone, own) for clone, own in base.clones if clone in new], recorder)

    def _record_clones(self, base: Frame, clones: list[tuple[Frame, Own]], recorder: Recorder) -> None:
        alike: dict[Own, list[Frame]] = {}
        for clone, own in clones:
            alike.setdefault(own, []).append(clone)
            recorder.listen(clone)
            self._evaluate(clone, recorder)
        evaluation = Evaluation(self, base, recorder)
        for own, sharing in alike.items():
            rest = Frame(base.unit, base.parent, (), base.depth, base.order, base.number, is_rest=True)
            recorder.rest(rest, sharing, partial(evaluation.run_rest, OPERATIONS, own))
        base.values, base.variables = [], []
        for clone, _ in clones:
            clone.values, clone.variables = OwnValues(base), OwnVariables(base)

    def _forget_solving(self) -> None:
        """Drop what only solving needs: it is as large as the rest."""
        self.flowed.clear()
        for unit in self.program.units():
            unit.forget_users()
        cells = [cell for frame in self._made for cell in (*frame.cells.values(), frame.result, frame.yielded)]
        cells += [cell for module in self.program.modules.values() for cell in module.names.values()]
        for cls in self.program.classes():
            cells += [*cls.attributes.values(), *cls.fields.values()]
        for cell in cells:
            cell.readers = {}

    def _run(self) -> None:
        while self._queue or self.deferred:
            while self._queue:
                frame = self._queue.popleft()
                self._queued.discard(frame)
                frame.at_import |= self._waiting is not None
                self._evaluate(frame, None)
            waiting, self.deferred = self.deferred, {}
            for number, (frame, index) in waiting.items():
                self.settled.add(number)
                frame.pending.add(index)
                self.enqueue(frame)

    def _evaluate(self, frame: Frame, recorder: Recorder | None) -> None:
        if frame.base is not None and len(frame.base.values) < len(frame.base.unit.facts.operations):
            self._evaluate(frame.base, None)  # a clone looks at what its base holds
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
            if frame.holder(index + 1) is not frame:
                continue
            if parameter.kind in ("*", "**"):
                frame.cell(index + 1).values = self.interner.one(self.rest_container(frame, index))
            elif index == 0 and unit.cls is not None and unit.binding in ("instance", "class"):
                if frame.context[:1] and frame.context[0][0] == 0:
                    continue  # the class that the context is for
                make = self.interner.instance if unit.binding == "instance" else self.interner.cls
                frame.cell(1).values = self.interner.one(make(unit.cls, True))

    def rest_container(self, frame: Frame, index: int) -> Container:
        """Return the tuple or dict that a frame's `*args` or `**kwargs` holds."""
        kind = "tuple" if frame.unit.facts.parameters[index].kind == "*" else "dict"
        return self.interner.container(kind, (frame.holder(index + 1), index))

    def base_frame(self, function: FunctionValue) -> Frame:
        """Return the frame that stands for all calls of a function."""
        return self.frame(function.unit, function.frame)


def _is_passed(value: Value, with_objects: bool) -> bool:
    """Whether a value that is no code flows to a parameter: modules and states, and objects where wanted."""
    match value:
        case ModuleValue():
            return True
        case InstanceValue():
            return bool(value.site) or (with_objects and not value.is_open)
        case Container(site=(Frame() as frame, *_)):
            return frame.unit.is_module
        case _:
            return False
