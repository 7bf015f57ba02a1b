"""What a function does only where it is not handed a callable: `if fn is None: return functools.partial(...)`."""

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


def without(unit: UnitInfo, given: frozenset[int]) -> frozenset[int]:
    """Return the guards of a function's module that do not hold where some parameters are callables.

    Args:
        unit: the function.
        given: the parameters, by variable.
    """
    facts = unit.facts
    rebound = {~op.variable for op in facts.operations if isinstance(op, Assign)}
    names = [facts.parameters[variable - 1].name for variable in given - rebound]
    if not names:
        return frozenset()
    never = {text.format(name) for text in _NEVER for name in names}
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
