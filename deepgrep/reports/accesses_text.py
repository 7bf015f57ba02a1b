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
    local_name,
    place,
    place_and_name,
    plural,
    section,
    shorten,
    skipped_lines,
    source_text,
    sources_lines,
    state_title,
    under,
    wrap,
)

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
        f"{click.style(said, bold=True)}  ({state_title(target.kind, target.scope)})",
        *section(*sources_lines(answer.sources)),
    ]
    for access in answer.accesses:
        lines += section(
            *place_and_name("", place(access.file, access.line), local_name(access.function, access.file), width),
            *source_text(source_line, access.file, access.line, width),
            DETAIL + click.style(f"→ {_form(access)}", fg="yellow"),
            *under(access.conditions, [], width),
        )
    lines += section(*(line for note in answer.notes for line in wrap(f"note: {clean(note)}", width, "")))
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def access_rows(accesses: Sequence[AccessRef], width: int) -> list[str]:
    """One line for each access, in columns: whether it is reached, the place, the form, the function."""
    forms = max(len(_form(access)) for access in accesses)
    places = max(len(place(access.file, access.line)) for access in accesses)
    rows = []
    for access in accesses:
        reached = click.style(f"{_REACHED[access.reached]:<11}", fg="green" if access.reached else None)
        where = click.style(f"{place(access.file, access.line):<{places}}", fg="cyan")
        name = local_name(access.function, access.file)
        room = width - places - forms - len("  not reached      ")
        line = f"  {reached}  {where}  {_form(access):<{forms}}"
        fits = len(name) <= room
        rows += [f"{line}  {name}"] if fits else [line.rstrip(), DETAIL + shorten(name, width - len(DETAIL))]
    return rows


def _form(access: AccessRef) -> str:
    return f"{access.form}, restore" if access.restore else access.form
