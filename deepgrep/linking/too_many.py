"""Places that are given more callables than are followed: decorators' arguments, registries, dispatch tables.

Following thousands of functions to wherever a registry is read costs more than it tells. So a place keeps a few, and
one value for all others. A call of that value leads to a relay, and that to each of them, once what gave it to the
place has run. What is passed does not flow to them, and what they return is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from deepgrep.facts.model import Unit
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments, call
from deepgrep.linking.program import Frame, ModuleInfo, UnitInfo
from deepgrep.linking.relays import AFTER_SOURCES
from deepgrep.linking.values import (
    NOTHING,
    Cut,
    External,
    FunctionValue,
    Many,
    ModuleValue,
    Value,
    Values,
    function_of,
)

if TYPE_CHECKING:
    from deepgrep.linking.cells import Cell
    from deepgrep.linking.recording import Recorder
    from deepgrep.linking.solver import Solver


def add_beyond(solver: Solver, cell: Cell, values: Values) -> None:
    """Add the callables among some values to those that a full cell does not keep."""
    if not solver.keeps_all:
        return
    for value in solver.code(values):
        if isinstance(value, ModuleValue | Cut) or value is cell.many:
            continue
        if cell.many is None:
            cell.many = Many()
            solver.hold(cell, cell.values | {cell.many})
        if isinstance(value, Many):
            cell.many.others[value] = None
            continue
        givers = cell.many.members.setdefault(value, {})
        if solver.evaluated is not None:
            givers[solver.evaluated] = None
        function = function_of(value)
        if isinstance(function, FunctionValue):
            solver.base_frame(function).is_cut = True


class Place(NamedTuple):
    """What a value for many leads to.

    Attributes:
        relay: what leads to all that is analyzed; None if nothing is.
        outside: the functions outside the analyzed sources: what they do is done where they are called.
    """

    relay: Frame | None
    outside: list[Value]


def call_each(ev: Evaluation, callee: Many, arguments: Arguments, site: Site, via: Via) -> Values:
    """Call whatever was given to a place beyond what it keeps."""
    recorder = ev.recorder
    if recorder is None or not site.line:
        return NOTHING
    passed = replace(arguments, is_cut=True, is_shared=True, written=None)
    place = ev.solver.places_of_many.get(callee) or _place(ev, recorder, callee, passed, site, via)
    if place.relay is not None:
        recorder.edge(site, place.relay, via, Certainty.FLOW)
    if callee in ev.calling:  # what is outside calls back what it was handed: the place, perhaps
        return NOTHING
    ev.calling.add(callee)
    with recorder.one_of_several():
        for value in place.outside:
            call(ev, value, passed, site, via, Certainty.FLOW)
    ev.calling.discard(callee)
    return NOTHING


def _place(ev: Evaluation, recorder: Recorder, many: Many, passed: Arguments, site: Site, via: Via) -> Place:
    """Note what a value for many leads to."""
    members = dict(ev.solver.members(many))
    for other in many.others:
        for member, givers in ev.solver.members(other).items():
            members.setdefault(member, givers)
    outside = [v for v in members if isinstance(function_of(v), External)]
    for value in outside:
        del members[value]
    relay = _relay(ev, len(members)) if members else None
    place = ev.solver.places_of_many[many] = Place(relay, outside)  # before its members, which can lead to it
    if relay is None:
        return place
    recorder.frames[relay] = None
    with recorder.through(relay, None):
        for member, givers in members.items():
            with recorder.given(givers):
                call(ev, member, passed, site, via, Certainty.FLOW)
    return place


def _relay(ev: Evaluation, count: int) -> Frame:
    number = AFTER_SOURCES * 2 + len(ev.solver.places_of_many)
    module = ev.frame.unit.module
    unit = Unit(f"<one of {count:,}>", 0, -1, -1, False, False, False, (), (), ())
    info = ModuleInfo(module.name, module.path, False, module.facts, module.order)
    return Frame(UnitInfo(info, 1, unit, number, None, "", frozenset()), None, (), 0, 0, 0)
