"""The rows of the graph: what was recorded, numbered in an order that depends on the sources alone."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from deepgrep.facts.operations import SetGlobal
from deepgrep.graph.rows import (
    Access,
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
from deepgrep.linking.clones import Own
from deepgrep.linking.edge_requirements import required
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.option_aliases import option_aliases
from deepgrep.linking.passages import ParameterOf, Passes, deciding
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.recording import ANY_CONTEXT, Recorder
from deepgrep.linking.tested import Tested
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    Partial,
    Text,
    Value,
    Wrapped,
)
from deepgrep.models import Models

_SCOPES = {
    "module global": "process",
    "class attribute": "process",
    "object attribute": "process",
    "instance attribute": "object",
    "stdlib global": "process",
    "function": "",
}


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

    The program gives up its operations: they are a fifth of all memory, and rows need nearly as much.
    """
    frames, functions = numbered_functions(recorder, recorder.handed_on.called(program))
    guards, offsets = numbered_guards(program)

    def guard(frame: Frame, index: int) -> int:
        return -1 if index < 0 else offsets[frame.unit.module.order] + index

    numbered: dict[tuple[Frame, ...], tuple[int, ...]] = {}

    def requires(places: tuple[Frame, ...]) -> tuple[int, ...]:
        if places not in numbered:
            numbered[places] = tuple(sorted({frames[frame] for frame in places if frame in frames}))
        return numbered[places]

    of_instances: dict[tuple[str, tuple[int, ...]], None] = {}

    def needed(caller: Frame, callee: Frame, line: int, via: Via, certainty: Certainty, at: int) -> tuple[int, ...]:
        places, classes = required(recorder, caller, callee, line, via, certainty, at)
        found = requires(places)
        if found:
            of_instances.update(dict.fromkeys((cls.name, found) for cls in classes))
        return found

    passages = ((caller.unit, callee.unit, passes) for caller, callee, *_, passes in recorder.edges())
    matter = deciding(program, passages)
    program.forget_operations()

    def passed(callee: Frame, passes: Passes) -> Passes:
        return tuple(row for row in passes if (callee.unit, row[0]) in matter)

    edges = [
        Edge(
            frames[caller], frames[callee], line, via, certainty, guard(caller, at),
            needed(caller, callee, line, via, certainty, at), passed(callee, passes),
        )
        for caller, callee, line, via, certainty, at, passes in recorder.edges()
    ]  # fmt: skip
    edges.sort(key=lambda e: (e.caller, e.line, e.callee, e.via))
    states, state_index = numbered_states(recorder, program, models, objects)
    accesses = [
        Access(state_index[name, kind], frames[frame], line, access, form, restore, guard(frame, at))
        for name, kind, frame, line, access, form, restore, at in recorder.accesses()
    ]
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
        list(of_instances),
    )  # fmt: skip


def numbered_functions(
    recorder: Recorder, called: AbstractSet[ParameterOf] = frozenset()
) -> tuple[dict[Frame, int], list[Function]]:
    """Number the frames that were listened to; two of one unit differ by their context's text.

    Args:
        recorder: what listened.
        called: the parameters that are called.
    """
    listed = sorted(
        ((frame.unit.order, _context(frame), frame.order, frame) for frame in recorder.frames), key=lambda row: row[:3]
    )
    frames: dict[Frame, int] = {}
    functions: list[Function] = []
    indices: dict[tuple[str, str, int, int, Own | None], int] = {}
    for _, context, _, frame in listed:
        unit = frame.unit
        # Frames that differ in nothing a reader could tell are one function; lambdas on one line are told apart, and
        # what clones have in common that do not have the same in common.
        place = unit.order if unit.facts.qualname.endswith("<lambda>") or not unit.facts.line else -1
        key = (unit.name, context, unit.facts.line, place, frame.own if frame.is_rest else None)
        if key not in indices:
            indices[key] = len(functions)
            parameters = _parameters(unit, called, recorder.tested)
            line = unit.facts.line
            functions.append(Function(unit.name, unit.module.path, unit.facts.qualname, line, context, parameters))
        frames[frame] = indices[key]
    return frames, functions


