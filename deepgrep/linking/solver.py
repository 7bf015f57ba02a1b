"""The work list: frames are evaluated until no cell holds more.

Inclusion-based (Andersen 1994), with the frame as the unit of work: what flows inside a function is followed by
evaluating its operations, what flows between functions goes through cells. A cell that grows puts its readers on the
list. Functions are called as they are found (on-the-fly call graph).
"""

from __future__ import annotations

from collections import deque
from typing import Any

from deepgrep.linking.cells import Cell, Readers, each_reader, with_reader
from deepgrep.linking.client_code import close, is_client, reopen
from deepgrep.linking.clones import NO_PLACES, Clones, OwnValues, OwnVariables
from deepgrep.linking.constructors import Constructors, is_for_class
from deepgrep.linking.contexts import are_some_functions, depth
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.flowing import Flowing
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.higher_order import HigherOrder
from deepgrep.linking.name_patterns import is_name
from deepgrep.linking.outside_models import OutsideModels
from deepgrep.linking.plugins import OPERATIONS
from deepgrep.linking.pools import pour
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.recording import Recorder
from deepgrep.linking.relays import relay_unit
from deepgrep.linking.too_many import Place, add_beyond
from deepgrep.linking.values import (
    Container,
    Context,
    FunctionValue,
    Interner,
    Many,
    Partial,
    Value,
    Values,
    function_of,
)
from deepgrep.linking.widening import MANY, Widening
from deepgrep.models import Models


