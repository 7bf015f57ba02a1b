"""The conditions that code stands under, in the code's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import libcst as cst

from deepgrep.facts.model import Guard
from deepgrep.facts.scopes import Scope

_WORD = re.compile(r"[^\W\d]\w*")
# A comment, or (kept) a string that may hold a `#`.
_COMMENT = re.compile(r"""("[^"\n]*"|'[^'\n]*')|\#[^\n]*""")


@dataclass(slots=True)
class _Pending:
    """A guard whose text is made only once an operation needs it: rendering code is slow."""

    kind: str
    text: Callable[[], str]
    line: int
    scope: Scope | None
    never: str = ""
    index: int = -1

    def finished(self, parent: int) -> Guard:
        text = self.text()
        named = dict.fromkeys(_WORD.findall(text)) if self.scope is not None else {}
        parameters = tuple(name for name in named if self.scope is not None and self.scope.is_as_passed(name))
        return Guard(parent, self.kind, text, self.line, parameters, self.never)


class Guards:
    """The guards of a module, and the stack of those around the operation that is being lowered."""

    def __init__(self, module: cst.Module) -> None:
        self._module = module
        self._stack: list[_Pending] = []
        self.table: list[Guard] = []

    @contextmanager
    def under(
        self, kind: str, text: Callable[[], str], line: int, scope: Scope | None = None, never: str = ""
    ) -> Iterator[None]:
        """Put what is lowered inside the `with` under a condition.

        Args:
            kind: as of a guard.
            text: gives the condition's code.
            line: where it is written.
            scope: in which the names of a condition that is true or false are looked up; None for other guards.
            never: as of a guard.
        """
        self._stack.append(_Pending(kind, text, line, scope, never))
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
                self.table.append(guard.finished(parent))
            parent = guard.index
        return parent

    def push(self, kind: str, text: Callable[[], str], line: int, scope: Scope | None = None, never: str = "") -> None:
        """Put the rest of a block under a condition, until `pop`; arguments as of `under`."""
        self._stack.append(_Pending(kind, text, line, scope, never))

    def pop(self, count: int) -> None:
        """End the last `count` conditions that were pushed."""
        if count:
            del self._stack[-count:]

    def code(self, node: cst.CSTNode) -> str:
        """Return a node's code on one line."""
        return _plain(node) or _on_one_line(self._module.code_for_node(node))

    def negated(self, node: cst.CSTNode) -> str:
        """Return the code of `not node`."""
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return self.code(node.expression)
        code = self.code(node)
        simple = isinstance(node, cst.Name | cst.Attribute | cst.Call | cst.Subscript) or getattr(node, "lpar", None)
        return f"not {code}" if simple else f"not ({code})"


def _on_one_line(code: str) -> str:
    if len(code.splitlines()) < 2:
        return code
    joined = " ".join(_COMMENT.sub(r"\1", code).replace("\\\n", " ").split())
    return joined.replace("( ", "(").replace(", )", ")").replace(" )", ")")


_COMPARISONS: dict[type[cst.CSTNode], str] = {
    cst.Is: "is",
    cst.IsNot: "is not",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Equal: "==",
    cst.NotEqual: "!=",
}


def _plain(node: cst.CSTNode) -> str:
    """Return the code of the most frequent conditions, "" for others: libcst generates it at a tenth of the speed."""
    if getattr(node, "lpar", None):
        return ""
    match node:
        case cst.Name() | cst.SimpleString() | cst.Integer():
            return node.value
        case cst.Attribute():
            base = _plain(node.value)
            return base and f"{base}.{node.attr.value}"
        case cst.Call():
            parts = [_plain(node.func), *("" if arg.star or arg.keyword else _plain(arg.value) for arg in node.args)]
            return f"{parts[0]}({', '.join(parts[1:])})" if all(parts) else ""
        case cst.UnaryOperation(operator=cst.Not()):
            operand = _plain(node.expression)
            return operand and f"not {operand}"
        case cst.Comparison(comparisons=[target]):
            left, word, right = _plain(node.left), _COMPARISONS.get(type(target.operator)), _plain(target.comparator)
            return f"{left} {word} {right}" if left and word and right else ""
        case _:
            return ""
