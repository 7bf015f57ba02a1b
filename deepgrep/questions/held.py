"""The function that a state was defined to hold, where the name of a root is that of a state."""

from __future__ import annotations

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import Via
from deepgrep.questions.code import link_typed


def held_functions(graph: CallGraph, state: str) -> tuple[int, ...]:
    """The functions of the name by which a module or class bound one, though other code binds the state anew.

    A call of the state is linked as code is. Of what that calls, the one is meant that is called as the state is
    (`torch.seed`, imported from `torch.random`), else one that is defined beside it or in a base
    (`__call__ = _call_impl`).

    Args:
        graph: the analyzed sources.
        state: its full name.

    Returns:
        All contexts of that function; nothing where none, or several, could be meant.
    """
    parts = state.split(".")
    if not all(part.isidentifier() for part in parts) or graph.module_body(parts[0]) is None:
        return ()
    code = link_typed(graph, f"{state}()")
    called = [
        code.graph.function_names[code.graph.edge_callee[edge]]
        for edge in code.graph.out_edges(code.body)
        if KINDS[code.graph.edge_kind[edge]][0] is Via.CALL
    ]
    alike = {name for name in called if name.rpartition(".")[2] == parts[-1] and "<locals>" not in name}
    owner = graph.alias(".".join(parts[:-1])) or ".".join(parts[:-1])
    bases = next((row.mro for row in graph.classes_named(owner)), (owner,))
    beside = {name for name in called if name.rpartition(".")[0] in bases}
    meant = alike or beside
    return tuple(graph.functions_named(meant.pop())) if len(meant) == 1 else ()
