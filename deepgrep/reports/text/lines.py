"""What text reports share: labelled lines, names and places that fit a line, lists that say what they leave out.

The reports are written with colour; whoever prints them strips it where it does not belong (`click.echo` does). What
comes from the analyzed code is cleaned first, so the only escape codes in a report are our own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import click

from deepgrep.graph.rows import Skipped, Source
from deepgrep.questions.answers import Hop, Removed, RootRef, Verdict
from deepgrep.reports.chains import chain
from deepgrep.reports.sentences import requires_sentence, short_name
from deepgrep.reports.words import (
    CODE_FILE,
    SourceLine,
    clean,
    cut,
    local_name,
    place,
    removed_sentence,
    shorten,
    skipped_sentence,
    source_title,
)

DETAIL = " " * 6

VERDICT_COLOURS = {
    Verdict.REACHES: "green",
    Verdict.MAY_REACH: "yellow",
    Verdict.NO_PATH: "magenta",
    Verdict.EXCLUDED: "blue",
}

_INDENT = " " * 10
_SKIPPED_SHOWN = 10
_REMOVED_SHOWN = 8


def place_and_name(before: str, where: str, name: str, width: int) -> list[str]:
    """One line `before where  name`; a name that does not fit comes below, shortened in its middle."""
    used = len(click.unstyle(before)) + len(where) + 2
    head = f"{before}{click.style(where, fg='cyan')}"
    if used + len(name) <= width:
        return [f"{head}  {click.style(name, bold=True)}"]
    return [head, f"{DETAIL}{click.style(shorten(name, width - len(DETAIL)), bold=True)}"]


def source_text(source_line: SourceLine, file: str, line: int, width: int) -> list[str]:
    """The line of source at a place, or nothing where it cannot be shown."""
    text = source_line(file, line)
    if text is None or not text.strip():
        return []
    return [DETAIL + cut(clean(text.strip()), width - len(DETAIL))]


def under(conditions: Sequence[str], locks: Sequence[str], width: int) -> list[str]:
    """The conditions and locks that a line stands under, wrapped."""
    said = []
    if conditions:
        said.append("when " + "; ".join(clean(condition) for condition in conditions))
    if locks:
        said.append("holding " + ", ".join(clean(lock) for lock in locks))
    return [click.style(line, dim=True) for text in said for line in wrap(text, width, DETAIL)]


def requirement_lines(hop: Hop, width: int) -> list[str]:
    """What must have run, and by way of what it does, on one line; nothing where the path itself calls it."""
    required = requires_sentence(hop, short_name)
    if required is None:
        return []
    said, along = required
    way = chain([short_name(name) for name in along], max(0, width - len(DETAIL) - len(said)))
    return [DETAIL + click.style(shorten(said + way, width - len(DETAIL)), fg="magenta")]


def wrap(text: str, width: int, indent: str) -> list[str]:
    """Wrap a sentence; the lines after the first are indented two further. A name is never broken: people copy it."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def sources_lines(sources: Sequence[Source]) -> list[str]:
    """What was analyzed: name, version, commit and digest of every source."""
    return [entry("sources" if index == 0 else "", source_title(source)) for index, source in enumerate(sources)]


def headline(sentence: str, width: int, detail: str = "", word: str = "", colour: str | None = None) -> list[str]:
    """The first line of a report, wrapped.

    Args:
        sentence: what was found, in bold where no word says it.
        width: columns to stay within.
        detail: what follows the sentence after two spaces.
        word: the verdict, which comes first.
        colour: that of the verdict.
    """
    said = f"{word:<7}   {sentence}" if word else sentence
    lines = textwrap.wrap(said, width, subsequent_indent=_INDENT, break_long_words=False, break_on_hyphens=False)
    if word:
        lines[0] = lines[0].replace(word, click.style(word, fg=colour, bold=True), 1)
    else:
        lines = [click.style(line, bold=True) for line in lines]
    return [*lines[:-1], *beside(lines[-1], detail, width)] if detail else lines


def named(label: str, name: str, detail: str, width: int) -> list[str]:
    """A labelled name, with what is to be said of it beside it, or below where that does not fit."""
    return beside(entry(label, shorten(name, width - len(_INDENT))), detail, width)


def root_lines(root: RootRef, source_line: SourceLine, width: int) -> list[str]:
    """The root of a question: a function with its place, a script, or the code that was typed."""
    if root.file == CODE_FILE:
        return [entry("root", cut(clean(source_line(root.file, root.line) or root.name), width - len(_INDENT)))]
    if root.name == root.file:  # a script
        return [entry("root", clean(root.name))]
    return named("root", clean(root.name), click.style(place(root.file, root.line), fg="cyan"), width)


def beside(line: str, detail: str, width: int) -> list[str]:
    """A line and what is to be said beside it, which comes below where it does not fit."""
    if len(click.unstyle(line)) + 2 + len(click.unstyle(detail)) <= width:
        return [f"{line}  {detail}"]
    return [line, f"{_INDENT}{detail}"]


def entry(label: str, text: str) -> str:
    """One labelled line of a report's head."""
    return f"{click.style(f'{label:<10}', dim=True)}{text}"


def labelled(label: str, text: str, width: int) -> list[str]:
    """A labelled entry that may take several lines."""
    first, *others = textwrap.wrap(text, width - len(_INDENT), break_long_words=False, break_on_hyphens=False)
    return [entry(label, first), *(entry("", other) for other in others)]


def skipped_lines(skipped: Sequence[Skipped], width: int) -> list[str]:
    """The files that could not be read, which no answer takes into account."""
    if not skipped:
        return []
    lines = [entry("skipped", skipped_sentence(len(skipped)))]
    for file in skipped[:_SKIPPED_SHOWN]:
        lines += wrap(f"{clean(file.file)}: {clean(file.reason)}", width, "  ")
    return lines + left_out(len(skipped) - _SKIPPED_SHOWN)


def left_out(count: int) -> list[str]:
    """Say what a list does not show."""
    return [f"  … {count:,} more: --format json lists all"] if count > 0 else []


def filter_lines(filters: Sequence[str], width: int) -> list[str]:
    """What a question leaves out, and what it assumes."""
    return [line for said in filters for line in labelled("filter", clean(said), width)]


def remark_lines(assumptions: Sequence[str], notes: Sequence[str], width: int) -> list[str]:
    """What an answer takes for granted, and what it remarks."""
    assumed = [line for one in assumptions for line in labelled("assumes", f"that {clean(one)}", width)]
    return assumed + [line for note in notes for line in wrap(f"note: {clean(note)}", width, "")]


def removed_lines(removed: Sequence[Removed], width: int) -> list[str]:
    """The conditions that cannot hold by what is assumed, and what decides them."""
    if not removed:
        return []
    lines = labelled("removed", removed_sentence(removed), width)
    for row in removed[:_REMOVED_SHOWN]:
        lines += place_and_name("  ", place(row.file, row.line), local_name(row.function, row.file), width)
        lines.append(DETAIL + cut(f"{clean(row.condition)}  ({clean(row.why)})", width - len(DETAIL)))
    return lines + left_out(len(removed) - _REMOVED_SHOWN)


def section(*lines: str) -> list[str]:
    """Lines set off by an empty one, or nothing at all."""
    return ["", *lines] if lines else []
