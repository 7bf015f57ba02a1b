"""What assigning to an attribute of an instance, or deleting it, runs.

A property's setter or deleter, a descriptor's `__set__` or `__delete__`, the class's `__setattr__` or `__delattr__`.
"""

from __future__ import annotations

from deepgrep.facts.operations import Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.attributes import bound_functions, find, found_values
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import InstanceValue, Value, Values, Wrapped

_SETTER, _DELETER = 1, 2


def runs_setter(ev: Evaluation, op: Operation, base: InstanceValue, name: str, values: Values) -> bool:
    """Call what an assignment runs; return whether it is a descriptor's, which keeps the value where it likes."""
    site = ev.site(op)
    arguments = Arguments((values,))
    described = False
    for value in found_values(ev, find(ev, base.cls, name, base.is_open)):
        described |= _run_descriptor(ev, value, base, _SETTER, arguments, site, Certainty.CERTAIN)
    run_hook(ev, base, "__setattr__", Arguments((ev.one(ev.solver.interner.text(name)), values)), site)
    return described


def runs_deleter(ev: Evaluation, op: Operation, base: InstanceValue, name: str) -> None:
    """Call what a deletion runs."""
    site = ev.site(op)
    for value in found_values(ev, find(ev, base.cls, name, base.is_open)):
        _run_descriptor(ev, value, base, _DELETER, Arguments(), site, Certainty.CERTAIN)
    run_hook(ev, base, "__delattr__", Arguments((ev.one(ev.solver.interner.text(name)),)), site)


def run_hook(ev: Evaluation, base: InstanceValue, name: str, arguments: Arguments, site: Site) -> None:
    """Call the `__setattr__` or `__delattr__` of an instance's class, if it has one."""
    hook = find(ev, base.cls, name, False)
    if hook.inherited is not None:
        bound = bound_functions(ev, ev.read(hook.inherited[1]), base)
        invoke(ev, bound, arguments, site, Via.SETATTR, Certainty.CERTAIN)


def run_any_setter(ev: Evaluation, base: InstanceValue, values: Values, site: Site) -> None:
    """Call all that an assignment to an attribute of unknown name may run, `__setattr__` aside."""
    for value in class_values(ev, base):
        _run_descriptor(ev, value, base, _SETTER, Arguments((values,)), site, Certainty.FLOW)


def run_any_deleter(ev: Evaluation, base: InstanceValue, site: Site) -> None:
    """Call all that the deletion of an attribute of unknown name may run, `__delattr__` aside."""
    for value in class_values(ev, base):
        _run_descriptor(ev, value, base, _DELETER, Arguments(), site, Certainty.FLOW)


def class_values(ev: Evaluation, base: InstanceValue) -> list[Value]:
    """Return what the class of an instance, and those above it, hold.

    Not read as other cells are: an operation that looked at all of a class would be evaluated again all the time. What
    comes later is seen when the edges are recorded.
    """
    classes = [c for c in ev.solver.hierarchy.mro(base.cls) if isinstance(c, ClassInfo)]
    return [value for cls in classes for cell in cls.attributes.values() for value in cell.values]


def _run_descriptor(
    ev: Evaluation,
    value: Value,
    base: InstanceValue,
    place: int,
    arguments: Arguments,
    site: Site,
    certainty: Certainty,
) -> bool:
    """Call the setter or deleter that a class attribute is, if it is one; return whether it is a descriptor."""
    interner = ev.solver.interner
    match value:
        case Wrapped(kind="property"):
            function = value.functions[place]
            if function is not None:
                invoke(ev, ev.one(interner.bound(function, base)), arguments, site, Via.SETATTR, certainty)
            return True
        case InstanceValue():
            name = "__set__" if place == _SETTER else "__delete__"
            method = find(ev, value.cls, name, value.is_open)
            if method.inherited is None:
                return False
            bound = bound_functions(ev, ev.read(method.inherited[1]), value)
            invoke(ev, bound, arguments.after(ev.one(base)), site, Via.SETATTR, certainty)
            return True
        case _:
            return False
