"""Contexts: which clone of a function a call runs in.

A function that is handed callables is analyzed anew for each combination of them. So `tree_map(f, tree)` goes on to
this `f`, and the wrapper that a decorator makes goes on to what it wraps, not to all that was ever decorated. So is one
that is handed a constant string which it takes an attribute by. (Contexts by the functions and constants among the
arguments, as in Agesen's Cartesian product algorithm, 1995.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from deepgrep.linking.constructors import is_constructor
from deepgrep.linking.functions import are_functions, is_callable, is_inert
from deepgrep.linking.name_patterns import is_name
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Context,
    External,
    FunctionValue,
    InstanceValue,
    Partial,
    Text,
    Value,
    Values,
    Wrapped,
)

if TYPE_CHECKING:
    from deepgrep.linking.invocation import Arguments
    from deepgrep.linking.program import Frame, UnitInfo
    from deepgrep.linking.solver import Solver

# A closure that was made in a context, handed on, makes a context inside a context. Deeper than this, calls share one
# frame: a function that hands a new closure to itself would otherwise never end.
DEEPEST = 2
DEEPEST_HANDED = 1
_SOME_FUNCTIONS = "typing.Callable"
# So many constant names are told apart for each function.
MOST_NAMES = 24


def context(
    solver: Solver, callee: FunctionValue, arguments: Arguments, receiver: Value | None, caller: Frame
) -> Context:
    """Return the callables that a call hands to parameters that lead to a call of them, and names of attributes.

    Args:
        solver: knows which parameters those are.
        callee: the function that is called.
        arguments: what is passed, without the receiver of a bound method.
        receiver: what `self` or `cls` is, where it is given besides.
        caller: the frame that calls. A class that a decorator was handed stays told apart where it is handed on.
    """
    is_bound = receiver is not None
    handed: list[tuple[int, Value]] = []
    given: dict[int, Values] = {}
    places: list[tuple[int | str, Values]] = [*enumerate(arguments.positional), *arguments.keywords.items()]
    for place, values in places:
        parameter = _parameter(callee.unit, place, is_bound)
        if parameter is None:
            continue
        given[parameter] = values
        value = None if arguments.is_shared else _only(values)
        if value is None or is_inert(value):
            if are_functions(solver, values) and solver.higher_order.calls(callee.unit, parameter):
                handed.append((parameter, some_functions(solver)))
            continue
        if arguments.decorates:
            matters = is_callable(value) or isinstance(value, ClassValue)
        elif is_name(value):
            matters = solver.higher_order.names(callee.unit, parameter) and _is_told_apart(solver, callee.unit, value)
        else:
            is_known = is_callable(value) or any(value is known for _, known in caller.context)
            matters = is_known and solver.higher_order.calls(callee.unit, parameter)
        if matters:
            handed.append((parameter, value))
    if not handed and not arguments.is_shared:
        handed = _absent(solver, callee, arguments, given)
    deepest = DEEPEST if arguments.decorates else DEEPEST_HANDED
    found = [(parameter, value if _depth(value) < deepest else some_functions(solver)) for parameter, value in handed]
    if not arguments.is_shared and _is_told_apart_by_class(solver, callee.unit, receiver):
        assert receiver is not None
        found = [(0, receiver), *found]
    return tuple(found)


def some_functions(solver: Solver) -> Value:
    """Return what stands in a context for one of several functions: such calls share a clone that is handed them all.

    So what a function does with something else, `if isinstance(f, Module): ...`, is not done for them.
    """
    return solver.interner.external(_SOME_FUNCTIONS)


def are_some_functions(value: Value) -> bool:
    """Whether a value in a context stands for one of several functions."""
    return isinstance(value, External) and value.name == _SOME_FUNCTIONS


def _only(values: Values) -> Value | None:
    """Return the one value that is passed; None if there are several.

    `f = wrap(f)` passes the function that was there before: what `wrap` makes of it comes after.
    """
    if len(values) == 1:
        return next(iter(values))
    first = [value for value in values if is_callable(value) and not _depth(value)]
    if len(first) != 1:
        return None
    others = [value for value in values if value is not first[0] and not isinstance(value, InstanceValue | Text)]
    return first[0] if others and all(_is_made_of(value, first[0]) for value in others) else None


def _is_made_of(value: Value, original: Value) -> bool:
    """Whether a value is a function that was made where the original was handed over."""
    function = value.function if isinstance(value, Bound) else value
    frame = function.frame if isinstance(function, FunctionValue) else None
    while frame is not None:
        if any(known is original for _, known in frame.context):
            return True
        frame = frame.parent
    return False


def _is_told_apart_by_class(solver: Solver, unit: UnitInfo, receiver: Value | None) -> bool:
    """Whether an inherited method is told apart by the class that it runs for: a class method, or a constructor.

    What the constructor of a base keeps in attributes then belongs to the class whose constructor handed it on.
    """
    match receiver:
        case ClassValue():
            return unit.binding == "class" and not receiver.is_open and receiver.cls is not unit.cls
        case InstanceValue():
            return receiver.cls is not unit.cls and is_constructor(unit) and solver.higher_order.keeps(unit)
        case _:
            return False


def _absent(
    solver: Solver, callee: FunctionValue, arguments: Arguments, given: Mapping[int, Values]
) -> list[tuple[int, Value]]:
    """Return the callable that a call leaves out, or passes None or a bool for: `@register()` of `register(fn=None)`.

    For what is passed stands None, if it is that and nothing else, else False.
    """
    unit = callee.unit
    if arguments.spreads or arguments.star or arguments.double_star:
        return []
    none = solver.interner.text(None)
    for index in solver.higher_order.called(unit):
        if unit.facts.parameters[index].kind in ("*", "**"):
            continue
        if index in given:
            values = given[index]
            if values and all(map(_is_none_or_bool, values)):
                return [(index, none if len(values) == 1 and none in values else solver.interner.text(False))]
            continue
        has_default = unit.facts.parameters[index].has_default and solver.higher_order.decides(unit, index)
        if has_default and none in solver.frame(unit, callee.frame).cell(index + 1).values:
            return [(index, none)]
    return []


def _is_none_or_bool(value: Value) -> bool:
    return isinstance(value, Text) and (value.value is None or isinstance(value.value, bool))


def _is_told_apart(solver: Solver, unit: UnitInfo, name: Value) -> bool:
    """Whether a name has a context of its own: a function that is given very many keeps one context for the rest."""
    names = solver.names_told_apart.setdefault(unit, {})
    if len(names) < MOST_NAMES:
        names[name] = None
    return name in names


def _parameter(unit: UnitInfo, place: int | str, is_bound: bool) -> int | None:
    """Return the parameter that takes an argument at a position or of a name."""
    rest: int | None = None
    if isinstance(place, int) and is_bound and unit.cls is not None and unit.binding != "static":
        place += 1
    for index, parameter in enumerate(unit.facts.parameters):
        if parameter.kind in ("*", "**"):
            if (parameter.kind == "*") == isinstance(place, int):
                rest = index
        elif index == place or parameter.name == place:
            return index
    return rest


def depth(parent: Frame | None, context: Context) -> int:
    """Return how many contexts a frame lies in."""
    around = parent.depth if parent is not None else 0
    return max([around, *(1 + _depth(value) for _, value in context)])


def _depth(value: Value) -> int:
    match value:
        case FunctionValue():
            return value.frame.depth if value.frame is not None else 0
        case Bound():
            return _depth(value.function)
        case Wrapped():
            return max((_depth(function) for function in value.functions if function is not None), default=0)
        case Partial():
            return value.frame.depth
        case _:
            return 0
