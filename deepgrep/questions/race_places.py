"""The places that access a state, and its windows, as `race` lists them: with locks, values and entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.questions.guards import conditions
from deepgrep.questions.lock_sets import NO_LOCKS, Locks
from deepgrep.questions.parts import Parts
from deepgrep.questions.race_answers import EntryPoint, Lock, RaceAccess, Window
from deepgrep.questions.race_threads import Threads
from deepgrep.questions.statements import Statements, last_name
from deepgrep.questions.targets import Site, resolve_target
from deepgrep.questions.windows import RawWindow, bodies, calls_within, windows, with_told_restores, with_uses

_ENTRIES = 3
_DOUBT = list(Certainty)
_CALLS = (Via.CALL, Via.PROPERTY, Via.CALLBACK)
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__setstate__")
AccessOrWindow = TypeVar("AccessOrWindow", RaceAccess, Window)


@dataclass(frozen=True, slots=True)
class Places:
    """What accesses a state.

    Attributes:
        writers, readers: the functions that do so after import.
    """

    accesses: list[RaceAccess]
    windows: list[Window]
    writers: tuple[int, ...]
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """An access, or a call of a function that reads the state and returns it."""

    site: Site
    through: int = -1
    handed_on: bool = False


def places(state: str, statements: Statements, threads: Threads) -> Places:
    """What accesses a state.

    Args:
        state: its full name.
        statements: the source.
        threads: what the threads can do that are asked about.
    """
    graph = threads.graph
    sites = [
        site
        for access in (AccessKind.WRITE, AccessKind.READ)
        for site in resolve_target(graph, state, access).sites
        if threads.happens(site)
    ]
    sites = with_told_restores(graph, sites, statements)
    found = list(_with_getters(graph, sites, statements, state, threads.takes))
    functions = list(dict.fromkeys(place.site.function for place in found))
    threads.find_routes(functions)
    locks = Locks(graph)
    before = locks.on_every_path(functions, threads.is_start, threads.takes)
    parts = Parts(graph, statements, state)
    accesses = [_access(graph, place, statements, state, parts, locks, before, threads) for place in found]
    raw = windows(bodies(graph, sites), statements, parts)
    later = [
        place.site for place, row in zip(found, accesses, strict=True) if not row.at_import and not place.handed_on
    ]
    return Places(
        merged(accesses),
        [_window(graph, window, statements, state, parts, locks, before, threads) for window in raw],
        tuple(dict.fromkeys(site.function for site in later if site.access is AccessKind.WRITE)),
        tuple(dict.fromkeys(site.function for site in later if site.access is AccessKind.READ)),
    )


def merged(accesses: Iterable[RaceAccess]) -> list[RaceAccess]:
    """Accesses by file and line; what was found for several contexts or roots is one, with the locks of all."""
    rows: dict[tuple[str, int, str, str, str, bool, str, tuple[int, ...]], RaceAccess] = {}
    for row in accesses:
        # Code that was typed is another file for each root.
        own = tuple(row.roots) if row.file.startswith("<") else ()
        key = row.file, row.line, row.function, row.access, row.form, row.restore, row.through, own
        known = rows.get(key)
        if known is not None:
            row = replace(
                together(known, row),
                is_sure=known.is_sure or row.is_sure,
                handed_on=known.handed_on and row.handed_on,
            )
        rows[key] = row
    return [rows[key] for key in sorted(rows)]


def together(known: AccessOrWindow, other: AccessOrWindow) -> AccessOrWindow:
    """One place that is found from the roots of two: under the locks that both hold."""
    roots = sorted({*known.roots, *other.roots})
    return replace(
        known,
        locks=[lock for lock in known.locks if lock in other.locks],
        roots=roots,
        entries=nearest_entries([*known.entries, *other.entries], len(roots)),
    )


def nearest_entries(entries: Iterable[EntryPoint], roots: int) -> list[EntryPoint]:
    """The best of some entry points, each once; all of them, where they are roots."""
    best: dict[str, EntryPoint] = {}
    for entry in sorted(entries, key=lambda entry: (_DOUBT.index(entry.certainty), entry.distance, entry.name)):
        best.setdefault(entry.name, entry)
    return list(best.values())[: max(_ENTRIES, roots)]


def _with_getters(
    graph: CallGraph, sites: Sequence[Site], statements: Statements, state: str, takes: Callable[[int, int], bool]
) -> Iterator[_Place]:
    """The accesses; and for a function that only returns what it reads, the calls of it, which are the readers."""
    waiting = [_Place(site) for site in sites]
    seen: set[int] = set()
    for place in waiting:  # grows as it is walked
        site, function = place.site, place.site.function
        name = last_name(state) if place.through < 0 else graph.texts[graph.function_last[place.through]]
        file = graph.texts[graph.function_file[function]]
        if site.access is not AccessKind.READ or not statements.hands_on(file, site.line, name):
            yield place
            continue
        calls = [
            (edge, graph.edge(edge)) for edge in graph.in_edges(function) if KINDS[graph.edge_kind[edge]][0] in _CALLS
        ]
        taken = [(edge, row) for edge, row in calls if row.caller != function and takes(row.caller, edge)]
        yield _Place(site, place.through, handed_on=bool(taken))
        for edge, row in taken:
            if edge in seen:
                continue
            seen.add(edge)
            sure = site.is_sure and row.certainty is Certainty.CERTAIN
            read = Site(row.caller, row.line, AccessKind.READ, "call", False, row.guard, edge, is_sure=sure)
            waiting.append(_Place(read, function))


def _access(
    graph: CallGraph,
    place: _Place,
    statements: Statements,
    state: str,
    parts: Parts,
    locks: Locks,
    before: dict[int, frozenset[Lock]],
    threads: Threads,
) -> RaceAccess:
    site = place.site
    function = graph.function(site.function)
    is_write = site.access is AccessKind.WRITE
    return RaceAccess(
        function=function.name,
        file=function.file,
        line=site.line,
        access=site.access,
        form=site.form,
        restore=site.restore,
        value=statements.written(function.file, site.line, state) if is_write else "",
        part=parts.of(site) if place.through < 0 else "",
        through=graph.function_names[place.through] if place.through >= 0 else "",
        handed_on=place.handed_on,
        at_import=_before_sharing(graph, site.function, state),
        is_sure=site.is_sure,
        conditions=conditions(graph, site.guard),
        locks=_sorted(before.get(site.function, NO_LOCKS) | locks.at(site.function, site.guard)),
        entries=threads.entries(site.function),
        roots=threads.roots,
    )


def _before_sharing(graph: CallGraph, function: int, state: str) -> bool:
    """Whether a function runs before other threads can see a state: its own module's body, or its object's maker."""
    name = graph.function_names[function]
    if name.endswith(".<module>"):
        return state.startswith(f"{name.removesuffix('<module>')}")
    owner, _, last = name.rpartition(".")
    return last in _CONSTRUCTORS and state.rpartition(".")[0] == owner


def _window(
    graph: CallGraph,
    window: RawWindow,
    statements: Statements,
    state: str,
    parts: Parts,
    locks: Locks,
    before: dict[int, frozenset[Lock]],
    threads: Threads,
) -> Window:
    opens, closes, start = window.opens, window.closes, window.start
    held = NO_LOCKS
    if start is window.end:
        ends = locks.around(closes.function, closes.guard)
        within = {lock for guard, lock in locks.around(opens.function, opens.guard).items() if guard in ends}
        held = before.get(opens.function, NO_LOCKS) | within
    value = statements.written(start.file, opens.line, state) if window.writes else ""
    return Window(
        function=start.name,
        file=start.file,
        line=opens.line,
        part=parts.of(closes),
        save_line=window.save_line,
        end_function=window.end.name,
        end_file=window.end.file,
        end_line=closes.line,
        writes=window.writes,
        value=value,
        locks=_sorted(held),
        calls=calls_within(graph, window),
        uses=with_uses(graph, window, statements, threads.takes),
        conditions=conditions(graph, opens.guard),
        entries=threads.entries(opens.function),
        roots=threads.roots,
    )


def _sorted(locks: Iterable[Lock]) -> list[Lock]:
    return sorted(locks, key=lambda lock: lock.name)
