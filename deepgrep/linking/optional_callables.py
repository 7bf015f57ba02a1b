"""What a function does only where it is handed a callable, or is not: `if fn is None: return partial(...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.facts.operations import Assign

if TYPE_CHECKING:
    from deepgrep.linking.program import UnitInfo

# Conditions that do not hold of a callable, as guards are written.
_NEVER = (
    "{0} is None", "not ({0} is not None)", "not {0}", "not callable({0})", "isinstance({0}, str)", "{0} is True",
    "{0} is False", "isinstance({0}, bool)",
)  # fmt: skip
# Conditions that do not hold of None.
_NEVER_NONE = ("{0} is not None", "not ({0} is None)", "{0}", "callable({0})", "not (not {0})")


def without(unit: UnitInfo, given: frozenset[int], absent: frozenset[int]) -> frozenset[int]:
    """Return the guards of a function's module that do not hold where some parameters are callables, or None.

    Args:
        unit: the function.
        given: the parameters that are callables, by variable.
        absent: those that are None.
    """
    binding = [op for op in unit.facts.operations if isinstance(op, Assign) and ~op.variable in given | absent]
    dead = _dead(unit, given, absent)
    # What is bound anew need not be what was passed, unless that too is left out.
    while rebound := {~op.variable for op in binding if op.guard not in dead} & (given | absent):
        given, absent = given - rebound, absent - rebound
        dead = _dead(unit, given, absent)
    return dead


def _dead(unit: UnitInfo, given: frozenset[int], absent: frozenset[int]) -> frozenset[int]:
    """Return the guards that do not hold, of parameters that hold what was passed."""
    facts = unit.facts
    never = {text.format(facts.parameters[v - 1].name) for text in _NEVER for v in given}
    never |= {text.format(facts.parameters[v - 1].name) for text in _NEVER_NONE for v in absent}
    if not never:
        return frozenset()
    guards = unit.module.facts.guards
    dead: set[int] = set()
    for index in sorted({op.guard for op in facts.operations}):
        chain, at = [], index
        while at >= 0:
            chain.append(at)
            at = guards[at].parent
        if any(guards[at].text in never for at in chain):
            dead.add(index)
    return frozenset(dead)
