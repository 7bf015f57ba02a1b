"""The answer of `bisect` for people: between which versions it changes, what was asked, and what changed."""

from __future__ import annotations

from collections.abc import Sequence

import click

from deepgrep.questions.bisect import BisectAnswer, On, Reply
from deepgrep.reports.diff_sentences import not_there
from deepgrep.reports.text.diff import diff_text
from deepgrep.reports.text.lines import entry, headline, section, wrap
from deepgrep.reports.words import clean, plural

_WORDS = {On.VERDICT: "verdict", On.PATHS: "set of paths"}


def bisect_text(answer: BisectAnswer, width: int) -> str:
    """Write the answer of `bisect`.

    Args:
        answer: what was found.
        width: columns to stay within; `file:line` may be longer.

    Returns:
        Lines with colour, with a newline after each.
    """
    what = _WORDS[answer.on]
    first, last = clean(answer.replies[0].version), clean(answer.replies[-1].version)
    if answer.after is None:
        said, word, colour = f"the {what} is that of {first} in {last}", "same", "green"
    else:
        said = f"the {what} is another one from {clean(answer.after)} on than in {clean(answer.before or '')}"
        word, colour = "changed", "yellow"
    lines = [
        *headline(said, width, word=word, colour=colour),
        *section(entry("asked", f"{len(answer.replies):,} of {plural(answer.versions, 'version')}"), *_rows(answer)),
        *section(*(line for note in _notes(answer) for line in wrap(f"note: {note}", width, ""))),
    ]
    text = "\n".join(lines) + "\n"
    if answer.diff is None:
        return text
    return f"{text}\n{diff_text(answer.diff, lambda _file, _line: None, width)}"


def _rows(answer: BisectAnswer) -> list[str]:
    names = [clean(reply.version) for reply in answer.replies]
    longest = max(map(len, names))
    marks = {answer.before: "last", answer.after: "first"}
    return [
        f"  {name:<{longest}}  {_said(reply)}" + _mark(marks.get(reply.version if answer.after is not None else ""))
        for name, reply in zip(names, answer.replies, strict=True)
    ]


def _mark(word: str | None) -> str:
    return {"last": "  ← the last as before", "first": click.style("  ← the first that differs", fg="yellow")}.get(
        word or "", ""
    )


def _said(reply: Reply) -> str:
    if reply.error:
        return f"cannot be asked: {clean(reply.error.partition(chr(10))[0])}"
    if reply.verdict is None:
        return f"cannot be asked: {not_there(reply.missing)}"
    size = f", {plural(reply.functions, 'function')} and {plural(reply.edges, 'edge')} on paths" if reply.paths else ""
    return f"{reply.verdict}{size}"


def _notes(answer: BisectAnswer) -> Sequence[str]:
    notes = []
    if answer.several:
        notes.append("what was asked shows that it changes more than once: this is one change of several")
    elif answer.after is not None and len(answer.replies) < answer.versions:
        notes.append("it could change, and change back, between versions that were not asked")
    if answer.after is None and answer.versions > len(answer.replies):
        notes.append("only both ends were asked: it could change, and change back, between them")
    return notes
