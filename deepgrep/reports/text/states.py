"""The inventory of shared state, for people and for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections import Counter
from itertools import groupby

import click

from deepgrep.questions.states import StateRow, StatesAnswer
from deepgrep.reports.text.lines import section, skipped_lines, sources_lines
from deepgrep.reports.words import SCOPES, clean, plural, shorten

_SHOWN = 50
_COLUMNS = ("name", "kind", "scope", "package", "writers", "readers")

# What spreadsheets take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@")


def states_text(answer: StatesAnswer, width: int) -> str:
    """Write the answer of `states`: counts by kind, and the states of each, as many as can be read.

    Args:
        answer: what was found.
        width: columns to stay within.

    Returns:
        Lines with colour, with a newline after each.
    """
    kinds = Counter(row.kind for row in answer.states)
    lines = [
        click.style(plural(len(answer.states), "state"), bold=True),
        *section(*sources_lines(answer.sources)),
    ]
    for kind, group in groupby(answer.states, key=lambda row: row.kind):
        rows = list(group)
        title = f"{kind}: {len(rows):,}"
        lines += section(click.style(f"{title:<{width - 18}}  writers readers", bold=True))
        for row in rows[:_SHOWN]:
            lines += _row(row, width)
        if kinds[kind] > _SHOWN:
            lines.append(f"  … {kinds[kind] - _SHOWN:,} more: --format csv or json lists all")
    if any(row.name.endswith((".*", "[*]")) for row in answer.states):
        lines += section("`.*` and `[*]` are some attribute and some item: which one is not known")
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def _row(row: StateRow, width: int) -> list[str]:
    """A state on one line; where it does not fit, its name, which stays whole, is on a line of its own."""
    scope = f"  ({SCOPES[row.scope]})" if row.scope in SCOPES and row.scope != "process" else ""
    counts = f"  {row.writers:>7,} {row.readers:>7,}"
    name, room = clean(row.name), width - len(counts) - 3  # as wide as the headings
    if len(name) + len(scope) <= room:
        return [f"  {name}{click.style(scope, dim=True)}{' ' * (room - len(name) - len(scope))}{counts}"]
    return [f"  {shorten(name, width - 2)}", f"  {click.style(f'{scope:<{room}}', dim=True)}{counts}"]


def states_csv(answer: StatesAnswer) -> bytes:
    """Write the answer of `states` as comma-separated values, with a line of headings.

    Spreadsheets take what begins like a formula for one, and would run it: a quote before it keeps it text.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([_cell(getattr(row, column)) for column in _COLUMNS] for row in answer.states)
    return text.getvalue().encode(errors="backslashreplace")


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = clean(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