class Solver:
    """The state of the analysis: frames, cells, and the work list.

    Attributes:
        made: all frames, in the order in which they were made.
        evaluated: the frame that is evaluated.
        keeps_all: whether full cells still note what else they are given.
        model: gives the model of a function outside the analyzed sources, by its name.
        code, passed, fitting: tell which of some values flow (flowing.py).
        objects: the states that hold an object: `registry = {}` in a module body makes the dict `m.registry`.
        changes: how many changes there have been to what evaluations look at.
    """

    def __init__(self, program: Program, models: Models) -> None:
        self.program = program
        self.models = models
        self.interner = Interner()
        self.hierarchy = Hierarchy(program, self.interner)
        self.higher_order = HigherOrder(program, models)
        self.widening = Widening(self.interner, self.hierarchy)
        self.frames: dict[tuple[UnitInfo, Frame | None, Context], Frame] = {}
        self.objects: dict[Value, dict[str, None]] = {}
        # Applied decorators, by site: what they decorate, and where the result goes.
        self.decorated: dict[object, tuple[Value, Cell]] = {}
        self.model = OutsideModels(program, models).function
        self._flowing = Flowing(self.hierarchy, self.model, models)
        self.code, self.passed, self.fitting = self._flowing.code, self._flowing.passed, self._flowing.fitting
        # Calls whose arguments have flowed already: nothing is new in them.
        self.flowed: set[tuple[object, ...]] = set()
        # What instances of classes that extend a container hold.
        self.contents_known: dict[ClassInfo, Container] = {}
        self.function_attributes: dict[tuple[FunctionValue, str], Cell] = {}
        # Operations that looked for an attribute, by its name and the class; and the names, by the class.
        self._watchers: dict[str, dict[ClassInfo, Readers]] = {}
        self._watched: dict[ClassInfo, dict[str, None]] = {}
        self._missed: dict[tuple[ModuleInfo, str], Readers] = {}
        self._item_watchers: dict[Container, Readers] = {}
        self._clones = Clones()
        # Constant names that have contexts of their own, by the function that takes an attribute by them.
        self.names_told_apart: dict[UnitInfo, dict[Value, None]] = {}
        self.constructors = Constructors(self)
        self.made: list[Frame] = []
        self.relays: dict[str, Frame] = {}
        self.places_of_many: dict[Many, Place] = {}
        # Calls in clones that wait for what they hand on, by number; and those that have waited long enough.
        self.deferred: dict[int, tuple[Frame, int]] = {}
        self.settled: set[int] = set()
        self.changes = 0
        self._operations = 0
        self.evaluated: Frame | None = None
        self.keeps_all = True
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
            # Each class keeps what its own constructors pass, whatever that is.
            of_class = is_for_class(unit, context)
            handed = frozenset(range(1, len(unit.facts.parameters) + 1) if of_class else (i + 1 for i, _ in context))
            absent = frozenset(index + 1 for index, value in context if value is self.interner.text(None))
            given = frozenset(index + 1 for index, value in context if not is_name(value))
            own = self._clones.own(unit, handed, given, absent, around)
            if own is None:
                return base
        frame = Frame(unit, parent, context, depth(parent, context), len(self.made), self._operations, base, own)
        self.made.append(frame)
        self.changes += 1
        self._operations += len(unit.facts.operations)
        self._seed(frame)
        if base is not None and own is not None:
            base.clones.append((frame, own))
            frame.values, frame.variables = OwnValues(base), OwnVariables(base)
            self.add(frame.result, base.stated.values)
            for index, value in context:
                if unit.facts.parameters[index].kind not in ("*", "**") and not are_some_functions(value):
                    self.add(frame.cell(index + 1), self.interner.one(value))
            self.constructors.make(frame, base)
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

    def again(self, readers: Readers) -> None:
        """Evaluate operations again later."""
        self.changes += 1
        for number, frame in each_reader(readers):
            frame.pending.add(number - frame.number)
            self.enqueue(frame)

    def add(self, cell: Cell, values: Values) -> None:
        """Add values to a cell; if it grows, its readers are evaluated again."""
        known = cell.values
        if values <= known:
            return
        if cell.is_full:
            add_beyond(self, cell, values - known)
            return
        values = self.widening.uncovered(known, values)
        if not values:
            return
        grown = known | values if known else values
        if len(grown) > MANY:
            grown = self.widening.widened(grown)
            kept, rest = self.widening.cut(known & grown, grown)
            cell.is_full = bool(rest)
            # What is dropped must be covered by something new: else the same values would come and go for ever.
            if not kept <= known:
                self.hold(cell, kept)
            add_beyond(self, cell, rest)
            return
        self.hold(cell, grown)

    def hold(self, cell: Cell, values: Values) -> None:
        """Let a cell hold other values than before; its readers are evaluated again, and those of its pools."""
        cell.values = values
        self.again(cell.readers)
        for pool in cell.pools:
            if pool.take(values):
                self.again(pool.readers)

    def members(self, many: Many) -> dict[Value, dict[Frame, None]]:
        """Return what a place was given beyond what it keeps, each with the frames that gave it."""
        library = self.program.library
        return many.members if library is None else library.members(many)

    def state(self, cell: Cell, values: Values) -> None:
        """Add what an annotation states to a cell, however much it holds already."""
        if not values <= cell.values:
            self.hold(cell, cell.values | values)

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

    def first(self, values: Values, most: int) -> Values:
        """Return the first of some values, in the order in which they were made; all are evaluated, all the same."""
        for value in values:
            function = function_of(value)
            if isinstance(function, FunctionValue):
                self.called(self.base_frame(function)).is_cut = True
        return frozenset(sorted(values, key=hash)[:most])

    def watch(self, cls: ClassInfo, name: str, ev: Evaluation) -> None:
        """Evaluate an operation again when a class, or one above or below it, gets other bases or attribute `name`.

        "" is for the bases alone.
        """
        if ev.recorder is not None:  # nothing is evaluated again after the last time
            return
        classes = self._watchers.setdefault(name, {})
        known = classes.get(cls)
        if known is None:
            self._watched.setdefault(cls, {})[name] = None
        classes[cls] = with_reader(known, ev.number, ev.frame)

    def watch_items(self, container: Container, ev: Evaluation) -> None:
        """Evaluate an operation again when a container gets an item at a new key."""
        if ev.recorder is not None:
            return
        known = self._item_watchers.get(container)
        self._item_watchers[container] = with_reader(known, ev.number, ev.frame)

    def bases_changed(self, cls: ClassInfo) -> None:
        """Evaluate again what looked for any attribute of a class, or of one above or below it."""
        self.changes += 1
        self.widening.forget()
        self._flowing.forget()
        above = [cls] if is_client(cls.module) else self.hierarchy.mro(cls)
        for affected in (*above, *self.hierarchy.subclasses(cls)):
            if isinstance(affected, ClassInfo):
                for name in self._watched.get(affected, ()):
                    self.again(self._watchers[name][affected])

    def _attribute_added(self, cls: ClassInfo, name: str) -> None:
        """Evaluate again what looked for an attribute of a class, or of one above or below it."""
        self.changes += 1
        watchers = self._watchers.get(name)
        if watchers:
            for around in (*self.hierarchy.mro(cls), *self.hierarchy.subclasses(cls)):
                if isinstance(around, ClassInfo):
                    self.again(watchers.get(around))

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
            module.late.add(name)
            self.again(self._missed.get((module, name)))
        return module.names[name]

    def missed(self, module: ModuleInfo, name: str, ev: Evaluation) -> None:
        """Evaluate an operation again when a module gets a global that it looked for in vain."""
        if ev.recorder is not None:
            return
        key = (module, name)
        self._missed[key] = with_reader(self._missed.get(key), ev.number, ev.frame)

    def function_attribute(self, function: FunctionValue, name: str) -> Cell:
        """Return the cell of an attribute of a function."""
        return self.function_attributes.setdefault((function, name), Cell())

    def item(self, container: Container, key: object) -> Cell:
        """Return the cell of what a container holds at a key."""
        cell = container.items.get(key)
        if cell is None:
            cell = container.items[key] = Cell()
            if container.pool is not None and not isinstance(key, tuple):
                pour((cell,), container.pool)
            self.again(self._item_watchers.get(container))
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
        self.keeps_all = False
        if clients:
            closed = close(self)
            for module in clients:
                self.called(self.frame(module.units[0], None))
            self._run()
            self._assume_transparent_decorators()
            reopen(closed)

    def forget_solving(self) -> None:
        """Drop what only solving needs: it is as large as the rest."""
        for methods in self.hierarchy.methods_pools():  # they were handed what is not followed
            for function in methods.functions:
                self.base_frame(function).is_cut = True
        self.flowed.clear()
        for waiting in (self._watchers, self._watched, self._item_watchers, self._missed):
            waiting.clear()
        for unit in self.program.units():
            unit.forget_users()
        cells = [cell for frame in self.made for cell in (*frame.cells.values(), frame.result, frame.yielded)]
        cells += [cell for module in self.program.modules.values() for cell in module.names.values()]
        for cls in self.program.classes():
            cells += [*cls.attributes.values(), *cls.fields.values()]
        for value in self.interner.values():
            if isinstance(value, Container):
                cells += [value.element, value.key, *value.items.values(), *((value.pool,) if value.pool else ())]
        cells += self.hierarchy.pools()
        for cell in cells:
            cell.readers = None

    def forget_values(self) -> None:
        """Drop what functions hold and give: it is half of all memory, and the rows are made without it."""
        nothing = Cell()
        for frame in self.made:
            frame.cells = {}
            frame.result = frame.stated = frame.yielded = nothing
        self.interner = Interner()
        self.frames.clear()
        self.function_attributes.clear()

    def _run(self) -> None:
        while self._queue or self.deferred:
            while self._queue:
                frame = self._queue.popleft()
                self._queued.discard(frame)
                frame.at_import |= self._waiting is not None
                self.evaluate(frame, None)
            waiting, self.deferred = self.deferred, {}
            for number, (frame, index) in waiting.items():
                self.settled.add(number)
                frame.pending.add(index)
                self.enqueue(frame)

    def evaluate(self, frame: Frame, recorder: Recorder | None) -> None:
        """Evaluate what is pending of a frame; all of it for a recorder."""
        if frame.base is not None and len(frame.base.values) < len(frame.base.unit.facts.operations):
            self.evaluate(frame.base, None)  # a clone looks at what its base holds
        before, self.evaluated = self.evaluated, frame
        Evaluation(self, frame, recorder).run(OPERATIONS)
        self.evaluated = before

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
        return self.interner.container(kind, (frame.holder(index + 1), "rest", index))

    def base_frame(self, function: FunctionValue) -> Frame:
        """Return the frame that stands for all calls of a function."""
        return self.frame(function.unit, function.frame)
