"""The answer of `sweep` for people: a table where it fits, else the versions with the same verdict on one line."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import groupby

import click

from deepgrep.questions.sweep import SweepAnswer, Swept, SweptQuery
from deepgrep.reports.sweep_sentences import sweep_sentence, swept_word, unanswered
from deepgrep.reports.text.lines import VERDICT_COLOURS, entry, headline, section, wrap
from deepgrep.reports.words import clean, plural, shorten, source_title

_INDENT = " " * 10
_NAME = 32


def sweep_text(answer: SweepAnswer, width: int) -> str:
    """Write the answer of `sweep`.

    Args:
        answer: what was found.
        width: columns to stay within.

    Returns:
        Lines with colour, with a newline after each.
    """
    table = _table(answer)
    fits = all(len(click.unstyle(line)) <= width for line in table)
    lines = [
        *headline(sweep_sentence(answer), width),
        *section(*_versions(answer, width)),
        *section(*(table if fits else _runs(answer, width))),
        *section(*_changes(answer, width)),
        *section(*_unanswered(answer, width)),
        *section(*wrap("more: --format json has the number of paths and of accesses that are reached", width, "")),
    ]
    return "\n".join(lines) + "\n"


def _versions(answer: SweepAnswer, width: int) -> Iterator[str]:
    longest = max((len(clean(version.name)) for version in answer.versions), default=0)
    for index, version in enumerate(answer.versions):
        said = "; ".join(map(source_title, version.sources)) or f"not had: {clean(version.error)}"
        first, *rest = wrap(f"{clean(version.name):<{longest}}  {said}", width - len(_INDENT), "")
        yield entry("versions" if index == 0 else "", first)
        yield from (_INDENT + line for line in rest)


def _table(answer: SweepAnswer) -> list[str]:
    """A line for each query, a column for each version."""
    names = [shorten(clean(query.name), _NAME) for query in answer.queries]
    first = max(map(len, names), default=0)
    heads = [clean(version.name) for version in answer.versions]
    widths = [
        max([len(head), *(len(swept_word(query.answers[at])) for query in answer.queries)])
        for at, head in enumerate(heads)
    ]
    cells = "  ".join(head.ljust(size) for head, size in zip(heads, widths, strict=True)).rstrip()
    lines = [click.style(f"{'':<{first}}  {cells}", bold=True)]
    for name, query in zip(names, answer.queries, strict=True):
        verdicts = "  ".join(_styled(one, size) for one, size in zip(query.answers, widths, strict=True))
        lines.append(f"{name:<{first}}  {verdicts}".rstrip())
    return lines


def _runs(answer: SweepAnswer, width: int) -> Iterator[str]:
    """Under each query, a line for neighbouring versions with the same verdict."""
    for query in answer.queries:
        yield click.style(shorten(clean(query.name), width), bold=True)
        for run in _same(query):
            first, last = (clean(answer.versions[at].name) for at in (run[0], run[-1]))
            named = first if len(run) == 1 else f"{first} … {last}"
            count = "" if len(run) < 3 else f"  ({plural(len(run), 'version')})"
            yield f"  {_styled(query.answers[run[0]], 15)}  {shorten(named, width - 30)}{count}"


def _same(query: SweptQuery) -> list[list[int]]:
    """Positions of neighbouring versions on which a query has the same verdict."""
    return [list(run) for _, run in groupby(range(len(query.answers)), lambda at: swept_word(query.answers[at]))]


def _changes(answer: SweepAnswer, width: int) -> Iterator[str]:
    """Each change, and how to have the first explained."""
    commands = []
    for index, change in enumerate(answer.changes):
        query = answer.queries[change.query]
        before = max(at for at in range(change.version) if not answer.versions[at].error)
        commands.append(_diff(query, answer.versions[before].name, answer.versions[change.version].name))
        old, new = (clean(answer.versions[at].name) for at in (before, change.version))
        verdicts = f"{swept_word(query.answers[before])} on {old}, {swept_word(query.answers[change.version])} on {new}"
        first, *rest = wrap(f"{clean(query.name)}: {verdicts}", width - len(_INDENT), "")
        yield entry("changed" if index == 0 else "", first)
        yield from (_INDENT + line for line in rest)
    if commands:
        said = f"`{clean(commands[0])}` explains {'it' if len(commands) == 1 else 'the first'}"
        yield from (_INDENT + click.style(line, dim=True) for line in wrap(said, width - len(_INDENT), ""))


def _diff(query: SweptQuery, before: str, after: str) -> str:
    """The command that explains a change."""
    is_typed = query.name == f"{query.root} {query.target}"
    asked = [query.root, query.target] if is_typed else ["--query", query.name]
    return shlex.join(["deepgrep", "diff", before, after, *asked])


def _unanswered(answer: SweepAnswer, width: int) -> Iterator[str]:
    for reason in unanswered(answer):
        yield from wrap(f"cannot be asked  {clean(reason)}", width, "")


def _styled(answer: Swept, size: int) -> str:
    word = swept_word(answer)
    styled = click.style(word, fg=VERDICT_COLOURS[answer.verdict]) if answer.verdict is not None else word
    return styled + " " * (size - len(word))
