"""Higher-order functions: which parameters are called, by the function itself, its closures, or what it hands them to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.facts.model import Unit
from deepgrep.facts.operations import Assign, Call, Iterate, Join, Narrow, Return
from deepgrep.linking.blindspots import last_name

if TYPE_CHECKING:
    from deepgrep.linking.program import Program, UnitInfo
    from deepgrep.models import Models

# Where an argument stands: its position, its keyword, or "*" among those that a `*` spreads.
_Place = int | str


class HigherOrder:
    """Answers from the text alone: what a call may lead to is taken by its last name."""

    def __init__(self, program: Program, models: Models) -> None:
        self._by_name: dict[str, list[UnitInfo]] = {}
        for unit in program.units():
            if unit.facts.parameters:
                self._by_name.setdefault(unit.facts.qualname.rpartition(".")[2], []).append(unit)
        self._outside = {
            name.rpartition(".")[2] for name, model in models.functions.items() if model.calls or model.returns
        }
        self._handed: dict[UnitInfo, tuple[frozenset[int], list[tuple[int, str, _Place]]]] = {}
        self._known: dict[tuple[UnitInfo, int], bool] = {}

    def calls(self, unit: UnitInfo, parameter: int) -> bool:
        """Whether a function, or something that it makes or leads to, may call what a parameter holds.

        Args:
            unit: the function.
            parameter: its index among the function's parameters.
        """
        start = (unit, parameter)
        if start not in self._known:
            self._known[start] = self._leads_to_a_call(start)
        return self._known[start]

    def _leads_to_a_call(self, start: tuple[UnitInfo, int]) -> bool:
        seen = {start}
        queue = [start]
        while queue:
            place = queue.pop()
            if self._known.get(place):
                return True
            unit, parameter = place
            called, handed = self._uses(unit)
            if parameter in called:
                return True
            for handed_parameter, name, at in handed:
                if handed_parameter != parameter:
                    continue
                targets = self._by_name.get(name, ())
                if not targets and name in self._outside:
                    return True
                for target in targets:
                    new = {(target, index) for index in _parameters(target, at)} - seen
                    seen |= new
                    queue += new
        return False

    def _uses(self, unit: UnitInfo) -> tuple[frozenset[int], list[tuple[int, str, _Place]]]:
        if unit not in self._handed:
            self._handed[unit] = _uses(unit.facts, unit.shared)
        return self._handed[unit]


def _uses(unit: Unit, shared: frozenset[int]) -> tuple[frozenset[int], list[tuple[int, str, _Place]]]:
    """Return the parameters that a function calls, returns or lets its closures use, and those that it hands on."""
    holds = {~(index + 1): index for index in range(len(unit.parameters))}
    called = {index for index in range(len(unit.parameters)) if index + 1 in shared}
    handed: list[tuple[int, str, _Place]] = []
    for number, op in enumerate(unit.operations):
        match op:
            case Assign() if op.value in holds:
                holds.setdefault(op.variable, holds[op.value])
                if ~op.variable in shared:
                    called.add(holds[op.value])
            case Narrow() | Iterate() as passed:
                base = passed.value if isinstance(passed, Narrow) else passed.base
                if base in holds:
                    holds[number] = holds[base]
            case Join():
                for value in op.values:
                    if value in holds:
                        holds[number] = holds[value]
            case Return() if op.value in holds:
                called.add(holds[op.value])
            case Call():
                if op.func in holds:
                    called.add(holds[op.func])
                name = last_name(unit, op.func)
                places: list[tuple[_Place, int]] = [
                    *enumerate(op.args),
                    *op.keywords,
                    *(("*", operand) for operand in op.star),
                ]
                handed += [(holds[operand], name, at) for at, operand in places if operand in holds]
            case _:
                pass
    return frozenset(called), handed


def _parameters(unit: UnitInfo, at: _Place) -> list[int]:
    """Return the parameters that an argument may be for; whether `self` is one of the arguments is not known."""
    parameters = unit.facts.parameters
    if at == "*":
        return list(range(len(parameters)))
    if isinstance(at, str):
        return [index for index, p in enumerate(parameters) if p.name == at or p.kind == "**"]
    last = at + (1 if unit.cls is not None else 0)
    return [index for index, p in enumerate(parameters) if at <= index <= last or (index <= at and p.kind == "*")]
