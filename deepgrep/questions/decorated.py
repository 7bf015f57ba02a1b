"""What is called under the name of a decorated function: the functions that its decorators made, around its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import Via

# The names in a context: `a.f, b.g in c.h`, `a.inner (b.f)`.
_BETWEEN = re.compile(r", | in |[()]")
_INSIDE = ".<locals>."


def wrappers(graph: CallGraph, functions: Sequence[int]) -> tuple[int, ...]:
    """The functions that decorators made where they were applied to some function, outermost ones too.

    Args:
        graph: the graph.
        functions: the function in all its contexts.
    """
    found: dict[int, None] = {}
    for name in dict.fromkeys(graph.function_names[function] for function in functions):
        for module in dict.fromkeys(graph.module(function) for function in functions):
            body = graph.module_body(module)
            for maker in _decorators(graph, body, name) if body is not None else ():
                found |= dict.fromkeys(_made_in(graph, maker))
    return tuple(function for function in found if function not in functions)


def _decorators(graph: CallGraph, body: int, name: str) -> list[int]:
    """The calls of decorators in a module body that a function is handed to, in the contexts that are for it."""
    callees = {graph.edge_callee[edge] for edge in graph.out_edges(body) if _decorates(graph, edge)}
    return sorted(callee for callee in callees if name in _BETWEEN.split(graph.function(callee).context))


def _decorates(graph: CallGraph, edge: int) -> bool:
    return KINDS[graph.edge_kind[edge]][0] is Via.DECORATE


def _made_in(graph: CallGraph, maker: int) -> list[int]:
    """The functions defined just inside a function, in its context: they are numbered after it."""
    row, found = graph.function(maker), []
    prefix, index = row.name + _INSIDE, maker + 1
    while index < graph.function_count and graph.function_names[index].startswith(row.name):
        name = graph.function_names[index]
        if (
            name.startswith(prefix)
            and _INSIDE not in name[len(prefix) :]
            and graph.function(index).context == row.context
        ):
            found.append(index)
        index += 1
    return found
