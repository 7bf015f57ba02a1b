"""What calls pass on, as far as it can decide a condition: constants, and parameters as they came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deepgrep.facts.model import Guard
from deepgrep.facts.operations import Assign, Call, Constant, Narrow
from deepgrep.linking.program import Program, UnitInfo

Passes = tuple[tuple[int, int | str], ...]
"""Parameters of a callee, each with what it is passed: a parameter of the caller, or a constant as `repr` writes it."""


def passed_on(caller: UnitInfo, call: Call, callee: UnitInfo, is_bound: bool) -> Passes:
    """Return what a call passes to parameters, as written or by default; those left out may hold anything.

    Args:
        caller: where the call is written.
        call: the call.
        callee: what it calls.
        is_bound: whether the first parameter is what a method is bound to.
    """
    parameters = callee.facts.parameters
    positional = [i for i, p in enumerate(parameters) if p.kind.startswith("positional")][is_bound:]
    given = dict(zip(positional, call.args, strict=False))
    by_name = {p.name: i for i, p in enumerate(parameters) if p.kind in ("positional", "keyword-only")}
    given |= {by_name[name]: operand for name, operand in call.keywords if name in by_name}
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


def deciding(program: Program, passages: Iterable[tuple[UnitInfo, UnitInfo, Passes]]) -> set[tuple[UnitInfo, int]]:
    """Return the parameters that a condition names, or that are passed on to one of those.

    Args:
        program: all units.
        passages: what callers pass to callees.
    """
    passed_to: dict[tuple[UnitInfo, int], set[tuple[UnitInfo, int]]] = {}
    for caller, callee, passes in passages:
        for parameter, source in passes:
            if isinstance(source, int):
                passed_to.setdefault((callee, parameter), set()).add((caller, source))
    queue = list(_named(program))
    found = set(queue)
    for parameter_of in queue:  # grows as it is walked
        new = passed_to.get(parameter_of, set()) - found
        found |= new
        queue += new
    return found


def _named(program: Program) -> Iterator[tuple[UnitInfo, int]]:
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
