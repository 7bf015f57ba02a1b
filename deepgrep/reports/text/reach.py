"""The answer of `reach` for people: the verdict, who accesses the target, every path hop by hop, what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from deepgrep.questions.answers import Hop, ReachAnswer, TargetRef
from deepgrep.reports.sentences import (
    AGAIN,
    ONE_UNCERTAIN_HOP,
    PASSES,
    SHARED_HOPS_WORTH_FOLDING,
    accesses_sentence,
    all_paths_sentence,
    cut_sentence,
    first_path_number,
    is_root_again,
    path_title,
    place_of,
    shared_hops,
    verdict_sentence,
)
from deepgrep.reports.text import evidence
from deepgrep.reports.text.accesses import access_rows
from deepgrep.reports.text.lines import (
    DETAIL,
    VERDICT_COLOURS,
    entry,
    filter_lines,
    headline,
    labelled,
    left_out,
    named,
    place_and_name,
    removed_lines,
    requirement_lines,
    root_lines,
    section,
    skipped_lines,
    source_text,
    sources_lines,
    under,
    wrap,
)
from deepgrep.reports.words import (
    DOES,
    SourceLine,
    clean,
    local_name,
    passing,
    place,
    shorten,
    state_title,
)

_NAMES_SHOWN = 12


def reach_text(answer: ReachAnswer, source_line: SourceLine, width: int) -> str:
    """Write the answer of `reach`.

    Args:
        answer: what was found.
        source_line: gives the text of the lines that paths pass through.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    found = bool(answer.paths)
    lines = [
        *headline(verdict_sentence(answer), width, word=answer.verdict, colour=VERDICT_COLOURS[answer.verdict]),
        *section(
            *sources_lines(answer.sources), *_ends(answer, source_line, width), *filter_lines(answer.filters, width)
        ),
        *section(*_accesses(answer, width)),
        *section(*removed_lines(answer.removed, width)),
        *section(*_rests_on(answer, source_line, width)),
        *_paths(answer, source_line, width),
        *section(*(_structure(answer, width) if found else evidence.null_result(answer, width))),
        *section(*evidence.remarks(answer, width)),
        *section(*skipped_lines(answer.skipped, width)),
        *section(*wrap(f"more: {_more(answer)}", width, "")),
    ]
    return "\n".join(lines) + "\n"


def _ends(answer: ReachAnswer, source_line: SourceLine, width: int) -> list[str]:
    target = answer.target
    what = f"({state_title(target.kind, target.scope)})"
    return [*root_lines(answer.root, source_line, width), *named("target", clean(target.name), what, width)]


def _rests_on(answer: ReachAnswer, source_line: SourceLine, width: int) -> list[str]:
    if answer.rests_on is None:
        return []
    return [entry("rests on", ONE_UNCERTAIN_HOP), *_hop(answer.rests_on, source_line, width)]


def _accesses(answer: ReachAnswer, width: int) -> list[str]:
    first = entry(DOES[answer.target.access], accesses_sentence(answer))
    rows = access_rows(answer.accesses, width, partial(first_path_number, answer)) if answer.accesses else []
    return [first, *rows]


def _paths(answer: ReachAnswer, source_line: SourceLine, width: int) -> list[str]:
    lines: list[str] = []
    for index, path in enumerate(answer.paths):
        shared = shared_hops(answer.paths[index - 1], path) if index else 0
        lines += section(_path_title(answer, index))
        if shared >= SHARED_HOPS_WORTH_FOLDING:
            lines.append(f"  … the first {shared} hops are those of path {index}")
        else:
            shared = 0
        for position, hop in enumerate(path.hops[shared:], shared):
            again = is_root_again(answer, position, hop)
            show = _hop if hop is not path.hops[-1] else partial(_last_hop, target=answer.target)
            first, *others = show(hop, source_line, width)
            lines += [first, *([DETAIL + click.style(AGAIN, fg="yellow")] if again else []), *others]
    return lines


def _path_title(answer: ReachAnswer, index: int) -> str:
    which, what = path_title(answer, index)
    return f"{click.style(which, bold=True)}  {what}"


def _hop(hop: Hop, source_line: SourceLine, width: int) -> list[str]:
    lines = _standing(hop, source_line, width)
    how = passing(hop.via, hop.certainty)
    return [*lines, DETAIL + click.style(f"→ {how}", fg="yellow")] if how else lines


def _last_hop(hop: Hop, source_line: SourceLine, width: int, target: TargetRef) -> list[str]:
    how = passing(hop.via, hop.certainty)
    said = f"→ {DOES[target.access]} {clean(target.name)}{f' {how}' if how else ''}"
    end = click.style(shorten(said, width - len(DETAIL)), fg="green", bold=True)
    return [*_standing(hop, source_line, width), DETAIL + end]


def _standing(hop: Hop, source_line: SourceLine, width: int) -> list[str]:
    return [
        *place_and_name("  ", place(hop.file, hop.call_line), local_name(hop.function, hop.file), width),
        *source_text(source_line, hop.file, hop.call_line, width),
        *under(hop.conditions, hop.locks, width),
        *_depends(hop, width),
        *requirement_lines(hop, width),
    ]


def _depends(hop: Hop, width: int) -> list[str]:
    if not hop.depends_on:
        return []
    said = f"depends on the root's {', '.join(map(clean, hop.depends_on))}"
    return [click.style(line, fg="magenta") for line in wrap(said, width, DETAIL)]


def _structure(answer: ReachAnswer, width: int) -> list[str]:
    lines = [entry("all paths", all_paths_sentence(answer))]
    if answer.chokepoints:
        lines += labelled("passes", PASSES, width)
        lines += _names(answer, answer.chokepoints, width)
    if answer.cut:
        lines += labelled("cut", cut_sentence(answer), width)
        lines += _names(answer, answer.cut, width)
    return lines


def _names(answer: ReachAnswer, names: Sequence[str], width: int) -> list[str]:
    lines = []
    for name in names[:_NAMES_SHOWN]:
        file, line = place_of(answer, name)
        lines += place_and_name("  ", place(file, line), local_name(name, file if line else ""), width)
    return lines + left_out(len(names) - _NAMES_SHOWN)


def _more(answer: ReachAnswer) -> str:
    if not answer.paths:
        return "--format json has every lead, native exit and access"
    advice = ["--format svg -o FILE draws the paths", "--format json has everything"]
    if len(answer.paths) < answer.path_count or not answer.path_count_exact:
        advice.insert(0, f"--paths {2 * len(answer.paths)} shows more paths")
    return "; ".join(advice)
