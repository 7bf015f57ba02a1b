"""Functions that give back what they are handed: each call has back what it passed, not what any call did.

So what a decorator leaves as it is stays told apart, however many functions it decorates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.linking.contexts import are_some_functions
from deepgrep.linking.evaluation import Evaluation, union
from deepgrep.linking.values import NOTHING, InstanceValue, Value, Values

if TYPE_CHECKING:
    from deepgrep.linking.invocation import Arguments
    from deepgrep.linking.program import Frame


def given_back(ev: Evaluation, frame: Frame, arguments: Arguments, receiver: Value | None) -> Values:
    """Return what a call passes for the parameters that the called function returns as they are.

    Args:
        ev: the evaluation in which the call happens.
        frame: of the function.
        arguments: what is passed.
        receiver: what a method is bound to.
    """
    unit = frame.unit
    is_bound = receiver is not None and unit.cls is not None and unit.binding != "static"
    results = []
    for parameter in unit.given_back or unit.returned:
        if receiver is not None and is_bound and parameter == 0:
            results.append(ev.one(receiver))
            continue
        passed = _passed(frame, arguments, parameter, skipped=int(is_bound))
        if passed is None:
            results.append(ev.read(frame.cell(parameter + 1)))
            continue
        # Of the objects that are passed, the annotation says what they are.
        declared = (frame.base or frame).declared.get(parameter, NOTHING)
        results += [ev.solver.passed(passed, False), frozenset(v for v in declared if isinstance(v, InstanceValue))]
    values = union(results)
    return ev.solver.fitting(unit.closed[-1], values) if -1 in unit.closed else values


def _passed(frame: Frame, arguments: Arguments, parameter: int, skipped: int) -> Values | None:
    """Return what is passed for a parameter; None if that is not known, or it is what the function is told apart by."""
    is_told_apart = any(i == parameter and not are_some_functions(value) for i, value in frame.context)
    if arguments.spreads or arguments.star or arguments.double_star or is_told_apart:
        return None
    by_position, by_name = frame.unit.places
    at = by_position.index(parameter) - skipped if parameter in by_position else len(arguments.positional)
    if 0 <= at < len(arguments.positional):
        return arguments.positional[at]
    name = frame.unit.facts.parameters[parameter].name
    return arguments.keywords[name] if by_name.get(name) == parameter and name in arguments.keywords else None
