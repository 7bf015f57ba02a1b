"""What an edge requires, of all that was noted of it: the first of some functions to be reached lets it be taken."""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.program import ClassInfo, Frame
from deepgrep.linking.recording import Recorder
from deepgrep.linking.references import is_plain

_Required = tuple[tuple[Frame, ...], tuple[ClassInfo, ...]]
"""Frames of which one must have run, none for no requirement; and the classes of which that makes an instance."""


def required(
    recorder: Recorder, caller: Frame, callee: Frame, line: int, via: Via, certainty: Certainty, guard: int
) -> _Required:
    """Return the frames of which one must have run before an edge can be taken, none for no requirement.

    Also return the classes of which the requirement is to say that one has an instance.

    An edge can require several things at once: that the function has been made, that there is an object to call it
    on, that it has been put where the caller finds it, that something names it, that there is an instance of what a
    value is tested for. It is given the one that says most: what importing modules has seen to already says little.
    """
    found = _of_callee(recorder, caller, callee, line, via, certainty)
    if not _is_met_by_importing(recorder, found[0]):
        return found
    named = _of_reference(recorder, caller, callee, certainty)
    return named or next(_of_tests(recorder, caller, guard), found)


def _of_callee(
    recorder: Recorder, caller: Frame, callee: Frame, line: int, via: Via, certainty: Certainty
) -> _Required:
    edge, requirements = (caller, callee, line, via), recorder.requirements
    stated = recorder.needs.get(edge)
    if stated is not None:
        if caller in stated:
            return (), ()
        return requirements.any_of(stated, callee), tuple(need for need in stated if isinstance(need, ClassInfo))
    needed = requirements.needed_class(caller, callee, via, certainty)
    made = requirements.of(caller, callee, needed, certainty)
    keepers = recorder.provenance.keepers(recorder.kept_in.get(edge, ()))
    if keepers and caller not in keepers and not _is_met_by_importing(recorder, tuple(keepers)):
        return requirements.any_context(keepers) or made, ()
    if made and edge in recorder.of_unnamed_classes:
        return requirements.named_elsewhere(caller, made), ()
    on = recorder.receivers.get(edge)
    if on and _is_met_by_importing(recorder, made):
        return requirements.instance_of_any(on) or made, ()
    # That a place was given a method of any subclass says less than that there is an instance of one.
    given = recorder.givers.get(edge)
    if made or given is None:
        return made, () if needed is None else (needed,)
    return requirements.any_context(given), ()


def _of_reference(recorder: Recorder, caller: Frame, callee: Frame, certainty: Certainty) -> _Required | None:
    """Return what a call of a value requires: that some code which names the function has run.

    Not of native code, which may know it from elsewhere: objects are read from files by the names of their functions.
    """
    is_native = not (caller.unit.facts.line or caller.unit.name.rpartition(".")[2].startswith("<one of "))
    if certainty is not Certainty.FLOW or not is_plain(callee.unit) or is_native:
        return None
    named = recorder.requirements.any_few(recorder.references.of(callee.unit))
    is_met = any(frame.unit is caller.unit or frame.unit.is_module for frame in named)
    return None if is_met or _is_met_by_importing(recorder, named) else (named, ())


def _of_tests(recorder: Recorder, caller: Frame, guard: int) -> Iterator[_Required]:
    """Yield what the conditions that a call stands under require: `isinstance(x, C)` an instance of C.

    And `"m" in sys.modules` that the module has been imported.
    """
    for name in recorder.tested.modules(caller.unit.module, guard):
        if name in recorder.bodies:
            yield (recorder.bodies[name],), ()
    for classes in recorder.tested.under(caller.unit.module, guard):
        made = recorder.requirements.instance_tested(caller, classes)
        if not _is_met_by_importing(recorder, made):
            yield made, classes


def _is_met_by_importing(recorder: Recorder, frames: tuple[Frame, ...]) -> bool:
    return not frames or any(frame in recorder.called_by_modules for frame in frames)
