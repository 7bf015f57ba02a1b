"""The answer of `sweep` in Markdown: a table for a tracker, a row for each version."""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.questions.sweep import SweepAnswer
from deepgrep.reports.markdown.escaping import cell, prose
from deepgrep.reports.sweep_sentences import sweep_sentence, swept_word, unanswered
from deepgrep.reports.words import source_title


def sweep_markdown(answer: SweepAnswer) -> str:
    """Write the answer of `sweep`.

    Args:
        answer: what was found.

    Returns:
        A sentence, a table of the verdicts, and why some are missing.
    """
    changed = {(change.query, change.version) for change in answer.changes}
    lines = [f"**{sweep_sentence(answer)}**", ""]
    lines.append(" | ".join(["| version", *(cell(query.name) for query in answer.queries)]) + " |")
    lines.append("|" + " --- |" * (1 + len(answer.queries)))
    for at, version in enumerate(answer.versions):
        words = [swept_word(query.answers[at]) for query in answer.queries]
        marked = [f"**{word}**" if (query, at) in changed else word for query, word in enumerate(words)]
        lines.append(" | ".join([f"| {cell(version.name)}", *marked]) + " |")
    lines += ["", *_queries(answer), "", *_versions(answer)]
    lines += [f"- cannot be asked: {prose(reason)}" for reason in unanswered(answer)]
    return "\n".join(lines) + "\n"


def _queries(answer: SweepAnswer) -> Iterator[str]:
    for query in answer.queries:
        does = query.access or "write, or call of a function,"
        yield f"- {cell(query.name)}: {does} of {cell(query.target)} from {cell(query.root)}"


def _versions(answer: SweepAnswer) -> Iterator[str]:
    for version in answer.versions:
        said = "; ".join(map(source_title, version.sources)) or f"not had: {version.error}"
        yield f"- {cell(version.name)}: {prose(said)}"
