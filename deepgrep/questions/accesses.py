"""`accesses`: every place that writes, reads or calls a target."""

from __future__ import annotations

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.answers import AccessesAnswer
from deepgrep.questions.targets import access_refs, resolve_target


def accesses(graph: CallGraph, target: str, access: AccessKind | None = None) -> AccessesAnswer:
    """The places that access `target`; by default those that write a state, or call a function.

    Raises:
        DeepgrepError: the name means nothing, or several things.
    """
    found = resolve_target(graph, target, access)
    return AccessesAnswer(
        sources=graph.sources,
        target=found.ref,
        accesses=access_refs(graph, found, None),
        skipped=graph.skipped,
        notes=list(found.notes),
    )
