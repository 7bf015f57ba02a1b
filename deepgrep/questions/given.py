"""Which parameters, along a path, still hold what the root was passed."""

from __future__ import annotations

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import Edge, Via
from deepgrep.questions.roots import Root


class Given:
    """The root's parameters on their way along a path, as far as they are passed on unchanged."""

    def __init__(self, graph: CallGraph, root: Root) -> None:
        self._graph = graph
        self._named = {p.name: p.name for p in root.parameters if not p.is_rebound}

    def follow(self, edge: Edge) -> None:
        """Go along an edge that leaves the function where the path is."""
        if edge.via is Via.SAME or not self._named:
            return
        caller, callee = self._graph.function(edge.caller), self._graph.function(edge.callee)
        self._named = {
            callee.parameters[parameter].name: self._named[caller.parameters[source].name]
            for parameter, source in edge.passes
            if isinstance(source, int) and caller.parameters[source].name in self._named
        }

    def named_in(self, guard: int) -> list[str]:
        """The root's parameters that a guard of the present function, and those around it, depend on."""
        names = [name for row in self._graph.guard_chain(guard) for name in row.parameters]
        return list(dict.fromkeys(self._named[name] for name in names if name in self._named))
