"""What the forms of a sweep's answer share."""

from __future__ import annotations

from itertools import groupby

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
    return str(answer.verdict) if answer.verdict is not None else "cannot be asked" if answer.error else "not had"


def unanswered(answer: SweepAnswer) -> list[str]:
    """Why queries could not be asked, each query once for versions that follow each other."""
    said = []
    for query in answer.queries:
        versions = list(zip(answer.versions, query.answers, strict=True))
        for cannot, run in groupby(versions, lambda of_version: bool(of_version[1].error)):
            if cannot:
                (first, one), *others = run
                more = f", and {plural(len(others), 'version')} after it" if others else ""
                reason = ", ".join(part.strip() for part in one.error.splitlines()).replace("are, ", "are ")
                said.append(f"{query.name} on {first.name}{more}: {reason}")
    return said
