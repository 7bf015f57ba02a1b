"""Attributes that a class computes: `__getattribute__` for every one, `__getattr__` for those that no class has."""

from __future__ import annotations

from deepgrep.facts.operations import Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.values import NOTHING, FunctionValue, InstanceValue, Values


def ask_getattribute(ev: Evaluation, op: Operation, value: InstanceValue, name: str) -> None:
    """Call the `__getattribute__` of a class that has one; what it gives is taken to be what the look-up gives."""
    method = ev.solver.hierarchy.find(value.cls, "__getattribute__", False)
    if method.inherited is not None:
        from deepgrep.linking.attributes import bound_functions

        bound = bound_functions(ev, ev.read(method.inherited[1]), value)
        arguments = Arguments((ev.one(ev.solver.interner.text(name)),))
        invoke(ev, bound, arguments, ev.site(op), Via.PROPERTY, Certainty.CERTAIN)


def ask_where_kept(ev: Evaluation, op: Operation, value: InstanceValue, name: str, held: Values) -> None:
    """An object assigned to an attribute of a class that has both `__setattr__` and `__getattr__`.

    The first may put it elsewhere, where the second finds it; plain data seldom is.
    """
    from deepgrep.linking.attributes import bound_functions, find, on_type

    is_object = not held or any(isinstance(v, InstanceValue) for v in held)
    if is_object and find(ev, value.cls, "__setattr__", False).in_classes:
        getter = on_type(ev, find(ev, value.cls, "__getattr__", False))
        arguments = Arguments((ev.one(ev.solver.interner.text(name)),))
        invoke(ev, bound_functions(ev, getter, value), arguments, ev.site(op), Via.PROPERTY, Certainty.FLOW)


def computed(ev: Evaluation, op: Operation, value: InstanceValue, name: str, outside: tuple[str, ...] = ()) -> Values:
    """An attribute that no analyzed class has: `__getattr__` is asked.

    Args:
        ev: the evaluation in which it happens.
        op: the operation that takes it.
        value: the object.
        name: of the attribute.
        outside: the bases outside the analyzed sources. Where there are any, they have what is asked of all instances
            of a class: a subclass is asked for what it has itself.
    """
    from deepgrep.linking.attributes import bound_functions, find, on_type

    getter = find(ev, value.cls, "__getattr__", value.is_open and not outside)
    if not getter.in_classes:
        return NOTHING
    functions = on_type(ev, getter)
    interner = ev.solver.interner
    bound = bound_functions(ev, functions, value)
    certainty = Certainty.CERTAIN if getter.inherited and not getter.overrides else Certainty.DISPATCH
    arguments = Arguments((ev.one(interner.text(name)),))
    results = invoke(ev, bound, arguments, ev.site(op), Via.PROPERTY, certainty)
    # An annotation of `__getattr__` that allows for several classes says nothing of this attribute.
    stated = any(isinstance(f, FunctionValue) and f.unit.states_result for f in functions)
    is_one = len({v.cls for v in results if isinstance(v, InstanceValue)}) == 1
    return ev.solver.code(results) if stated and not is_one else results
