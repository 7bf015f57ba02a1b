"""Which values are functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.linking.values import Bound, Cut, FunctionValue, Many, Partial, Value, Values, Wrapped

if TYPE_CHECKING:
    from deepgrep.linking.solver import Solver


def are_functions(solver: Solver, values: Values) -> bool:
    """Whether there are values, and all are functions, as far as they are known."""
    known = [value for value in values if not isinstance(value, Cut)]
    return bool(known) and all(_is_function(solver, value) for value in known)


def _is_function(solver: Solver, value: Value) -> bool:
    function = without_receiver(value)
    if isinstance(function, Many):
        return all(_is_function(solver, member) for member in solver.members(function) if not isinstance(member, Many))
    return isinstance(function, FunctionValue | Partial | Wrapped)


def is_inert(value: Value) -> bool:
    """Whether a value is a function that calls nothing."""
    function = without_receiver(value)
    return isinstance(function, FunctionValue) and function.unit.is_inert


def is_callable(value: Value) -> bool:
    """Whether a value is a function that may call something."""
    return isinstance(without_receiver(value), FunctionValue | Partial | Wrapped) and not is_inert(value)


def without_receiver(value: Value) -> Value:
    """Return the function of a bound method; any other value as it is."""
    return value.function if isinstance(value, Bound) else value
