"""What a class statement runs: the metaclass's methods, `__init_subclass__`, and `__set_name__` of its attributes."""

from __future__ import annotations

from deepgrep.facts.operations import Class, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments, call, invoke
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import ClassValue, FunctionValue, InstanceValue, Value, Values, Wrapped

# What a metaclass is given: the name, the bases, the namespace.
_GIVEN = 3


def run(ev: Evaluation, op: Class, cls: ClassInfo) -> None:
    """Call what making a class calls."""
    from deepgrep.linking.attributes import find, metaclasses, on_type

    ev.solver.watch(cls, "__init_subclass__", ev)
    interner = ev.solver.interner
    made = interner.cls(cls)
    site = ev.site(op)
    keywords = {name: ev.get(operand) for name, operand in op.keywords if name != "metaclass"}
    unknown = (frozenset[Value](),) * _GIVEN
    for metaclass in metaclasses(ev, cls):
        for name, given in (("__prepare__", unknown[1:]), ("__new__", unknown), ("__init__", unknown)):
            receiver = made if name == "__init__" else metaclass
            for function in on_type(ev, find(ev, metaclass.cls, name, False)):
                arguments = Arguments(given, keywords)
                inner = _function(function)
                if name == "__new__" and inner is not None:  # a static method that is given the metaclass
                    call(ev, inner, arguments.after(ev.one(receiver)), site, Via.CONSTRUCT, Certainty.CERTAIN)
                elif inner is not None:
                    if name == "__init__" and isinstance(inner, FunctionValue):
                        # Its `self` is the class, not some object of the metaclass.
                        ev.solver.add(ev.solver.base_frame(inner).cell(1), ev.one(interner.cls(cls, True)))
                    call(ev, interner.bound(inner, receiver), arguments, site, Via.CONSTRUCT, Certainty.CERTAIN)
    inherited = ev.solver.hierarchy.find_after(cls, cls, "__init_subclass__").inherited
    for function in ev.read(inherited[1]) if inherited else ():
        inner = _function(function)
        if inner is not None:
            bound = interner.bound(inner, made)
            call(ev, bound, Arguments((), keywords), site, Via.CONSTRUCT, Certainty.CERTAIN)


def type_new(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`type.__new__(Meta, name, bases, namespace)` in a metaclass's `__new__`: classes of `Meta` are made."""
    maker = ev.frame.unit.cls
    if maker is not None and arguments.positional:
        for value in arguments.positional[0]:
            is_other = isinstance(value, ClassValue) and not value.is_open and value.cls is not maker
            if is_other and isinstance(value, ClassValue) and value.cls not in maker.makes:
                maker.makes.append(value.cls)
                ev.solver.bases_changed(maker)
    return frozenset()


def _function(value: Value) -> Value | None:
    """Return the function behind `@staticmethod` or `@classmethod`."""
    inner = value.functions[0] if isinstance(value, Wrapped) and value.kind != "property" else value
    return inner if isinstance(inner, FunctionValue) else None


def tell_name(ev: Evaluation, op: Operation, cls: ClassInfo, values: Values) -> None:
    """Call `__set_name__` of what is bound in a class body."""
    from deepgrep.linking.attributes import bound_functions, find, on_type

    for value in values:
        if isinstance(value, InstanceValue):
            method = find(ev, value.cls, "__set_name__", value.is_open)
            bound = bound_functions(ev, on_type(ev, method), value)
            arguments = Arguments((ev.one(ev.solver.interner.cls(cls)),))
            invoke(ev, bound, arguments, ev.site(op), Via.CONSTRUCT, Certainty.CERTAIN)
