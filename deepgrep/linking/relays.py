"""Relays: native code that many functions lead to, and that calls back what is defined for it or registered with it.

A relay is a function of the graph (`torch._C.<tensor operation>`): each caller leads to it, and it to each callee, so
that their numbers add up where they would multiply. What it calls requires that some function has been reached: one
that makes an instance of the class, or the one that registered the callee.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, cast

from deepgrep.facts.model import ModuleFacts, Unit
from deepgrep.facts.operations import AnyOperation, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import handover, values
from deepgrep.linking.attributes import find
from deepgrep.linking.dotted import named
from deepgrep.linking.evaluation import Evaluation, Handler, Site, union
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo
from deepgrep.linking.values import NOTHING, ClassValue, FunctionValue, Value, Values
from deepgrep.models.model import External, FunctionModel, Instance, MethodCall, OnResult, Registered, RelayModel

# Relays come after all functions that have a source.
AFTER_SOURCES = 1 << 32
_SITE_LINE = 1


class CallsMethod(Operation, frozen=True, tag=1000):
    """A relay calls a method of every class that defines one."""

    method: MethodCall
    relay: RelayModel


class CallsByName(Operation, frozen=True, tag=1001):
    """A relay calls a function, or a method of one class."""

    owner: str
    name: str
    needs: str


class CallsOnResult(Operation, frozen=True, tag=1003):
    """A relay calls something of what a method returns, of every class that defines one."""

    on_result: OnResult
    relay: RelayModel


class LeadsOn(Operation, frozen=True, tag=1002):
    """A relay leads to another one."""

    relay: str
    needs: str


def relay_unit(model: RelayModel, number: int, is_stored: bool) -> UnitInfo:
    """Return the unit that stands for a relay: its operations are what its model says that it calls.

    Of one that is stored with a library, only what code on top of that can add: classes with methods that it calls.
    """
    module, _, rest = model.name.partition(".<")
    operations: list[Any] = [CallsMethod(_SITE_LINE, -1, method, model) for method in model.methods]
    operations += [CallsOnResult(_SITE_LINE, -1, on_result, model) for on_result in model.results]
    if not is_stored:
        operations += [CallsByName(_SITE_LINE, -1, owner, name, model.needs) for owner, name in model.calls]
        operations += [LeadsOn(_SITE_LINE, -1, name, model.needs) for name in model.enters]
    unit = Unit(f"<{rest}", 0, -1, -1, False, False, False, (), (), cast("tuple[AnyOperation, ...]", tuple(operations)))
    info = ModuleInfo(module, model.file, False, ModuleFacts((unit,), (), ()), -1)
    return UnitInfo(info, 1, unit, AFTER_SOURCES + number, None, "", frozenset())


def enter(ev: Evaluation, relay: str, site: Site) -> None:
    """Note that what is evaluated leads to a relay."""
    frame = ev.solver.relay(relay)
    if ev.recorder is not None and site.line:
        ev.recorder.edge(site, frame, Via.NATIVE, Certainty.CERTAIN)
        _enter_stored(ev, relay, site)


def _enter_stored(ev: Evaluation, relay: str, site: Site) -> None:
    """Note what a relay of a library calls of code on top of that: nothing that is stored leads to it."""
    library, models = ev.solver.program.library, ev.solver.models.relays
    if library is None or ev.recorder is None or relay not in library.relays:
        return
    for cls in ev.solver.program.classes():
        for name in dict.fromkeys(name for op in _method_calls(models, relay) for name in _matching(ev, cls, op)):
            for callee in handover.functions(ev, library, cls.attributes[name].values):
                ev.recorder.edge(site, callee, Via.NATIVE, Certainty.FLOW)
        for model in _entered(models, relay):
            for on_result in model.results:
                _call_on_result(ev, cls, on_result, model, site)


def _method_calls(models: Mapping[str, RelayModel], relay: str) -> list[CallsMethod]:
    """Return the methods that a relay calls, also through others."""
    return [CallsMethod(_SITE_LINE, -1, method, model) for model in _entered(models, relay) for method in model.methods]


def _entered(models: Mapping[str, RelayModel], relay: str) -> list[RelayModel]:
    """Return a relay, and those that it leads to."""
    relays = [relay]
    for name in relays:  # grows as it is walked
        relays += [further for further in models[name].enters if further not in relays]
    return [models[name] for name in relays]


def register(ev: Evaluation, registered: Registered, callees: Values, arguments: Arguments, site: Site) -> Values:
    """Let a relay call some values, once the function that is evaluated has been reached; return what comes back."""
    frame = ev.solver.relay(registered.relay)
    library = ev.solver.program.library
    if ev.recorder is None or (library is not None and library.has(frame)):
        # Nothing that is stored leads to code on top of it: what that registers is called from where it does so.
        return invoke(ev, callees, arguments, site, Via.NATIVE, Certainty.FLOW)
    is_elsewhere = ev.solver.models.relays[registered.relay].is_elsewhere
    with ev.recorder.through(frame, frame if is_elsewhere else ev.frame):
        return invoke(ev, callees, arguments, site, Via.NATIVE, Certainty.FLOW)


def _matching(ev: Evaluation, cls: ClassInfo, op: CallsMethod) -> list[str]:
    wanted = op.method.name
    names = [name for name in cls.attributes if fnmatch.fnmatchcase(name, wanted)] if "*" in wanted else [wanted]
    return [name for name in names if _calls_own(ev, cls, name, op.relay)]


def _calls_own(ev: Evaluation, cls: ClassInfo, name: str, relay: RelayModel) -> bool:
    """Whether a relay calls a method that a class defines itself."""
    if name not in cls.attributes or not _inherits(ev, cls, relay.bases):
        return False
    return relay.instead in ("", name) or find(ev, cls, relay.instead, False).inherited is None


def _calls_method(ev: Evaluation, op: CallsMethod) -> Values:
    arguments = Arguments(tuple(_passed(ev, value) for value in op.method.passes))
    native = _made_natively(ev, op.relay)
    for cls in ev.solver.program.classes():
        for name in _matching(ev, cls, op):
            _call_method(ev, cls, name, ev.frame if cls in native else cls, arguments)
    return NOTHING


def _made_natively(ev: Evaluation, relay: RelayModel) -> set[ClassInfo]:
    """Return the classes of which a relay calls methods whether or not anything is known to make an instance."""
    names = ev.solver.models.made if relay.of_native else ()
    return {made.cls for name in names for made in named(ev, name) if isinstance(made, ClassValue)}


def _calls_on_result(ev: Evaluation, op: CallsOnResult) -> Values:
    native = _made_natively(ev, op.relay)
    for cls in ev.solver.program.classes():
        with _noted(ev, ev.frame if cls in native else cls):
            _call_on_result(ev, cls, op.on_result, op.relay, Site(_SITE_LINE, -1, ev.index))
    return NOTHING


def _call_on_result(ev: Evaluation, cls: ClassInfo, on_result: OnResult, relay: RelayModel, site: Site) -> None:
    """Call something of what a method that a class defines itself returns."""
    from deepgrep.linking.modelled import apply

    if not _calls_own(ev, cls, on_result.method, relay):
        return
    functions = [f for f in ev.read(cls.attributes[on_result.method]) if isinstance(f, FunctionValue)]
    returned = union([ev.read(ev.solver.called(ev.solver.base_frame(f)).result) for f in functions])
    if returned:
        model = FunctionModel(f"{on_result.method}()", "", calls=(on_result.call,), returns=())
        apply(ev, model, None, Arguments((returned,)), site)


def _passed(ev: Evaluation, value: External | Instance | None) -> Values:
    if value is None:
        return NOTHING
    if isinstance(value, External):
        return named(ev, value.name)
    classes = [found.cls for found in named(ev, value.class_name) if isinstance(found, ClassValue)]
    return frozenset(ev.solver.interner.instance(cls) for cls in classes)


def _inherits(ev: Evaluation, cls: ClassInfo, bases: tuple[str, ...]) -> bool:
    """Whether a class has one of some bases outside the analyzed sources."""
    if not bases:
        return True
    ev.solver.watch(cls, "", ev)
    outside = [base for base in ev.solver.hierarchy.mro(cls) if isinstance(base, str)]
    return any(fnmatch.fnmatchcase(name, base) for name in outside for base in bases)


def _calls_by_name(ev: Evaluation, op: CallsByName) -> Values:
    needed = _needed(ev, op.needs)
    name = op.name.removesuffix("()")
    for owner in named(ev, op.owner):
        if isinstance(owner, ClassValue):
            results = _call_method(ev, owner.cls, name, needed, Arguments())
        else:
            # Other versions of what is analyzed may not have it.
            found = named(ev, f"{op.owner}.{name}")
            results = _invoke(ev, frozenset(v for v in found if not isinstance(v, values.External)), needed)
        if name != op.name:
            _invoke(ev, results, needed)
    return NOTHING


def _needed(ev: Evaluation, name: str) -> ClassInfo | str | None:
    """Return what a relay needs, by its name; None where it needs nothing."""
    meant = named(ev, name) if name else NOTHING
    return next((n for value in meant if (n := _need(value)) is not None), None)


def _need(value: Value) -> ClassInfo | str | None:
    """Return what a relay needs: an instance of a class, or a call of a native function, by its name."""
    match value:
        case ClassValue():
            return value.cls
        case values.External():
            return value.name
        case _:
            return None


def _call_method(
    ev: Evaluation, cls: ClassInfo, name: str, needed: Frame | ClassInfo | str | None, arguments: Arguments
) -> Values:
    from deepgrep.linking.protocols import call_method

    value, site = ev.solver.interner.instance(cls), Site(_SITE_LINE, -1, ev.index)
    with _noted(ev, needed):
        return call_method(ev, value, name, arguments, site, Via.NATIVE, only_analyzed=True)


def _invoke(ev: Evaluation, callees: Values, needed: ClassInfo | str | None) -> Values:
    with _noted(ev, needed):
        return invoke(ev, callees, Arguments(), Site(_SITE_LINE, -1, ev.index), Via.NATIVE, Certainty.FLOW)


def _noted(ev: Evaluation, needed: Frame | ClassInfo | str | None) -> AbstractContextManager[None]:
    return ev.recorder.through(ev.frame, needed) if ev.recorder is not None else nullcontext()


def _leads_on(ev: Evaluation, op: LeadsOn) -> Values:
    with _noted(ev, _needed(ev, op.needs)):
        enter(ev, op.relay, Site(_SITE_LINE, -1, ev.index))
    return NOTHING


OPERATIONS: dict[type[Operation], Handler] = {
    CallsMethod: _calls_method,
    CallsByName: _calls_by_name,
    CallsOnResult: _calls_on_result,
    LeadsOn: _leads_on,
}