def _parameters(unit: UnitInfo, called: AbstractSet[ParameterOf], tested: Tested) -> tuple[Parameter, ...]:
    stars = {"*": "*", "**": "**"}
    found = []
    for i, p in enumerate(unit.facts.parameters):
        classes = tuple(sorted({cls.name for cls in tested.classes(unit, i)}))
        found.append(Parameter(stars.get(p.kind, "") + p.name, p.constant, p.is_rebound, (unit, i) in called, classes))
    return tuple(found)


def _context(frame: Frame) -> str:
    """Return what a frame's context is called: the callables that it was handed; "" for none."""
    if frame.is_rest:
        without = f" without {', '.join(frame.own.absent)}" if frame.own is not None and frame.own.absent else ""
        return f"{ANY_CONTEXT}{without}"
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
        case External():
            return value.name
        case Bound():
            return _value_name(value.function)
        case Wrapped():
            return next((_value_name(f) for f in value.functions if f is not None), value.kind)
        case Text():
            return repr(value.value)
        case Container(class_name="str"):  # a name of which a part is known
            return repr(value.site)
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
    for name, kind in recorder.accesses().states():
        if name not in merged or merged[name] == "function" or kind not in ("module global", "function"):
            merged[name] = kind
    states: list[State] = []
    by_name: dict[str, int] = {}
    for name in sorted(merged):
        kind = merged[name]
        if kind == "stdlib global" and program.module(name.rpartition(".")[0]) is not None:
            kind = "module global"  # named by a text: `mock.patch("pkg.m.name", ...)`
        scope = _SCOPES.get(kind, "")
        owner = name.rpartition(".")[0]
        stated = models.state(name)
        if name in special:
            kind, scope = special[name]
        elif owner in special:
            kind, scope = special[owner]
        elif kind in ("module global", "class attribute") and any(
            _is_option(program, owner, name[len(owner) + 1 :].partition(".")[0]) for owner in _around(name)
        ):
            kind = "config option"
        elif stated is not None and kind != "function":
            kind, scope = stated.kind, stated.scope
        by_name[name] = len(states)
        states.append(State(name, kind, scope))
    return states, {(name, kind): by_name[name] for name, kind in recorder.accesses().distinct_states()}


def _is_option(program: Program, owner: str, name: str) -> bool:
    """Whether a module is an object whose options are its globals, and a name one of them.

    A private name that its own code does not bind is where others keep what belongs to it (`module._config = {...}`).
    """
    module = program.module(owner)
    if module is None or not module.replaced_class.values:
        return False
    own = module.units[0].facts.operations
    return not name.startswith("_") or any(isinstance(op, SetGlobal) and op.name == name for op in own)


def _around(name: str) -> list[str]:
    """Return the dotted names that a name lies in: of its module, of its class."""
    return [name[:i] for i, char in enumerate(name) if char == "."]


def _external_bases(cls: ClassInfo) -> list[str]:
    return [base.name for base in cls.bases if not isinstance(base, ClassValue) and hasattr(base, "name")]


def _mro_names(hierarchy: Hierarchy, cls: ClassInfo) -> list[str]:
    return [base if isinstance(base, str) else base.name for base in hierarchy.mro(cls)]


def _aliases(program: Program) -> dict[str, str]:
    """Return every other name of a function, class, module or option: re-exports, and what options say."""
    aliases: dict[str, str] = {}
    for module in program.modules.values():
        for name, cell in _visible(program, module, {module}).items():
            if len(cell.values) != 1:
                continue
            (value,) = cell.values
            definition = _definition(value)
            if definition is not None and definition != f"{module.name}.{name}":
                aliases[f"{module.name}.{name}"] = definition
    aliases.update(option_aliases(program))
    return dict(sorted(aliases.items()))


def _visible(program: Program, module: ModuleInfo, seen: set[ModuleInfo]) -> dict[str, Cell]:
    """Return the names of a module with what they hold, those of its `import *` included."""
    names: dict[str, Cell] = {}
    for starred, level in module.stars:
        target = program.module(module.absolute(starred, level))
        if target is not None and target not in seen:
            brought = _visible(program, target, seen | {target})
            names |= {name: cell for name, cell in brought.items() if target.exports(name)}
    # What is assigned from outside is no definition where there is one already.
    return names | {name: cell for name, cell in module.names.items() if name not in names or module.defines(name)}


def _definition(value: Value) -> str | None:
    match value:
        case FunctionValue():
            return value.unit.name
        case ClassValue():
            return value.cls.name
        case _:
            return getattr(value, "name", None) or None
