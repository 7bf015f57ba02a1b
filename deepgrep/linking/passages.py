"""What calls pass on: constants and parameters as they came, which can decide conditions; and what may be called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from deepgrep.facts.model import Guard
from deepgrep.facts.operations import Assign, Call, Constant, Join, Narrow
from deepgrep.linking.program import Program, UnitInfo

Passes = tuple[tuple[int, int | str], ...]
"""Parameters of a callee, each with what it is passed: a parameter of the caller, or a constant as `repr` writes it."""


ParameterOf = tuple[UnitInfo, int]
"""A function's parameter, by its position."""


def passed_on(caller: UnitInfo, call: Call, callee: UnitInfo, is_bound: bool) -> Passes:
    """Return what a call passes to parameters, as written or by default; those left out may hold anything.

    Args:
        caller: where the call is written.
        call: the call.
        callee: what it calls.
        is_bound: whether the first parameter is what a method is bound to.
    """
    parameters = callee.facts.parameters
    given = _given(call, callee, is_bound)
    found: list[tuple[int, int | str]] = []
    for index, parameter in enumerate(parameters):
        if index in given:
            source = _source(caller, given[index])
        elif call.double_star or (call.star and parameter.kind.startswith("positional")):
            source = None
        else:
            source = parameter.constant or None
        if source is not None:
            found.append((index, source))
    return tuple(found)


def _given(call: Call, callee: UnitInfo, is_bound: bool) -> dict[int, int]:
    """Return the operands that a call gives to parameters, as written."""
    positional, by_name = callee.places
    given = dict(zip(positional[is_bound:], call.args, strict=False))
    given.update((by_name[name], operand) for name, operand in call.keywords if name in by_name)
    return given


class HandedOn:
    """Which parameters are called: by the function, by one inside it, or by what they are certainly handed on to."""

    def __init__(self) -> None:
        self._seen: set[tuple[UnitInfo, object, UnitInfo, bool]] = set()
        self._from: dict[ParameterOf, set[ParameterOf]] = {}

    def note(self, caller: UnitInfo, place: object, call: Call, callee: UnitInfo, is_bound: bool) -> None:
        """Note what a call hands on; `place` tells the caller's calls apart, the rest is as of `passed_on`."""
        key = (caller, place, callee, is_bound)
        if key in self._seen:
            return
        self._seen.add(key)
        for parameter, operand in _given(call, callee, is_bound).items():
            source = _may_hold(caller, operand)
            if source is not None:
                self._from.setdefault((callee, parameter), set()).add(source)

    def called(self, program: Program) -> set[ParameterOf]:
        """Return the parameters that are called."""
        queue = [
            parameter
            for unit in program.units()
            for op in unit.facts.operations
            if isinstance(op, Call) and op.line and (parameter := _may_hold(unit, op.func)) is not None
        ]
        return _leading_to(queue, self._from)


def _may_hold(unit: UnitInfo, operand: int) -> ParameterOf | None:
    """Return the parameter that an operand may be, of the function or of one around it."""
    if operand >= 0:
        match unit.facts.operations[operand]:
            case Assign() | Narrow() as op:
                return _may_hold(unit, op.value)
            case Join() as op:
                return next((found for value in op.values if (found := _may_hold(unit, value))), None)
            case _:
                return None
    variable = unit.facts.variables[~operand]
    owner, index = (unit, ~operand) if variable.unit < 0 else (unit.module.units[variable.unit], variable.variable)
    return (owner, index - 1) if 0 < index <= len(owner.facts.parameters) else None


def _source(unit: UnitInfo, operand: int) -> int | str | None:
    if operand < 0:
        index = ~operand - 1
        own = unit.facts.variables[~operand].unit < 0 and 0 <= index < len(unit.facts.parameters)
        return index if own and _holds_what_was_passed(unit, index) else None
    match unit.facts.operations[operand]:
        case Constant() as op:
            return repr(op.value)
        case Assign() | Narrow() as op:
            return _source(unit, op.value)
        case _:
            return None


def _holds_what_was_passed(unit: UnitInfo, index: int) -> bool:
    parameter = unit.facts.parameters[index]
    return not parameter.is_rebound and parameter.kind not in ("*", "**")


def both(one: Passes, other: Passes) -> Passes:
    """Return what two calls on one line both pass."""
    return one if one == other else tuple(passed for passed in one if passed in other)


def deciding(program: Program, passages: Iterable[tuple[UnitInfo, UnitInfo, Passes]]) -> set[ParameterOf]:
    """Return the parameters that a condition names, or that are passed on to one of those.

    Args:
        program: all units.
        passages: what callers pass to callees.
    """
    passed_from: dict[ParameterOf, set[ParameterOf]] = {}
    for caller, callee, passes in passages:
        for parameter, source in passes:
            if isinstance(source, int):
                passed_from.setdefault((callee, parameter), set()).add((caller, source))
    return _leading_to(list(_named(program)), passed_from)


def _leading_to(queue: list[ParameterOf], passed_from: Mapping[ParameterOf, set[ParameterOf]]) -> set[ParameterOf]:
    """Return some parameters, and those that are passed on to one of them."""
    found = set(queue)
    for parameter in queue:  # grows as it is walked
        new = passed_from.get(parameter, set()) - found
        found |= new
        queue += new
    return found


def _named(program: Program) -> Iterator[ParameterOf]:
    for unit in program.units():
        if not unit.facts.parameters:
            continue
        guards = unit.module.facts.guards
        waiting = {op.guard for op in unit.facts.operations}
        seen: set[int] = set()
        names: set[str] = set()
        while waiting:
            guard = waiting.pop()
            if guard >= 0 and guard not in seen:
                seen.add(guard)
                names.update(guards[guard].parameters)
                waiting.add(guards[guard].parent)
        yield from ((unit, i) for i, parameter in enumerate(unit.facts.parameters) if parameter.name in names)


def common_guard(guards: tuple[Guard, ...], one: int, other: int) -> int:
    """Return the innermost guard that stands around two others."""
    if one == other:
        return one
    around = set()
    while one >= 0:
        around.add(one)
        one = guards[one].parent
    while other >= 0 and other not in around:
        other = guards[other].parent
    return other
