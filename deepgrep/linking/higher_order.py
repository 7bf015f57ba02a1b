"""Higher-order functions: which parameters are called, by the function, its closures, or what it hands them to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepgrep.facts.model import Unit
from deepgrep.facts.operations import Assign, Call, Iterate, Join, Narrow, Return, Subscript
from deepgrep.linking.blindspots import last_name

if TYPE_CHECKING:
    from deepgrep.linking.program import Program, UnitInfo
    from deepgrep.models import Models

# Where an argument stands: its position, its keyword, or "*" among those that a `*` spreads.
_Place = int | str
_BY_NAME = frozenset({"getattr", "hasattr"})


class HigherOrder:
    """Answers from the text alone: what a call may lead to is taken by its last name."""

    def __init__(self, program: Program, models: Models) -> None:
        self._by_name: dict[str, list[UnitInfo]] = {}
        for unit in program.units():
            if unit.facts.parameters:
                self._by_name.setdefault(unit.facts.qualname.rpartition(".")[2], []).append(unit)
        self._outside = frozenset(
            name.rpartition(".")[2] for name, model in models.functions.items() if model.calls or model.returns
        )
        self._used: dict[UnitInfo, _Uses] = {}
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

    def names(self, unit: UnitInfo, parameter: int) -> bool:
        """Whether a function takes an attribute by the name that a parameter holds."""
        return parameter in self._uses(unit).naming

    def _leads_to_a_call(self, start: tuple[UnitInfo, int]) -> bool:
        seen = {start}
        queue = [start]
        while queue:
            place = queue.pop()
            if self._known.get(place):
                return True
            unit, parameter = place
            uses = self._uses(unit)
            if parameter in uses.called:
                return True
            for handed_parameter, name, at in uses.handed:
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

    def _uses(self, unit: UnitInfo) -> _Uses:
        if unit not in self._used:
            self._used[unit] = _uses(unit.facts, unit.shared)
        return self._used[unit]


@dataclass(frozen=True, slots=True)
class _Uses:
    """The parameters that a function calls, returns or lets its closures use; takes attributes by; and hands on."""

    called: frozenset[int]
    naming: frozenset[int]
    handed: list[tuple[int, str, _Place]]


def _uses(unit: Unit, shared: frozenset[int]) -> _Uses:
    holds = {~(index + 1): index for index in range(len(unit.parameters))}
    called = {index for index in range(len(unit.parameters)) if index + 1 in shared}
    naming: set[int] = set()
    handed: list[tuple[int, str, _Place]] = []
    for number, op in enumerate(unit.operations):
        match op:
            case Assign() if op.value in holds:
                holds[number] = holds.setdefault(op.variable, holds[op.value])
                if ~op.variable in shared:
                    called.add(holds[op.value])
            case Narrow() | Iterate() | Subscript() as passed:
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
                if name in _BY_NAME and len(op.args) > 1 and op.args[1] in holds:
                    naming.add(holds[op.args[1]])
                places: list[tuple[_Place, int]] = [
                    *enumerate(op.args),
                    *op.keywords,
                    *(("*", operand) for operand in op.star),
                ]
                handed += [(holds[operand], name, at) for at, operand in places if operand in holds]
            case _:
                pass
    return _Uses(frozenset(called), frozenset(naming), handed)


def _parameters(unit: UnitInfo, at: _Place) -> list[int]:
    """Return the parameters that an argument may be for; whether `self` is one of the arguments is not known."""
    parameters = unit.facts.parameters
    if at == "*":
        return list(range(len(parameters)))
    if isinstance(at, str):
        return [index for index, p in enumerate(parameters) if p.name == at or p.kind == "**"]
    last = at + (1 if unit.cls is not None else 0)
    return [index for index, p in enumerate(parameters) if at <= index <= last or (index <= at and p.kind == "*")]
