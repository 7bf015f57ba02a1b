"""What `effects` and `states` share: the kinds of state, the package of one, and what is no change of shared state."""

from __future__ import annotations

import builtins
from functools import cache

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import State

INSTANCE = "instance attribute"
STATE_KINDS = (
    "native setting",
    "config option",
    "environment variable",
    "stdlib global",
    "module global",
    "class attribute",
    "object attribute",
    "thread-local",
    "context variable",
    INSTANCE,
)
"""All kinds, as answers list them: what the most code depends on comes first."""

SCOPES = ("process", "thread", "context", "environment", "object")
"""All scopes: what there is one of the state for."""

SET_FROM_OUTSIDE = frozenset({"native setting", "config option", "environment variable"})
"""Kinds that are there to be set by others than the analyzed code."""

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_OF_OBJECTS = frozenset({INSTANCE, "object attribute"})
_OUTSIDE = "stdlib global"
_BUILTINS = frozenset({*vars(builtins), "generator"})


def shared_state(graph: CallGraph, index: int) -> State | None:
    """A state as answers list it; None for what is none.

    A function whose source is not analyzed is a target and no state. What no name is known of, and a builtin itself
    (`NotImplemented`), to which a value that flowed too far was added, nothing can change.
    """
    row = graph.state(index)
    if row.kind == "function" or is_nameless(row.name) or (row.kind == _OUTSIDE and row.name in _BUILTINS):
        return None
    if row.kind in {_OUTSIDE, "object attribute"} and _is_of_an_object(graph, row):
        return State(row.name, INSTANCE, "object")
    return row


def is_nameless(name: str) -> bool:
    """Whether a name has an empty last part: an attribute or item whose name was empty where it was followed to."""
    return name.endswith((".", "[]"))


def _is_of_an_object(graph: CallGraph, row: State) -> bool:
    """Whether a state is no global, but part of some object among many.

    A function that another makes is one. Of what is outside of the analyzed sources, only the name is known: classes
    begin with a capital, `f()` is what a function gives. What an analyzed module has from native code (`torch.float64`)
    is an object.
    """
    if row.kind != _OUTSIDE:
        return ".<locals>." in row.name
    first, *parts = owner_of(row.name).replace("[", ".").split(".")
    if first in _BUILTINS or any(part.lstrip("_")[:1].isupper() or part.endswith("()") for part in parts):
        return True
    owner = owner_of(row.name.partition("[")[0])
    return graph.module_body(first) is not None and bool(owner) and graph.module_body(owner) is None


def owner_of(name: str) -> str:
    """What a state is part of: `os.environ` of `os.environ[A]`, `m.x` of `m.x.y`."""
    return name[: name.rfind("[")] if name.endswith("]") else name.rpartition(".")[0]


class Packages:
    """The package that a state belongs to, by its name."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._of_two = cache(self._package)

    def of(self, name: str) -> str:
        """The first two parts of the name where the second is no single thing of the package: `torch.fx`, `torch`.

        Of what is outside of the analyzed sources, the first part: `os`.
        """
        first, _, rest = name.partition("[")[0].partition(".")
        second = rest.partition(".")[0] if "." in rest else ""
        return self._of_two(first, second)

    def _package(self, first: str, second: str) -> str:
        graph = self._graph
        both = f"{first}.{second}"
        if not second or graph.module_body(first) is None:
            return first
        if graph.module_body(both) is not None:
            return both
        is_thing = graph.classes_named(both) or graph.functions_named(both) or graph.states_named(both)
        return first if is_thing else both  # else a native module, such as `torch._C`


class NewObjects:
    """Which accesses are those of a constructor to the object that it makes, and so to nothing that is shared."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._made_by = cache(self._is_made)

    def is_constructor(self, function: int) -> bool:
        """Whether a function makes an object."""
        return self._graph.texts[self._graph.function_last[function]] in _CONSTRUCTORS

    def touches_its_own(self, function: int, state: State) -> bool:
        """Whether a function is the constructor of the object whose attribute a state is."""
        if state.kind not in _OF_OBJECTS or not self.is_constructor(function):
            return False
        return self._made_by(self._graph.function_names[function].rpartition(".")[0], owner_of(state.name))

    def _is_made(self, class_name: str, owner: str) -> bool:
        graph = self._graph
        bases = {base for row in graph.classes_named(class_name) for base in row.mro}
        return owner in bases or any(class_name in row.mro for row in graph.classes_of(owner))
