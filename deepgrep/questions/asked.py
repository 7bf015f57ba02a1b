"""A question with its names resolved and its filters applied: what every search begins with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.filters import Filters, Resolved, resolve_filters
from deepgrep.questions.roots import Root
from deepgrep.questions.targets import Target


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked.

    Attributes:
        graph: the one that holds the root.
        target: where paths end; None where a question has none.
        filters: what is left out.
        reached: what the root reaches.
    """

    graph: CallGraph
    root: Root
    target: Target | None
    filters: Resolved
    reached: ForwardSlice

    @property
    def notes(self) -> list[str]:
        """What the user should know of how names and filters were understood."""
        return [*self.root.notes, *(self.target.notes if self.target else ()), *self.filters.notes]


def asked(root: Root, filters: Filters, target: Callable[[CallGraph], Target] | None = None) -> Asked:
    """Resolve what a question names, and search for what its root reaches.

    Where something is assumed of the root's parameters and what it reaches calls it again, with something else, the
    root's own call is a function for itself.

    Args:
        root: where paths begin.
        filters: as they were typed.
        target: gives the target in a graph; None where the question has none.

    Raises:
        DeepgrepError: a name means nothing, or several things; or the filters contradict each other.
    """
    found = _search(root, filters, target)
    if found.reached.values is None or not found.reached.values.is_called_otherwise:
        return found
    from deepgrep.graph.own_call import with_own_calls

    graph, functions = with_own_calls(root.graph, root.functions)
    note = (
        f"{root.ref.name} is called again by what it reaches, with other arguments: what is assumed of its parameters "
        f"holds for its first call, and where a path enters it once more, they can be anything"
    )
    again = replace(root, graph=graph, functions=functions, others=root.functions, notes=(*root.notes, note))
    return _search(again, filters, target)


def _search(root: Root, filters: Filters, target: Callable[[CallGraph], Target] | None) -> Asked:
    end = target(root.graph) if target is not None else None
    resolved = resolve_filters(root.graph, filters, root, end)
    return Asked(root.graph, root, end, resolved, root.slice(resolved.restriction))
