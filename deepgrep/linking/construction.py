"""Calling a class: `__new__`, `__init__`, a metaclass's `__call__`, and the constructors that are generated."""

from __future__ import annotations

from deepgrep.facts.operations import NOTHING, AnyOperation, Assign, Attribute, Call
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import handover
from deepgrep.linking.attributes import find, found_values, metaclasses
from deepgrep.linking.dataclass_fields import initialize
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.externals import call_external
from deepgrep.linking.invocation import Arguments, call
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.states import object_site
from deepgrep.linking.values import (
    ClassValue,
    External,
    FunctionValue,
    InstanceValue,
    ManyMethods,
    Value,
    Values,
    Wrapped,
)

# Bases that say how a class may be used, and are not called when it is made; nor are builtin classes but `dict`, which
# keep nothing that matters by name.
_NOT_MADE = frozenset(
    {"abc.ABC", "typing.Generic", "typing.NamedTuple", "typing.Protocol", "typing_extensions.Protocol"}
)


def construct(ev: Evaluation, callee: ClassValue, arguments: Arguments, site: Site, certainty: Certainty) -> Values:
    """Call a class; return the instances that it may make.

    Args:
        ev: the evaluation in which the call happens.
        callee: the class; if it may be a subclass, each one's constructor may run.
        arguments: what is passed.
        site: where.
        certainty: how sure it is that this is the class.
    """
    interner = ev.solver.interner
    assert isinstance(site.key, int)
    instance = interner.instance(callee.cls, callee.is_open, object_site(ev.frame.unit, site.key))
    made = [ev.one(instance)]
    for metaclass in metaclasses(ev, callee.cls):
        for function in _functions(ev, metaclass.cls, "__call__", False):
            call(ev, interner.bound(function, callee), arguments, site, Via.CONSTRUCT, certainty)
    if ev.recorder is not None and site.line:
        if not _is_class_of_object(ev):
            ev.recorder.construction(callee.cls, callee.is_open, site.guard)
        handover.made(ev, site, instance)
    # `__new__` is a static method that is given the class.
    for function in _functions(ev, callee.cls, "__new__", callee.is_open):
        inner = function.functions[0] if isinstance(function, Wrapped) else function
        if inner is not None:
            result = call(ev, inner, arguments.after(ev.one(callee)), site, Via.CONSTRUCT, certainty)
            made.append(frozenset(v for v in result if not _is_instance(v, callee.cls)))
    _external_new(ev, callee, arguments, site)
    initializers = _functions(ev, callee.cls, "__init__", callee.is_open)
    sure = certainty if len(initializers) == 1 or certainty is not Certainty.CERTAIN else Certainty.DISPATCH
    passed, initialized = arguments.to(len(initializers)), interner.instance(callee.cls, True)
    for function in initializers:
        call(ev, interner.bound(function, initialized), passed, site, Via.CONSTRUCT, sure)
    if not initializers:
        outside = find(ev, callee.cls, "__init__", callee.is_open).external
        for base in [base for base in outside if ("." in base and base not in _NOT_MADE) or base == "dict"][:1]:
            call_external(ev, f"{base}.__init__", instance, arguments, site, Via.CONSTRUCT)
        initialize(ev, callee.cls, arguments, site)
        for function in _functions(ev, callee.cls, "__post_init__", callee.is_open):
            call(ev, interner.bound(function, instance), Arguments(), site, Via.CONSTRUCT, certainty)
    return union(made)


def _is_class_of_object(ev: Evaluation) -> bool:
    """Whether what is called is `type(x)` or `x.__class__`: the class has had an instance before, made elsewhere."""
    operations = ev.frame.unit.facts.operations
    op = ev.operation
    operand = op.func if isinstance(op, Call) else NOTHING
    while operand >= 0 and isinstance(op := operations[operand], Assign):
        operand = op.value
    if operand < 0:
        bound = [other for other in operations if isinstance(other, Assign) and other.variable == operand]
        operands = [other.value for other in bound] if ~operand > len(ev.frame.unit.facts.parameters) else []
    else:
        operands = [operand]
    return bool(operands) and all(o >= 0 and _is_type_of(ev, operations[o]) for o in operands)


def _is_type_of(ev: Evaluation, op: AnyOperation) -> bool:
    match op:
        case Attribute():
            return op.name == "__class__"
        case Call(args=[_], keywords=()):
            callees = ev.get(op.func)
            return bool(callees) and all(isinstance(c, External) and c.name == "type" for c in callees)
        case _:
            return False


def _external_new(ev: Evaluation, callee: ClassValue, arguments: Arguments, site: Site) -> None:
    """A base outside the analyzed sources makes the instance: what its `__new__` calls, its model says."""
    for base in find(ev, callee.cls, "__new__", False).external:
        if ev.solver.model(f"{base}.__new__") is not None:
            call_external(ev, f"{base}.__new__", callee, arguments, site, Via.CONSTRUCT)


def _is_instance(value: Value, cls: ClassInfo) -> bool:
    return isinstance(value, InstanceValue) and value.cls is cls


def _functions(ev: Evaluation, cls: ClassInfo, name: str, is_open: bool) -> list[Value]:
    found = find(ev, cls, name, is_open)
    return [v for v in found_values(ev, found) if isinstance(v, FunctionValue | Wrapped | ManyMethods)]
