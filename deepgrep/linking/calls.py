"""Calls as they are written: what is called, with which arguments, and how sure that is."""

from __future__ import annotations

from deepgrep.facts.operations import Assign, Attribute, Call, Iterate, Narrow, Raise, SetGlobal, Subscript
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import blindspots, module_objects
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.mappings import named_items
from deepgrep.linking.values import (
    NOTHING,
    Bound,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    Value,
    Values,
)

_OVERLOADS = frozenset({"typing.overload", "typing_extensions.overload"})


def _call(ev: Evaluation, op: Call) -> Values:
    callees = ev.get(op.func)
    if op.decorator and any(isinstance(c, External) and c.name in _OVERLOADS for c in callees):
        return NOTHING  # for type checkers: what is called by the name is the definition that follows
    arguments = _arguments(ev, op)
    if not callees:
        if ev.recorder is not None and op.line:
            blindspots.unknown_callee(ev, op)
        return _decorated(ev, op, NOTHING) if op.decorator else NOTHING
    via = Via.DECORATE if op.decorator else Via.CALL
    if ev.recorder is not None and op.line:
        blindspots.cut_callee(ev, op)
    sure = Certainty.FLOW if ev.recorder is None else certainty_of(ev, op.func, callees)
    results = invoke(ev, callees, arguments, ev.site(op), via, sure)
    if ev.recorder is not None and op.line:
        module_objects.note_options(ev, op, arguments, results)
    return _decorated(ev, op, results) if op.decorator else results


def _decorated(ev: Evaluation, op: Call, results: Values) -> Values:
    """What a decorator gives back; if that stays unknown, the solver takes what it decorates."""
    values = ev.get(op.args[0])
    if len(values) != 1:
        return results or values
    (value,) = values
    cell = ev.solver.decorated_cell((ev.frame, ev.index), value)
    ev.solver.add(cell, results)
    return ev.read(cell)


def certainty_of(ev: Evaluation, operand: int, callees: Values) -> Certainty:
    """Say how sure each of some callees is.

    One callee that names, modules and classes lead to is certain. Several methods of one receiver are its overrides.
    All else came through parameters, fields or containers, and may be one of several.
    """
    if _flowed(ev, operand):
        return Certainty.FLOW
    if len(callees) == 1:
        (callee,) = callees
        return Certainty.DISPATCH if _is_override(ev, operand, callee) else Certainty.CERTAIN
    if _one_receiver(ev, operand) and all(isinstance(c, Bound) for c in callees):
        return Certainty.DISPATCH
    return Certainty.FLOW


def _is_override(ev: Evaluation, operand: int, callee: Value) -> bool:
    """Whether a method is one that only a subclass of the receiver's class has: the object need not be of that one."""
    op = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    function = callee.function if isinstance(callee, Bound) else None
    if not isinstance(op, Attribute) or not isinstance(function, FunctionValue) or function.unit.cls is None:
        return False
    cls = function.unit.cls
    receivers = [value.cls for value in ev.get(op.base) if isinstance(value, InstanceValue)]
    return any(cls is not of and ev.solver.hierarchy.is_subclass(cls, of) for of in receivers)


def _one_receiver(ev: Evaluation, operand: int) -> bool:
    op = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    return isinstance(op, Attribute) and len(ev.get(op.base)) == 1


def _flowed(ev: Evaluation, operand: int, variables: tuple[int, ...] = ()) -> bool:
    """Whether a value came through a parameter, a field, or a container; `variables` have been looked at already."""
    unit = ev.frame.unit
    if operand < 0:
        index = ~operand
        variable = unit.facts.variables[index]
        if variable.unit >= 0:
            owner = unit.module.units[variable.unit]
            return 0 < variable.variable <= len(owner.facts.parameters)
        if 0 < index <= len(unit.facts.parameters):
            return not (index == 1 and unit.binding in ("instance", "class"))
        before = unit.facts.operations[: ev.index]
        bound = [op for op in before if isinstance(op, Assign) and op.variable == operand]
        return operand not in variables and any(_flowed(ev, op.value, (*variables, operand)) for op in bound)
    op = unit.facts.operations[operand]
    match op:
        case Subscript() | Iterate():
            return True
        case Assign() | SetGlobal():
            return _flowed(ev, op.value, variables)
        case Narrow():
            return (op.test == "predicate" or not op.holds) and _flowed(ev, op.value, variables)
        case Attribute():
            return _field(ev, op) or (_flowed(ev, op.base, variables) and not _declared(ev, op.base))
        case _:
            return False


def _declared(ev: Evaluation, operand: int) -> bool:
    """Whether what a value may be is a class and its subclasses: stated by an annotation."""
    values = ev.get(operand)
    return bool(values) and all(isinstance(v, InstanceValue) and v.is_open for v in values)


def _field(ev: Evaluation, op: Attribute) -> bool:
    for base in ev.get(op.base):
        if isinstance(base, InstanceValue):
            found = ev.solver.hierarchy.find(base.cls, op.name, base.is_open)
            if found.fields and found.inherited is None:
                return True
    return False


def _arguments(ev: Evaluation, op: Call) -> Arguments:
    positional = [ev.get(a) for a in op.args]
    keywords = {name: ev.get(value) for name, value in op.keywords}
    star = [_spread(ev, operand, positional, len(op.star) == 1) for operand in op.star]
    double_star: list[Values] = []
    for operand in op.double_star:
        for value in ev.get(operand):
            if isinstance(value, Container):
                for key, held in named_items(ev, value).items():
                    keywords[key] = union((keywords.get(key, NOTHING), held))
                double_star.append(ev.read(value.element))
    spreads = bool(op.star or op.double_star)
    return Arguments(tuple(positional), keywords, union(star), union(double_star), spreads, op.decorator, written=op)


def _spread(ev: Evaluation, operand: int, positional: list[Values], only: bool) -> Values:
    """Add the elements of `*value` to the positional arguments; return those whose position is not known."""
    op = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    containers = ev.get(op.base) if isinstance(op, Iterate) else NOTHING
    if not only or not containers or not all(isinstance(c, Container) for c in containers):
        return ev.get(operand)
    start = len(positional)
    unknown: list[Values] = []
    for container in containers:
        assert isinstance(container, Container)
        unknown.append(ev.read(container.element))
        ev.solver.watch_items(container, ev)
        for key, cell in container.items.items():
            if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < 100:
                while len(positional) <= start + key:
                    positional.append(NOTHING)
                positional[start + key] = union((positional[start + key], ev.read(cell)))
    return union(unknown)


def _raise(ev: Evaluation, op: Raise) -> Values:
    """`raise C` makes an instance of the class."""
    classes = frozenset(v for v in ev.get(op.value) if isinstance(v, ClassValue))
    # By convention a capital makes a class; a builtin one is of no interest.
    outside = frozenset(v for v in ev.get(op.value) if isinstance(v, External) and _is_dotted_class(v.name))
    if classes or outside:
        sure = certainty_of(ev, op.value, classes or outside)
        invoke(ev, union((classes, outside)), Arguments(), ev.site(op), Via.CONSTRUCT, sure)
    return NOTHING


def _is_dotted_class(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    return owner not in ("", "builtins") and last[:1].isupper()


OPERATIONS: dict[type, Handler] = {Call: _call, Raise: _raise}
