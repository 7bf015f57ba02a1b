"""Higher-order functions: which parameters are called, by the function, its closures, or what it hands them to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from deepgrep.facts.model import Unit
from deepgrep.facts.operations import Assign, Call, Constant, Iterate, Join, Narrow, Return, SetAttribute, Subscript
from deepgrep.linking.blindspots import last_name
from deepgrep.linking.optional_callables import without

if TYPE_CHECKING:
    from deepgrep.linking.program import Program, UnitInfo
    from deepgrep.models import Models

# Where an argument stands: its position, its keyword, or "*" among those that a `*` spreads.
_Place = int | str
_Parameter: TypeAlias = "tuple[UnitInfo, int]"
_BY_NAME = frozenset({"getattr", "hasattr", "setattr"})


class HigherOrder:
    """Answers from the text alone: what a call may lead to is taken by its last name."""

    def __init__(self, program: Program, models: Models) -> None:
        defined: set[str] = set()
        uses: dict[UnitInfo, _Uses] = {}
        for unit in program.units():
            if unit.facts.parameters:
                defined.add(unit.facts.qualname.rpartition(".")[2])
                uses[unit] = _uses(unit.facts, unit.shared)
        # What is handed on, by the name of what it is handed to, and the place.
        self._handed: dict[str, dict[_Place, list[_Parameter]]] = {}
        for unit, found in uses.items():
            for parameter, name, at in found.handed:
                self._handed.setdefault(name, {}).setdefault(at, []).append((unit, parameter))
        outside = {name.rpartition(".")[2] for name, model in models.functions.items() if model.calls or model.returns}
        if program.library is not None:
            outside |= program.library.higher_order
        called = [(unit, parameter) for unit, found in uses.items() for parameter in found.called]
        for name in sorted(outside - defined):
            called += [place for handed in self._handed.get(name, {}).values() for place in handed]
        self._calling = self._leading_to(called)
        self._deciding: dict[_Parameter, bool] = {}
        self._called: dict[UnitInfo, list[int]] = {}
        self._naming = {(unit, parameter) for unit, found in uses.items() for parameter in found.naming}
        self._keeping = {unit for unit, found in uses.items() if found.keeps}

    def know(self, unit: UnitInfo, called: Iterable[int], naming: Iterable[int]) -> None:
        """Know a function of the library: the parameters for which `calls` and `names` are true."""
        self._calling.update((unit, parameter) for parameter in called)
        self._called.pop(unit, None)
        self._naming.update((unit, parameter) for parameter in naming)

    def calls(self, unit: UnitInfo, parameter: int) -> bool:
        """Whether a function, or something that it makes or leads to, may call what a parameter holds.

        Args:
            unit: the function.
            parameter: its index among the function's parameters.
        """
        return (unit, parameter) in self._calling

    def called(self, unit: UnitInfo) -> list[int]:
        """Return the parameters for which `calls` is true."""
        known = self._called.get(unit)
        if known is None:
            known = self._called[unit] = [i for i in range(len(unit.facts.parameters)) if self.calls(unit, i)]
        return known

    def keeps(self, unit: UnitInfo) -> bool:
        """Whether a method assigns more than constants to attributes of `self`."""
        return unit in self._keeping

    def names(self, unit: UnitInfo, parameter: int) -> bool:
        """Whether a function takes or sets an attribute by the name that a parameter holds."""
        return (unit, parameter) in self._naming

    def decides(self, unit: UnitInfo, parameter: int) -> bool:
        """Whether a function does something only where it is handed a callable for a parameter, not None."""
        key = (unit, parameter)
        if key not in self._deciding:
            self._deciding[key] = bool(without(unit, frozenset(), frozenset({parameter + 1})))
        return self._deciding[key]

    def _leading_to(self, places: list[_Parameter]) -> set[_Parameter]:
        """Return some parameters, and those that are handed on to one of them."""
        queue = list(places)
        found = set(places)
        done: set[tuple[str, _Place]] = set()
        while queue:
            unit, parameter = queue.pop()
            name = unit.facts.qualname.rpartition(".")[2]
            for at, handed in self._handed.get(name, {}).items():
                if (name, at) not in done and parameter in _parameters(unit, at):
                    done.add((name, at))
                    new = [place for place in handed if place not in found]
                    found.update(new)
                    queue += new
        return found


@dataclass(frozen=True, slots=True)
class _Uses:
    """The parameters that a function calls, returns or lets its closures use; takes attributes by; and hands on.

    `keeps`: whether it assigns more than constants to attributes of its first parameter.
    """

    called: frozenset[int]
    naming: frozenset[int]
    keeps: bool
    handed: list[tuple[int, str, _Place]]


def _uses(unit: Unit, shared: frozenset[int]) -> _Uses:
    holds = {~(index + 1): index for index in range(len(unit.parameters))}
    called = {index for index in range(len(unit.parameters)) if index + 1 in shared}
    naming: set[int] = set()
    keeps = False
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
            case SetAttribute() if holds.get(op.base) == 0 and not _is_constant(unit, op.value):
                keeps = True
            case Call():
                if op.func in holds:
                    called.add(holds[op.func])
                name = last_name(unit, op.func)
                if not name:  # whatever that is, it may call what it is handed
                    called |= {
                        holds[operand] for operand in (*op.args, *dict(op.keywords).values()) if operand in holds
                    }
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
    return _Uses(frozenset(called), frozenset(naming), keeps, handed)


def _is_constant(unit: Unit, operand: int) -> bool:
    return operand >= 0 and isinstance(unit.operations[operand], Constant)


def _parameters(unit: UnitInfo, at: _Place) -> list[int]:
    """Return the parameters that an argument may be for; whether `self` is one of the arguments is not known."""
    parameters = unit.facts.parameters
    if at == "*":
        return list(range(len(parameters)))
    if isinstance(at, str):
        return [index for index, p in enumerate(parameters) if p.name == at or p.kind == "**"]
    last = at + (1 if unit.cls is not None else 0)
    return [index for index, p in enumerate(parameters) if at <= index <= last or (index <= at and p.kind == "*")]
