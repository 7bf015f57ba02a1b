"""Checks of what is passed to the Python API: what is wrong, and what to pass instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.filters import Filters

if TYPE_CHECKING:
    from deepgrep.questions.stored import StoredQuery


def text(name: str, value: str) -> str:
    """A text as it is."""
    if not isinstance(value, str):
        raise DeepgrepError(f"{name}={value!r}: it is a text")
    return value


def checked_filters(filters: Filters) -> Filters:
    """Filters as they are."""
    if not isinstance(filters, Filters):
        raise DeepgrepError(f"filters={filters!r}: it is a deepgrep.Filters, such as Filters(avoid=('torch.onnx',))")
    return filters


def access_kind(access: str | None) -> AccessKind | None:
    """What is done to a target, by its word."""
    if access is None:
        return None
    try:
        return AccessKind(access)
    except ValueError:
        kinds = ", ".join(repr(kind.value) for kind in AccessKind)
        raise DeepgrepError(f"access={access!r}: it is one of {kinds}") from None


def checked_depth(depth: int | None) -> int | None:
    """How many calls to follow; None for all."""
    return None if depth is None else at_least("depth", depth, 1)


def checked_jobs(jobs: int | None) -> int | None:
    """How many processes to work with; None for one for each core."""
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        raise DeepgrepError(f"jobs={jobs}: at least one process is needed; None is one for each core")
    return jobs


def meant_queries(queries: Iterable[str | StoredQuery]) -> list[StoredQuery]:
    """The stored queries of a list: those that were read, then those that names, files and folders mean."""
    from deepgrep.questions.stored import StoredQuery, find_queries

    if isinstance(queries, str):
        raise DeepgrepError(f"queries={queries!r}: it is a list of queries: [{queries!r}]")
    listed = list(queries)
    read = [query for query in listed if isinstance(query, StoredQuery)]
    return read + find_queries(query for query in listed if isinstance(query, str))


def ignore(_warning: str) -> None:
    """Nobody asked for warnings."""


def at_least(name: str, number: int, least: int) -> int:
    """A number from another one on."""
    if not isinstance(number, int) or number < least:
        raise DeepgrepError(f"{name}={number!r}: it is a number from {least} on")
    return number


def one_of(name: str, value: str | None, choices: Sequence[str]) -> None:
    """Refuse what is none of some words."""
    if value is not None and value not in choices:
        raise DeepgrepError(f"{name}={value!r}: it is one of {', '.join(map(repr, choices))}")
