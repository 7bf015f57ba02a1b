"""Every place that writes, reads or calls a target, for people."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.answers import AccessesAnswer, AccessRef
from deepgrep.reports.text import (
    DETAIL,
    DO,
    DOES,
    SourceLine,
    clean,
    headline,
    local_name,
    place,
    place_and_name,
    plural,
    remark_lines,
    section,
    shorten,
    skipped_lines,
    source_text,
    sources_lines,
    state_title,
    under,
)

_REACHED_SHOWN, _NOT_REACHED_SHOWN = 20, 10
_REACHED = {True: "reached", False: "not reached", None: ""}


def accesses_text(answer: AccessesAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `accesses`: each place with its line of source and its conditions.

    Args:
        answer: what was found.
        source_line: gives the text of the accessing lines.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    target, count = answer.target, len(answer.accesses)
    does = DOES[target.access] if count == 1 else DO[target.access]
    said = f"{plural(count, 'place')} {does} {clean(target.name)}"
    lines = [
        *headline(said, width, f"({state_title(target.kind, target.scope)})"),
        *section(*sources_lines(answer.sources)),
    ]
    for access in answer.accesses:
        lines += section(
            *place_and_name("", place(access.file, access.line), local_name(access.function, access.file), width),
            *source_text(source_line, access.file, access.line, width),
            DETAIL + click.style(f"→ {_form(access)}", fg="yellow"),
            *under(access.conditions, [], width),
        )
    lines += section(*remark_lines([], answer.notes, width))
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def access_rows(accesses: Sequence[AccessRef], width: int) -> list[str]:
    """One line for each access, in columns: whether it is reached, the place, the form, the function.

    Of many, those that are reached come first, and the rest is counted.
    """
    shown = list(accesses)
    if len(shown) > _REACHED_SHOWN + _NOT_REACHED_SHOWN:
        reached = [access for access in shown if access.reached]
        shown = reached[:_REACHED_SHOWN] + [access for access in shown if not access.reached][:_NOT_REACHED_SHOWN]
    forms = max(len(_form(access)) for access in shown)
    places = max(len(place(access.file, access.line)) for access in shown)
    rows = []
    for access in shown:
        word = click.style(f"{_REACHED[access.reached]:<11}", fg="green" if access.reached else None)
        where, form, name = place(access.file, access.line), _form(access), local_name(access.function, access.file)
        if len(name) <= width - places - forms - len("  not reached      "):
            rows.append(f"  {word}  {click.style(f'{where:<{places}}', fg='cyan')}  {form:<{forms}}  {name}")
        else:
            below = f"{form}  {name}" if len(form) + len(name) + 2 <= width - len(DETAIL) else name
            rows.append(f"  {word}  {click.style(where, fg='cyan')}")
            rows.append(DETAIL + shorten(below, width - len(DETAIL)))
    return rows + _not_shown(accesses, shown)


def _not_shown(accesses: Sequence[AccessRef], shown: Sequence[AccessRef]) -> list[str]:
    """Say how many places of each sort are not shown."""
    counts = [
        f"{count:,} more {word}"
        for is_reached, word in _REACHED.items()
        if (count := sum(a.reached is is_reached for a in accesses) - sum(a.reached is is_reached for a in shown))
    ]
    return [f"  … {', '.join(counts)}: --format json lists all"] if counts else []


def _form(access: AccessRef) -> str:
    return f"{access.form}, restore" if access.restore else access.form
