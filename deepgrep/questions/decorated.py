"""What is called under the name of a decorated function: the functions that its decorators made, around its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
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
    for name, module in dict.fromkeys((graph.function_names[f], graph.module(f)) for f in functions):
        body = graph.module_body(module)
        for maker in _decorators(graph, body, name) if body is not None else ():
            found |= dict.fromkeys(_made_in(graph, maker))
    return tuple(function for function in found if function not in functions)


def _decorators(graph: CallGraph, body: int, name: str) -> list[int]:
    """The calls of decorators in a module body that a function is handed to, in the contexts that are for it."""
    callees = {graph.edge_callee[edge] for edge in graph.out_edges(body) if _decorates(graph, edge)}
    return sorted(callee for callee in callees if name in _BETWEEN.split(_context(graph, callee)))


def _context(graph: CallGraph, function: int) -> str:
    return graph.texts[graph.function_context[function]]


def _decorates(graph: CallGraph, edge: int) -> bool:
    return KINDS[graph.edge_kind[edge]][0] is Via.DECORATE


def _made_in(graph: CallGraph, maker: int) -> list[int]:
    """The functions defined just inside a function, in its context: they are numbered after it."""
    found, made_by, context = [], graph.function_names[maker], _context(graph, maker)
    for function in range(maker + 1, graph.function_count):
        name = graph.function_names[function]
        if not name.startswith(made_by):
            break
        if name.rpartition(_INSIDE)[0] == made_by and _context(graph, function) == context:
            found.append(function)
    return found
