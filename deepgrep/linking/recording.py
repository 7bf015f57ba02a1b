"""What the last evaluation notes: the rows of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from deepgrep.graph.rows import (
    Access,
    AccessKind,
    BlindSpot,
    BuiltinCall,
    Certainty,
    ClassRow,
    Edge,
    Function,
    GraphRows,
    Guard,
    NativeExit,
    Parameter,
    Skipped,
    Source,
    State,
    Via,
)
from deepgrep.linking.cells import Cell
from deepgrep.linking.evaluation import Site
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.passages import HandedOn, ParameterOf, Passes, both, common_guard, deciding
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.requirements import Requirements
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    FunctionValue,
    InstanceValue,
    Partial,
    Text,
    Value,
    Wrapped,
)
from deepgrep.models import Models

_ORDER = {Certainty.CERTAIN: 0, Certainty.DISPATCH: 1, Certainty.FLOW: 2}
_SCOPES = {
    "module global": "process",
    "class attribute": "process",
    "object attribute": "process",
    "instance attribute": "object",
    "stdlib global": "process",
    "function": "",
}
# Builtins and methods of builtin types are no targets: `len`, `list.append`.
_BUILTIN_TYPES = frozenset({"list", "dict", "set", "tuple", "str", "int", "bytes", "iterator", "frozenset", "bool",
                            "NoneType", "object", "contents", "namespace"})  # fmt: skip
ANY_CONTEXT = "any"
# Of these, what is no type that a reader knows.
_UNNAMED_TYPES = frozenset({"iterator", "NoneType", "contents", "namespace"})


class Recorder:
    """Listens to evaluations, and makes rows of what it hears."""

    def __init__(self, program: Program, hierarchy: Hierarchy) -> None:
        self.frame: Frame | None = None
        self._relay: Frame | None = None
        self._needed: Frame | ClassInfo | None = None
        self.requirements = Requirements(hierarchy)
        self.handed_on = HandedOn()
        self._packages = program.packages
        self._passes: dict[Passes, Passes] = {}  # each kept once
        self.frames: dict[Frame, None] = {}
        self.edges: dict[tuple[Frame, Frame, int, Via], tuple[Certainty, int, Passes]] = {}
        # What each edge of a relay requires: that a function was reached, or that a class has an instance.
        self.needs: dict[tuple[Frame, Frame, int, Via], dict[Frame | ClassInfo, None]] = {}
        self.accesses: dict[tuple[str, str, Frame, int, AccessKind, str], tuple[bool, int]] = {}
        self.blind_spots: dict[tuple[Frame, int, str, str, str], int] = {}
        self.native_exits: dict[tuple[Frame, int, str], int] = {}
        self.builtin_calls: dict[tuple[Frame, str], None] = {}

    def listen(self, frame: Frame) -> None:
        """Take what follows as said of a frame."""
        self.frame = frame
        self.frames[frame] = None
        self.requirements.runs(frame)

    def rest(self, frame: Frame, clones: Iterable[Frame], listen_to: Callable[[], None]) -> None:
        """Note what a function does in any context; its clones go on to it, if it is anything.

        Args:
            frame: stands for that part of the function.
            clones: those that share it.
            listen_to: evaluates it.
        """
        before = self._size()
        self.listen(frame)
        listen_to()
        if self._size() == before:
            del self.frames[frame]
            return
        site = Site(frame.unit.facts.line, -1, None)
        for clone in clones:
            self.frame = clone
            self.edge(site, frame, Via.SAME, Certainty.CERTAIN)

    def _size(self) -> tuple[int, ...]:
        noted = (self.accesses, self.blind_spots, self.native_exits, self.builtin_calls)
        return (len(self.edges), self.requirements.noted, *(len(rows) for rows in noted))

    def edge(self, site: Site, callee: Frame, via: Via, certainty: Certainty, passes: Passes = ()) -> None:
        """Note a call; of several on one line, what holds for all."""
        assert self.frame is not None
        key, guard = (self.frame, callee, site.line, via), site.guard
        if self._relay is not None:
            # What the registration stands under is no condition of the call, and no guard of the relay's.
            key, guard, passes = (self._relay, callee, 0, via), -1, ()
            if self._needed is not None:
                self.needs.setdefault(key, {})[self._needed] = None
            certainty = Certainty.FLOW
        known = self.edges.get(key)
        if known is None:
            self.edges[key] = (certainty, guard, self._passes.setdefault(passes, passes))
        else:
            surest = min(certainty, known[0], key=_ORDER.__getitem__)
            self.edges[key] = (surest, self._around(known[1], guard), both(known[2], passes))

    def _around(self, one: int, other: int) -> int:
        """Return the innermost guard, of the frame's module, that two things on one line both stand under."""
        assert self.frame is not None
        return common_guard(self.frame.unit.module.facts.guards, one, other)

    @contextmanager
    def through(self, relay: Frame, needed: Frame | ClassInfo | None) -> Iterator[None]:
        """Take edges, until the end of the block, as those of a relay, which require something."""
        before = self._relay, self._needed
        self._relay, self._needed = relay, needed
        yield
        self._relay, self._needed = before

    def import_edge(self, site: Site, body: Frame) -> None:
        """Note that a module body is run."""
        self.edge(site, body, Via.IMPORT, Certainty.CERTAIN)

    def construction(self, cls: ClassInfo, is_open: bool) -> None:
        """Note that an instance of a class, or of a subclass if `is_open`, is made."""
        assert self.frame is not None
        if self._relay is None:
            self.requirements.made(self.frame, cls, is_open)

    def external_call(self, site: Site, name: str, via: Via, has_model: bool) -> None:
        """Note a call that leaves the analyzed sources."""
        assert self.frame is not None
        owner = name.rpartition(".")[0]
        if not owner or owner in _BUILTIN_TYPES:
            # What syntax runs (`for`, `@staticmethod`) is not written as a call.
            if via in (Via.CALL, Via.CONSTRUCT) and owner not in _UNNAMED_TYPES:
                self.builtin_calls[self.frame, name] = None
            return
        self.access(site, name, "function", AccessKind.CALL, "call", False)
        # Inside an analyzed package, what has no Python source is native.
        if not has_model and name.partition(".")[0] in self._packages:
            exit_ = (self.frame, site.line, name)
            self.native_exits[exit_] = self._around(self.native_exits.get(exit_, site.guard), site.guard)

    def access(self, site: Site, state: str, kind: str, access: AccessKind, form: str, restore: bool) -> None:
        """Note that a state is written, read or called."""
        assert self.frame is not None
        key = (state, kind, self.frame, site.line, access, form)
        known = self.accesses.get(key)
        self.accesses[key] = (restore, site.guard) if known is None else (known[0], self._around(known[1], site.guard))

    def blind(self, site: Site, expression: str, name: str, reason: str) -> None:
        """Note a call whose callee is not known."""
        assert self.frame is not None
        spot = (self.frame, site.line, expression, name, reason)
        self.blind_spots[spot] = self._around(self.blind_spots.get(spot, site.guard), site.guard)


