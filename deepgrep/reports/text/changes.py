"""The answer of `diff` without a question for people: by package, the most important first, with everything counted."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.changes_answers import ChangesAnswer, PackageChanges, StateDiff
from deepgrep.questions.diff_answers import Change
from deepgrep.reports.changes_sentences import (
    changes_sentence,
    has_more,
    kind_lines,
    left_out_sentence,
    package_sentence,
    state_details,
)
from deepgrep.reports.text.lines import DETAIL, entry, headline, labelled, left_out, section, wrap
from deepgrep.reports.words import clean, shorten, source_title, state_title

_SIGNS = {Change.NEW: ("+", "green"), Change.GONE: ("-", "red"), Change.CHANGED: ("~", "yellow")}
_STATES_SHOWN, _FUNCTIONS_SHOWN, _KINDS_SHOWN = 6, 12, 20


def changes_text(answer: ChangesAnswer, width: int) -> str:
    """Write the answer of `diff` without a question.

    Args:
        answer: what was found.
        width: columns to stay within.

    Returns:
        Lines with colour, with a newline after each.
    """
    word, colour = ("same", "green") if answer.same else ("different", "yellow")
    lines = [
        *headline(changes_sentence(answer), width, word=word, colour=colour),
        *section(
            *(entry("before", source_title(source)) for source in answer.before),
            *(entry("after", source_title(source)) for source in answer.after),
        ),
        *section(*_kinds(answer, width)),
        *(line for package in answer.packages for line in _package(answer, package, width)),
        *section(*_functions(answer, width)),
        *section(*(line for note in answer.notes for line in wrap(f"note: {note}", width, ""))),
        *section("more: --format json lists every state and function"),
    ]
    return "\n".join(lines) + "\n"


def _kinds(answer: ChangesAnswer, width: int) -> list[str]:
    """What changed its kind or scope, which matters most, before all packages."""
    said = kind_lines(answer)
    if not said:
        return []
    lines = [entry("kinds", "states that have another kind or scope now")]
    for line in said[:_KINDS_SHOWN]:
        first, *others = wrap(f"~ {line}", width, "  ")
        lines += [click.style(part, fg="yellow") for part in (first, *others)]
    return lines + left_out(len(said) - _KINDS_SHOWN)


def _package(answer: ChangesAnswer, package: PackageChanges, width: int) -> list[str]:
    rows = [row for row in answer.states if row.package == package.package and has_more(row)]
    title = click.style(clean(package.package), bold=True)
    first, *others = wrap(f"{clean(package.package)}  {package_sentence(package)}", width, "")
    lines = section(first.replace(clean(package.package), title, 1), *others)
    for row in rows[:_STATES_SHOWN]:
        lines += _state(row, width)
    hidden = rows[_STATES_SHOWN:]
    return [*lines, *([f"  … {left_out_sentence(hidden)}: --format json lists all"] if hidden else [])]


def _state(row: StateDiff, width: int) -> list[str]:
    state = row.after or row.before
    assert state is not None
    sign, colour = _SIGNS[row.change]
    name, what = clean(state.name), state_title(state.kind, state.scope)
    first = f"  {click.style(sign, fg=colour)} {shorten(name, width - 4)}"
    lines = [f"{first}  ({what})"] if len(name) + len(what) + 8 <= width else [first, f"{DETAIL}({what})"]
    for said in state_details(row):
        lines += [click.style(line, dim=True) for line in wrap(said, width, DETAIL)]
    return lines


def _functions(answer: ChangesAnswer, width: int) -> list[str]:
    """The public functions that change the most other states."""
    if not answer.changed_functions:
        return []
    said = f"{len(answer.changed_functions):,} of {answer.public_functions:,} public functions change other states"
    lines = labelled("public", f"{said}, by certain calls alone; those with the most:", width)
    shown: Sequence[tuple[str, int]] = list(answer.changed_functions.items())[:_FUNCTIONS_SHOWN]
    lines += [f"  {count:>4,}  {shorten(clean(name), width - 8)}" for name, count in shown]
    return lines + left_out(len(answer.changed_functions) - _FUNCTIONS_SHOWN)
