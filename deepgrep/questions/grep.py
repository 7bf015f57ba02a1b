"""`grep`: the lines that match, in every function that the root can reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import Certainty, Skipped, Source
from deepgrep.graph.ways import Ways, shortest_ways, ways_by_stops
from deepgrep.questions.answers import Hop, Removed, RootRef
from deepgrep.questions.asked import asked
from deepgrep.questions.blocks import Key
from deepgrep.questions.evidence import imported_before, removed
from deepgrep.questions.extents import owners
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.hops import WayHops
from deepgrep.questions.patterns import Patterns, matching_lines
from deepgrep.questions.roots import resolve_root

ReadFile = Callable[[str], bytes | None]
"""Gives the bytes of an analyzed file, or None where it cannot be read any more or has changed."""

_FILES_NAMED = 5


class MatchingLine(msgspec.Struct, frozen=True):
    """A line that matches."""

    line: int
    text: str


class MatchingFunction(msgspec.Struct, frozen=True):
    """A function that is reached and has lines that match.

    Attributes:
        function, file, line: the function and its definition.
        distance: how many calls it is away.
        certainty: that of the least certain call on the way.
        importing: whether the way goes through an import: it is taken the first time only.
        matches: the lines.
        path: a shortest way to it, of these the surest: the calls that lead there; empty for the root itself.
    """

    function: str
    file: str
    line: int
    distance: int
    certainty: Certainty
    importing: bool
    matches: list[MatchingLine]
    path: list[Hop]


class GrepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `grep` (`deepgrep-grep/1`).

    Attributes:
        depth: how many calls were followed; null for all.
        functions: those with matches, nearest first.
        searched_functions, searched_files: what was looked through.
        blind_spots: the calls in there whose callees are not all known.
        filters, removed, assumptions: as of `reach`.
    """

    schema: Literal["deepgrep-grep/1"] = "deepgrep-grep/1"
    sources: list[Source]
    root: RootRef
    patterns: list[str]
    depth: int | None
    functions: list[MatchingFunction]
    searched_functions: int
    searched_files: int
    blind_spots: int
    skipped: list[Skipped]
    notes: list[str]
    filters: list[str] = []
    removed: list[Removed] = []
    assumptions: list[str] = []


def grep(
    graph: CallGraph,
    root: str,
    wanted: Patterns,
    read: ReadFile,
    depth: int | None = None,
    filters: Filters = NO_FILTERS,
) -> GrepAnswer:
    """The lines that match in what `root` reaches, each function once, nearest first.

    A function's lines are its own: those of a function within it belong to that one, and those of a class body to the
    code around the class. Decorators belong to the function.

    Args:
        graph: the analyzed sources.
        root: a name, Python code, or the path of a script.
        wanted: what to look for.
        read: gives the files.
        depth: the number of calls to follow, 0 for the root alone; None for all.
        filters: what is left out. Of a function that is reached all lines are searched, whatever is assumed.

    Raises:
        DeepgrepError: the name means nothing, or several things; or the filters contradict each other.
    """
    question = asked(resolve_root(graph, root), filters)
    graph, start, reached = question.graph, question.root, question.reached
    most = min((limit for limit in (depth, reached.restriction.most_calls) if limit is not None), default=None)
    ways = ways_by_stops(graph, reached, lambda part, before: shortest_ways(graph, part, before, most))
    by_file = _by_file(graph, ways.entering)
    found: dict[int, list[MatchingLine]] = {}
    unread, unparsed, untold = [], [], []
    for file, functions in by_file.items():
        source = read(file)
        if source is None:
            unread.append(file)
            continue
        lines, understood = matching_lines(source, wanted)
        if not understood:
            untold.append(file)
        if not lines:
            continue
        owned = owners(source, [number for number, _ in lines])
        if owned is None:
            unparsed.append(file)
            continue
        for number, text in lines:
            owner = next((functions[key] for key in owned[number] if key in functions), None)
            if owner is not None:
                found.setdefault(owner, []).append(MatchingLine(number, text))
    return GrepAnswer(
        sources=graph.sources,
        root=start.ref,
        patterns=list(wanted.typed),
        depth=depth,
        functions=_functions(graph, ways, found),
        searched_functions=sum(map(len, by_file.values())),
        searched_files=len(by_file) - len(unread) - len(unparsed),
        blind_spots=sum(graph.blind_start[i + 1] - graph.blind_start[i] for i in ways.entering),
        skipped=graph.skipped,
        notes=[*question.notes, *_notes(unread, unparsed, untold)],
        filters=question.filters.said(graph, reached),
        removed=removed(graph, reached),
        assumptions=imported_before(start, reached),
    )


def _by_file(graph: CallGraph, functions: Iterable[int]) -> dict[str, dict[Key, int]]:
    """The functions by file, each once for all contexts: the first of them. Relays, which are native, have no lines."""
    found: dict[str, dict[Key, int]] = {}
    lasts: dict[int, str] = {}
    for function in functions:
        line = graph.function_line[function]
        if not line:
            continue
        number = graph.function_last[function]
        if number not in lasts:
            lasts[number] = graph.texts[number]
        # By the name and not its number: each function of code on top has the name once more.
        file = graph.texts[graph.function_file[function]]
        found.setdefault(file, {}).setdefault((lasts[number], line), function)
    return found


def _functions(graph: CallGraph, ways: Ways, found: dict[int, list[MatchingLine]]) -> list[MatchingFunction]:
    way_hops = WayHops(graph, ways)
    rows = []
    for index, lines in found.items():
        rows.append(
            MatchingFunction(
                function=graph.function_names[index],
                file=graph.texts[graph.function_file[index]],
                line=graph.function_line[index],
                distance=ways.distance[index],
                certainty=ways.certainty(index),
                importing=ways.importing[index],
                matches=lines,
                path=way_hops.to(index),
            )
        )
    return sorted(rows, key=lambda row: (row.distance, row.file, row.line, row.function))


def _notes(unread: list[str], unparsed: list[str], untold: list[str]) -> Iterator[str]:
    if unread:
        yield f"{_files(unread)} cannot be read any more, or changed since it was analyzed: not searched"
    if unparsed:
        yield (
            f"{_files(unparsed)} has matches of which it is not known what function they are in: this Python cannot "
            f"parse it"
        )
    if untold:
        yield f"{_files(untold)} cannot be split into code, strings and comments: all of it was searched"


def _files(files: list[str]) -> str:
    """The files, so that a sentence about one of them can follow."""
    named = ", ".join(files[:_FILES_NAMED]) + (", ..." if len(files) > _FILES_NAMED else "")
    return f"1 file ({named})" if len(files) == 1 else f"each of {len(files)} files ({named})"
