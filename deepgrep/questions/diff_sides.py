"""One question asked of two versions: what it means in each, where an end of it may not be there, or be elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.paths import Route
from deepgrep.graph.rows import AccessKind
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.answers import ReachAnswer
from deepgrep.questions.asked import asked
from deepgrep.questions.diff_answers import CodeLine
from deepgrep.questions.diff_bodies import Bodies
from deepgrep.questions.diff_names import compared_names
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.names import find
from deepgrep.questions.reach import Findings, answer, investigate, shown_routes
from deepgrep.questions.roots import Root, is_code, resolve_root
from deepgrep.questions.targets import Target, resolve_target

_End = TypeVar("_End", Root, Target)


@dataclass(frozen=True)
class Version:
    """One version of what is analyzed.

    Attributes:
        graph: its call graph.
        read: gives the bytes of a file, or None.
        address: gives the public address of a line, or None.
    """

    graph: CallGraph
    read: Callable[[str], bytes | None]
    address: Callable[[str, int], str | None]

    @cached_property
    def bodies(self) -> Bodies:
        """The code of its functions."""
        return Bodies(self.read)

    def line(self, file: str, number: int) -> CodeLine:
        """A line of it, as answers give it."""
        return CodeLine(file, number, self.bodies.line(file, number), self.address(file, number) or "")

    def has(self, name: str) -> bool:
        """Whether it has a function of this name."""
        return bool(self.graph.functions_named(name))

    @property
    def title(self) -> str:
        """What a sentence calls it: `torch 2.13.0`."""
        return ", ".join(f"{source.name} {source.version}".strip() for source in self.graph.sources)


@dataclass(frozen=True)
class Question:
    """What is asked of both, as it was typed.

    Attributes:
        paths: how many paths to look at in all.
    """

    root: str
    target: str
    access: AccessKind | None = None
    filters: Filters = NO_FILTERS
    paths: int = 1


@dataclass(frozen=True)
class Side:
    """What a question means in one version, and what was found.

    Attributes:
        root, target: None for what is not there.
        reached: what the root reaches; None where that is not there.
        findings: None where one of both is not there.
    """

    version: Version
    root: Root | None
    target: Target | None
    reached: ForwardSlice | None
    findings: Findings | None
    paths: int

    @property
    def graph(self) -> CallGraph:
        """The graph that holds the root."""
        return self.root.graph if self.root is not None else self.version.graph

    @cached_property
    def answer(self) -> ReachAnswer | None:
        """The answer of `reach`."""
        return None if self.findings is None else answer(self.findings, self.paths)

    @cached_property
    def routes(self) -> list[Route]:
        """The routes of the answer's paths, in its order."""
        return [] if self.findings is None else shown_routes(self.findings, self.paths)[0]

    @cached_property
    def named(self) -> dict[int, str]:
        """The functions that lie on paths, with their names as they are compared."""
        return {} if self.findings is None else compared_names(self.graph, self.findings.chop.functions)

    @cached_property
    def names(self) -> dict[str, None]:
        """Their names, nearest first."""
        return dict.fromkeys(self.named.values())

    @property
    def goals(self) -> Sequence[int]:
        """What paths end in."""
        return () if self.findings is None else self.findings.chop.goals

    @property
    def accessing(self) -> Collection[int]:
        """What is reached and accesses the target, whether or not paths are to end there."""
        return () if self.findings is None else self.findings.sites

    @property
    def missing(self) -> list[str]:
        """Which ends of the question are not there."""
        return [word for word, end in (("root", self.root), ("target", self.target)) if end is None]


@dataclass(frozen=True)
class Understood:
    """What an end of the question means in a version.

    Attributes:
        typed: what to ask that version for; None where it is not there.
        error: why the name alone says nothing there.
    """

    typed: str | None
    name: str = ""
    error: DeepgrepError | None = None


def ask_both(before: Version, after: Version, question: Question) -> tuple[Side, Side, list[str]]:
    """Ask a question of two versions.

    What is not there in one of them is looked for by another name: that of which it has the code, or the only one that
    ends in as many of the same parts as possible.

    Returns:
        What was found in each, and what is to be said of how the names were understood.

    Raises:
        DeepgrepError: the root or the target is in neither, or the question cannot be asked of one for another reason.
    """
    notes: list[str] = []
    versions = (before, after)
    roots = _both(versions, "root", question.root, _root_name, notes)
    targets = _both(versions, "target", question.target, _target_name(question.access), notes)
    asked_of = [
        replace(question, filters=_filters(here, there, question.filters, notes))
        for here, there in ((before, after), (after, before))
    ]
    sides = [_ask(*each) for each in zip(versions, roots, targets, asked_of, strict=True)]
    return sides[0], sides[1], notes


def _filters(here: Version, there: Version, filters: Filters, notes: list[str]) -> Filters:
    """The filters for a version: what is to be left out and is only in the other one needs not be left out here."""

    def kept(option: str, names: tuple[str, ...]) -> tuple[str, ...]:
        gone = [name for name in names if not _is_there(here.graph, name) and _is_there(there.graph, name)]
        notes.extend(f"{name}, which --{option} leaves out, is not there in {here.title}" for name in gone)
        return tuple(name for name in names if name not in gone)

    return replace(filters, avoid=kept("avoid", filters.avoid), exclude=kept("exclude", filters.exclude))


def _is_there(graph: CallGraph, name: str) -> bool:
    return bool(find(graph, name, states=False))


