"""`diff`: what one question answers in two versions, compared by names and paths, not by lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deepgrep.graph.paths import Route
from deepgrep.questions.answers import Lead, NativeExitRef, Path
from deepgrep.questions.diff_accesses import compare_accesses
from deepgrep.questions.diff_answers import (
    Change,
    DiffAnswer,
    Difference,
    DiffSide,
    HopDiff,
    Moved,
    PathDiff,
    TargetDiff,
    TrustDiff,
)
from deepgrep.questions.diff_chops import compare_chops
from deepgrep.questions.diff_moves import moves
from deepgrep.questions.diff_names import Renamed, compared_name
from deepgrep.questions.diff_reasons import Reasons, called_at
from deepgrep.questions.diff_sides import Question, Side, Version, ask_both
from deepgrep.questions.diff_walks import Step, Walk, standing, walk
from deepgrep.questions.reach import LOWER_BOUND, NO_CUT
from deepgrep.questions.scopes import Scopes

_Row = TypeVar("_Row", Lead, NativeExitRef)


@dataclass(frozen=True, slots=True)
class Compared:
    """A question asked of two versions: what was found in each, the answer, and what a drawing needs besides."""

    before: Side
    after: Side
    renamed: Renamed
    answer: DiffAnswer


def diff(before: Version, after: Version, question: Question) -> DiffAnswer:
    """Ask a question of two versions, and compare the answers.

    Args:
        before: the earlier version.
        after: the later one.
        question: what is asked of both.

    Raises:
        DeepgrepError: the root or the target is in neither, or the question cannot be asked for another reason.
    """
    return compare(before, after, question).answer


def compare(before: Version, after: Version, question: Question) -> Compared:
    """The same, with what was found in each; arguments as of `diff`."""
    old, new, notes = ask_both(before, after, question)
    renamed = _renamed(old, new)
    return Compared(old, new, renamed, _answer(old, new, renamed, notes))


def _answer(old: Side, new: Side, renamed: Renamed, notes: list[str]) -> DiffAnswer:
    target = _target(old, new)
    accesses = compare_accesses(old, new, renamed)
    gone, _ = _paths(old, new, renamed, is_later=False)
    paths, hops = _paths(new, old, renamed, is_later=True)
    chop = compare_chops(old, new, renamed) if old.findings and new.findings else None
    trust = _trust(old, new, renamed)
    same = (
        _said(old).verdict == _said(new).verdict
        and old.missing == new.missing
        and target is None
        and all(access.change is Change.SAME for access in accesses)
        and all(path.change is Change.SAME for path in (*gone, *paths))
        and not hops
        and (chop is None or chop.is_same)
        and trust.is_same
    )
    return DiffAnswer(
        same=same,
        before=_said(old),
        after=_said(new),
        target=target,
        moved=renamed.moved,
        accesses=accesses,
        paths=[*(path for path in gone if path.change is Change.GONE), *paths],
        hops=hops,
        chop=chop,
        trust=trust,
        notes=notes,
    )


def _said(side: Side) -> DiffSide:
    graph, answer = side.version.graph, side.answer
    root = side.root.ref if side.root is not None else None
    target = side.target.ref if side.target is not None else None
    if answer is None:
        return DiffSide(sources=graph.sources, root=root, target=target, verdict=None, missing=side.missing)
    return DiffSide(
        sources=answer.sources,
        root=root,
        target=target,
        verdict=answer.verdict,
        path_count=answer.path_count,
        path_count_exact=answer.path_count_exact,
        functions=len(answer.chop.functions),
        edges=answer.chop.edges,
        lead_count=answer.lead_count,
        native_exits=len(answer.native_exits),
        open_calls=answer.open_calls,
        blind_spots=answer.blind_spots,
        filters=answer.filters,
        notes=[note for note in answer.notes if note not in (LOWER_BOUND, NO_CUT)],
    )


def _renamed(old: Side, new: Side) -> Renamed:
    """What is called otherwise: of what lies on paths, and accesses the target."""
    gone, gone_shown = _only(old, new)
    added, added_shown = _only(new, old)
    found = moves(old.version, new.version, gone, added, gone_shown)
    # What is shown of the later version can have been elsewhere, and on no path.
    left = added_shown - {one.after for one in found}
    known = {one.before for one in found}
    back = [one for one in moves(new.version, old.version, left, (), left) if one.after not in known]
    return Renamed(sorted([*found, *(Moved(one.after, one.before, one.exact) for one in back)], key=_by_name))


def _by_name(one: Moved) -> str:
    return one.before


def _only(side: Side, other: Side) -> tuple[set[str], set[str]]:
    """The functions on paths that the other version does not have; and those on paths that are shown."""
    sites = side.target.sites if side.target is not None else []
    shown = {side.graph.function_names[site.function] for site in sites}
    shown.update(side.graph.function_names[function] for route in side.routes for function in route)
    whole = shown | side.names.keys() - other.names.keys()
    missing = {name for name in whole if "<one of " not in name and not other.version.has(name)}
    return missing, shown & missing


def _target(old: Side, new: Side) -> TargetDiff | None:
    """How the target itself changed."""
    if old.target is None or new.target is None:
        return None
    before, after = old.target.ref, new.target.ref
    what = []
    if before.name != after.name:
        what.append(f"it was {before.name}, and is {after.name}")
    if before.kind != after.kind:
        what.append(f"it was a {before.kind}, and is a {after.kind}")
    if before.scope != after.scope:
        reasons = {_scope_reason(new), _scope_reason(old)} - {""}
        why = f": {' and '.join(sorted(reasons))}" if reasons else ""
        what.append(f"it was one for each {before.scope}, and is one for each {after.scope}{why}")
    return TargetDiff(before, after, what) if what else None


def _scope_reason(side: Side) -> str:
    """What the scope of the target rests on, where its kind does not say it."""
    assert side.target is not None
    graph = side.version.graph
    states = [graph.state(number) for number in graph.states_named(side.target.ref.name)]
    return Scopes(graph).reason(states[0]) if states else ""


def _paths(side: Side, other: Side, renamed: Renamed, *, is_later: bool) -> tuple[list[PathDiff], list[HopDiff]]:
    """The paths that a version shows, each with what the other has of it; and how their hops changed."""
    if side.findings is None or side.answer is None:
        return [], []
    reasons = Reasons(side, other, renamed, is_later)
    paths: list[PathDiff] = []
    hops: dict[tuple[str, str], HopDiff] = {}
    for route, path in zip(side.routes, side.answer.paths, strict=True):
        found = Walk([], [], []) if other.reached is None else walk(side, route, other, renamed, is_later=is_later)
        for step, edge in found.followed:
            if (changed := _hop(side, step, other, edge, renamed)) is not None:
                hops.setdefault((changed.caller, changed.callee), changed)
        differs = reasons.all(route, found, len(path.hops))
        paths.append(_path(side, other, route, path, renamed, differs, is_later=is_later))
    return paths, list(hops.values())


def _path(
    side: Side, other: Side, route: Route, path: Path, renamed: Renamed, differs: list[Difference], *, is_later: bool
) -> PathDiff:
    names = {hop.function: renamed.other(hop.function, is_later=is_later) for hop in path.hops}
    last = renamed.other(compared_name(side.graph, route[-1]), is_later=is_later)
    change = Change.SAME if not differs else Change.NEW if is_later else Change.GONE
    return PathDiff(
        change=change,
        path=path,
        lines=[side.version.line(hop.file, hop.call_line) for hop in path.hops],
        moved={name: there for name, there in names.items() if name != there},
        differs=differs,
        otherwise=bool(differs) and any(compared_name(other.graph, goal) == last for goal in other.goals),
    )


def _hop(side: Side, step: Step, other: Side, other_edge: int, renamed: Renamed) -> HopDiff | None:
    """How a call of the later version stands to that of the earlier; None where they are alike."""
    graph, edge = side.graph, step.edge
    after, before = standing(graph, edge), standing(other.graph, other_edge)
    if after[:3] == before[:3]:
        return None
    calls: list[list[str]] = [[], []]
    if after[2] != before[2]:
        calls[0] = [
            renamed.other(name, is_later=False)
            for name in called_at(other.graph, [other.graph.caller(other_edge)], before[3])
        ]
        calls[1] = called_at(graph, [graph.caller(edge)], after[3])
    files = [
        one.texts[one.function_file[one.caller(number)]] for one, number in ((other.graph, other_edge), (graph, edge))
    ]
    return HopDiff(
        caller=compared_name(graph, step.caller),
        callee=compared_name(graph, step.callee),
        before_conditions=before[0],
        after_conditions=after[0],
        before_locks=before[1],
        after_locks=after[1],
        before_certainty=before[2],
        after_certainty=after[2],
        before=other.version.line(files[0], before[3]),
        after=side.version.line(files[1], after[3]),
        calls_gone=[name for name in calls[0] if name not in calls[1]],
        calls_new=[name for name in calls[1] if name not in calls[0]],
    )


def _trust(old: Side, new: Side, renamed: Renamed) -> TrustDiff:
    """What null results rest on that only one version has; nothing where one of them has a path."""
    if not all(side.answer is not None and not side.answer.paths for side in (old, new)):
        return TrustDiff()

    def lead(side: Side) -> Callable[[Lead], object]:
        return lambda row: (_later(renamed, row.function, side is new), row.expression, row.reason)

    def native(row: NativeExitRef) -> object:
        return row.callee

    leads = [side.answer.leads if side.answer is not None else [] for side in (old, new)]
    exits = [side.answer.native_exits if side.answer is not None else [] for side in (old, new)]
    return TrustDiff(
        leads_new=_missing(leads[1], lead(new), leads[0], lead(old)),
        leads_gone=_missing(leads[0], lead(old), leads[1], lead(new)),
        native_exits_new=_missing(exits[1], native, exits[0], native),
        native_exits_gone=_missing(exits[0], native, exits[1], native),
        open_calls_before=old.answer.open_calls if old.answer is not None else 0,
        open_calls_after=new.answer.open_calls if new.answer is not None else 0,
    )


def _later(renamed: Renamed, name: str, is_later: bool) -> str:
    return name if is_later else renamed.other(name, is_later=False)


def _missing(
    rows: Sequence[_Row], key: Callable[[_Row], object], others: Sequence[_Row], other_key: Callable[[_Row], object]
) -> list[_Row]:
    """Those of some rows that are not among others; of those that are alike, the first."""
    known = {other_key(row) for row in others}
    return list({key(row): row for row in reversed(rows) if key(row) not in known}.values())[::-1]
