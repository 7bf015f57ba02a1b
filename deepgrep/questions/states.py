"""`states`: the inventory of mutable shared state."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import ACCESS_KINDS
from deepgrep.graph.rows import AccessKind, Skipped, Source, State
from deepgrep.questions.scopes import Scopes
from deepgrep.questions.shared_state import (
    INSTANCE,
    SET_FROM_OUTSIDE,
    STATE_KINDS,
    NewObjects,
    Packages,
    shared_state,
)

_READ, _WRITE = ACCESS_KINDS.index(AccessKind.READ), ACCESS_KINDS.index(AccessKind.WRITE)


class StateRow(msgspec.Struct, frozen=True):
    """A state.

    Attributes:
        writers: how many functions write it once it is defined.
        readers: how many functions read it.
    """

    name: str
    kind: str
    scope: str
    package: str
    writers: int
    readers: int


class StatesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `states` (`deepgrep-states/1`): by kind, then name."""

    schema: Literal["deepgrep-states/1"] = "deepgrep-states/1"
    sources: list[Source]
    states: list[StateRow]
    skipped: list[Skipped]


def states(
    graph: CallGraph,
    pattern: str = "",
    *,
    kind: str | None = None,
    package: str | None = None,
    scope: str | None = None,
    everything: bool = False,
) -> StatesAnswer:
    """The mutable shared state of the analyzed sources.

    Mutable is what something writes after its definition, and what is there to be set by others (native settings,
    config options, environment variables). What the body of its own module does, when it is imported, is definition,
    and so is what a constructor does to its object. Attributes of instances are not shared in themselves: they are
    given if their kind is asked for.

    Args:
        graph: the analyzed sources.
        pattern: a part of the name; or, with `*` or `?` in it, a pattern of the whole name or of an end of it that
            follows a dot.
        kind: only those of this kind.
        package: only those whose name begins so.
        scope: only those of this scope.
        everything: also what nothing changes, and instance attributes.

    Raises:
        DeepgrepError: there is no such package.
    """
    if package is not None and not _is_package(graph, package):
        raise DeepgrepError(
            f"no module or state is in a package {package!r}: give the start of a name, such as {graph.sources[0].name}"
        )
    wanted = _wanted(pattern)
    packages, accessors = Packages(graph), Accessors(graph)
    rows = []
    for index, state in shared_states(graph):
        if (
            kind not in {None, state.kind}
            or scope not in {None, state.scope}
            or not (everything or kind == INSTANCE or state.kind != INSTANCE)
            or not (package is None or _is_in(state.name, package))
            or not wanted(state.name)
        ):
            continue
        writers, readers = accessors.counts(index, state)
        if writers or state.kind in SET_FROM_OUTSIDE or everything:
            package_of = packages.of(state.name)
            rows.append(StateRow(state.name, state.kind, state.scope, package_of, writers, readers))
    rows.sort(key=lambda row: (STATE_KINDS.index(row.kind), row.name))
    return StatesAnswer(sources=graph.sources, states=rows, skipped=graph.skipped)


def shared_states(graph: CallGraph) -> Iterator[tuple[int, State]]:
    """Every shared state, by number, with its scope."""
    scopes = Scopes(graph)
    for index in range(len(graph.state_names)):
        if state := shared_state(graph, index):
            yield index, scopes.of(state)


class Accessors:
    """The functions that write a state after its definition, and those that read it."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._new_objects = NewObjects(graph)
        self._body = next((number for number, text in enumerate(graph.texts) if text == "<module>"), -1)

    def counts(self, index: int, state: State) -> tuple[int, int]:
        """The number of writers, and of readers, those of a function's contexts as one."""
        writers = (function for function, _ in self.writers(index, state))
        return self._count(writers), self._count(function for function, _ in self._accessing(index, _READ))

    def writers(self, index: int, state: State) -> Iterator[tuple[int, int]]:
        """Each function that writes a state once it is defined, in every context, with the number of the access."""
        return (found for found in self._accessing(index, _WRITE) if not self._defines(found[0], state))

    def _accessing(self, index: int, kind: int) -> Iterator[tuple[int, int]]:
        graph = self._graph
        for number in range(graph.access_start[index], graph.access_start[index + 1]):
            if graph.access_kind[number] // 2 == kind:
                yield graph.access_function[number], number

    def _count(self, functions: Iterable[int]) -> int:
        graph = self._graph
        return len({(graph.function_file[f], graph.function_line[f], graph.function_last[f]) for f in functions})

    def _defines(self, function: int, state: State) -> bool:
        """Whether what a function writes is the definition of a state."""
        graph = self._graph
        if graph.function_last[function] == self._body:
            return graph.module(function) == self._module_of(state.name)
        return self._new_objects.touches_its_own(function, state)

    def _module_of(self, name: str) -> str:
        """The module that a state is in."""
        name = name.partition("[")[0]
        while name and self._graph.module_body(name) is None:
            name = name.rpartition(".")[0]
        return name


def _wanted(pattern: str) -> Callable[[str], bool]:
    """Whether a name matches a pattern."""
    if not re.search(r"[*?]", pattern):
        return lambda name: pattern in name
    # Brackets are part of names: `os.environ[*]`.
    glob = pattern.replace("[", "[[]")
    expression = re.compile(rf"(?:.*\.)?(?:{fnmatch.translate(glob)})", re.DOTALL)
    return lambda name: expression.match(name) is not None


def _is_in(name: str, package: str) -> bool:
    return name == package or name.startswith((f"{package}.", f"{package}["))


def _is_package(graph: CallGraph, package: str) -> bool:
    """Whether a package, module or state is so named, or is the start of a state's name."""
    if graph.module_body(package) is not None:
        return True
    return any(_is_in(name, package) for name in graph.state_names)
