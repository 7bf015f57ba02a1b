"""What an edge requires, of all that was noted of it: the first of some functions to be reached lets it be taken."""

from __future__ import annotations

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.program import ClassInfo, Frame
from deepgrep.linking.recording import Recorder


def required(
    recorder: Recorder, caller: Frame, callee: Frame, line: int, via: Via, certainty: Certainty
) -> tuple[tuple[Frame, ...], bool]:
    """Return the frames of which one must have run before an edge can be taken, none for no requirement.

    Also return whether that is to say that there is an instance of the callee's class.

    An edge can require several things at once: that the function has been made, that there is an object to call it
    on, that it has been put where the caller finds it. It is given the one that says most: what importing modules has
    seen to already says little.
    """
    edge, requirements = (caller, callee, line, via), recorder.requirements
    stated = recorder.needs.get(edge)
    if stated is not None:
        if caller in stated:
            return (), False
        return requirements.any_of(stated, callee), any(isinstance(need, ClassInfo) for need in stated)
    needed = requirements.needed_class(caller, callee, via, certainty)
    made = requirements.of(caller, callee, needed, certainty)
    keepers = recorder.provenance.keepers(recorder.kept_in.get(edge, ()))
    if keepers and caller not in keepers and not _is_met_by_importing(recorder, tuple(keepers)):
        return requirements.any_context(keepers) or made, False
    if made and edge in recorder.of_unnamed_classes:
        return requirements.named_elsewhere(caller, made), False
    on = recorder.receivers.get(edge)
    if on and _is_met_by_importing(recorder, made):
        return requirements.instance_of_any(on) or made, False
    # That a place was given a method of any subclass says less than that there is an instance of one.
    given = recorder.givers.get(edge)
    if made or given is None:
        return made, needed is not None
    return requirements.any_context(given), False


def _is_met_by_importing(recorder: Recorder, frames: tuple[Frame, ...]) -> bool:
    return not frames or any(frame in recorder.called_by_modules for frame in frames)
