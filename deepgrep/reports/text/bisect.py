"""The answer of `bisect` for people: between which versions it changes, what was asked, and what changed."""

from __future__ import annotations

import click

from deepgrep.questions.bisect import BisectAnswer
from deepgrep.reports.bisect_sentences import (
    asked_sentence,
    bisect_notes,
    bisect_sentence,
    reply_marks,
    reply_sentence,
)
from deepgrep.reports.text.diff import diff_text
from deepgrep.reports.text.lines import entry, headline, section, wrap
from deepgrep.reports.words import clean


def bisect_text(answer: BisectAnswer, width: int) -> str:
    """Write the answer of `bisect`.

    Args:
        answer: what was found.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    word, colour = ("same", "green") if answer.after is None else ("changed", "yellow")
    lines = [
        *headline(bisect_sentence(answer), width, word=word, colour=colour),
        *section(entry("asked", asked_sentence(answer)), *_rows(answer)),
        *section(*(line for note in bisect_notes(answer) for line in wrap(f"note: {note}", width, ""))),
    ]
    text = "\n".join(lines) + "\n"
    if answer.diff is None:
        return text
    return f"{text}\n{diff_text(answer.diff, lambda _file, _line: None, width)}"


def _rows(answer: BisectAnswer) -> list[str]:
    names = [clean(reply.version) for reply in answer.replies]
    longest = max(map(len, names))
    return [
        f"  {name:<{longest}}  {reply_sentence(reply)}" + click.style(f"  ← {mark}" if mark else "", fg="yellow")
        for name, reply, mark in zip(names, answer.replies, reply_marks(answer), strict=True)
    ]
