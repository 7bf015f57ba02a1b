"""What parameters certainly hold, and which conditions that decides.

Interprocedural conditional constant propagation (Wegman and Zadeck 1991, Callahan et al. 1986), along with the forward
slice: a call that cannot be reached spoils no value. A parameter holds a constant if each reached call passes just
that. Calls from blind spots are no edges: what they could pass, the leads of an answer must account for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.conditions import Constant, decide
from deepgrep.graph.kinds import KINDS, NO_TEXT
from deepgrep.graph.restriction import Assumptions
from deepgrep.graph.rows import Via

_SAME = bytes(via is Via.SAME for via, _ in KINDS)

Held = dict[int, str]
"""What some parameters hold, by position: a constant as `repr` writes it, so that True is not 1."""


_NOTHING: Held = {}


class HeldValues:
    """What the parameters of the functions reached so far hold."""

    def __init__(self, graph: CallGraph, assumptions: Assumptions, starts: Iterable[int]) -> None:
        self._graph = graph
        self._premises = assumptions.premises
        self._files = {file for file, _ in assumptions.premises}
        self._held: dict[int, Held] = {}
        self.free = bytearray(graph.function_count)
        """1 for each function that is reached and of whose parameters nothing is known: nothing can change that."""
        self._rows = dict(zip(graph.passing_edge, graph.passing_row, strict=True))
        self._decided: dict[tuple[int, tuple[str | None, ...]], bool | None] = {}
        self._chains: dict[int, tuple[int, ...]] = {}
        self._named: dict[int, dict[str, int]] = {}
        self._names: dict[int, list[str]] = {}
        self._starts: dict[int, Held] = {}
        self.is_called_otherwise = False
        """Whether a reached call of the root passes something else than what is assumed of its own call."""
        for start in starts:
            names = self._parameters(start)
            given = assumptions.parameters
            self._starts[start] = {i: repr(given[name]) for i, name in enumerate(names) if name in given}
            self._meet(start, self._starts[start])

    def _parameters(self, function: int) -> list[str]:
        text = self._graph.function_parameters[function]
        if text not in self._names:
            self._names[text] = [parameter.name for parameter in self._graph.function(function).parameters]
        return self._names[text]

    def knows(self, function: int) -> bool:
        """Whether anything could decide a condition of a function."""
        return function in self._held or self._graph.function_file[function] in self._files

    def passes(self, caller: int, edge: int) -> bool:
        """Let what an edge passes flow into its callee; whether the callee must be looked at (again)."""
        graph = self._graph
        callee = graph.edge_callee[edge]
        if self.free[callee]:
            return False
        return self._meet(callee, self.passed(self._held.get(caller, _NOTHING), edge))

    def given(self, start: int) -> Held:
        """What a function of the root is assumed to be passed."""
        return self._starts.get(start, _NOTHING)

    def passed(self, held: Held, edge: int) -> Held:
        """What an edge passes to its callee if the caller's parameters hold something."""
        graph = self._graph
        if _SAME[graph.edge_kind[edge]]:
            return held
        passed: Held = {}
        row = self._rows.get(edge)
        for parameter, source in graph.passes_of(row) if row is not None else ():
            value = held.get(source) if isinstance(source, int) else source
            if value is not None:
                passed[parameter] = value
        return passed

    def _meet(self, function: int, passed: Held) -> bool:
        known = self._held.get(function)
        if known is None and self.free[function]:
            return False
        both = passed if known is None else {i: value for i, value in known.items() if passed.get(i) == value}
        if known is not None and len(both) == len(known):
            return False
        if both:
            self._held[function] = both
        else:
            self._held.pop(function, None)
            self.free[function] = 1
        self.is_called_otherwise |= known is not None and function in self._starts
        return True

    def blocking(self, function: int, guard: int, *, at_any_call: bool = False) -> int:
        """The outermost guard around something that cannot be passed; -1 for none.

        Args:
            function: the function that the guard is in.
            guard: the innermost guard.
            at_any_call: leave aside what the calls pass, as for a function that something else may call.
        """
        found = -1
        if guard < 0 or not self.knows(function):
            return found
        held = _NOTHING if at_any_call else self._held.get(function, _NOTHING)
        for decidable in self._decidable(function, guard):
            if self._holds(function, decidable, held) is False:
                found = decidable
        return found

    def blocks(self, function: int, guard: int, held: Held) -> bool:
        """Whether a guard, or one around it, cannot be passed if the function's parameters hold something."""
        return any(self._holds(function, one, held) is False for one in self._decidable(function, guard))

    def _decidable(self, function: int, guard: int) -> tuple[int, ...]:
        """A guard and those around it, innermost first, as far as something could decide them."""
        if guard < 0:
            return ()
        known = self._chains.get(guard)
        if known is None:
            graph = self._graph
            around = self._decidable(function, graph.guard_parent[guard])
            place = (graph.function_file[function], graph.guard_line[guard])
            decides = graph.guard_parameters[guard] != NO_TEXT or place in self._premises
            known = self._chains[guard] = (guard, *around) if decides else around
        return known

    def _holds(self, function: int, guard: int, held: Held) -> bool | None:
        named = self._named_in(function, guard)
        values = tuple(map(held.get, named.values())) if held else ()
        key = (guard, values)
        if key not in self._decided:
            graph = self._graph
            premises = self._premises.get((graph.function_file[function], graph.guard_line[guard]), ())
            known = {name: _constant(text) for name, text in zip(named, values, strict=False) if text is not None}
            row = graph.guard(guard)
            self._decided[key] = decide(row.kind, row.text, known, premises) if known or premises else None
        return self._decided[key]

    def _named_in(self, function: int, guard: int) -> dict[str, int]:
        """The parameters that a guard names, with their positions."""
        known = self._named.get(guard)
        if known is None:
            names = self._parameters(function)
            words = self._graph.texts[self._graph.guard_parameters[guard]].split()
            known = self._named[guard] = {name: names.index(name) for name in words if name in names}
        return known

    def because(self, function: int, guard: int) -> list[str]:
        """What decides a guard, as `name is value`, for each name in it that is known."""
        held = self._held.get(function, _NOTHING)
        said = [f"{name} is {held[i]}" for name, i in self._named_in(function, guard).items() if i in held]
        place = (self._graph.function_file[function], self._graph.guard_line[guard])
        return said + [f"{p.title} is {p.value!r}" for p in self._premises.get(place, ())]


def _constant(text: str) -> Constant:
    value: Constant = ast.literal_eval(text)
    return value
