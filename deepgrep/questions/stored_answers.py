"""What `queries` and `run` give as JSON: the stored queries, and their answers."""

from __future__ import annotations

import fnmatch
from typing import Literal

import msgspec

from deepgrep.questions.answers import ReachAnswer
from deepgrep.questions.stored import StoredQuery


class QueriesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `queries` (`deepgrep-queries/1`)."""

    schema: Literal["deepgrep-queries/1"] = "deepgrep-queries/1"
    queries: list[StoredQuery]


class RunQuery(msgspec.Struct, frozen=True):
    """A stored query with its answer, or with why there is none."""

    query: StoredQuery
    answer: ReachAnswer | None
    error: str = ""


class RunAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `run` for several queries (`deepgrep-run/1`)."""

    schema: Literal["deepgrep-run/1"] = "deepgrep-run/1"
    answers: list[RunQuery]


def matching(queries: list[StoredQuery], pattern: str) -> list[StoredQuery]:
    """The queries that a pattern means.

    Args:
        queries: which to choose from.
        pattern: a part of the name, the question, the root or the target, in upper or lower case; with `*` or `?` in
            it, a pattern of one of them.
    """
    wanted = pattern.lower()
    is_pattern = any(char in wanted for char in "*?")

    def is_meant(text: str) -> bool:
        return fnmatch.fnmatchcase(text.lower(), wanted) if is_pattern else wanted in text.lower()

    return [query for query in queries if any(map(is_meant, (query.name, query.question, query.root, query.target)))]
