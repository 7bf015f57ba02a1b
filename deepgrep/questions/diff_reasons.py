"""Why a path can be taken in one version and not in the other: what differs at each hop that only one has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.paths import Route
from deepgrep.graph.rows import Certainty
from deepgrep.questions.diff_answers import CodeLine, Difference, Reason
from deepgrep.questions.diff_bodies import Line, counterpart
from deepgrep.questions.diff_names import Renamed, compared_name, named
from deepgrep.questions.diff_sides import Side
from deepgrep.questions.diff_walks import Step, Walk, called
from deepgrep.questions.targets import VERBS

_CALLEES_SHOWN = 4
_REQUIRED_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Reasons:
    """Gives what differs on paths of one version.

    Attributes:
        side: the version that has the paths.
        other: the version that does not.
        renamed: what is called otherwise there.
        is_later: whether `side` is the later version.
    """

    side: Side
    other: Side
    renamed: Renamed
    is_later: bool

    def all(self, route: Route, walk: Walk, hops: int) -> list[Difference]:
        """What differs on a path of so many hops, of which the other version has so much."""
        if self.other.root is None:
            return [self._at_end(0, Reason.ROOT, f"the root {self._is('is not there')}", route[0])]
        found = []
        for one in walk.breaks:
            if one.step is not None:
                found.append(self._call(one.step, one.at))
            else:
                start = compared_name(self.side.graph, route[0])
                why = f"{start}, which is called under the root's name, {self._new}"
                found.append(self._at_end(0, Reason.ROOT, why, route[0]))
        if walk.at and not any(function in self.other.accessing for function in walk.at):
            found.append(self._access(route, walk, hops - 1))
        return found

    @property
    def _new(self) -> str:
        return "is new" if self.is_later else "is gone"

    def _is(self, there: str) -> str:
        return f"{there} before" if self.is_later else f"{there} any more"

    def _at_end(self, hop: int, reason: Reason, why: str, function: int) -> Difference:
        graph = self.side.graph
        line = self.side.version.line(graph.texts[graph.function_file[function]], graph.function_line[function])
        name = compared_name(graph, function)
        return self._difference(hop, reason, name, name, why, line, None)

    def _difference(
        self,
        hop: int,
        reason: Reason,
        caller: str,
        callee: str,
        why: str,
        here: CodeLine | None,
        there: CodeLine | None,
        calls_here: Iterable[str] = (),
        calls_there: Iterable[str] = (),
        definition: CodeLine | None = None,
    ) -> Difference:
        lines, calls = (there, here), (list(calls_there), list(calls_here))
        if not self.is_later:
            lines, calls = lines[::-1], calls[::-1]
        return Difference(
            hop=hop,
            reason=reason,
            caller=caller,
            callee=callee,
            why=why,
            before=lines[0],
            after=lines[1],
            definition=definition,
            before_calls=calls[0],
            after_calls=calls[1],
        )

    def _access(self, route: Route, walk: Walk, hop: int) -> Difference:
        """What differs where the access itself does."""
        side, other = self.side, self.other
        assert side.findings is not None
        site, function = side.findings.site(route), compared_name(side.graph, route[-1])
        target = side.findings.target.ref.name
        here, there, is_same = self._lines(route[-1], site.line, walk.at)
        does = VERBS[site.access]
        if other.target is None:
            why = f"the target {self._is('is not there')}"
            return self._difference(hop, Reason.TARGET, function, target, why, here, there)
        again = [row for row in other.target.sites if row.function in walk.at]
        if again:  # it cannot happen: by what is assumed, or as it is not sure enough
            why = f"{function} {does} it in both, but in one not by what is asked (--assume, --certainty)"
            reason = Reason.CONDITION
        elif is_same:
            why = f"the line is the same, but what it {does} is not known to be the target in the other version"
            reason = Reason.CALLEES
        else:
            verb = does.removesuffix("s")
            why = (
                f"{function} {does} {target} now" if self.is_later else f"{function} does not {verb} {target} any more"
            )
            reason = Reason.ACCESS
        return self._difference(hop, reason, function, target, why, here, there)

    def _call(self, step: Step, at: list[int]) -> Difference:
        """What differs where a call does."""
        graph, other = self.side.graph, self.other.graph
        row = graph.edge(step.edge)
        caller, callee = compared_name(graph, step.caller), compared_name(graph, step.callee)
        there = self.renamed.other(callee, is_later=self.is_later)
        here_line, there_line, is_same = self._lines(step.caller, row.line, at)
        is_native = not graph.function_line[step.caller]

        def told(
            reason: Reason,
            why: str,
            calls: tuple[list[str], list[str]] = ([], []),
            definition: CodeLine | None = None,
        ) -> Difference:
            return self._difference(step.hop, reason, caller, callee, why, here_line, there_line, *calls, definition)

        edges = [
            edge
            for function in named(other, compared_name(other, at[0]))
            for edge, called_there, _ in called(other, function)
            if compared_name(other, called_there) == there
        ]
        if edges:
            return told(*self._not_taken(edges, at, callee))
        if not named(other, there):
            return told(*self._undefined(callee, is_same or is_native), definition=_definition(self.side, step.callee))
        if is_native:
            return told(Reason.CALLEES, f"{caller} is known to call {callee} in one version only")
        if not is_same:
            verb = "was added to" if self.is_later else "was removed from"
            if there_line is not None:
                return told(Reason.CALL, f"this line of {caller} was changed: the call of {callee} {verb} it")
            return told(Reason.CALL, f"a call of {callee} {verb} {caller}")
        if (bases := self._bases(callee)) is not None:
            return told(Reason.BASES, bases)
        line = there_line.line if there_line is not None else 0
        if (override := self._overriding(callee, at, line)) is not None:
            why, function = override
            return told(Reason.OVERRIDE, why, definition=_definition(self.other, function))
        calls = (
            _calls(graph, [step.caller], row.line, callee),
            _calls(other, at, line, there),
        )
        how = "" if row.certainty is Certainty.CERTAIN else f" ({row.certainty})"
        newly = "is newly" if self.is_later else "is no longer"
        why = f"the line is the same, but {callee} {newly} among what it can call{how}"
        return told(Reason.CALLEES, why + self._unknown(at, there_line), calls)

    def _unknown(self, at: list[int], line: CodeLine | None) -> str:
        """That the other version does not know what the line calls."""
        graph = self.other.graph
        spots = [spot for function in at for spot in graph.blind_spots_in(function) if line and spot.line == line.line]
        if not spots:
            return ""
        return f"; in the other it is not known what {spots[0].expression} is ({spots[0].reason})"

    def _undefined(self, callee: str, is_same: bool) -> tuple[Reason, str]:
        """That the callee is not there in the other version, and what of it is not."""
        owner, _, method = callee.rpartition(".")
        of_class = bool(self.side.graph.classes_named(owner))
        other_owner = self.renamed.other(owner, is_later=self.is_later)
        if of_class and not self.other.graph.classes_named(other_owner):
            goes = (
                f"the line is the same, and {self._went} on to its {method} too"
                if is_same
                else f"its {method} {self._is_called} here"
            )
            return Reason.CLASS, f"class {owner} {self._new}: {goes}"
        if of_class and is_same:
            does = "overrides" if self._inherits(owner, method) else "has"
            said = f"{does} {method} now" if self.is_later else f"has no {method} of its own any more"
            return Reason.OVERRIDE, f"{owner} {said}: the line is the same, and {self._went} on to that"
        if is_same:
            return Reason.FUNCTION, f"{callee} {self._new}: the line is the same, and {self._went} on to that"
        return Reason.FUNCTION, f"{callee} {self._new}, and {self._is_called} here"

    @property
    def _went(self) -> str:
        return "goes" if self.is_later else "went"

    @property
    def _is_called(self) -> str:
        return "is called" if self.is_later else "was called"

    def _inherits(self, owner: str, method: str) -> bool:
        graph = self.side.graph
        return any(
            graph.functions_named(f"{base}.{method}") for row in graph.classes_named(owner) for base in row.mro[1:]
        )

    def _overriding(self, callee: str, at: list[int], line: int) -> tuple[str, int] | None:
        """That the line goes on to the same method of a subclass in the other version, which only that one defines.

        Returns:
            That in words, and the method; None where it is not so.
        """
        owner, _, method = callee.rpartition(".")
        owner = self.renamed.other(owner, is_later=self.is_later)
        graph = self.other.graph
        for name in called_at(graph, at, line):
            subclass, _, called = name.rpartition(".")
            here = self.renamed.other(name, is_later=not self.is_later)
            if called != method or self.side.graph.functions_named(here):
                continue
            if any(owner in row.mro for row in graph.classes_named(subclass)):
                if self.is_later:
                    why = (
                        f"{subclass} has no {method} of its own any more: the line is the same, and goes on to {callee}"
                    )
                else:
                    why = f"{subclass} overrides {method} now: the line is the same, and goes on to that instead"
                return why, graph.functions_named(name)[0]
        return None

    def _bases(self, callee: str) -> str | None:
        """That the class of a method has other bases in the other version."""
        owner = callee.rpartition(".")[0]
        mine, others = (
            {base for row in graph.classes_named(name) for base in row.mro}
            for graph, name in (
                (self.side.graph, owner),
                (self.other.graph, self.renamed.other(owner, is_later=self.is_later)),
            )
        )
        added = sorted(mine - others - {owner})
        if not added or not others:
            return None
        verb = "is a subclass of" if self.is_later else "is no subclass of"
        return f"{owner} {verb} {' and '.join(added[:_REQUIRED_SHOWN])}{'' if self.is_later else ' any more'}"

    def _not_taken(self, edges: list[int], at: list[int], callee: str) -> tuple[Reason, str]:
        """Why a call that is there in the other version leads nowhere for this question."""
        graph, reached = self.other.graph, self.other.reached
        assert reached is not None
        own = [edge for edge in edges if graph.caller(edge) in at]
        if not own:
            return (
                Reason.CONTEXT,
                f"{callee} is called here in both, but in one not for what is handed over on this path",
            )
        edge = next((edge for edge in own if edge in reached.impossible), None)
        if edge is not None:
            condition = graph.guard(reached.impossible[edge]).text
            return Reason.CONDITION, f"the call is there in both; in one it stands under {condition}, which cannot hold"
        if not any(reached.restriction.allows(graph, edge) for edge in own):
            return Reason.CERTAINTY, "the call is there in both; in one it is left out, by what is asked"
        needed = [member for edge in own for member in graph.requirement(graph.look("edge_requires")[edge])]
        if needed:
            names = dict.fromkeys(compared_name(graph, member) for member in needed)
            more = f" or {len(names) - _REQUIRED_SHOWN} others" if len(names) > _REQUIRED_SHOWN else ""
            listed = " or ".join(list(names)[:_REQUIRED_SHOWN]) + more
            return (
                Reason.REQUIREMENT,
                f"the call is there in both; in one nothing that is reached meets what it requires: that {listed} has "
                "run (asking about that as the target says why)",
            )
        return Reason.CONTEXT, "the call is there in both; in one what it imports counts as imported before"

    def _lines(self, function: int, number: int, at: list[int]) -> tuple[CodeLine | None, CodeLine | None, bool]:
        """A line of the version that has the path, the one in its place, and whether both say the same."""
        side, other = self.side, self.other
        graph = side.graph
        file = graph.texts[graph.function_file[function]]
        if not number or not graph.function_line[function]:
            return None, None, False
        code = side.version.bodies.code(graph, function)
        there: Line | None = None
        is_same = False
        for candidate in _each_place(other.graph, at):
            there, is_same = counterpart(code, number, other.version.bodies.code(other.graph, candidate))
            if there is not None:
                other_file = other.graph.texts[other.graph.function_file[candidate]]
                found = other.version.line(other_file, there.number)
                return side.version.line(file, number), found, is_same
        return side.version.line(file, number), None, False


def _definition(side: Side, function: int) -> CodeLine | None:
    graph = side.graph
    if not graph.function_line[function]:
        return None
    return side.version.line(graph.texts[graph.function_file[function]], graph.function_line[function])


def _each_place(graph: CallGraph, functions: Iterable[int]) -> Iterator[int]:
    """One function for each definition of several contexts."""
    seen: set[tuple[int, int]] = set()
    for function in functions:
        place = graph.function_file[function], graph.function_line[function]
        if place not in seen:
            seen.add(place)
            yield function


def called_at(graph: CallGraph, functions: Iterable[int], line: int) -> list[str]:
    """What a line can call, by name; nothing for line 0."""
    names = (
        compared_name(graph, callee)
        for function in (functions if line else ())
        for edge, callee, _ in called(graph, function)
        if graph.edge_line[edge] == line
    )
    return list(dict.fromkeys(names))


def _calls(graph: CallGraph, functions: Iterable[int], line: int, callee: str) -> list[str]:
    """What a line can call: the function that a path goes on to, others, and how many more there are."""
    names = sorted(called_at(graph, functions, line), key=lambda name: name != callee)
    more = [f"{len(names) - _CALLEES_SHOWN:,} more"] if len(names) > _CALLEES_SHOWN else []
    return [*names[:_CALLEES_SHOWN], *more]
