"""The paths of two versions for people: what one has and the other does not, and where they part."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.diff_answers import Change, CodeLine, DiffAnswer, Difference, PathDiff
from deepgrep.reports.diff_sentences import ends_in, path_sentence, rest_as_in
from deepgrep.reports.sentences import SHARED_HOPS_WORTH_FOLDING, shared_hops
from deepgrep.reports.text.lines import DETAIL, labelled, place_and_name, requirement_lines, section, under, wrap
from deepgrep.reports.words import clean, cut, local_name, passing, place, plural

_PATHS_SHOWN = 12
_COLOURS = {Change.NEW: "green", Change.GONE: "red"}
_SIGNS = {Change.NEW: "+", Change.GONE: "-"}


def path_lines(answer: DiffAnswer, width: int) -> list[str]:
    """Every path that only one version has, hop by hop; those that both have are counted."""
    lines: list[str] = []
    for change in (Change.GONE, Change.NEW):
        paths = [path for path in answer.paths if path.change is change]
        for number, path in enumerate(paths[:_PATHS_SHOWN], 1):
            title = f"path {change}" + (f" {number} of {len(paths):,}" if len(paths) > 1 else "")
            first, *others = wrap(f"{title}  {path_sentence(path)}", width, "")
            first = first.replace(title, click.style(title, bold=True, fg=_COLOURS[change]), 1)
            shared = shared_hops(paths[number - 2].path, path.path) if number > 1 else 0
            shared = shared if shared >= SHARED_HOPS_WORTH_FOLDING else 0
            folded = [f"  … the first {shared} hops are those of the path before"] if shared else []
            lines += section(first, *others, *folded, *_hops(answer, path, shared, width))
        if len(paths) > _PATHS_SHOWN:
            lines.append(f"  … {plural(len(paths) - _PATHS_SHOWN, 'more path')} {change}: --format json lists all")
    same = [path for path in answer.paths if path.change is Change.SAME]
    if same:
        ends = ", ".join(ends_in(path) for path in same)
        said = f"{plural(len(same), 'path')} that both have: to {clean(ends)}"
        lines += section(*labelled("same", said, width))
    return lines


def _hops(answer: DiffAnswer, path: PathDiff, shared: int, width: int) -> list[str]:
    lines: list[str] = []
    rest = rest_as_in(answer, path)
    for position, (hop, line) in enumerate(zip(path.path.hops, path.lines, strict=True)):
        if position < shared:
            continue
        if rest is not None and position >= rest:
            count = len(path.path.hops) - position
            lines.append(f"  … the other {plural(count, 'hop')} are those of the path that is gone")
            break
        name = local_name(hop.function, hop.file)
        lines += place_and_name("  ", place(hop.file, hop.call_line), name, width)
        if there := path.moved.get(hop.function):
            word = "from" if path.change is Change.NEW else "to"
            lines += [click.style(part, dim=True) for part in wrap(f"moved {word} {clean(there)}", width, DETAIL)]
        here = [differs for differs in path.differs if differs.hop == position]
        for differs in here:
            lines += _difference(path, differs, width)
        if not here and line.text:
            lines.append(DETAIL + cut(clean(line.text), width - len(DETAIL)))
        lines += under(hop.conditions, hop.locks, width)
        lines += requirement_lines(hop, width)
        how = passing(hop.via, hop.certainty)
        if how and position < len(path.path.hops) - 1:
            lines.append(DETAIL + click.style(f"→ {how}", fg="yellow"))
    return lines


def _difference(path: PathDiff, differs: Difference, width: int) -> list[str]:
    """Why the other version has not this hop, and both lines."""
    colour = _COLOURS[path.change]
    lines = [
        click.style(line, fg=colour) for line in wrap(f"{_SIGNS[path.change]} {clean(differs.why)}", width, "    ")
    ]
    if differs.before is not None or differs.after is not None:  # native code has no lines
        lines += _side("before", differs.before, differs.before_calls, width)
        lines += _side("after", differs.after, differs.after_calls, width)
    if differs.definition is not None:
        where = click.style(place(differs.definition.file, differs.definition.line), fg="cyan")
        lines.append(f"{DETAIL}{click.style('defined', dim=True)} {where}")
        lines.append(f"{DETAIL}        {cut(clean(differs.definition.text), width - len(DETAIL) - 8)}")
    return lines


def _side(label: str, line: CodeLine | None, calls: Sequence[str], width: int) -> list[str]:
    if line is None:
        return [f"{DETAIL}{click.style(f'{label:<7}', dim=True)} not there"]
    where = click.style(place(line.file, line.line), fg="cyan")
    lines = [f"{DETAIL}{click.style(f'{label:<7}', dim=True)} {where}"]
    if line.text:
        lines.append(f"{DETAIL}        {cut(clean(line.text), width - len(DETAIL) - 8)}")
    if calls:
        lines += wrap(f"calls {', '.join(map(clean, calls))}", width, f"{DETAIL}        ")
    return lines