def rows(
    recorder: Recorder,
    program: Program,
    hierarchy: Hierarchy,
    models: Models,
    objects: dict[Value, dict[str, None]],
    sources: Sequence[Source],
    skipped: list[Skipped],
) -> GraphRows:
    """Return what was noted as the rows of a graph, in an order that depends on the sources alone.

    The recorder gives up its tables of edges and accesses.
    """
    frames, functions = numbered_functions(recorder.frames, recorder.handed_on.called(program))
    guards, offsets = numbered_guards(program)

    def guard(frame: Frame, index: int) -> int:
        return -1 if index < 0 else offsets[frame.unit.module.order] + index

    numbered: dict[tuple[Frame, ...], tuple[int, ...]] = {}

    def requires(places: tuple[Frame, ...]) -> tuple[int, ...]:
        if places not in numbered:
            numbered[places] = tuple(sorted({frames[frame] for frame in places}))
        return numbered[places]

    def needs(caller: Frame, callee: Frame, line: int, via: Via, certainty: Certainty) -> tuple[Frame, ...]:
        stated = recorder.needs.get((caller, callee, line, via))
        if stated is not None:
            return recorder.requirements.any_of(stated, callee)
        return recorder.requirements.of(caller, callee, via, certainty)

    passages = ((caller.unit, callee.unit, row[2]) for (caller, callee, *_), row in recorder.edges.items())
    matter = deciding(program, passages)

    def passed(callee: Frame, passes: Passes) -> Passes:
        return tuple(row for row in passes if (callee.unit, row[0]) in matter)

    edges = [
        Edge(
            frames[caller], frames[callee], line, via, certainty, guard(caller, at),
            requires(needs(caller, callee, line, via, certainty)), passed(callee, passes),
        )
        for (caller, callee, line, via), (certainty, at, passes) in recorder.edges.items()
    ]  # fmt: skip
    recorder.edges.clear()  # the largest tables there are: not to be held twice
    edges.sort(key=lambda e: (e.caller, e.line, e.callee, e.via))
    states, state_index = numbered_states(recorder, program, models, objects)
    accesses = [
        Access(state_index[name, kind], frames[frame], line, access, form, restore, guard(frame, at))
        for (name, kind, frame, line, access, form), (restore, at) in recorder.accesses.items()
    ]
    recorder.accesses.clear()
    accesses.sort(key=lambda a: (a.state, a.function, a.line, a.access, a.form))
    blind = sorted(
        (
            BlindSpot(frames[f], line, text, name, reason, guard(f, at))
            for (f, line, text, name, reason), at in recorder.blind_spots.items()
        ),
        key=lambda b: (b.function, b.line, b.expression),
    )
    exits = sorted(
        (NativeExit(frames[f], line, name, guard(f, at)) for (f, line, name), at in recorder.native_exits.items()),
        key=lambda n: (n.function, n.line, n.callee),
    )
    builtins = sorted(
        {BuiltinCall(frames[f], name) for f, name in recorder.builtin_calls}, key=lambda b: (b.function, b.callee)
    )
    classes = [
        ClassRow(c.name, c.module.path, c.facts.line, tuple(_mro_names(hierarchy, c))) for c in program.classes()
    ]
    return GraphRows(
        list(sources), functions, edges, guards, states, accesses, blind, exits, classes, _aliases(program), skipped,
        builtins, [(name, value.cls.name) for value, names in objects.items()
                   if isinstance(value, InstanceValue) for name in names],
    )  # fmt: skip


