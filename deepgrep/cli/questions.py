"""A question as verbs take it that ask it of several versions: ROOT and TARGET, or a stored query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from deepgrep.graph.rows import AccessKind
    from deepgrep.questions.filters import Filters


class Asked(NamedTuple):
    """What is asked."""

    root: str
    target: str
    access: AccessKind | None
    filters: Filters


def asked(
    root: str | None,
    target: str | None,
    query: str | None,
    access: AccessKind | None,
    filters: Filters,
    after: str = "",
) -> Asked | None:
    """The question that the arguments and options name; None where they name none.

    `after` names the arguments that come before ROOT and TARGET.

    Raises:
        click.UsageError: they name half a one, or two.
    """
    from deepgrep.questions.filters import NO_FILTERS
    from deepgrep.questions.stored import find_query

    if query is None:
        if root is None and access is None and filters == NO_FILTERS:
            return None
        if root is None or target is None:
            raise click.UsageError(f"give {after}ROOT and TARGET, or --query NAME")
        return Asked(root, target, access, filters)
    if root is not None or access is not None or filters != NO_FILTERS:
        raise click.UsageError("--query NAME is a whole question: give no ROOT, TARGET, --access or filter beside it")
    stored = find_query(query)
    return Asked(stored.root, stored.target, stored.access, stored.filters)
