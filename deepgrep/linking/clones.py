"""What a clone of a frame has of its own: what depends on the callables that it was handed.

A clone shares all else with the frame without a context that it is a clone of: values, variables and, in the graph,
what the function does in any context. So contexts cost what they change, not what they copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepgrep.facts.operations import AnyOperation, Assign, Call, Function, Global, Return, Yield
from deepgrep.linking.optional_callables import without
from deepgrep.linking.values import Values

if TYPE_CHECKING:
    from deepgrep.linking.program import Frame, ModuleInfo, UnitInfo

# A variable of a unit of a module, by their indices.
Place = tuple[int, int]
NO_PLACES: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Own:
    """What clones that were handed something for the same parameters have of their own.

    Attributes:
        operations: those that depend on it, in order, and those that make the result.
        left_out: those that such clones never come to: `if fn is not None: ...` of clones that are handed none.
        shared: all others: what such clones do whatever they were handed.
        absent: the names of the parameters that they are handed None for.
        variables: those of the unit that may hold something of it.
        places: the same variables, and those of the functions around it, as functions inside see them.
    """

    operations: dict[int, None]
    left_out: tuple[int, ...]
    shared: tuple[int, ...]
    absent: tuple[str, ...]
    variables: frozenset[int]
    places: frozenset[Place]


class Clones:
    """Knows for each function what depends on which of its parameters."""

    def __init__(self) -> None:
        self._captured: dict[ModuleInfo, list[set[Place]]] = {}
        self._known: dict[tuple[UnitInfo, *tuple[frozenset[int], ...], frozenset[Place]], Own | None] = {}

    def own(
        self,
        unit: UnitInfo,
        parameters: frozenset[int],
        given: frozenset[int],
        absent: frozenset[int],
        around: frozenset[Place],
    ) -> Own | None:
        """Return what depends on some parameters and places around a unit; None if nothing does.

        Args:
            unit: the function.
            parameters: by variable.
            given: those of them that are callables. What the function does without one is left out.
            absent: those that are None. What the function does with one is left out.
            around: the places.
        """
        captured = self._captures(unit.module)
        around = around & captured[unit.index] if around else NO_PLACES
        if not parameters and not around:
            return None
        key = (unit, parameters, given, absent, around)
        if key not in self._known:
            names = tuple(unit.facts.parameters[variable - 1].name for variable in sorted(absent))
            self._known[key] = _own(unit, parameters, without(unit, given, absent), names, around, captured)
        return self._known[key]

    def _captures(self, module: ModuleInfo) -> list[set[Place]]:
        """Return for each unit which variables of units around it are used in it, or in functions inside it."""
        known = self._captured.get(module)
        if known is None:
            known = self._captured[module] = [set() for _ in module.units]
            for index, unit in enumerate(module.units):
                for variable in unit.facts.variables:
                    at = index
                    while variable.unit >= 0 and at != variable.unit:
                        known[at].add((variable.unit, variable.variable))
                        at = module.units[at].facts.parent
        return known


def _own(
    unit: UnitInfo,
    parameters: frozenset[int],
    never: frozenset[int],
    absent: tuple[str, ...],
    around: frozenset[Place],
    captured: list[set[Place]],
) -> Own | None:
    facts = unit.facts
    # What a clone is called with as `*args, **kwargs` is its own too: a wrapper hands it to what it wraps.
    parameters |= {i + 1 for i, parameter in enumerate(facts.parameters) if parameter.kind in ("*", "**")}
    variables = set(parameters)
    variables |= {i for i, v in enumerate(facts.variables) if (v.unit, v.variable) in around}
    functions = [(index, captured[op.unit]) for index, op in enumerate(facts.operations) if isinstance(op, Function)]
    operations: set[int] = set()
    queue: list[int] = [~variable for variable in variables]
    places = set(around) | {(unit.index, variable) for variable in parameters}
    queue += _makers(functions, places)
    queue += _supers(unit) if 1 in parameters else []
    while queue:
        operand = queue.pop()
        if operand >= 0:
            if operand in operations:
                continue
            operations.add(operand)
            op = facts.operations[operand]
            if isinstance(op, Assign) and ~op.variable not in variables and facts.variables[~op.variable].unit < 0:
                variables.add(~op.variable)
                queue.append(op.variable)
                queue += _makers(functions, {(unit.index, ~op.variable)})
                places.add((unit.index, ~op.variable))
        queue += unit.users(operand)
    if not operations:
        return None
    operations |= {index for index, op in enumerate(facts.operations) if isinstance(op, Return | Yield)}
    left_out = {index for index, op in enumerate(facts.operations) if op.guard in never}
    shared = set(range(len(facts.operations))) - operations - left_out
    return Own(
        dict.fromkeys(sorted(operations - left_out)),
        tuple(sorted(left_out)),
        tuple(sorted(shared)),
        absent,
        frozenset(variables),
        frozenset(places),
    )


def _supers(unit: UnitInfo) -> list[int]:
    """Return the operations `super()`, which use the first parameter unsaid."""
    operations = unit.facts.operations

    def is_super(op: AnyOperation) -> bool:
        if not isinstance(op, Call) or op.args or op.func < 0:
            return False
        callee = operations[op.func]
        return isinstance(callee, Global) and callee.name == "super"

    return [index for index, op in enumerate(operations) if is_super(op)]


def _makers(functions: list[tuple[int, set[Place]]], places: set[Place]) -> list[int]:
    """Return the operations that make functions which use one of some variables."""
    return [index for index, used in functions if not used.isdisjoint(places)]


class OwnValues(dict[int, Values]):
    """The results of a clone's own operations, by index; of the others, those of the frame it is a clone of."""

    __slots__ = ("_base",)

    def __init__(self, base: Frame) -> None:
        super().__init__()
        self._base = base

    def __missing__(self, index: int) -> Values:
        return self._base.values[index]


class OwnVariables(dict[int, Values]):
    """What a clone's own variables hold, by index; of the others, what those of the frame it is a clone of hold."""

    __slots__ = ("_base",)

    def __init__(self, base: Frame) -> None:
        super().__init__()
        self._base = base

    def __missing__(self, index: int) -> Values:
        return self._base.variables[index]
