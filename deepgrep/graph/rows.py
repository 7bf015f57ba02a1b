"""The rows of a call graph: plain values, the same for whoever builds, stores or asks it."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class _Word(StrEnum):
    """A word that hashes as the string that it is: enums hash by a Python function of their own, ten times slower."""

    __hash__ = str.__hash__


class Via(_Word):
    """How control passes along an edge (design: "Answers")."""

    CALL = "call"
    CONSTRUCT = "construct"
    PROPERTY = "property"
    OPERATOR = "operator"
    WITH = "with"
    ITERATE = "iterate"
    DECORATE = "decorate"
    IMPORT = "import"
    CALLBACK = "callback"
    NATIVE = "native"
    THREAD = "thread"
    PROCESS = "process"
    SETATTR = "setattr"
    # No call: a function that was entered in a context goes on to what it does in any.
    SAME = "same"


class Certainty(_Word):
    """How sure an edge is: the only callee, one override of a known class, one of a set of values that flowed."""

    CERTAIN = "certain"
    DISPATCH = "dispatch"
    FLOW = "flow"


class AccessKind(_Word):
    """What code does to a target."""

    WRITE = "write"
    READ = "read"
    CALL = "call"


class Source(msgspec.Struct, frozen=True):
    """Which version of which package was analyzed."""

    name: str
    version: str
    commit: str
    digest: str


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a function.

    Attributes:
        name: with the stars of `*args` and `**kwargs`.
        default: if that is a constant, as `repr` writes it; else "".
        is_rebound: whether the function binds it anew: then it need not hold what was passed.
        is_called: whether what it holds is called: by the function, by one inside it, or by what it is certainly
            handed on to.
        classes: the analyzed classes of which its annotation says that it holds an instance, or the function tests
            whether it does.
    """

    name: str
    default: str = ""
    is_rebound: bool = False
    is_called: bool = False
    classes: tuple[str, ...] = ()


class Function(msgspec.Struct, frozen=True):
    """A function, lambda or module body; or a relay: native code that many functions come through to many others.

    Attributes:
        name: module plus `__qualname__`: `torch.fx._symbolic_trace.Tracer.trace`, `torch.fx.<module>`.
        file: relative to the folder that holds the package; of a relay, in the sources of the native code.
        qualname: Python's own, `<module>` for a module body.
        line: of the `def`, `lambda`; 1 for a module body; 0 for a relay, and on the edges that leave one.
        context: which clone of the function this is; "" where there is one.
    """

    name: str
    file: str
    qualname: str
    line: int
    context: str = ""
    parameters: tuple[Parameter, ...] = ()


class Edge(msgspec.Struct, frozen=True):
    """One way control passes from a function to another at one line.

    Attributes:
        caller, callee: indices of functions.
        line: in the caller's file.
        guard: index of the innermost condition it stands under, or -1.
        requires: functions of which one must be reached first (it makes the instance, or enters the mode, without
            which this edge cannot be taken); empty where the edge requires nothing.
        passes: parameters of the callee, by position, each with what it is passed: a parameter of the caller, by
            position, or a constant as `repr` writes it. One that is left out may hold anything, or decides nothing.
    """

    caller: int
    callee: int
    line: int
    via: Via
    certainty: Certainty
    guard: int = -1
    requires: tuple[int, ...] = ()
    passes: tuple[tuple[int, int | str], ...] = ()


