"""`effects`: all shared state that the root can change, or depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Source, Via
from deepgrep.graph.slices import ForwardSlice
from deepgrep.graph.ways import Ways, shortest_ways, surest_ways, ways_by_stops
from deepgrep.questions.answers import NativeExitRef, Path, Removed, RootRef
from deepgrep.questions.asked import asked
from deepgrep.questions.evidence import imported_before, removed
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.guards import conditions
from deepgrep.questions.hops import WayHops, hop
from deepgrep.questions.leads import count_blind_spots, native_exits
from deepgrep.questions.roots import Root, resolve_root
from deepgrep.questions.shared_state import INSTANCE, STATE_KINDS, Packages
from deepgrep.questions.touched import Touch, Touched, is_restore, is_restored, touched_states

_CERTAINTIES = list(Certainty)


class EffectPlace(msgspec.Struct, frozen=True):
    """One reached place that changes (or reads) a state."""

    function: str
    file: str
    line: int
    form: str
    restore: bool
    conditions: list[str]


class Effect(msgspec.Struct, frozen=True):
    """A state that the root can change (or depends on).

    Attributes:
        name, kind, scope: as of a state; the scope says for whom a change is visible.
        package: the one that the state is part of.
        certainty, distance: of the surest and shortest way to a place that does it; the distance in calls.
        importing: whether that way goes through an import: it is taken the first time only.
        elsewhere: whether only a process that the root starts changes it, and not this one.
        restored: each function that changes it also puts back what was there, itself or in a function beside it (of
            the same class, or in the same function) that is reached too. Always false for reads.
        places: every reached place, the surest and nearest first.
        path: the surest and shortest one; its last hop is the place.
    """

    name: str
    kind: str
    scope: str
    package: str
    certainty: Certainty
    distance: int
    importing: bool
    restored: bool
    elsewhere: bool
    places: list[EffectPlace]
    path: Path


class EffectCount(msgspec.Struct, frozen=True):
    """How many states of one kind and package there are, how many of them for certain, how many restored.

    What only another process changes is not among them.
    """

    kind: str
    scope: str
    package: str
    states: int
    certain: int
    restored: int


class EffectsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `effects` (`deepgrep-effects/1`).

    Attributes:
        access: `write` for what is changed, `read` for what is depended on.
        counts: of all states, by kind, scope and package.
        effects: the states, by kind; of a kind what is certain and near comes first, and last what only another
            process changes.
        elsewhere: how many states only a process changes that the root starts.
        imports: the modules that may be imported on the way, which defines all that is in them.
        filters, removed, assumptions: as of `reach`.
    """

    schema: Literal["deepgrep-effects/1"] = "deepgrep-effects/1"
    sources: list[Source]
    root: RootRef
    access: AccessKind
    counts: list[EffectCount]
    effects: list[Effect]
    imports: list[str]
    native_exits: list[NativeExitRef]
    blind_spots: int
    reached_functions: int
    skipped: list[Skipped]
    notes: list[str]
    filters: list[str] = []
    removed: list[Removed] = []
    assumptions: list[str] = []
    elsewhere: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """A state that is touched, and what is said of it."""

    touched: Touched
    best: Touch
    package: str
    restored: bool
    elsewhere: bool

    @property
    def order(self) -> tuple[bool, int, Touch, str]:
        return self.elsewhere, STATE_KINDS.index(self.touched.state.kind), self.best, self.touched.state.name


def effects(
    graph: CallGraph,
    root: str,
    access: AccessKind = AccessKind.WRITE,
    nearest: int | None = None,
    filters: Filters = NO_FILTERS,
) -> EffectsAnswer:
    """The shared state that `root` can change, or what it depends on.

    What a constructor does to the object that it makes is no change of shared state. A read counts where something
    can have changed what is read.

    Args:
        graph: the analyzed sources.
        root: a name, Python code, or the path of a script.
        access: WRITE or READ.
        nearest: how many states of each kind to give, and of those that only another process changes, the surest and
            nearest, and no instance attributes; None for all. The counts are of all.
        filters: what is left out. Where the length of paths is limited, the shortest are given, not the surest.

    Raises:
        DeepgrepError: a name means nothing, or several things; or the filters contradict each other.
    """
    question = asked(resolve_root(graph, root), filters)
    graph, start, reached = question.graph, question.root, question.reached
    ways = _ways(graph, reached)
    found = _found(graph, reached, ways, access)
    return EffectsAnswer(
        sources=graph.sources,
        root=start.ref,
        access=access,
        counts=_counts(found),
        effects=_effects(graph, ways, found if nearest is None else _first_of_each_kind(found, nearest)),
        imports=_imports(graph, ways, start),
        native_exits=native_exits(graph, reached),
        blind_spots=count_blind_spots(graph, reached)[0],
        reached_functions=len(reached.order),
        skipped=graph.skipped,
        notes=question.notes,
        filters=question.filters.said(graph, reached),
        removed=removed(graph, reached),
        assumptions=imported_before(start, reached),
        elsewhere=sum(row.elsewhere for row in found),
    )


