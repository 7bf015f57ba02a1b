"""What all text reports share: safe text, names and places that fit a line, the words for counts and certainty.

The reports are written with colour; whoever prints them strips it where it does not belong (`click.echo` does). What
comes from the analyzed code is cleaned first, so the only escape codes in a report are our own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import cache

import click

from deepgrep.graph.rows import AccessKind, Certainty, Skipped, Source, Via
from deepgrep.questions.answers import Removed, RootRef

SourceLine = Callable[[str, int], str | None]
"""Gives the text of one line of an analyzed file, or None where the file cannot be read any more or has changed."""

DOES = {AccessKind.WRITE: "writes", AccessKind.READ: "reads", AccessKind.CALL: "calls"}
DO = {AccessKind.WRITE: "write", AccessKind.READ: "read", AccessKind.CALL: "call"}

SEVERAL = {
    Certainty.DISPATCH: "dispatch: one of several overrides",
    Certainty.FLOW: "flow: one of several values",
}

SCOPES = {
    "process": "one for the whole process",
    "thread": "one for each thread",
    "context": "one for each context",
    "environment": "inherited by child processes",
    "object": "one for each object",
}

CODE_FILE = "<root>"
"""The file of a root that is code."""

DETAIL = " " * 6
_INDENT = " " * 10
_DIGITS_SHOWN = 12
_SKIPPED_SHOWN = 10
_REMOVED_SHOWN = 8


def clean(text: str) -> str:
    """Make text from analyzed code safe to print: no control, bidirectional or other invisible characters."""
    if text.isprintable():
        return text
    spaced = text.replace("\t", " ").replace("\r\n", " ").replace("\n", " ")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in spaced)


def shorten(text: str, width: int) -> str:
    """Cut the middle out of text that is longer than `width`."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


def cut(text: str, width: int) -> str:
    """Cut the end off text that is longer than `width`."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def place(file: str, line: int) -> str:
    """`file:line`, which editors and terminals open; never shortened. A relay, which is native, has no line."""
    return f"{clean(file)}:{line}" if line else clean(file)


@cache
def local_name(function: str, file: str) -> str:
    """What to call a function beside its place: its qualname, as the file already says the module."""
    if function == file:  # the body of a script, or code that was typed
        return CODE_FILE if file == CODE_FILE else "<module>"
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return clean(function.removeprefix(f"{module}.").removeprefix("__main__."))


def plural(count: int, noun: str) -> str:
    """`1 path`, `2 paths`, `12,000 paths`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


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


def wrap(text: str, width: int, indent: str) -> list[str]:
    """Wrap a sentence; the lines after the first are indented two further."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def passing(via: Via, certainty: Certainty) -> str:
    """How control passes, where that is more than a plain call of the only callee; "" for that."""
    said = "" if via is Via.CALL and certainty is Certainty.CERTAIN else f"by {via}"
    if certainty is not Certainty.CERTAIN:
        said += f", {SEVERAL[certainty]}"
    return f"{said}: what follows is in another process" if via is Via.PROCESS else said


def sources_lines(sources: Sequence[Source]) -> list[str]:
    """What was analyzed: name, version, commit and digest of every source."""
    return [entry("sources" if index == 0 else "", source_title(source)) for index, source in enumerate(sources)]


def source_title(source: Source) -> str:
    """One source in a few words: `torch 2.13.0, commit 0123456789ab, digest 0123456789ab`."""
    parts = [f"{source.name} {source.version}".strip()]
    if source.commit:
        parts.append(f"commit {source.commit[:_DIGITS_SHOWN]}")
    parts.append(f"digest {source.digest[:_DIGITS_SHOWN]}")
    return clean(", ".join(parts))


def state_title(kind: str, scope: str) -> str:
    """What a target is: `module global, one for the whole process`."""
    return ", ".join(filter(None, [kind, SCOPES.get(scope, scope)]))


def headline(sentence: str, width: int, detail: str = "", word: str = "", colour: str | None = None) -> list[str]:
    """The first line of a report, wrapped.

    Args:
        sentence: what was found, in bold where no word says it.
        width: columns to stay within.
        detail: what follows the sentence after two spaces.
        word: the verdict, which comes first.
        colour: that of the verdict.
    """
    said = f"{word}   {sentence}" if word else sentence
    lines = textwrap.wrap(said, width, subsequent_indent=_INDENT, break_on_hyphens=False)
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


def root_name(root: RootRef, name: Callable[[str], str] = clean) -> str:
    """What a sentence calls the root; `name` writes the name of a function or script."""
    return "the code" if root.file == CODE_FILE else name(root.name)


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
    first, *others = textwrap.wrap(text, width - len(_INDENT), break_on_hyphens=False)
    return [entry(label, first), *(entry("", other) for other in others)]


def skipped_lines(skipped: Sequence[Skipped], width: int) -> list[str]:
    """The files that could not be read, which no answer takes into account."""
    if not skipped:
        return []
    lines = [entry("skipped", skipped_sentence(len(skipped)))]
    for file in skipped[:_SKIPPED_SHOWN]:
        lines += wrap(f"{clean(file.file)}: {clean(file.reason)}", width, "  ")
    return lines + left_out(len(skipped) - _SKIPPED_SHOWN)


def skipped_sentence(count: int) -> str:
    """That files could not be read."""
    return f"{plural(count, 'file')} could not be read and may hide something"


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


def removed_sentence(removed: Sequence[Removed]) -> str:
    """How many conditions cannot hold, and how many of them mattered."""
    leading = sum(1 for row in removed if row.leads_on)
    on = f"; {leading:,} of them kept calls out that could have led to the target" if leading else ""
    return f"{plural(len(removed), 'condition')} cannot hold, by what is assumed{on}"


def section(*lines: str) -> list[str]:
    """Lines set off by an empty one, or nothing at all."""
    return ["", *lines] if lines else []
