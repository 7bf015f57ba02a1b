"""What was noted of frames that are done with, in columns: a million rows in a tenth of the room of a dict of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.linking.passages import Passes
from deepgrep.linking.program import Frame

_VIAS = list(Via)
_CERTAINTIES = list(Certainty)
_KINDS = list(AccessKind)
_VIA_NUMBERS = {via: number for number, via in enumerate(_VIAS)}
_CERTAINTY_NUMBERS = {certainty: number for number, certainty in enumerate(_CERTAINTIES)}
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}

EdgeKey = tuple[Frame, int, Via]
"""Of the edges of one caller: the callee, the line and how it is called."""
EdgeRow = tuple[Frame, Frame, int, Via, Certainty, int, Passes]
"""Caller, callee, line, how it is called, how sure that is, the guard and what is passed."""
AccessKey = tuple[str, str, int, AccessKind, str]
"""Of the accesses of one function: the state with its kind, the line, what is done and in which form."""
AccessRow = tuple[str, str, Frame, int, AccessKind, str, bool, int]
"""The state with its kind, the function, the line, what is done and in which form, whether it restores, the guard."""


class Edges:
    """Edges of the call graph, in the order in which they were noted."""

    def __init__(self) -> None:
        self._frames: dict[Frame, int] = {}
        self._passes: dict[Passes, int] = {}
        self._callers, self._callees, self._lines, self._passed = array("I"), array("I"), array("I"), array("I")
        self._guards = array("i")
        self._vias, self._certainties = array("B"), array("B")

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, caller: Frame, key: EdgeKey, certainty: Certainty, guard: int, passes: Passes) -> None:
        """Add one that there is not yet."""
        callee, line, via = key
        frames = self._frames
        self._callers.append(frames.setdefault(caller, len(frames)))
        self._callees.append(frames.setdefault(callee, len(frames)))
        self._lines.append(line)
        self._vias.append(_VIA_NUMBERS[via])
        self._certainties.append(_CERTAINTY_NUMBERS[certainty])
        self._guards.append(guard)
        self._passed.append(self._passes.setdefault(passes, len(self._passes)))

    def __iter__(self) -> Iterator[EdgeRow]:
        frames, passes = list(self._frames), list(self._passes)
        lines: dict[int, int] = {}  # each number once
        columns = zip(
            self._callers, self._callees, self._lines, self._vias, self._certainties, self._guards, self._passed,
            strict=True,
        )  # fmt: skip
        for caller, callee, line, via, certainty, guard, passed in columns:
            yield (
                frames[caller], frames[callee], lines.setdefault(line, line), _VIAS[via], _CERTAINTIES[certainty],
                guard, passes[passed],
            )  # fmt: skip


class Accesses:
    """Accesses of states, in the order in which they were noted."""

    def __init__(self) -> None:
        self._frames: dict[Frame, int] = {}
        self._states: dict[tuple[str, str], int] = {}
        self._forms: dict[str, int] = {}
        self._state, self._frame, self._lines, self._form = array("I"), array("I"), array("I"), array("I")
        self._guards = array("i")
        self._kinds, self._restores = array("B"), array("B")

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, frame: Frame, key: AccessKey, restore: bool, guard: int) -> None:
        """Add one that there is not yet."""
        state, kind, line, access, form = key
        self._state.append(self._states.setdefault((state, kind), len(self._states)))
        self._frame.append(self._frames.setdefault(frame, len(self._frames)))
        self._lines.append(line)
        self._kinds.append(_KIND_NUMBERS[access])
        self._form.append(self._forms.setdefault(form, len(self._forms)))
        self._restores.append(restore)
        self._guards.append(guard)

    def states(self) -> Iterator[tuple[str, str]]:
        """Yield the state of each access, with its kind."""
        states = list(self._states)
        return (states[state] for state in self._state)

    def distinct_states(self) -> list[tuple[str, str]]:
        """Return the states, each with its kind once."""
        return list(self._states)

    def __iter__(self) -> Iterator[AccessRow]:
        frames, states, forms = list(self._frames), list(self._states), list(self._forms)
        lines: dict[int, int] = {}  # each number once
        columns = zip(
            self._state, self._frame, self._lines, self._kinds, self._form, self._restores, self._guards, strict=True
        )
        for state, frame, line, access, form, restore, guard in columns:
            yield (
                *states[state], frames[frame], lines.setdefault(line, line), _KINDS[access], forms[form],
                bool(restore), guard,
            )  # fmt: skip
