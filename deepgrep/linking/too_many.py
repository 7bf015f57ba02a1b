"""Places that are given more callables than are followed: decorators' arguments, registries, dispatch tables.

Following thousands of functions to wherever a registry is read costs more than it tells. So a place keeps a few, and
one value for all others. A call of that value leads to a relay, and that to each of them, once what gave it to the
place has run. What is passed does not flow to them, and what they return is not followed.
"""

from __future__ import annotations

from msgspec.structs import replace

from deepgrep.facts.model import Unit
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.invocation import Arguments, call
from deepgrep.linking.program import Frame, ModuleInfo, UnitInfo
from deepgrep.linking.relays import AFTER_SOURCES
from deepgrep.linking.values import NOTHING, Bound, External, Many, Values


def call_each(ev: Evaluation, callee: Many, arguments: Arguments, site: Site, via: Via) -> Values:
    """Call whatever was given to a place beyond what it keeps."""
    recorder = ev.recorder
    if recorder is None or not site.line:
        return NOTHING
    passed = replace(arguments, is_cut=True, is_shared=True, written=None)
    members = {}
    found = dict(ev.solver.members(callee))
    for other in callee.others:
        for member, givers in ev.solver.members(other).items():
            found.setdefault(member, givers)
    for member, givers in found.items():
        if isinstance(member.function if isinstance(member, Bound) else member, External):
            with recorder.one_of_several():
                call(ev, member, passed, site, via, Certainty.FLOW)  # what it does is done here
        else:
            members[member] = givers
    if not members:
        return NOTHING
    relay = ev.solver.many_relays.get(callee)
    is_new = relay is None
    if relay is None:
        relay = ev.solver.many_relays[callee] = _relay(ev, len(members))
        recorder.frames[relay] = None
    recorder.edge(site, relay, via, Certainty.FLOW)
    if is_new:
        with recorder.through(relay, None):
            for member, givers in members.items():
                with recorder.given(givers):
                    call(ev, member, passed, site, via, Certainty.FLOW)
    return NOTHING


def _relay(ev: Evaluation, count: int) -> Frame:
    number = len(ev.solver.many_relays)
    module = ev.frame.unit.module
    unit = Unit(f"<one of {count:,}>", 0, -1, -1, False, False, False, (), (), ())
    info = ModuleInfo(module.name, module.path, False, module.facts, module.order)
    return Frame(UnitInfo(info, 1, unit, AFTER_SOURCES * 2 + number, None, "", frozenset()), None, (), 0, 0, 0)