def numbered_functions(
    found: Iterable[Frame], called: AbstractSet[ParameterOf] = frozenset()
) -> tuple[dict[Frame, int], list[Function]]:
    """Number the frames; two frames of one unit differ by their context's text.

    Args:
        found: the frames.
        called: the parameters that are called.
    """
    listed = sorted(
        ((frame.unit.order, _context(frame), frame.order, frame) for frame in found), key=lambda row: row[:3]
    )
    frames: dict[Frame, int] = {}
    functions: list[Function] = []
    indices: dict[tuple[str, str, int, int], int] = {}
    for _, context, _, frame in listed:
        unit = frame.unit
        # Frames that differ in nothing a reader could tell are one function; lambdas on one line are told apart.
        place = unit.order if unit.facts.qualname.endswith("<lambda>") else -1
        key = (unit.name, context, unit.facts.line, place)
        if key not in indices:
            indices[key] = len(functions)
            parameters = _parameters(unit, called)
            line = unit.facts.line
            functions.append(Function(unit.name, unit.module.path, unit.facts.qualname, line, context, parameters))
        frames[frame] = indices[key]
    return frames, functions


def _parameters(unit: UnitInfo, called: AbstractSet[ParameterOf]) -> tuple[Parameter, ...]:
    stars = {"*": "*", "**": "**"}
    return tuple(
        Parameter(stars.get(p.kind, "") + p.name, p.constant, p.is_rebound, (unit, i) in called)
        for i, p in enumerate(unit.facts.parameters)
    )


def _context(frame: Frame) -> str:
    """Return what a frame's context is called: the callables that it was handed; "" for none."""
    if frame.is_rest:
        return ANY_CONTEXT
    contexts = []
    around: Frame | None = frame
    while around is not None:
        if around.context:
            contexts.append(", ".join(_value_name(value) for _, value in around.context))
        around = around.parent
    return " in ".join(contexts)


def _value_name(value: Value) -> str:
    match value:
        case FunctionValue():
            inner = _context(value.frame) if value.frame is not None else ""
            name = value.unit.name
            if name.endswith("<lambda>"):
                name = f"{name}:{value.unit.facts.line}"
            return f"{name} ({inner})" if inner else name
        case ClassValue():
            return value.cls.name
        case Bound():
            return _value_name(value.function)
        case Wrapped():
            return next((_value_name(f) for f in value.functions if f is not None), value.kind)
        case Text():
            return repr(value.value)
        case Partial():
            # By what it calls, but no deeper: a partial can hold itself.
            callees = sorted(_value_name(v) for v in value.callee.values if not isinstance(v, Partial))
            return f"partial({callees[0]}{', …' if len(callees) > 1 else ''})" if callees else "partial"
        case _:
            return type(value).__name__


