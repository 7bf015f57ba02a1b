"""The callers or callees of a function, for people, nearest first."""

from __future__ import annotations

import click

from deepgrep.questions.answers import Neighbour, NeighboursAnswer
from deepgrep.reports.text.lines import (
    DETAIL,
    filter_lines,
    headline,
    place_and_name,
    remark_lines,
    removed_lines,
    section,
    skipped_lines,
    source_text,
    sources_lines,
)
from deepgrep.reports.words import SourceLine, clean, local_name, passing, place, plural, root_name, shorten


def callers_text(answer: NeighboursAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `callers`: each caller at the line that calls.

    Args:
        answer: what was found.
        source_line: gives the text of the calling lines.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    lines = _head(answer, "caller", width)
    distance = 0
    for caller in answer.functions:
        if caller.distance > distance:
            distance = caller.distance
            lines += section(_away(distance))
        lines += place_and_name("  ", place(caller.file, caller.call_line), _name(caller), width)
        lines += source_text(source_line, caller.file, caller.call_line, width)
        lines += _edge(caller, "calls", width)
    unknown = f"{plural(answer.blind_spots, 'call')} with unknown callees could mean it, by name alone"
    return _end(answer, lines, unknown, width)


def callees_text(answer: NeighboursAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `callees`: each callee at its definition, with the line that calls it.

    Args:
        answer: what was found.
        source_line: gives the text of the calling lines.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    files = {answer.root.name: answer.root.file} | {callee.name: callee.file for callee in answer.functions}
    lines = _head(answer, "callee", width)
    distance = 0
    for callee in answer.functions:
        if callee.distance > distance:
            distance = callee.distance
            lines += section(_away(distance))
        lines += place_and_name("  ", place(callee.file, callee.line), _name(callee), width)
        lines += source_text(source_line, files.get(callee.through, callee.through), callee.call_line, width)
        # A relay is native: it has no lines.
        lines += _edge(callee, f"called at line {callee.call_line} of" if callee.call_line else "called from", width)
    unknown = f"{plural(answer.blind_spots, 'reached call')} with callees that are not all known"
    return _end(answer, lines, unknown, width)


def _head(answer: NeighboursAnswer, noun: str, width: int) -> list[str]:
    said = f"{plural(len(answer.functions), noun)} of {root_name(answer.root)}"
    if not answer.functions:
        said += " in the analyzed sources"
    # Code has no place but its name, and a native function none that is known.
    has_place = answer.root.file not in {"", answer.root.name}
    at = click.style(place(answer.root.file, answer.root.line), fg="cyan") if has_place else ""
    filters = filter_lines(answer.filters, width)
    return [
        *headline(said, width, at),
        *section(*sources_lines(answer.sources), *filters),
        *section(*removed_lines(answer.removed, width)),
    ]


def _away(distance: int) -> str:
    return click.style(f"{plural(distance, 'call')} away", bold=True)


def _name(neighbour: Neighbour) -> str:
    return local_name(neighbour.name, neighbour.file)


def _edge(neighbour: Neighbour, how: str, width: int) -> list[str]:
    """The function on the other side of the edge, where that is not the root itself, and how control passes."""
    parts = [f"{how} {clean(neighbour.through)}"] if neighbour.distance > 1 else []
    passed = passing(neighbour.via, neighbour.certainty)
    parts += [passed] if passed else []
    if not parts:
        return []
    return [DETAIL + click.style(shorten(f"→ {', '.join(parts)}", width - len(DETAIL)), fg="yellow")]


def _end(answer: NeighboursAnswer, lines: list[str], unknown: str, width: int) -> str:
    lines += section(
        unknown, *remark_lines(answer.assumptions, answer.notes, width), *skipped_lines(answer.skipped, width)
    )
    if answer.depth is not None:
        lines += section(f"more: --depth {answer.depth + 1} or --depth all goes further; --format json has everything")
    return "\n".join(lines) + "\n"
