"""`getattr(self, f"visit_{kind}")(node)`, and tables of what such a look-up gives: a call of one of many methods.

One value stands for all methods of an object or class whose names fit. Which of them a call may mean, the number of its
arguments says; that is decided where the call is. Of a module, `getattr(module, f"set_{name}")`, they are few: what it
binds, and what the models know of native code.
"""

from __future__ import annotations

from deepgrep.facts.operations import Assign, Call
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.attributes import bound_method
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.invocation import Arguments, call, takes
from deepgrep.linking.name_patterns import ANY_NAME, matches, pattern
from deepgrep.linking.overrides import MethodsPool
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    External,
    FunctionValue,
    InstanceValue,
    Methods,
    ModuleValue,
    Value,
    Values,
    Wrapped,
)


def methods(ev: Evaluation, owners: Values, names: Values) -> Values:
    """Return the methods of some values that names which are not known may mean."""
    patterns = dict.fromkeys(map(pattern, names)) or {ANY_NAME: None}
    if not _is_own(ev):  # of some other object, a name of which nothing is known says too little
        patterns.pop(ANY_NAME, None)
    is_called = ANY_NAME in patterns and _is_called(ev)
    of_modules = [_of_module(ev, owner, known) for owner in owners for known in patterns if known != ANY_NAME]
    return union(of_modules) | frozenset(
        ev.solver.interner.methods(owner, known)
        for owner in owners
        if isinstance(owner, InstanceValue | ClassValue)
        for known in patterns
        if known != ANY_NAME or is_called or isinstance(owner, ClassValue)
    )


def _of_module(ev: Evaluation, owner: Value, known: str) -> Values:
    """Return the functions and classes of a module whose names fit."""
    solver = ev.solver
    match owner:
        case ModuleValue():
            fitting = [cell for name, cell in owner.module.names.items() if matches(known, name)]
            return solver.code(union(map(ev.read, fitting)))
        case External():
            start = f"{owner.name}.{known}"
            return frozenset(solver.interner.external(name) for name in solver.models.functions if matches(start, name))
        case _:
            return NOTHING


def _is_own(ev: Evaluation) -> bool:
    """Whether an object looks a method of its own up: it is the first argument of the method that does."""
    op = ev.operation
    return isinstance(op, Call) and op.args[:1] == (~1,) and ev.frame.unit.binding in ("instance", "class")


def _is_called(ev: Evaluation) -> bool:
    """Whether the function itself calls what it looks up: any attribute of an object that it keeps is mostly data."""
    unit = ev.frame.unit
    operands = [ev.index]
    for operand in operands:  # grows as it is walked
        for user in unit.users(operand):
            op = unit.facts.operations[user]
            if isinstance(op, Call) and op.func == operand:
                return True
            if isinstance(op, Assign) and op.variable not in operands:
                operands.append(op.variable)
    return False


def call_any(ev: Evaluation, callee: Methods, arguments: Arguments, site: Site, via: Via) -> Values:
    """Call each method that may be meant; return what comes back."""
    found = [function for function in _functions(ev, callee) if _takes(function, callee, arguments)]
    passed = arguments.to(len(found))
    results = []
    for function in found:
        target: Value = function
        if isinstance(callee.owner, InstanceValue) and function.unit.binding != "static":
            target = bound_method(ev, function, callee.owner)
        results.append(call(ev, target, passed, site, via, Certainty.FLOW))
    return union(results) if len(found) <= _MOST_RESULTS else NOTHING


# What one of more methods than this gives back may be anything.
_MOST_RESULTS = 8


def _functions(ev: Evaluation, callee: Methods) -> list[FunctionValue]:
    """Return the functions of the fitting names; not read as cells are, for a class has very many."""
    owner = callee.owner
    assert isinstance(owner, InstanceValue | ClassValue)
    ev.solver.watch(owner.cls, "", ev)
    hierarchy = ev.solver.hierarchy
    classes = hierarchy.mro(owner.cls)
    if owner.is_open and callee.pattern != ANY_NAME:  # a visitor whose methods only its subclasses have
        classes += hierarchy.subclasses(owner.cls)
    names = dict.fromkeys(
        name
        for cls in classes
        if isinstance(cls, ClassInfo)
        for name in cls.attributes
        if matches(callee.pattern, name) and not (callee.pattern == ANY_NAME and name.startswith("__"))
    )
    found: dict[FunctionValue, None] = {}
    for name in names:
        for cell in hierarchy.find(owner.cls, name, owner.is_open).in_classes:
            for value in cell.functions if isinstance(cell, MethodsPool) else cell.values:
                function = value.functions[0] if isinstance(value, Wrapped) and value.kind != "property" else value
                if isinstance(function, FunctionValue):
                    found[function] = None
    return sorted(found, key=hash)


def _takes(function: FunctionValue, callee: Methods, arguments: Arguments) -> bool:
    """Whether a function can be called with just so many arguments."""
    if arguments.spreads or arguments.star or arguments.double_star:
        return True
    unit = function.unit
    is_bound = isinstance(callee.owner, InstanceValue) or unit.binding == "class"
    count = len(arguments.positional) + (1 if is_bound and unit.cls is not None and unit.binding != "static" else 0)
    return takes(function, count, arguments.keywords)