def numbered_guards(program: Program) -> tuple[list[Guard], list[int]]:
    """Number the guards of all modules; also return where those of each module begin."""
    guards: list[Guard] = []
    offsets: list[int] = []
    for module in program.modules.values():
        start = len(guards)
        offsets.append(start)
        guards += [
            Guard(-1 if g.parent < 0 else start + g.parent, g.kind, g.text, g.line, g.parameters)
            for g in module.facts.guards
        ]
    return guards, offsets


def numbered_states(
    recorder: Recorder, program: Program, models: Models, objects: dict[Value, dict[str, None]]
) -> tuple[list[State], dict[tuple[str, str], int]]:
    """Number the states. What a stored object is (a context variable, a thread-local) says what kind its state is."""
    special: dict[str, tuple[str, str]] = {}
    for value, places in objects.items():
        if isinstance(value, Container):
            names = [value.class_name]
        elif isinstance(value, InstanceValue):
            names = _external_bases(value.cls)
        else:
            continue
        for class_name in names:
            model = models.class_(class_name)
            if model is not None and model.state_kind:
                special |= dict.fromkeys(places, (model.state_kind, model.state_scope))
    merged: dict[str, str] = {}
    for name, kind, *_ in recorder.accesses:
        if name not in merged or merged[name] == "function" or kind not in ("module global", "function"):
            merged[name] = kind
    states: list[State] = []
    by_name: dict[str, int] = {}
    for name in sorted(merged):
        kind = merged[name]
        scope = _SCOPES.get(kind, "")
        owner = name.rpartition(".")[0]
        stated = models.state(name)
        if name in special:
            kind, scope = special[name]
        elif owner in special:
            kind, scope = special[owner]
        elif kind in ("module global", "class attribute") and any(
            _is_config(program, owner) for owner in _around(name)
        ):
            kind = "config option"
        elif stated is not None and kind != "function":
            kind, scope = stated.kind, stated.scope
        by_name[name] = len(states)
        states.append(State(name, kind, scope))
    return states, {(name, kind): by_name[name] for name, kind, *_ in recorder.accesses}


def _is_config(program: Program, name: str) -> bool:
    module = program.module(name)
    return module is not None and bool(module.replaced_class.values)


def _around(name: str) -> list[str]:
    """Return the dotted names that a name lies in: of its module, of its class."""
    return [name[:i] for i, char in enumerate(name) if char == "."]


def _external_bases(cls: ClassInfo) -> list[str]:
    return [base.name for base in cls.bases if not isinstance(base, ClassValue) and hasattr(base, "name")]


def _mro_names(hierarchy: Hierarchy, cls: ClassInfo) -> list[str]:
    return [base if isinstance(base, str) else base.name for base in hierarchy.mro(cls)]


def _aliases(program: Program) -> dict[str, str]:
    """Return every other name by which a function, class or module is known: re-exports."""
    aliases: dict[str, str] = {}
    for module in program.modules.values():
        for name, cell in _visible(program, module, {module}).items():
            if len(cell.values) != 1:
                continue
            (value,) = cell.values
            definition = _definition(value)
            if definition is not None and definition != f"{module.name}.{name}":
                aliases[f"{module.name}.{name}"] = definition
    return dict(sorted(aliases.items()))


def _visible(program: Program, module: ModuleInfo, seen: set[ModuleInfo]) -> dict[str, Cell]:
    """Return the names of a module with what they hold, those of its `import *` included."""
    names: dict[str, Cell] = {}
    for starred, level in module.stars:
        target = program.module(module.absolute(starred, level))
        if target is not None and target not in seen:
            brought = _visible(program, target, seen | {target})
            names |= {name: cell for name, cell in brought.items() if target.exports(name)}
    return names | module.names


def _definition(value: Value) -> str | None:
    match value:
        case FunctionValue():
            return value.unit.name
        case ClassValue():
            return value.cls.name
        case _:
            return getattr(value, "name", None) or None
