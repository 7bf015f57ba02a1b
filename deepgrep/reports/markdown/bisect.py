"""The answer of `bisect` for a public tracker: what was asked, and what changed, as `diff` writes it."""

from __future__ import annotations

from deepgrep.questions.bisect import BisectAnswer
from deepgrep.reports.bisect_sentences import (
    asked_sentence,
    bisect_notes,
    bisect_sentence,
    reply_marks,
    reply_sentence,
)
from deepgrep.reports.markdown.diff import diff_parts, fitted
from deepgrep.reports.markdown.escaping import code, prose


def bisect_markdown(answer: BisectAnswer) -> str:
    """Write the answer of `bisect`.

    Args:
        answer: what was found.

    Returns:
        At most as many bytes as the answer of `diff`.
    """
    word = "same" if answer.after is None else "changed"
    rows = [
        f"- {code(reply.version)}: {reply_sentence(reply, prose)}" + (f" (**{mark}**)" if mark else "")
        for reply, mark in zip(answer.replies, reply_marks(answer), strict=True)
    ]
    head = [
        [f"**{word}**: {bisect_sentence(answer, code)}."],
        [f"Asked were {asked_sentence(answer)}:", "", *rows],
        [f"- note: {note}" for note in bisect_notes(answer)],
    ]
    diff = answer.diff
    if diff is None:
        return fitted(lambda _most: head)
    return fitted(lambda most: [*head, ["---"], *diff_parts(diff, lambda _file, _line: None, most)])
