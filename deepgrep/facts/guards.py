"""The conditions that code stands under, in the code's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import libcst as cst

from deepgrep.facts.model import Guard

_LONGEST = 160


@dataclass(slots=True)
class _Pending:
    """A guard whose text is made only once an operation needs it: rendering code is slow."""

    kind: str
    text: Callable[[], str]
    line: int
    index: int = -1


class Guards:
    """The guards of a module, and the stack of those around the operation that is being lowered."""

    def __init__(self, module: cst.Module) -> None:
        self._module = module
        self._stack: list[_Pending] = []
        self.table: list[Guard] = []

    @contextmanager
    def under(self, kind: str, text: Callable[[], str], line: int) -> Iterator[None]:
        """Put what is lowered inside the `with` under a condition."""
        self._stack.append(_Pending(kind, text, line))
        try:
            yield
        finally:
            self._stack.pop()

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Lower a function's body: what its definition stands under says nothing of its calls."""
        outer, self._stack = self._stack, []
        try:
            yield
        finally:
            self._stack = outer

    def current(self) -> int:
        """Return the index of the innermost guard, -1 for none."""
        stack = self._stack
        if not stack:
            return -1
        if stack[-1].index >= 0:
            return stack[-1].index
        parent = -1
        for guard in stack:
            if guard.index < 0:
                guard.index = len(self.table)
                self.table.append(Guard(parent, guard.kind, guard.text(), guard.line))
            parent = guard.index
        return parent

    def push(self, kind: str, text: Callable[[], str], line: int) -> None:
        """Put the rest of a block under a condition, until `pop`."""
        self._stack.append(_Pending(kind, text, line))

    def pop(self, count: int) -> None:
        """End the last `count` conditions that were pushed."""
        if count:
            del self._stack[-count:]

    def code(self, node: cst.CSTNode) -> str:
        """Return a node's code on one line; what is longer than a line of text is cut, with an ellipsis."""
        text = " ".join(self._module.code_for_node(node).split())
        return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

    def negated(self, node: cst.CSTNode) -> str:
        """Return the code of `not node`."""
        code = self.code(node)
        simple = isinstance(node, cst.Name | cst.Attribute | cst.Call | cst.Subscript)
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return self.code(node.expression)
        return f"not {code}" if simple else f"not ({code})"
