"""Which part of a state a place accesses: an attribute of the object, or an item of the container, that it holds."""

from __future__ import annotations

from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.statements import Statements, last_name
from deepgrep.questions.targets import Site


class Parts:
    """Tells the parts of one state."""

    def __init__(self, graph: CallGraph, statements: Statements, state: str) -> None:
        self._graph = graph
        self._statements = statements
        self._name = last_name(state)

    def of(self, site: Site) -> str:
        """The part that a place accesses: `.flag`, `['key']`, `[*]` for some item; "" where it is the whole state."""
        word, _, attribute = site.form.partition(" ")
        if word == "attribute" and attribute and " " not in attribute:
            return f".{attribute}"
        item = self._statements.item(self._graph.texts[self._graph.function_file[site.function]], site.line, self._name)
        return f"[{item}]" if item else ""


def may_meet(one: str, other: str) -> bool:
    """Whether two parts of a state may be the same, or one part of the other."""
    return one == other or bool({one, other} & {"", "[*]"})
