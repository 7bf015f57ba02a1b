"""Special methods: looked up on the type, called by syntax or by the interpreter."""

from __future__ import annotations

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.attributes import bound_method, called_on, find, metaclasses, unnamed
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.externals import call_external
from deepgrep.linking.hierarchy import Found
from deepgrep.linking.invocation import Arguments, call, invoke, takes
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Container,
    FunctionValue,
    InstanceValue,
    Value,
    Values,
    Wrapped,
)


def call_method(
    ev: Evaluation, value: Value, name: str, arguments: Arguments, site: Site, via: Via, only_analyzed: bool = False
) -> Values:
    """Call a special method of a value; return what comes back.

    Args:
        ev: the evaluation in which it happens.
        value: the object.
        name: of the method: `__enter__`.
        arguments: what is passed after `self`.
        site: where.
        via: how control passes.
        only_analyzed: whether a method outside the analyzed sources is of no interest, if no model says what it calls.
    """
    match value:
        case InstanceValue():
            found = find(ev, value.cls, name, value.is_open)
            installed = NOTHING if found.external else _installed(ev, value, name, arguments, site, via)
            if not found.in_classes:
                if installed:
                    return installed
                bases = modelled_bases(ev, found, name) if only_analyzed else found.external
                return union([call_external(ev, f"{base}.{name}", value, arguments, site, via) for base in bases])
            return union((installed, _call_found(ev, found, value, arguments, site, via)))
        case ClassValue():
            for metaclass in metaclasses(ev, value.cls):
                found = find(ev, metaclass.cls, name, False)
                if found.inherited:
                    return _call_found(ev, found, value, arguments, site, via)
            return NOTHING
        case Container() if not only_analyzed:
            return call_external(ev, f"{value.class_name}.{name}", value, arguments, site, via)
        case _:
            return NOTHING


def _installed(ev: Evaluation, value: InstanceValue, name: str, arguments: Arguments, site: Site, via: Via) -> Values:
    """Call what was set on the class under a name that is not known (`setattr(C, f"__{name}__", f)`), where it fits.

    It may be any special method; which of them, the number of arguments says.
    """
    functions = unnamed(ev, value.cls, name)
    taken = len(arguments.positional) + 1
    fitting = [f for f in functions if isinstance(f, FunctionValue) and takes(f, taken)]
    bound = frozenset(ev.solver.interner.bound(f, value) for f in fitting)
    return invoke(ev, bound, arguments, site, via, Certainty.FLOW) if bound else NOTHING


def modelled_bases(ev: Evaluation, found: Found, name: str) -> list[str]:
    """Return the bases outside the analyzed sources whose method of this name is known to call something."""
    models = {base: ev.solver.model(f"{base}.{name}") for base in found.external}
    return [base for base, model in models.items() if model is not None and (model.enters or model.calls)]


def _call_found(ev: Evaluation, found: Found, receiver: Value, arguments: Arguments, site: Site, via: Via) -> Values:
    certainty = found.certainty
    arguments = arguments.to(len(found.overrides))
    interner = ev.solver.interner
    results: list[Values] = []
    for cell, on in called_on(ev, found, receiver):
        for function in ev.read(cell):
            if isinstance(function, Wrapped):
                if function.functions[0] is not None and function.kind != "property":
                    results.append(call(ev, function.functions[0], arguments, site, via, certainty))
            else:
                if isinstance(function, FunctionValue):
                    bound = bound_method(ev, function, on)
                else:
                    bound = interner.bound(function, on)
                results.append(call(ev, bound, arguments, site, via, certainty))
    return union(results)
