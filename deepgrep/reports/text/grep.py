"""The lines that match in what a function reaches, for people: by function, nearest first."""

from __future__ import annotations

import click

from deepgrep.graph.rows import Certainty
from deepgrep.questions.grep import GrepAnswer, MatchingFunction
from deepgrep.reports.chains import chain, chain_name
from deepgrep.reports.text.lines import (
    DETAIL,
    filter_lines,
    labelled,
    place_and_name,
    remark_lines,
    removed_lines,
    section,
    skipped_lines,
    sources_lines,
    under,
)
from deepgrep.reports.words import SEVERAL, clean, cut, local_name, passing, place, plural, root_name


def grep_text(answer: GrepAnswer, width: int, *, paths: bool = False) -> str:
    """Write the answer of `grep`.

    Args:
        answer: what was found.
        width: columns to stay within; `file:line` may be longer.
        paths: show every hop of the way to each function, instead of a chain folded to one line.

    Returns:
        Lines with colour, with a newline after each.
    """
    count = sum(len(function.matches) for function in answer.functions)
    found = f"{plural(count, 'line')} in {plural(len(answer.functions), 'function')}"
    lines = [
        click.style(found, bold=True),
        *section(
            *sources_lines(answer.sources),
            *labelled("searched", _searched(answer), width),
            *filter_lines(answer.filters, width),
        ),
        *section(*removed_lines(answer.removed, width)),
    ]
    for function in answer.functions:
        lines += section(*_function(function, width, paths=paths))
    unknown = f"{plural(answer.blind_spots, 'call')} in there could not be followed, or not to all callees"
    lines += section(unknown, *remark_lines(answer.assumptions, answer.notes, width))
    lines += section(*skipped_lines(answer.skipped, width))
    return "\n".join(lines) + "\n"


def _searched(answer: GrepAnswer) -> str:
    looked = f"{plural(answer.searched_functions, 'function')} in {plural(answer.searched_files, 'file')}"
    root = root_name(answer.root)
    if answer.depth == 0:
        return f"{root} itself"
    return f"{looked} that {root} reaches" + (f" in {plural(answer.depth, 'call')}" if answer.depth else "")


def _function(function: MatchingFunction, width: int, *, paths: bool) -> list[str]:
    name = local_name(function.function, function.file)
    lines = place_and_name("", place(function.file, function.line), name, width)
    if function.distance:
        lines.append(click.style(f"  {_away(function)}", fg="yellow"))
        if paths:
            lines += _hops(function, width)
        else:
            names = [chain_name(hop.function, hop.file) for hop in function.path]
            names.append(chain_name(function.function, function.file))
            lines.append(click.style(f"  {chain(names, width - 2)}", dim=True))
    digits = len(str(function.matches[-1].line))
    for match in function.matches:
        number = f"  {match.line:>{digits}}  "
        lines.append(click.style(number, fg="cyan") + cut(clean(match.text.rstrip()), width - len(number)))
    return lines


def _away(function: MatchingFunction) -> str:
    said = [f"{plural(function.distance, 'call')} away"]
    if function.certainty is not Certainty.CERTAIN:
        said.append(SEVERAL[function.certainty])
    if function.importing:
        said.append("first import only")
    return ", ".join(said)


def _hops(function: MatchingFunction, width: int) -> list[str]:
    lines = []
    for hop in function.path:
        lines += place_and_name("    ", place(hop.file, hop.call_line), local_name(hop.function, hop.file), width)
        lines += under(hop.conditions, hop.locks, width)
        if passed := passing(hop.via, hop.certainty):
            lines.append(DETAIL + click.style(f"→ {passed}", fg="yellow"))
    return lines
