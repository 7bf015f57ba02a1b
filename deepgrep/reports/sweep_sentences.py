"""What the forms of a sweep's answer share."""

from __future__ import annotations

from deepgrep.questions.sweep import SweepAnswer, Swept
from deepgrep.reports.words import count_of_queries, plural


def sweep_sentence(answer: SweepAnswer) -> str:
    """What a sweep found, in a sentence."""
    asked = f"{count_of_queries(len(answer.queries))} on {plural(len(answer.versions), 'version')}"
    missing = sum(1 for version in answer.versions if version.error)
    had = f", {missing:,} of which could not be had" if missing else ""
    changed = len({change.query for change in answer.changes})
    if not changed:
        return f"{asked}{had}: no verdict changes"
    return f"{asked}{had}: {plural(len(answer.changes), 'change')} of verdicts, in {count_of_queries(changed)}"


def swept_word(answer: Swept) -> str:
    """How a query was answered on one version, in a word."""
    return str(answer.verdict) if answer.verdict is not None else "not answered" if answer.error else "not had"
