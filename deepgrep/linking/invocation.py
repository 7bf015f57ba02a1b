"""Calling: what each kind of value does when it is called with arguments."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import nullcontext

import msgspec
from msgspec.structs import replace

from deepgrep.facts.operations import Attribute, Call, ClassName, Global, ImportFrom, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import handover
from deepgrep.linking.constructors import is_constructor, may_make_instance
from deepgrep.linking.contexts import are_some_functions, context
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.giving_back import given_back
from deepgrep.linking.passages import Passes, passed_on
from deepgrep.linking.program import Frame
from deepgrep.linking.values import (
    NOTHING,
    Bound,
    ClassValue,
    Container,
    External,
    FunctionValue,
    Generator,
    InstanceValue,
    Many,
    Methods,
    ModuleValue,
    Partial,
    Text,
    Value,
    Values,
    Wrapped,
    function_of,
)

# What is passed to more callees than this at once says little of each: it does not flow, and their parameters count as
# cut ("too many values").
_MOST_CALLEES = 8
# A call of more callees than this makes no contexts: each callee with each callable, they would multiply.
_MOST_TOLD_APART = 2


# Objects of these are data.
_NO_CALLABLES = frozenset(
    {"int", "float", "bool", "complex", "str", "bytes", "list", "tuple", "dict", "set", "frozenset", "slice"}
)


class Arguments(msgspec.Struct, frozen=True):
    """What a call passes.

    Attributes:
        positional: by position.
        keywords: by name.
        star: at unknown positions, after the positional ones.
        double_star: under unknown names.
        spreads: whether the call is written with `*` or `**`, and may pass more than is known of.
        decorates: whether the call applies a decorator.
        is_cut: whether there are too many callees for the arguments to flow.
        is_shared: whether there are too many callees for each to be told apart by what it is handed.
        written: the call, in the frame that is evaluated, that writes just these arguments; None if none does.
    """

    positional: tuple[Values, ...] = ()
    keywords: dict[str, Values] = {}
    star: Values = NOTHING
    double_star: Values = NOTHING
    spreads: bool = False
    decorates: bool = False
    is_cut: bool = False
    is_shared: bool = False
    written: Call | None = None

    def to(self, callees: int) -> Arguments:
        """Return these arguments as they are passed to a number of callees at once."""
        if callees <= _MOST_TOLD_APART:
            return self
        return replace(self, is_cut=callees > _MOST_CALLEES, is_shared=True)

    def at(self, index: int) -> Values:
        """Return what is passed at a position."""
        return self.positional[index] if index < len(self.positional) else NOTHING

    def after(self, first: Values) -> Arguments:
        """Return the same arguments with one more in front."""
        return replace(self, positional=(first, *self.positional), written=None)


def invoke(ev: Evaluation, callees: Values, arguments: Arguments, site: Site, via: Via, certainty: Certainty) -> Values:
    """Call each of some values; return what comes back.

    Args:
        ev: the evaluation in which the call happens.
        callees: what may be called.
        arguments: what is passed.
        site: where.
        via: how control passes.
        certainty: how sure it is that a callee is the one; for values of several kinds, of each.
    """
    arguments = arguments.to(len(callees))
    if arguments.is_cut and ev.recorder is None:
        callees = ev.solver.first(callees, _MOST_CALLEES)
    if ev.recorder is None or certainty is not Certainty.FLOW:
        return union([call(ev, callee, arguments, site, via, certainty) for callee in callees])
    with ev.recorder.one_of_several() if len({function_of(v) for v in callees}) > 1 else nullcontext():
        results = []
        for callee in callees:
            kept = ev.recorder.provenance.kept(ev, arguments.written, callee) if arguments.written is not None else []
            with ev.recorder.calling(kept, _is_unnamed(ev, callee)):
                results.append(call(ev, callee, arguments, site, via, certainty))
    return union(results)


def _is_unnamed(ev: Evaluation, callee: Value) -> bool:
    """Whether a value is a class that what is evaluated neither defines nor names."""
    if not isinstance(callee, ClassValue) or callee.cls.name.startswith(f"{ev.frame.unit.name}.<locals>."):
        return False
    operations = ev.frame.unit.facts.operations
    return not any(_names(ev, op) and callee in ev.values[i] for i, op in enumerate(operations[: ev.index]))


def _names(ev: Evaluation, op: Operation) -> bool:
    """Whether an operation means what it gives by name: a global, an import, an attribute of a module."""
    if isinstance(op, Attribute):
        return any(isinstance(value, ModuleValue) for value in ev.get(op.base))
    return isinstance(op, Global | ClassName | ImportFrom)


def call(ev: Evaluation, callee: Value, arguments: Arguments, site: Site, via: Via, certainty: Certainty) -> Values:
    """Call one value; see `invoke`."""
    match callee:
        case FunctionValue():
            return _function(ev, callee, arguments, site, via, certainty, None)
        case Bound():
            return _bound(ev, callee, arguments, site, via, certainty)
        case ClassValue():
            from deepgrep.linking.construction import construct

            return construct(ev, callee, arguments, site, certainty)
        case InstanceValue():
            from deepgrep.linking.protocols import call_method

            return call_method(ev, callee, "__call__", arguments, site, via)
        case Partial():
            return _partial(ev, callee, arguments, site, via, certainty)
        case External():
            from deepgrep.linking.externals import call_external

            return call_external(ev, callee.name, None, arguments, site, via)
        case Container() if callee.class_name not in _NO_CALLABLES:
            from deepgrep.linking.externals import call_external

            return call_external(ev, f"{callee.class_name}.__call__", callee, arguments, site, via)
        case Wrapped():
            return _wrapped(ev, callee, arguments, site, via, certainty)
        case Methods():
            from deepgrep.linking.any_method import call_any

            return call_any(ev, callee, arguments, site, via)
        case Many():
            from deepgrep.linking.too_many import call_each

            return call_each(ev, callee, arguments, site, via)
        case Generator():  # what its `__next__` or `send` stands for
            if ev.recorder is not None and site.line:
                ev.recorder.edge(site, callee.frame, via, certainty)
            return ev.read(callee.frame.yielded)
        case _:
            return NOTHING


def _function(
    ev: Evaluation,
    callee: FunctionValue,
    arguments: Arguments,
    site: Site,
    via: Via,
    certainty: Certainty,
    receiver: Value | None,
) -> Values:
    solver = ev.solver
    handed = context(solver, callee, arguments, receiver, ev.frame)
    frame = solver.called(solver.frame(callee.unit, callee.frame, handed))
    if ev.recorder is None:
        if is_constructor(callee.unit) and not handed:
            solver.constructors.call(frame)
        bind(ev, frame, arguments, receiver)
    elif site.line:
        written = arguments.written
        passes: Passes = ()
        if written is not None:
            passes = passed_on(ev.frame.unit, written, frame.unit, receiver is not None)
            if certainty is Certainty.CERTAIN:
                ev.recorder.handed_on.note(ev.frame.unit, site.key, written, frame.unit, receiver is not None)
        ev.recorder.edge(site, frame, via, certainty, passes)
        handover.passed(ev, site, frame, arguments, receiver)
    if callee.unit.facts.is_generator:
        return ev.one(solver.interner.generator(frame))
    results = ev.read(frame.result)
    if callee.unit.returned or callee.unit.given_back:
        return union((results, given_back(ev, frame, arguments, receiver)))
    return results


def bind(ev: Evaluation, frame: Frame, arguments: Arguments, receiver: Value | None) -> None:
    """Let arguments flow to the parameters of a frame.

    Args:
        ev: the evaluation in which the call happens.
        frame: of the function that is called.
        arguments: what is passed.
        receiver: what a method is bound to. `self` is answered by the class hierarchy, not by what flows; to a
            function that is no method of a class, it is an ordinary first argument.
    """
    solver = ev.solver
    unit = frame.unit
    if arguments.is_cut:
        frame.is_cut = True
        return
    key = (frame, receiver, arguments.positional, *arguments.keywords.items(), arguments.star, arguments.double_star)
    if key in solver.flowed:
        return
    solver.flowed.add(key)
    parameters = unit.facts.parameters
    skip = 0
    if receiver is not None:
        if unit.cls is not None and unit.binding != "static":
            skip = 1
        else:
            arguments = arguments.after(ev.one(receiver))
    by_position, by_name = unit.places
    positional = [index for index in by_position if index >= skip]
    rest = next((index for index, parameter in enumerate(parameters) if parameter.kind == "*"), None)
    extra = next((index for index, parameter in enumerate(parameters) if parameter.kind == "**"), None)
    add = solver.add
    # These hold what they are told apart by.
    told_apart = {parameter for parameter, value in frame.context if not are_some_functions(value)}
    for position, values in enumerate(arguments.positional):
        if not values or (position < len(positional) and positional[position] in told_apart):
            continue
        if position < len(positional):
            solver.flow(frame, positional[position], values)
        elif rest is not None:
            add(solver.item(solver.rest_container(frame, rest), position - len(positional)), values)
    for name, values in arguments.keywords.items():
        if not values or by_name.get(name) in told_apart:
            continue
        if name in by_name:
            solver.flow(frame, by_name[name], values)
        elif extra is not None:
            add(solver.item(solver.rest_container(frame, extra), name), values)
    if arguments.star:
        for index in positional[len(arguments.positional) :]:
            solver.flow(frame, index, arguments.star)
        if rest is not None:
            add(solver.rest_container(frame, rest).element, arguments.star)
    if arguments.double_star:
        given = {positional[i] for i in range(min(len(positional), len(arguments.positional)))}
        for name, index in by_name.items():
            if name not in arguments.keywords and index not in given and index >= skip:
                solver.flow(frame, index, arguments.double_star)
        if extra is not None:
            add(solver.rest_container(frame, extra).element, arguments.double_star)


def _bound(ev: Evaluation, callee: Bound, arguments: Arguments, site: Site, via: Via, certainty: Certainty) -> Values:
    function = callee.function
    if ev.recorder is not None and isinstance(callee.receiver, ClassValue) and not callee.receiver.is_open:
        _note_class_method(ev, callee.receiver, function)
    match function:
        case FunctionValue():
            return _method(ev, function, arguments, site, via, certainty, callee.receiver)
        case External():
            from deepgrep.linking.externals import call_external

            return call_external(ev, function.name, callee.receiver, arguments, site, via)
        case Many() if ev.recorder is not None and isinstance(callee.receiver, InstanceValue):
            with ev.recorder.bound_to(callee.receiver.cls):
                return call(ev, function, arguments, site, via, certainty)
        case _:
            return call(ev, function, arguments.after(ev.one(callee.receiver)), site, via, certainty)


def _method(
    ev: Evaluation,
    function: FunctionValue,
    arguments: Arguments,
    site: Site,
    via: Via,
    certainty: Certainty,
    receiver: Value,
) -> Values:
    if ev.recorder is None:
        return _function(ev, function, arguments, site, via, certainty, receiver)
    # The class of a method says what it is called on: not so a function that was assigned to a class.
    is_assigned = function.unit.cls is None
    with ev.recorder.bound_to(receiver.cls if is_assigned and isinstance(receiver, InstanceValue) else None):
        return _function(ev, function, arguments, site, via, certainty, receiver)


def _note_class_method(ev: Evaluation, receiver: ClassValue, function: Value) -> None:
    """A class method makes instances of the class that it is called on.

    Not so the hooks of a class statement, nor what they and other class methods call on the class that they are given.
    """
    if ev.recorder is None or not isinstance(function, FunctionValue) or function.unit.facts.qualname.endswith("__"):
        return
    if (0, receiver) not in ev.frame.context and may_make_instance(function.unit):
        ev.recorder.construction(receiver.cls, False)


def _partial(
    ev: Evaluation, callee: Partial, arguments: Arguments, site: Site, via: Via, certainty: Certainty
) -> Values:
    if callee in ev.calling:
        return NOTHING
    ev.calling.add(callee)
    try:
        return invoke(ev, ev.read(callee.callee), _completed(ev, callee, arguments), site, via, certainty)
    finally:
        ev.calling.discard(callee)


def _completed(ev: Evaluation, partial: Partial, arguments: Arguments) -> Arguments:
    """Put a partial's own arguments before those of a call."""
    first = tuple(ev.read(partial.args[i]) for i in sorted(partial.args))
    own = {name: ev.read(cell) for name, cell in partial.keywords.items()}
    star = ev.read(partial.star)
    if star:  # the position of what follows is not known
        star = union((star, *arguments.positional))
        positional: tuple[Values, ...] = first
    else:
        positional = first + arguments.positional
    return replace(
        arguments,
        positional=positional,
        keywords=own | arguments.keywords,
        star=union((star, arguments.star)),
        double_star=union((ev.read(partial.double_star), arguments.double_star)),
        written=None,
    )


def _wrapped(
    ev: Evaluation, callee: Wrapped, arguments: Arguments, site: Site, via: Via, certainty: Certainty
) -> Values:
    interner = ev.solver.interner
    target = callee.functions[0]
    if callee.kind in ("setter", "getter", "deleter"):
        if not isinstance(target, Wrapped) or not arguments.positional:
            return NOTHING
        place = ("getter", "setter", "deleter").index(callee.kind)
        results = []
        for function in arguments.positional[0]:
            functions = list(target.functions)
            functions[place] = function
            results.append(interner.wrapped("property", *functions))
        return frozenset(results)
    if target is None or callee.kind == "property":
        return NOTHING
    return call(ev, target, arguments, site, via, certainty)


def constant_text(values: Values) -> str | None:
    """Return the string that a value is, if it is one and the only one."""
    if len(values) == 1:
        (value,) = values
        if isinstance(value, Text) and isinstance(value.value, str):
            return value.value
    return None


def takes(function: FunctionValue, count: int, named: Collection[str] = ()) -> bool:
    """Whether a function can be called with just so many positional arguments, and some by name."""
    required, most = function.unit.positional
    least = sum(name not in named for name in required) if named else len(required)
    return least <= count and (most is None or count <= most)
