"""Stored queries for people: the list of them, and what stands above the answer of one."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.stored import StoredQuery
from deepgrep.reports.text.lines import entry, labelled, wrap
from deepgrep.reports.words import clean, count_of_queries, shorten

_INDENT = "  "
_LONGEST_NAME = 60


def queries_text(queries: Sequence[StoredQuery], width: int) -> str:
    """Write the list of queries: each with its question, and where it fits with the verdict that it expects.

    Args:
        queries: what to list.
        width: columns to stay within.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = [click.style(count_of_queries(len(queries)), bold=True)]
    for query in queries:
        expected = f"  {click.style(query.expect, dim=True)}" if query.expect else ""
        lines += ["", f"{click.style(shorten(clean(query.name), _LONGEST_NAME), bold=True)}{expected}"]
        lines += wrap(clean(query.question), width, _INDENT)
    return "\n".join(lines) + "\n"


def query_heading(query: StoredQuery, width: int) -> str:
    """Write what stands above the answer of a query: its name and question, the reports it comes from, its note."""
    lines = [entry("query", click.style(shorten(clean(query.name), width - 10), bold=True))]
    lines += labelled("asks", clean(query.question), width)
    if query.expect:
        lines.append(entry("expects", query.expect))
    lines += [entry("" if index else "reports", clean(address)) for index, address in enumerate(query.reports)]
    if query.note.strip():
        lines += labelled("note", clean(query.note.strip()), width)
    return "\n".join(lines) + "\n\n"
