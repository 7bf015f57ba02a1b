"""Names of which only a part is known: `setattr(C, f"__{name}__", f)`, `getattr(self, f"visit_{kind}")`.

A pattern is what the name begins with, `*`, and what it ends with; as a value, it is a string made at a site so called.
"""

from __future__ import annotations

from typing import TypeGuard

from deepgrep.facts.operations import (
    Assign,
    Collection,
    Constant,
    Global,
    Iterate,
    Join,
    NamePattern,
    Operation,
    SetGlobal,
)
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.program import UnitInfo
from deepgrep.linking.values import NOTHING, Container, Text, Value, Values

ANY_NAME = "*"
# So many names an f-string is followed to; beyond, only what all have in common is known of them.
_MOST_TEXTS = 24


def matches(pattern: str, name: str) -> bool:
    """Whether a name has what is known of it."""
    prefix, _, suffix = pattern.partition("*")
    return len(name) >= len(prefix) + len(suffix) and name.startswith(prefix) and name.endswith(suffix)


def is_name(value: Value) -> bool:
    """Whether all, or something, is known of the name that a value is."""
    return isinstance(value, Text) or pattern(value) != ANY_NAME


def pattern(value: Value | None) -> str:
    """Return what is known of the name that a value is."""
    match value:
        case Container(class_name="str", site=str() as site) if "*" in site:
            return site
        case _:
            return ANY_NAME


def _name_pattern(ev: Evaluation, op: NamePattern) -> Values:
    interner = ev.solver.interner
    texts = [""]
    for part in op.parts:
        known = [part] if isinstance(part, str) else _texts(ev, part)
        if len(texts) * len(known) > _MOST_TEXTS:
            known = [ANY_NAME]
        texts = [text + more for text in texts for more in known]
    found: list[Value] = []
    for text in texts:
        prefix, hole, _ = text.partition(ANY_NAME)
        if not hole:
            found.append(interner.text(text))
        elif (shape := prefix + ANY_NAME + text.rpartition(ANY_NAME)[2]) != ANY_NAME:
            found.append(interner.container("str", shape))
    return frozenset(found)


def _texts(ev: Evaluation, operand: int) -> list[str]:
    """Return the texts that a part of a name may be, `*` for what is not known of them."""
    values = ev.get(operand) if operand != -1 else NOTHING
    if not values or not _is_all(ev, operand):
        return [ANY_NAME]
    return sorted({str(v.value) if _is_plain(v) else pattern(v) for v in values})


def _is_plain(value: Value) -> TypeGuard[Text]:
    return isinstance(value, Text) and isinstance(value.value, str | int) and "*" not in str(value.value)


def _is_all(ev: Evaluation, operand: int) -> bool:
    """Whether what is known of an operand is all that it may be: not so of what callers pass, or objects hold."""
    seen: set[tuple[UnitInfo, int | str]] = set()
    queue: list[tuple[UnitInfo, int | str]] = [(ev.frame.unit, operand)]
    while queue:
        unit, place = queue.pop()
        if (unit, place) in seen:
            continue
        seen.add((unit, place))
        behind = _behind(ev, unit, place)
        if behind is None:
            return False
        queue += behind
    return True


def _behind(ev: Evaluation, unit: UnitInfo, place: int | str) -> list[tuple[UnitInfo, int | str]] | None:
    """Return where what an operand, or a global of a module body, holds comes from; None where not all is known."""
    operations = unit.facts.operations
    if isinstance(place, str):
        return [(unit, op.value) for op in operations if isinstance(op, SetGlobal) and op.name == place] or None
    if place < 0:
        variable = unit.facts.variables[~place]
        owner, index = (unit, ~place) if variable.unit < 0 else (unit.module.units[variable.unit], variable.variable)
        if 0 < index <= len(owner.facts.parameters):
            frame = ev.frame.ancestor(owner.index)
            return [] if any(index - 1 == known for known, _ in frame.context) else None
        bound = [op for op in owner.facts.operations if isinstance(op, Assign) and op.variable == ~index]
        return [(owner, op.value) for op in bound] or None
    match operations[place]:
        case Constant() | NamePattern():  # what is not known of a pattern, it says itself
            return []
        case Collection() as op:
            return [(unit, operand) for operand in op.elements]
        case Global() as op:
            return [(unit.module.units[0], op.name)]
        case Assign() | SetGlobal() as op:
            return [(unit, op.value)]
        case Iterate() as op:
            return [(unit, op.base)]
        case Join() as op:
            return [(unit, value) for value in op.values]
        case _:
            return None


OPERATIONS: dict[type[Operation], Handler] = {NamePattern: _name_pattern}
