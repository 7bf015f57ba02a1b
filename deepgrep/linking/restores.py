"""Writes that put back a value saved before: `saved = a.flag; a.flag = True; ...; a.flag = saved`."""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.facts.operations import (
    Assign,
    Attribute,
    Call,
    Collection,
    Constant,
    Global,
    Join,
    Narrow,
    Operation,
    SetAttribute,
    SetGlobal,
    SetSubscript,
    Subscript,
    Unpack,
)
from deepgrep.linking.blindspots import expression
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.program import UnitInfo
from deepgrep.linking.values import External, ModuleValue

_SELF = ~1
_COPIES = frozenset({"copy", "deepcopy", "list", "dict", "set", "tuple"})
_ELIDED = "…"

# An operand, with the unit that it is of.
Source = tuple[UnitInfo, int]


def restores(ev: Evaluation, op: Operation, operand: int | None) -> bool:
    """Whether what an operation writes was read from the same place before.

    Places are compared as the code writes them: `a.flag`, `os.environ['A']`. What is saved in a local variable, a
    variable of the function around, or an attribute of `self` is followed.
    """
    if operand is None:
        return False
    unit = ev.frame.unit
    place = _written(unit, op)
    if not place or _ELIDED in place:
        return False
    return any(_read(unit, source) == place for unit, source in _sources(unit, operand))


def restores_setting(ev: Evaluation, op: Operation, state: str) -> bool:
    """Whether a call of a setter is given what the getter of the same state gave before."""
    if not isinstance(op, Call):
        return False
    given = [source for operand in op.args for source in _sources(ev.frame.unit, operand)]
    return any(_reads_setting(ev, unit, operand, state) for unit, operand in given)


def _written(unit: UnitInfo, op: Operation) -> str | None:
    facts = unit.facts
    match op:
        case SetGlobal():
            return op.name
        case SetAttribute():
            return f"{expression(facts, op.base)}.{op.name}"
        case SetSubscript():
            return f"{expression(facts, op.base)}[{expression(facts, op.index)}]"
        case Call() if len(op.args) > 1:
            return _attribute_by_name(unit, op)
        case _:
            return None


def _attribute_by_name(unit: UnitInfo, op: Call) -> str | None:
    """`getattr(a, 'flag')` and `setattr(a, 'flag', x)` name `a.flag`."""
    name = unit.facts.operations[op.args[1]] if op.args[1] >= 0 else None
    return f"{expression(unit.facts, op.args[0])}.{name.value}" if isinstance(name, Constant) else None


def _read(unit: UnitInfo, operand: int) -> str | None:
    """Return the place that an operand is read from, as the code writes it."""
    if operand < 0:
        return None
    facts = unit.facts
    match facts.operations[operand]:
        case Global() | Attribute() | Subscript():
            return expression(facts, operand)
        case Call() as op if op.args:
            called = expression(facts, op.func)
            owner, _, last = called.rpartition(".")
            if called == "getattr" and len(op.args) > 1:
                return _attribute_by_name(unit, op)
            if called == "os.getenv":
                owner = "os.environ"
            elif last != "get":
                return None
            return f"{owner}[{expression(facts, op.args[0])}]"
        case _:
            return None


def _sources(unit: UnitInfo, operand: int) -> list[Source]:
    """Return where a value may have been read: what is behind variables, unpacking, copies and attributes of `self`."""
    found: dict[Source, None] = {}
    queue = [(unit, operand)]
    while queue:
        source = queue.pop()
        if source not in found:
            found[source] = None
            queue += _behind(*source)
    return list(found)


def _behind(unit: UnitInfo, operand: int) -> Iterator[Source]:
    facts = unit.facts
    if operand < 0:
        variable = facts.variables[~operand]
        owner, own = (unit, operand) if variable.unit < 0 else (unit.module.units[variable.unit], ~variable.variable)
        yield from ((owner, op.value) for op in owner.facts.operations if isinstance(op, Assign) and op.variable == own)
        return
    match facts.operations[operand]:
        case Assign() | SetGlobal() | Narrow() as op:
            yield unit, op.value
        case Join() as op:
            yield from ((unit, value) for value in op.values)
        case Unpack() as op:
            display = _display(unit, op.base)
            if display is not None and 0 <= op.index < len(display.elements):
                yield unit, display.elements[op.index]
        case Call() as op if op.args and expression(facts, op.func).rpartition(".")[2] in _COPIES:
            yield unit, op.args[0]
        case Attribute(base=base) as op if base == _SELF and unit.cls is not None:
            yield from unit.cls.stored(op.name)
        case _:
            pass


def _display(unit: UnitInfo, operand: int) -> Collection | None:
    op = unit.facts.operations[operand] if operand >= 0 else None
    if isinstance(op, Assign):
        return _display(unit, op.value)
    return op if isinstance(op, Collection) and op.positional else None


def _reads_setting(ev: Evaluation, unit: UnitInfo, operand: int, state: str) -> bool:
    op = unit.facts.operations[operand] if operand >= 0 else None
    if not isinstance(op, Call):
        return False
    models = [ev.solver.model(name) for name in _called(ev, unit, op)]
    return any(use.state == state for model in models if model is not None for use in model.reads)


def _called(ev: Evaluation, unit: UnitInfo, op: Call) -> list[str]:
    """Return the names outside the analyzed sources that a call may be of, also where it is not evaluated yet."""
    if unit is ev.frame.unit and op.func < len(ev.values):
        return [v.name for v in ev.get(op.func) if isinstance(v, External)]
    root, _, path = expression(unit.facts, op.func).partition(".")
    cell = unit.module.names.get(root)
    if cell is None:
        return []
    names = [v.name for v in cell.values if isinstance(v, External)]
    names += [v.module.name for v in cell.values if isinstance(v, ModuleValue)]
    return [f"{name}.{path}" if path else name for name in names]
