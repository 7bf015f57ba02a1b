"""`check`: whether stored queries are answered as they were before, or as it is expected; what is new, what is gone.

What makes a difference is the verdict, and which accesses of the target are reached. All else that a baseline keeps
is told, and does not count: another way to the same access, another chokepoint, another lead, and another access that
is not reached come from any change of the code around.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Literal

import msgspec
from msgspec import structs

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import Skipped, Source
from deepgrep.questions.answers import FOUND, AccessRef, Path, ReachAnswer, RootRef, TargetRef, Verdict
from deepgrep.questions.baseline import (
    PERHAPS,
    Baseline,
    Kept,
    access_form,
    kept_answer,
    kept_error,
)
from deepgrep.questions.stored import StoredQuery


class Outcome(StrEnum):
    """How a query was answered, against what was expected."""

    AS_EXPECTED = "as-expected"
    DIFFERENT = "different"
    NOT_COMPARED = "not-compared"
    NOT_ANSWERED = "not-answered"


class ChangeKind(StrEnum):
    """What is new or gone."""

    ACCESS = "access"
    UNREACHED = "unreached access"
    PATH = "path"
    CHOKEPOINT = "chokepoint"
    LEAD = "lead"


class Change(msgspec.Struct, frozen=True):
    """Something that is new or gone.

    Attributes:
        counts: whether it makes the query different.
        functions: the function that it is about; of a path, all of them.
        detail: the form of an access, the certainty of a path, the expression of a lead.
        file, line: where it is now; "" and 0 where it is gone, or is no single place.
    """

    kind: ChangeKind
    counts: bool
    functions: list[str]
    detail: str = ""
    file: str = ""
    line: int = 0


class CheckedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A query that was checked.

    Attributes:
        typed: what to type to name it.
        expected: the verdict that was expected, by the baseline if there is one, else by the query; None where nothing
            says.
        before: what the baseline has; None where it has nothing.
        found: what a baseline would keep of the answer now, the verdict or the error among it.
        root, target, accesses, paths: those of the answer; null or empty where there is none.
    """

    name: str
    typed: str
    file: str
    question: str
    note: str
    reports: tuple[str, ...]
    outcome: Outcome
    expected: Verdict | None
    before: Kept | None
    found: Kept
    new: list[Change] = []
    gone: list[Change] = []
    root: RootRef | None = None
    target: TargetRef | None = None
    accesses: list[AccessRef] = []
    paths: list[Path] = []

    @property
    def is_asked_differently(self) -> bool:
        """Whether the question is no longer the one that the baseline answers."""
        return self.before is not None and self.before.asked != self.found.asked


class CheckAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `check` (`deepgrep-check/1`).

    Attributes:
        compared_with: "baseline" or "expectations".
        outcomes: how many queries had each outcome.
        not_asked: the names of queries that the baseline has and that were not asked.
    """

    schema: Literal["deepgrep-check/1"] = "deepgrep-check/1"
    sources: list[Source]
    compared_with: str
    outcomes: dict[Outcome, int]
    queries: list[CheckedQuery]
    not_asked: list[str]
    skipped: list[Skipped]

    def updated(self, baseline: Baseline) -> Baseline:
        """A baseline with what was found, and what it had of other queries."""
        return baseline.updated({query.name: query.found for query in self.queries})


def check(
    asked: Iterable[tuple[StoredQuery, ReachAnswer | DeepgrepError]],
    baseline: Baseline | None,
    sources: list[Source],
    skipped: list[Skipped],
) -> CheckAnswer:
    """Compare answers with a baseline, or with what the queries expect.

    Args:
        asked: each query with its answer, or with why there is none.
        baseline: what was found before; None to compare with the verdicts that the queries expect.
        sources: what was analyzed.
        skipped: the files that could not be read.
    """
    queries = []
    for query, found in asked:
        before = baseline.queries.get(query.name) if baseline else None
        if isinstance(found, DeepgrepError):
            queries.append(_unanswered(query, kept_error(query, sources, found), before, baseline is None))
        else:
            queries.append(_compared(query, found, before, baseline is None))
    names = {query.name for query in queries}
    return CheckAnswer(
        sources=sources,
        compared_with="expectations" if baseline is None else "baseline",
        outcomes={outcome: sum(query.outcome is outcome for query in queries) for outcome in Outcome},
        queries=queries,
        not_asked=sorted(set(baseline.queries) - names) if baseline else [],
        skipped=skipped,
    )


def _unanswered(query: StoredQuery, found: Kept, before: Kept | None, by_expectation: bool) -> CheckedQuery:
    is_known = before is not None and bool(before.error) and before.asked == found.asked
    outcome = Outcome.AS_EXPECTED if is_known else Outcome.NOT_ANSWERED
    return _checked(query, outcome, _expected(query, before, by_expectation), before, found)


def _compared(query: StoredQuery, answer: ReachAnswer, before: Kept | None, by_expectation: bool) -> CheckedQuery:
    found = kept_answer(query, answer)
    expected = _expected(query, before, by_expectation)
    new: list[Change] = []
    gone: list[Change] = []
    if before is not None:
        new, gone = list(_beyond(found, before, answer)), list(_beyond(before, found, None))
    elif expected is not None and expected not in FOUND:
        new = list(_reached(found.reached, {}, answer))
    if expected is None and (before is None or not before.error):
        outcome = Outcome.NOT_COMPARED
    elif found.verdict != expected or any(change.counts for change in new + gone):
        outcome = Outcome.DIFFERENT
    else:
        outcome = Outcome.AS_EXPECTED
    if before is not None and before.asked != found.asked:
        outcome = Outcome.DIFFERENT
    return structs.replace(
        _checked(query, outcome, expected, before, found),
        new=new,
        gone=gone,
        root=answer.root,
        target=answer.target,
        accesses=answer.accesses,
        paths=answer.paths,
    )


def _checked(
    query: StoredQuery, outcome: Outcome, expected: Verdict | None, before: Kept | None, found: Kept
) -> CheckedQuery:
    """What came of a query, without an answer."""
    return CheckedQuery(
        name=query.name,
        typed=query.typed,
        file=query.file,
        question=query.question,
        note=query.note,
        reports=query.reports,
        outcome=outcome,
        expected=expected,
        before=before,
        found=found,
    )


def _expected(query: StoredQuery, before: Kept | None, by_expectation: bool) -> Verdict | None:
    if by_expectation:
        return query.expect
    return before.verdict if before else None


def _beyond(one: Kept, other: Kept, answer: ReachAnswer | None) -> Iterator[Change]:
    """What one has and the other has not; places are those of the answer, if it is that of the first."""
    yield from _reached(one.reached, other.reached, answer)
    elsewhere = {
        function: [*other.reached.get(function, []), *other.not_reached.get(function, [])]
        for function in one.not_reached
    }
    for function, form in _pairs(one.not_reached, elsewhere):
        yield Change(ChangeKind.UNREACHED, False, [function], form, *_place(answer, function, form))
    others = {path.functions[-1]: path for path in other.paths}
    for path in one.paths:
        # Another way to the same access; the way to one that is new is told with it.
        end = path.functions[-1]
        if end in others and others[end] != path:
            yield Change(ChangeKind.PATH, False, path.functions, path.certainty)
    for function in one.chokepoints if other.paths else ():
        if function not in other.chokepoints:
            yield Change(ChangeKind.CHOKEPOINT, False, [function])
    if not any(kept.verdict in FOUND or kept.more_leads for kept in (one, other)):
        for function, expression in _pairs(one.leads, other.leads):
            yield Change(ChangeKind.LEAD, False, [function], expression)


def _reached(
    one: Mapping[str, list[str]], other: Mapping[str, list[str]], answer: ReachAnswer | None
) -> Iterator[Change]:
    """The accesses that are reached in one and not in the other."""
    for function, form in _pairs(one, other):
        is_sure = not form.endswith(PERHAPS)
        yield Change(ChangeKind.ACCESS, is_sure, [function], form, *_place(answer, function, form))


def _pairs(one: Mapping[str, list[str]], other: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    """What is in one and not in the other, of lists by function."""
    for function, values in one.items():
        for value in values:
            if value not in other.get(function, ()):
                yield function, value


def _place(answer: ReachAnswer | None, function: str, form: str) -> tuple[str, int]:
    """Where an access is, in an answer."""
    for access in answer.accesses if answer else ():
        if (access.function, access_form(access)) == (function, form):
            return access.file, access.line
    return "", 0