def ask_one(version: Version, question: Question) -> Side:
    """Ask a question of one version, where an end of it may not be there.

    Raises:
        DeepgrepError: the question cannot be asked for another reason.
    """
    graph = version.graph
    ends = [
        _understood(graph, word, typed, name_of)
        for word, typed, name_of in (
            ("root", question.root, _root_name),
            ("target", question.target, _target_name(question.access)),
        )
        if word == "target" or not is_code(typed)
    ]
    for end in ends:
        if end.error is not None:
            raise DeepgrepError(f"{version.title}: {end.error}") from end.error
    root = question.root if len(ends) == 1 else ends[0].typed
    return _ask(version, root, ends[-1].typed, question)


def _ask(version: Version, root: str | None, target: str | None, question: Question) -> Side:
    graph, filters = version.graph, question.filters
    try:
        if root is None:
            end = None if target is None else resolve_target(graph, target, question.access)
            return Side(version, None, end, None, None, question.paths)
        if target is None:
            found = asked(resolve_root(graph, root), filters)
            return Side(version, found.root, None, found.reached, None, question.paths)
        findings = investigate(graph, root, target, question.access, filters)
    except DeepgrepError as error:
        raise DeepgrepError(f"{version.title}: {error}") from error
    return Side(version, findings.root, findings.target, findings.reached, findings, question.paths)


def _root_name(graph: CallGraph, typed: str) -> str:
    return resolve_root(graph, typed).ref.name


def _target_name(access: AccessKind | None) -> Callable[[CallGraph, str], str]:
    return lambda graph, typed: resolve_target(graph, typed, access).ref.name


def _both(
    versions: tuple[Version, Version],
    word: str,
    typed: str,
    name_of: Callable[[CallGraph, str], str],
    notes: list[str],
) -> list[str | None]:
    """What to ask each version for instead of what was typed; None where there is nothing like it."""
    if word == "root" and is_code(typed):
        return [typed, typed]
    first, second = (_understood(version.graph, word, typed, name_of) for version in versions)
    if first.name and not second.name:
        second = _elsewhere(versions[1], versions[0], word, first, second, name_of, notes)
    elif second.name and not first.name:
        first = _elsewhere(versions[0], versions[1], word, second, first, name_of, notes)
    elif not first.name:
        if first.error is not None:
            raise first.error
        try:
            name_of(versions[1].graph, typed)  # it says what is near to it
        except DeepgrepError as error:
            raise DeepgrepError(f"the {word} is in neither version: {error}") from error
    elif first.name != second.name:
        notes.append(f"the {word} is {first.name} in {versions[0].title}, and {second.name} in {versions[1].title}")
    return [first.typed, second.typed]


def _understood(graph: CallGraph, word: str, typed: str, name_of: Callable[[CallGraph, str], str]) -> Understood:
    try:
        return Understood(typed, name_of(graph, typed))
    except DeepgrepError as error:
        # A root that is a state now is none any more.
        is_there = find(graph, typed, states=word == "target")
        return Understood(None, error=error if is_there or not typed.strip() else None)


def _elsewhere(
    here: Version,
    there: Version,
    word: str,
    known: Understood,
    unknown: Understood,
    name_of: Callable[[CallGraph, str], str],
    notes: list[str],
) -> Understood:
    """What an end is in the version where what was typed does not mean one thing, by what it is in the other."""
    exact = _understood(here.graph, word, known.name, name_of)
    if exact.name == known.name:
        return replace(exact, typed=known.name)
    if unknown.error is not None:
        raise DeepgrepError(f"{here.title}: {unknown.error}")
    from deepgrep.questions.diff_moves import moved_to  # late: most ends are where they were

    if there.has(known.name) and (moved := moved_to(there, here, known.name)) is not None:
        notes.append(f"the {word} {known.name} is not there in {here.title}: {moved} has the same code")
        return Understood(moved, moved)
    parts = known.name.replace(".<locals>", "").split(".")
    for first in range(1, len(parts)):
        end = ".".join(parts[first:])
        found = _understood(here.graph, word, end, name_of)
        if found.error is not None or _understood(there.graph, word, end, name_of).name != known.name:  # several
            break
        if found.name:
            notes.append(
                f"the {word} {known.name} is not there in {here.title}: {found.name} is the only thing called so"
            )
            return replace(found, typed=found.name)
    if word == "target" and (instead := _set_instead(here.graph, there.graph, known.name)) is not None:
        notes.append(
            f"the target {known.name} is not there in {here.title}: {instead}, which is only there, is what the same "
            f"functions set"
        )
        return Understood(instead, instead)
    return Understood(None)


def _set_instead(here: CallGraph, there: CallGraph, state: str) -> str | None:
    """The only state of the same module that just one version has and that the functions set which set another one.

    What they call to set it counts as theirs, if that is as new: a setter often comes with the state.
    """
    owner = state.rpartition(".")[0]
    rows = [row for number in there.states_named(state) for row in there.accesses_of(number)]
    setters = {there.function_names[row.function] for row in rows if row.access is AccessKind.WRITE}
    setters = {setter for setter in setters if not setter.endswith(".<module>")}  # that sets all of them
    functions = [function for setter in setters for function in here.functions_named(setter)]
    called = {here.edge_callee[edge] for function in functions for edge in here.out_edges(function)}
    functions += [function for function in called if not there.functions_named(here.function_names[function])]
    rows = [row for function in functions for row in here.accesses_in(function)]
    found = {here.state_names[row.state] for row in rows if row.access is AccessKind.WRITE}
    new = [name for name in found if name.rpartition(".")[0] == owner and not there.states_named(name)]
    return new[0] if len(new) == 1 else None