class Guard(msgspec.Struct, frozen=True):
    """A condition or `with` that code stands under.

    Attributes:
        parent: index of the enclosing guard, or -1.
        kind: `if`, `else`, `while`, `for`, `except`, `finally`, `match`, `return` (what an earlier `return` excluded),
            or `with`.
        text: the condition in the code's own words, ready to show: `_compile`, `not (x is None)`, `except ImportError`;
            for `with`, the context expression.
        line: where it is written.
        parameters: the names in the text that are parameters of the function, which still hold what was passed.
    """

    parent: int
    kind: str
    text: str
    line: int
    parameters: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
    """Something shared that outlives a call, or a function outside the analyzed source that can be a target.

    Attributes:
        name: `torch.fx._symbolic_trace._is_fx_tracing_flag`, `os.environ[OMP_NUM_THREADS]`,
            `torch._C._set_grad_enabled`.
        kind: `module global`, `class attribute`, `object attribute`, `config option`, `context variable`,
            `thread-local`, `environment variable`, `native setting`, `stdlib global`; or `function` for one whose
            source is not analyzed (native or stdlib).
        scope: for whom a write is visible: `process`, `thread`, `context`, `environment`, or "" where unknown.
    """

    name: str
    kind: str
    scope: str


ONE_OF_SEVERAL = " of one of several"
"""What the form of an access ends with that happens only if one of several values is the one that is called."""


class Access(msgspec.Struct, frozen=True):
    """One place that writes, reads or calls a state.

    Attributes:
        state, function: indices.
        line: in the function's file.
        form: how it is written: `global`, `attribute`, `augmented`, `subscript`, `mutating call`, `setattr`,
            `delete`, ...
        restore: a write that puts back a value saved before.
        guard: as on Edge.
    """

    state: int
    function: int
    line: int
    access: AccessKind
    form: str
    restore: bool = False
    guard: int = -1


class BlindSpot(msgspec.Struct, frozen=True):
    """A call site whose callees are not all known.

    Attributes:
        expression: what is called, as written: `self.fn`, `callbacks[name]`.
        name: the last name in it, by which a function could be meant (`fn`), or "".
        reason: `parameter`, `unknown attribute`, `unknown value`, `too many values`, `exec`, ...
        guard: as on Edge.
    """

    function: int
    line: int
    expression: str
    name: str
    reason: str
    guard: int = -1


class NativeExit(msgspec.Struct, frozen=True):
    """A call that leaves Python for native code that has no model; `guard` as on Edge."""

    function: int
    line: int
    callee: str
    guard: int = -1


class BuiltinCall(msgspec.Struct, frozen=True):
    """A function calls a builtin, or a method of a builtin type: no target of questions, but part of the graph.

    Attributes:
        callee: `len`, `dict.items`, `StopIteration`.
    """

    function: int
    callee: str


class ClassRow(msgspec.Struct, frozen=True):
    """A class, for names that are typed: `Linear.__call__` is found in a base.

    Attributes:
        name: full name.
        file, line: where it is defined.
        mro: full names, itself first, as far as known.
    """

    name: str
    file: str
    line: int
    mro: tuple[str, ...]


class Skipped(msgspec.Struct, frozen=True):
    """A file that could not be read, decoded or parsed."""

    file: str
    reason: str


class GraphRows(msgspec.Struct):
    """Everything that linking says of the analyzed sources; the input of `callgraph.pack`.

    Attributes:
        aliases: every other full name of a function, class or state -> its own: `torch.fx.symbolic_trace` ->
            `torch.fx._symbolic_trace.symbolic_trace`.
        objects: (state, class) for every state that holds an object of an analyzed class, as far as it is told apart
            from others: `torch._inductor.virtualized.V`.
        instance_requirements: (class, functions) for what edges require that says that the class has an instance.
        interface: by section, what code that is linked on top of this later must know.
    """

    sources: list[Source]
    functions: list[Function]
    edges: list[Edge]
    guards: list[Guard]
    states: list[State]
    accesses: list[Access]
    blind_spots: list[BlindSpot]
    native_exits: list[NativeExit]
    classes: list[ClassRow]
    aliases: dict[str, str]
    skipped: list[Skipped]
    builtin_calls: list[BuiltinCall] = []
    objects: list[tuple[str, str]] = []
    instance_requirements: list[tuple[str, tuple[int, ...]]] = []
    interface: dict[str, bytes] = {}
