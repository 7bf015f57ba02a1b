"""Every place that writes, reads or calls a target, for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from deepgrep.questions.answers import AccessesAnswer, AccessRef
from deepgrep.reports.text.lines import (
    DETAIL,
    headline,
    place_and_name,
    remark_lines,
    section,
    skipped_lines,
    source_text,
    sources_lines,
    under,
)
from deepgrep.reports.words import DO, DOES, SourceLine, clean, local_name, place, plural, shorten, state_title

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
    unsure = sum(not access.is_sure for access in answer.accesses)
    perhaps = f", {unsure:,} of them perhaps" if unsure else ""
    said = f"{plural(count, 'place')} {does} {clean(target.name)}{perhaps}"
    lines = [
        *headline(said, width, f"({state_title(target.kind, target.scope)})"),
        *section(*sources_lines(answer.sources)),
    ]
    for access in sorted(answer.accesses, key=lambda access: not access.is_sure):
        lines += section(
            *place_and_name("", place(access.file, access.line), local_name(access.function, access.file), width),
            *source_text(source_line, access.file, access.line, width),
            DETAIL + click.style(f"→ {_form(access)}", fg="yellow"),
            *under(access.conditions, [], width),
        )
    lines += section(*remark_lines([], answer.notes, width))
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def access_rows(
    accesses: Sequence[AccessRef], width: int, path_number: Callable[[AccessRef], int] = lambda access: 0
) -> list[str]:
    """One line for each access, in columns: whether it is reached, the place, the form, the function.

    Of many, those that are reached come first, by the path that leads there, what is known to be the target before
    what may be, and the rest is counted.
    """
    shown = list(accesses)
    if len(shown) > _REACHED_SHOWN + _NOT_REACHED_SHOWN:
        ordered = sorted(shown, key=lambda access: (path_number(access), not access.is_sure))
        reached = [access for access in ordered if access.reached]
        shown = reached[:_REACHED_SHOWN] + [access for access in ordered if not access.reached][:_NOT_REACHED_SHOWN]
    columns = [(place(access.file, access.line), _form(access)) for access in shown]
    rows = _rows(shown, width, max(len(where) for where, _ in columns), max(len(form) for _, form in columns))
    # Without columns, more of long ones fit on a line.
    rows = rows if len(rows) == len(shown) else _rows(shown, width, 0, 0)
    return rows + _not_shown(accesses, shown)


def _rows(accesses: Sequence[AccessRef], width: int, places: int, forms: int) -> list[str]:
    rows = []
    for access in accesses:
        word = click.style(f"{_REACHED[access.reached]:<11}", fg="green" if access.reached else None)
        where = click.style(f"{place(access.file, access.line):<{places}}", fg="cyan")
        name = local_name(access.function, access.file)
        line = f"  {word}  {where}  {_form(access):<{forms}}  {name}"
        if len(click.unstyle(line)) <= width:
            rows.append(line)
        else:
            below = shorten(f"{_form(access)}  {name}", width - len(DETAIL))
            rows += [f"  {word}  {where}".rstrip(), f"{DETAIL}{below}"]
    return rows


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
