"""Functions that give back what they are handed: `return self`, a decorator that returns its function."""

from __future__ import annotations

from deepgrep.facts.operations import Assign, Attribute, Call, Join, Narrow, Return
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import UnitInfo
from deepgrep.linking.values import FunctionValue


class Passing:
    """Which parameters functions return as they are."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._known: dict[UnitInfo, tuple[int, ...]] = {}

    def returned(self, unit: UnitInfo) -> tuple[int, ...]:
        """Return the indices of the parameters that a function returns, by a statement that says so.

        A method that returns what another method of `self` returns counts too: `return self.train(False)`.
        """
        known = self._known.get(unit)
        if known is None:
            self._known[unit] = ()  # one that calls itself
            returns = [op.value for op in unit.facts.operations if isinstance(op, Return)]
            found = {parameter for operand in returns for parameter in self._behind(unit, operand)}
            kinds = [parameter.kind for parameter in unit.facts.parameters]
            known = self._known[unit] = tuple(sorted(i for i in found if kinds[i] not in ("*", "**")))
        return known

    def _behind(self, unit: UnitInfo, operand: int) -> set[int]:
        """Return the parameters that an operand may be."""
        if operand < 0:
            own = unit.facts.variables[~operand].unit < 0
            return {~operand - 1} if own and 0 < ~operand <= len(unit.facts.parameters) else set()
        match unit.facts.operations[operand]:
            case Join() as op:
                return {parameter for value in op.values for parameter in self._behind(unit, value)}
            case Assign() | Narrow() as op:
                return self._behind(unit, op.value)
            case Call() as op if op.func >= 0 and unit.cls is not None and unit.binding == "instance":
                function = unit.facts.operations[op.func]
                if isinstance(function, Attribute) and function.base == ~1:
                    found = self._hierarchy.find(unit.cls, function.name, False).inherited
                    methods = [v.unit for v in found[1].values if isinstance(v, FunctionValue)] if found else []
                    if any(0 in self.returned(method) for method in methods if method.binding == "instance"):
                        return {0}
                return set()
            case _:
                return set()
