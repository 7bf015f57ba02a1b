"""What reports of `diff` say in sentences, for every form; `name` writes a name as that form needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import zip_longest

from deepgrep.questions.answers import FOUND, Verdict
from deepgrep.questions.diff_answers import (
    AccessDiff,
    Change,
    ChopDiff,
    DiffAnswer,
    DiffSide,
    HopDiff,
    PathDiff,
    TargetDiff,
)
from deepgrep.reports.words import DO, DOES, clean, local_name, not_there, plural, root_name

Name = Callable[[str], str]

# How many functions a filter keeps out differs between versions, and is not worth two lines.
_NUMBER = re.compile(r"\b\d[\d,]*(?= reached)")


def diff_sentence(answer: DiffAnswer, name: Name = clean) -> str:
    """What became of the verdict, of paths and of accesses, in plain words on one line."""
    before, after = answer.before, answer.after
    root, target = after.root or before.root, after.target or before.target
    asked = f"from {root_name(root, name)} to " if root is not None else ""
    asked += f"code that {DOES[target.access]} {name(target.name)}" if target is not None else "the target"
    if before.verdict is None or after.verdict is None or before.verdict != after.verdict:
        said = f"{_verdict(before)} before, {_verdict(after)} after, {asked}"
    else:
        said = f"{after.verdict} in both, {asked}"
    if answer.same:
        return f"{said}, and what lies on paths is the same"
    differs = _what_differs(answer)
    return f"{said}; {', '.join(differs)}" if differs else said


def _what_differs(answer: DiffAnswer) -> list[str]:
    """All that differs beside the verdicts, what matters most first."""
    target = answer.after.target or answer.before.target
    said = [_target_change(answer.target)] if answer.target is not None else []
    said += [
        f"{plural(count, noun)} {change}"
        for noun, changes in (
            ("path", [path.change for path in answer.paths]),
            (_place_noun(target.access) if target is not None else "place", [one.change for one in answer.accesses]),
            ("hop", [Change.CHANGED for _ in answer.hops]),
        )
        for change in (Change.GONE, Change.NEW, Change.CHANGED)
        if (count := changes.count(change))
    ]
    if said:
        return said
    if answer.chop is not None and not answer.chop.is_same:
        gone, new = len(answer.chop.functions_gone), len(answer.chop.functions_new)
        if gone or new:
            are = "is" if new == 1 else "are"
            return [f"the paths shown are the same, but {_are(gone)} on no path any more, {new:,} newly {are}"]
        gone, new = len(answer.chop.edges_gone), len(answer.chop.edges_new)
        return [f"the paths shown are the same, but {plural(gone, 'edge')} on paths gone, {new:,} new"]
    return [] if answer.trust.is_same else ["what could not be followed is not the same"]


def _are(functions: int) -> str:
    return f"{plural(functions, 'function')} {'is' if functions == 1 else 'are'}"


def _target_change(target: TargetDiff) -> str:
    before, after = target.before, target.after
    if before.kind != after.kind:
        return f"the target is a {after.kind} now, and was a {before.kind}"
    if before.scope != after.scope:
        return f"the target is one for each {after.scope} now, and was one for each {before.scope}"
    return "the target has another name"


def _place_noun(access: str) -> str:
    return {"write": "writing place", "read": "reading place", "call": "calling place"}[access]


def _verdict(side: DiffSide) -> str:
    return side.verdict.value if side.verdict is not None else not_there(side.missing)


def side_sentence(side: DiffSide) -> str:
    """What one version answers: verdict and size, or what is not there."""
    if side.verdict is None:
        return f"cannot be asked: {not_there(side.missing)}"
    if side.verdict in FOUND:
        count = plural(side.path_count, "path")
        count = count if side.path_count_exact else f"at least {count}"
        return f"{side.verdict}: {count}, made of {plural(side.functions, 'function')}, {plural(side.edges, 'edge')}"
    counts = [plural(side.lead_count, "lead"), plural(side.native_exits, "native exit")]
    return f"{side.verdict}: {', '.join(counts)}, {plural(side.open_calls, 'other open call')}"


def both_filters(answer: DiffAnswer) -> list[str]:
    """What the question leaves out; where it means another thing in a version, with which."""
    before, after = ({_NUMBER.sub("", said): said for said in side.filters} for side in (answer.before, answer.after))
    return [
        *(said if key in before or not before else f"after: {said}" for key, said in after.items()),
        *(said if not after else f"before: {said}" for key, said in before.items() if key not in after),
    ]


def accesses_sentence(answer: DiffAnswer) -> str:
    """How many places access the target in each version, and how many of them are gone, new or changed."""
    target = answer.after.target or answer.before.target
    assert target is not None
    before = sum(one.before is not None for one in answer.accesses)
    after = sum(one.after is not None for one in answer.accesses)
    do, does = DO[target.access], DOES[target.access]
    changes = [one.change for one in answer.accesses]
    counts = [
        f"{count:,} {change}"
        for change in (Change.GONE, Change.NEW, Change.CHANGED)
        if (count := changes.count(change))
    ]
    said = f"{plural(before, 'place')} {does if before == 1 else do} it before, {after:,} after"
    return f"{said}: {', '.join(counts)}" if counts else f"{said}, the same"


def access_what(one: AccessDiff) -> str:
    """What changed of an access, as a remark after its form."""
    if one.before is None or one.after is None:
        return ""
    said = []
    for what in one.what:
        match what:
            case "reached":
                said.append("is reached now" if one.after.reached else "was reached before")
            case "form":
                said.append(f"was {one.before.form}")
            case "restore":
                said.append("was no restore" if one.after.restore else "was a restore")
            case "conditions":
                before, after = _conditions(one.before.conditions), _conditions(one.after.conditions)
                said.append(f"stood under {before}, and stands under {after}")
            case "sure":
                said.append("is surely the target now" if one.after.is_sure else "was surely the target")
    return f"; {'; '.join(said)}" if said else ""


def _conditions(conditions: Iterable[str]) -> str:
    return "; ".join(conditions) or "none"


def path_sentence(path: PathDiff) -> str:
    """What a path is like, and what becomes of the place that it leads to."""
    said = f"{path.path.certainty}, {plural(len(path.path.hops) - 1, 'hop')}, to {clean(ends_in(path))}"
    if path.change is Change.SAME:
        return said
    there = "after" if path.change is Change.GONE else "before"
    return f"{said}; {there}, {'other paths end' if path.otherwise else 'no path ends'} there"


def ends_in(path: PathDiff) -> str:
    """The function that a path ends in."""
    last = path.path.hops[-1]
    return local_name(last.function, last.file)


def rest_as_in(answer: DiffAnswer, path: PathDiff) -> int | None:
    """From which hop on a new path is one of those that are gone; None where that is not worth saying."""
    if path.change is not Change.NEW:
        return None
    mine = [path.moved.get(hop.function, hop.function) for hop in path.path.hops]
    best = len(mine)
    for other in answer.paths:
        if other.change is Change.GONE:
            theirs = [hop.function for hop in other.path.hops]
            same = 0
            for one, another in zip_longest(reversed(mine), reversed(theirs)):
                if one != another:
                    break
                same += 1
            best = min(best, len(mine) - same)
    best = max(best, max(differs.hop for differs in path.differs) + 1)
    return best if len(mine) - best >= _WORTH_FOLDING else None


_WORTH_FOLDING = 3
_CALLS_SHOWN = 3


def hop_what(hop: HopDiff) -> list[str]:
    """What changed of a hop that both versions have."""
    said = []
    if hop.before_conditions != hop.after_conditions:
        gone = [one for one in hop.before_conditions if one not in hop.after_conditions]
        new = [one for one in hop.after_conditions if one not in hop.before_conditions]
        if gone:
            said.append(f"no longer when {'; '.join(gone)}")
        if new:
            said.append(f"now when {'; '.join(new)}")
        if not gone and not new:
            said.append(f"the same conditions in another order: {'; '.join(hop.after_conditions)}")
    if hop.before_locks != hop.after_locks:
        said.append(f"was holding {_held(hop.before_locks)}, is holding {_held(hop.after_locks)}")
    if hop.before_certainty != hop.after_certainty:
        said.append(f"was {hop.before_certainty}, is {hop.after_certainty}")
    for how, names in (("can no longer call", hop.calls_gone), ("can now also call", hop.calls_new)):
        if names:
            more = f" and {len(names) - _CALLS_SHOWN:,} more" if len(names) > _CALLS_SHOWN else ""
            said.append(f"{how} {', '.join(names[:_CALLS_SHOWN])}{more}")
    return said


def _held(locks: Iterable[str]) -> str:
    return ", ".join(locks) or "no lock"


def chop_sentences(chop: ChopDiff) -> list[str]:
    """What lies on paths in one version only."""
    both = f"{plural(chop.functions_same, 'function')} and {plural(chop.edges_same, 'edge')}"
    if chop.is_same:
        return [f"the same {both} in both"] if chop.functions_same else ["nothing in both"]
    gone, new = len(chop.functions_gone), len(chop.functions_new)
    said = [f"{plural(chop.functions_same, 'function')} in both; {gone:,} before only, {new:,} after only"]
    defined = [
        f"{count:,} of those {what}"
        for count, what in ((len(chop.defined_gone), "no longer defined"), (len(chop.defined_new), "newly defined"))
        if count
    ]
    if defined:
        said[0] += f"; {', '.join(defined)}"
    beside = chop.edges_beside_gone + chop.edges_beside_new
    if chop.functions_same:
        also = f"; {beside:,} begin or end at a function that is in one only" if beside else ""
        said.append(
            f"of the edges between those in both {chop.edges_same:,} are the same, {len(chop.edges_gone):,} gone, "
            f"{len(chop.edges_new):,} new{also}"
        )
    return said


def chop_rows(chop: ChopDiff, most: int, name: Name = clean) -> list[str]:
    """Each function that lies on paths in one version only, and each edge between those in both, at most so many."""
    functions = (
        ("-", chop.functions_gone, chop.defined_gone, "no longer defined"),
        ("+", chop.functions_new, chop.defined_new, "newly defined"),
    )
    rows = [
        f"{sign} {name(one)}{f', {what}' if one in defined else ''}"
        for sign, names, defined, what in functions
        for one in names
    ]
    edges = (("-", chop.edges_gone), ("+", chop.edges_new))
    rows += [f"{sign} {name(one.caller)} → {name(one.callee)}" for sign, found in edges for one in found]
    return rows if len(rows) <= most else [*rows[:most], f"… {len(rows) - most:,} more: --format json lists all"]


def packages_of(names: Iterable[str]) -> Iterable[str]:
    """The packages of functions, by the first two parts of their names."""
    return (".".join(name.split(".")[:2]) for name in names)


def trust_sentences(answer: DiffAnswer) -> list[str]:
    """How much more or less a null result can be trusted."""
    trust, verdicts = answer.trust, (answer.before.verdict, answer.after.verdict)
    said = []
    if verdicts == (Verdict.EXCLUDED, Verdict.NO_PATH):
        said.append("the target was excluded; now calls remain that could not be followed")
    if verdicts == (Verdict.NO_PATH, Verdict.EXCLUDED):
        said.append("calls remained that could not be followed; now the target is excluded")
    for noun, gone, new in (
        ("leads", trust.leads_gone, trust.leads_new),
        ("native functions without a model", trust.native_exits_gone, trust.native_exits_new),
    ):
        if gone or new:
            said.append(f"{noun}: {len(gone):,} gone, {len(new):,} new")
    if trust.open_calls_before != trust.open_calls_after:
        said.append(f"{plural(trust.open_calls_before, 'other open call')} before, {trust.open_calls_after:,} after")
    return said
