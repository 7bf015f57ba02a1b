"""Conditions that are the same whenever the code runs, and those that `__name__ == "__main__"` decides."""

from __future__ import annotations

import libcst as cst

from deepgrep.facts.bindings import dotted


class Decided:
    """What the conditions of a file are, each worked out once.

    Which Python runs, and on which platform, is not known: `sys.version_info >= (3, 12)` is either.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool | None], bool | None] = {}

    def always(self, test: cst.BaseExpression, is_script: bool | None = None) -> bool | None:
        """Return what a condition always is when the code runs; None for one that is either.

        Args:
            test: the condition.
            is_script: whether the code is that of the script of a run, whose `__name__` is `"__main__"`; None if that
                is not known.
        """
        if not isinstance(test, cst.BooleanOperation | cst.UnaryOperation):
            return _simple(test, is_script)
        key = (id(test), is_script)
        if key not in self._known:
            self._known[key] = self._combined(test, is_script)
        return self._known[key]

    def never(self, test: cst.BaseExpression, holds: bool) -> str:
        """Return where what stands under a condition never runs: `imported`, `script`, or "" if it may run in both.

        Args:
            test: the condition; one that is not always the same.
            holds: whether it holds, or its opposite.
        """
        for is_script, where in ((False, "imported"), (True, "script")):
            if self.always(test, is_script) is (not holds):
                return where
        return ""

    def _combined(self, test: cst.BooleanOperation | cst.UnaryOperation, is_script: bool | None) -> bool | None:
        if isinstance(test, cst.UnaryOperation):
            opposite = self.always(test.expression, is_script) if isinstance(test.operator, cst.Not) else None
            return None if opposite is None else not opposite
        sides = self.always(test.left, is_script), self.always(test.right, is_script)
        ends = isinstance(test.operator, cst.Or)  # what one side is, to be what both are together
        if ends in sides:
            return ends
        return None if None in sides else not ends


def _simple(test: cst.BaseExpression, is_script: bool | None) -> bool | None:
    match test:
        case cst.Name(value="True") | cst.Integer(value="1"):
            return True
        case cst.Name(value="False" | "None") | cst.Integer(value="0"):
            return False
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual() as sign)]):
            if is_script is None or not _compares_with_main(test.left, test.comparisons[0].comparator):
                return None
            return isinstance(sign, cst.Equal) is is_script
        case _:
            return False if dotted(test).rpartition(".")[2].lstrip("_") == "TYPE_CHECKING" else None


def _compares_with_main(left: cst.BaseExpression, right: cst.BaseExpression) -> bool:
    name, text = (right, left) if isinstance(left, cst.SimpleString) else (left, right)
    if not isinstance(name, cst.Name) or not isinstance(text, cst.SimpleString):
        return False
    return name.value == "__name__" and text.raw_value == "__main__" and "b" not in text.prefix
