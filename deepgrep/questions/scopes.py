"""For whom a write of a state is visible, where the state's kind alone does not say it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import AccessKind, State, Via
from deepgrep.questions.shared_state import owner_of

_OF_ITS_OWN = ("context", "thread")


class Scopes:
    """For whom a write of a state is visible.

    Assigning an option runs the `__setattr__` of its module's class. If that, or a `__setattr__` that it goes on to,
    stores the value in a context variable or a thread-local, the option is one too; and so are the options of the
    classes in such a module, of which the code seldom says what assigning to them runs.
    """

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._kept_by = cache(self._kept)

    def of(self, state: State) -> State:
        """A state with its scope, which its kind alone does not say of an option."""
        return self._with_reason(state)[0]

    def reason(self, state: State) -> str:
        """What the scope of a state rests on where that is more than its kind."""
        return self._with_reason(state)[1]

    def _with_reason(self, state: State) -> tuple[State, str]:
        if state.kind == "config option":
            owner = owner_of(state.name.partition("[")[0])
            while owner:
                if kept := self._kept_by(owner):
                    return State(state.name, state.kind, kept[0]), kept[1]
                owner = "" if self._graph.module_body(owner) is not None else owner_of(owner)
        return state, ""

    def _kept(self, owner: str) -> tuple[str, str] | None:
        """The scope of the options of a module or class, and why, if they are kept in something of such a scope."""
        graph = self._graph
        for function in _setters(graph, owner):
            for access in graph.accesses_in(function):
                state = graph.state(access.state)
                if access.access is AccessKind.WRITE and state.scope in _OF_ITS_OWN:
                    setter = graph.function_names[function]
                    return state.scope, f"assigning it runs {setter}, which sets {state.name}, a {state.kind}"
        return None


def _setters(graph: CallGraph, owner: str) -> Iterator[int]:
    """The `__setattr__` that assignments to a module or object run, found by those of any of its attributes."""
    owner = f"{owner}."
    seen: set[int] = set()

    def is_setter(function: int) -> bool:
        return graph.texts[graph.function_last[function]] == "__setattr__"

    position = bisect_left(graph.state_order, owner, key=graph.state_names.__getitem__)
    for state in graph.state_order[position:]:
        if not graph.state_names[state].startswith(owner):
            return
        for access in graph.accesses_of(state):
            if access.access is not AccessKind.WRITE or access.restore:
                continue
            for edge in graph.out_edges(access.function):
                callee = graph.edge_callee[edge]
                if (
                    graph.edge_line[edge] == access.line
                    and KINDS[graph.edge_kind[edge]][0] is Via.SETATTR
                    and callee not in seen
                ):
                    seen.add(callee)
                    yield callee
                    yield from (f for f in map(graph.edge_callee.__getitem__, graph.out_edges(callee)) if is_setter(f))
