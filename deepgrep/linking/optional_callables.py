"""What a function does only where it is handed a callable, or is not: `if fn is None: return partial(...)`."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

from deepgrep.facts.operations import Assign
from deepgrep.graph.conditions import decide

if TYPE_CHECKING:
    from deepgrep.facts.model import Guard
    from deepgrep.linking.program import UnitInfo

# Conditions that do not hold of a callable, as guards are written.
_NEVER = (
    "{0} is None", "not ({0} is not None)", "not {0}", "not callable({0})", "isinstance({0}, str)", "{0} is True",
    "{0} is False", "isinstance({0}, bool)",
)  # fmt: skip


def without(unit: UnitInfo, given: frozenset[int], absent: frozenset[int]) -> frozenset[int]:
    """Return the guards of a function's module that do not hold where some parameters are callables, or None.

    Args:
        unit: the function.
        given: the parameters that are callables, by variable.
        absent: those that are None.
    """
    binding = [op for op in unit.facts.operations if isinstance(op, Assign) and ~op.variable in given | absent]
    until: dict[int, float] = dict.fromkeys(given | absent, inf)
    dead = _dead(unit, given, absent, until)
    # What is bound anew need not be what was passed, unless that too is left out.
    while rebound := [op for op in binding if op.guard not in dead and until[~op.variable] == inf]:
        for op in rebound:
            line = 0 if _is_repeated(unit, op.guard) else op.line
            until[~op.variable] = min(line, until[~op.variable])
        dead = _dead(unit, given, absent, until)
    return dead


def _is_repeated(unit: UnitInfo, guard: int) -> bool:
    """Whether what stands under a guard may run before conditions that are written above it."""
    guards = unit.module.facts.guards
    while guard >= 0 and guards[guard].kind not in ("for", "while"):
        guard = guards[guard].parent
    return guard >= 0


def _dead(unit: UnitInfo, given: frozenset[int], absent: frozenset[int], until: Mapping[int, float]) -> frozenset[int]:
    """Return the guards that do not hold, of parameters that hold what was passed up to some line."""
    facts, guards = unit.facts, unit.module.facts.guards

    def fails(guard: Guard) -> bool:
        names = {v: facts.parameters[v - 1].name for v in given | absent if guard.line <= until[v]}
        none = {name: None for v, name in names.items() if v in absent}
        never = (text.format(name) for v, name in names.items() if v in given for text in _NEVER)
        if guard.text in never or any(guard.text == f"callable({name})" for name in none):
            return True
        return bool(none) and decide(guard.kind, guard.text, none) is False

    dead: set[int] = set()
    for index in sorted({op.guard for op in facts.operations}):
        at = index
        while at >= 0:
            if fails(guards[at]):
                dead.add(index)
                break
            at = guards[at].parent
    return frozenset(dead)
