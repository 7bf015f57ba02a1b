"""Calls that leave the analyzed sources: language features, models, and what neither knows."""

from __future__ import annotations

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import handover
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.invocation import Arguments, call
from deepgrep.linking.language import FEATURES
from deepgrep.linking.modelled import apply
from deepgrep.linking.namespaces import NAMESPACE, call_method
from deepgrep.linking.outside_containers import call_state_method
from deepgrep.linking.values import NOTHING, Bound, Container, FunctionValue, Partial, Value, Values


def call_external(
    ev: Evaluation, name: str, receiver: Value | None, arguments: Arguments, site: Site, via: Via
) -> Values:
    """Call something outside the analyzed sources; return what comes back, as far as it is known.

    Args:
        ev: the evaluation in which the call happens.
        name: dotted name; a builtin by its bare name; a method by its class's.
        receiver: what a method is called on, else None.
        arguments: what is passed.
        site: where.
        via: how control passes.
    """
    if ev.recorder is not None and isinstance(receiver, Container):
        handover.stored(ev, site, receiver, union([*arguments.positional, *arguments.keywords.values()]))
    if isinstance(receiver, Container) and receiver.class_name == NAMESPACE:
        return call_method(ev, ev.operation, receiver, name.rpartition(".")[2], arguments)
    name = name.removeprefix("builtins.")
    feature = FEATURES.get(name)
    model = None if feature is not None else ev.solver.model(name)
    if model is None and name.endswith(".__init__") and receiver is not None:
        model = ev.solver.model(name.removesuffix(".__init__"))  # of a subclass's instance
    if ev.recorder is not None and site.line:
        ev.recorder.external_call(site, name, via, feature is not None or model is not None)
    if feature is not None:
        return feature(ev, receiver, arguments, site)
    call_state_method(ev, name, arguments)
    if model is not None:
        return apply(ev, model, receiver, arguments, site)
    if not arguments.decorates:  # a decorator gives back what is called by the name
        _hand_over(ev, arguments, site)
    return _result(ev, name, arguments, site)


def _hand_over(ev: Evaluation, arguments: Arguments, site: Site) -> None:
    """A function handed to code that cannot be read may be called by it."""
    code = ev.solver.code
    handed = (*arguments.positional, *arguments.keywords.values(), arguments.star, arguments.double_star)
    # A set of several came from elsewhere: which of them is meant here is not known, and all would be noise.
    for value in union([known for values in handed if len(known := code(values)) == 1]):
        if isinstance(value, FunctionValue | Partial) or (
            isinstance(value, Bound) and isinstance(value.function, FunctionValue)
        ):
            call(ev, value, Arguments(), site, Via.CALLBACK, Certainty.FLOW)


def _result(ev: Evaluation, name: str, arguments: Arguments, site: Site) -> Values:
    """By convention a capital makes a class: calling one gives an instance. Of a function, nothing is known."""
    solver = ev.solver
    last = name.rpartition(".")[2]
    if solver.models.class_(name) is not None or last[:1].isupper():
        return ev.one(solver.interner.container(name, (ev.frame, site.key)))
    if arguments.decorates and arguments.positional:
        return arguments.positional[0]
    return NOTHING
