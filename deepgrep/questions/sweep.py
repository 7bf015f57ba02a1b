"""`sweep`: the verdicts of stored queries over several versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind, Source
from deepgrep.questions.answers import Verdict
from deepgrep.questions.reach import reach
from deepgrep.questions.stored import StoredQuery


class Swept(msgspec.Struct, frozen=True):
    """How a query was answered on one version.

    Attributes:
        verdict: None where it could not be answered.
        error: why not.
        accesses, reached: how many places access the target, and how many of them the root reaches.
        paths, paths_exact: how many paths there are, and whether that is their number or a lower bound.
    """

    verdict: Verdict | None
    error: str = ""
    accesses: int = 0
    reached: int = 0
    paths: int = 0
    paths_exact: bool = True


class SweptVersion(msgspec.Struct, frozen=True):
    """A version that was asked.

    Attributes:
        name: as it was named.
        sources: what was analyzed; empty where it could not be had.
        error: why not.
    """

    name: str
    sources: list[Source]
    error: str = ""


class SweptQuery(msgspec.Struct, frozen=True):
    """A query, with its answers in the order of the versions."""

    name: str
    question: str
    root: str
    target: str
    access: AccessKind | None
    answers: list[Swept]


class SweptChange(msgspec.Struct, frozen=True):
    """Two neighbouring versions between which an answer changed: positions of a query, and of the later version."""

    query: int
    version: int


class SweepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `sweep` (`deepgrep-sweep/1`).

    Attributes:
        changes: where the verdict is another one than that of the version before, or there is one only in one of them.
    """

    schema: Literal["deepgrep-sweep/1"] = "deepgrep-sweep/1"
    versions: list[SweptVersion]
    queries: list[SweptQuery]
    changes: list[SweptChange]


def swept(graph: CallGraph, query: StoredQuery) -> Swept:
    """Answer a query on one version."""
    try:
        answer = reach(graph, query.root, query.target, query.access, 1, query.filters)
    except DeepgrepError as error:
        return Swept(None, str(error))
    reached = sum(access.reached is True for access in answer.accesses)
    return Swept(answer.verdict, "", len(answer.accesses), reached, answer.path_count, answer.path_count_exact)


def sweep_answer(versions: list[SweptVersion], queries: list[StoredQuery], answers: list[list[Swept]]) -> SweepAnswer:
    """Put the answers together.

    Args:
        versions: what was asked, in order.
        queries: the queries, in order.
        answers: for each version, those of the queries; [] where the version could not be had.
    """
    rows = [
        SweptQuery(
            query.name,
            query.question,
            query.root,
            query.target,
            query.access,
            [of_version[at] if of_version else Swept(None) for of_version in answers],
        )
        for at, query in enumerate(queries)
    ]
    return SweepAnswer(versions=versions, queries=rows, changes=list(_changes(rows, versions)))


def _changes(rows: list[SweptQuery], versions: list[SweptVersion]) -> Iterator[SweptChange]:
    had = [at for at, version in enumerate(versions) if not version.error]
    for query, row in enumerate(rows):
        for before, after in pairwise(had):
            if row.answers[before].verdict is not row.answers[after].verdict:
                yield SweptChange(query, after)