def _ways(graph: CallGraph, reached: ForwardSlice) -> Ways:
    most = reached.restriction.most_calls
    if most is None:
        return ways_by_stops(graph, reached, lambda part, before: surest_ways(graph, part, before))
    return ways_by_stops(graph, reached, lambda part, before: shortest_ways(graph, part, before, most))


def _found(graph: CallGraph, reached: ForwardSlice, ways: Ways, access: AccessKind) -> list[_Found]:
    """The states; what is changed by this process without the places where another one, started by it, does so.

    What another process reads is what this one has at that moment, so the root depends on it all the same.
    """
    packages = Packages(graph)
    is_write = access is AccessKind.WRITE
    rows = []
    for one in touched_states(graph, reached, ways, access):
        elsewhere = is_write and one.best.elsewhere
        if is_write and not elsewhere:
            one = replace(one, touches=[touch for touch in one.touches if not touch.elsewhere])
        restored = is_write and is_restored(graph, reached, one)
        rows.append(_Found(one, one.best, packages.of(one.state.name), restored, elsewhere))
    return sorted(rows, key=lambda row: row.order)


def _first_of_each_kind(found: list[_Found], count: int) -> list[_Found]:
    by_kind: dict[str, list[_Found]] = {}
    for row in found:
        if row.touched.state.kind != INSTANCE:
            by_kind.setdefault("" if row.elsewhere else row.touched.state.kind, []).append(row)
    return [row for rows in by_kind.values() for row in rows[:count]]


def _counts(found: list[_Found]) -> list[EffectCount]:
    groups: dict[tuple[str, str, str], list[_Found]] = {}
    for row in found:
        if row.elsewhere:
            continue
        state = row.touched.state
        groups.setdefault((state.kind, state.scope, row.package), []).append(row)
    counts = [
        EffectCount(
            kind,
            scope,
            package,
            states=len(group),
            certain=sum(_CERTAINTIES[row.best.doubt] is Certainty.CERTAIN for row in group),
            restored=sum(row.restored for row in group),
        )
        for (kind, scope, package), group in groups.items()
    ]
    return sorted(counts, key=lambda row: (STATE_KINDS.index(row.kind), row.scope, -row.states, row.package))


def _effects(graph: CallGraph, ways: Ways, found: list[_Found]) -> list[Effect]:
    way_hops = WayHops(graph, ways)

    def hops(touch: Touch) -> Path:
        certainty = _CERTAINTIES[touch.doubt]
        line, guard = graph.access_line[touch.number], graph.access_guard[touch.number]
        own = Certainty.CERTAIN if ways.certainty(touch.function) is certainty else certainty
        return Path(certainty, [*way_hops.to(touch.function), hop(graph, touch.function, line, Via.CALL, own, guard)])

    return [
        Effect(
            name=row.touched.state.name,
            kind=row.touched.state.kind,
            scope=row.touched.state.scope,
            package=row.package,
            certainty=_CERTAINTIES[row.best.doubt],
            distance=row.best.distance,
            importing=row.best.importing,
            restored=row.restored,
            elsewhere=row.elsewhere,
            places=_places(graph, row.touched),
            path=hops(row.best),
        )
        for row in found
    ]


def _places(graph: CallGraph, touched: Touched) -> list[EffectPlace]:
    """The accesses, those of a function's contexts as one."""
    found: dict[tuple[str, int, str, bool], EffectPlace] = {}
    for touch in sorted(touched.touches):
        place = EffectPlace(
            function=graph.function_names[touch.function],
            file=graph.texts[graph.function_file[touch.function]],
            line=graph.access_line[touch.number],
            form=graph.texts[graph.access_form[touch.number]],
            restore=is_restore(graph, touch.number),
            conditions=conditions(graph, graph.access_guard[touch.number]),
        )
        found.setdefault((place.function, place.line, place.form, place.restore), place)
    return list(found.values())


def _imports(graph: CallGraph, ways: Ways, root: Root) -> list[str]:
    """The modules whose bodies may run, the root's own aside."""
    return sorted(
        graph.module(function)
        for function in ways.entering
        if function not in root.functions
        and not ways.elsewhere[function]
        and graph.texts[graph.function_last[function]] == "<module>"
    )
