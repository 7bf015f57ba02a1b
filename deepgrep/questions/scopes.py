"""For whom a write of a state is visible, where the state's kind alone does not say it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import AccessKind, Via

_OF_ITS_OWN = ("context", "thread")


def scope_of(graph: CallGraph, name: str, kind: str, scope: str) -> tuple[str, str]:
    """The scope of a state, and what it rests on where that is more than its kind.

    Assigning an option runs the `__setattr__` of its module's class. If that, or a `__setattr__` that it goes on to,
    stores the value in a context variable or a thread-local, the option is one too.
    """
    if kind != "config option":
        return scope, ""
    for function in _setters(graph, name):
        for access in graph.accesses_in(function):
            state = graph.state(access.state)
            if access.access is AccessKind.WRITE and state.scope in _OF_ITS_OWN:
                setter = graph.function_names[function]
                return state.scope, f"assigning it runs {setter}, which sets {state.name}, a {state.kind}"
    return scope, ""


def _setters(graph: CallGraph, name: str) -> Iterator[int]:
    """The `__setattr__` that assignments to a state's owner run, found by those of any of its options."""
    owner = name.rpartition(".")[0] + "."
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
