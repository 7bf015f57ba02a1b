"""A report: the files that a person attaches to a filing, made of one answer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deepgrep import __version__
from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.answers import Drawing, ReachAnswer
from deepgrep.questions.drawing import drawing
from deepgrep.questions.drawing_groups import readable
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.reach import Findings
from deepgrep.questions.reach import answer as answer_of
from deepgrep.questions.stored import StoredQuery
from deepgrep.reports.drawings.dot import picture_source
from deepgrep.reports.drawings.mermaid import mermaid_source
from deepgrep.reports.drawings.render import render
from deepgrep.reports.html.page import html_page
from deepgrep.reports.links import Permalink
from deepgrep.reports.markdown.document import markdown
from deepgrep.reports.provenance import Provenance, repeating_command
from deepgrep.reports.report_name import question_id, report_name, safe_name
from deepgrep.reports.words import SourceLine
from deepgrep.sources.released import Released

_USUAL_PATHS = 5
_PAGE_FUNCTIONS = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a report, as it was typed.

    Attributes:
        paths: how many paths to give; None for the usual number.
        stored: the stored query that it is, or None.
        is_shipped: whether that ships with deepgrep, so that its name says which it is.
    """

    root: str
    target: str
    access: AccessKind | None = None
    paths: int | None = None
    filters: Filters = NO_FILTERS
    stored: StoredQuery | None = None
    is_shipped: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The files of a report, not yet written.

    Attributes:
        name: what its files are called, but for their suffixes.
        question: a text that only this question has; it is also in the Markdown.
        files: their contents by name.
        warnings: what could not be drawn, and what else the user should know before it is published.
    """

    name: str
    question: str
    answer: ReachAnswer
    files: dict[str, bytes]
    warnings: tuple[str, ...]


def make_report(
    findings: Findings,
    asked: Asked,
    source_line: SourceLine,
    permalink: Permalink,
    released: Sequence[Released],
    sources: Sequence[str],
) -> Report:
    """Write everything that belongs to a report.

    Args:
        findings: what `investigate` found.
        asked: the question.
        source_line: gives the text of the lines that paths pass through.
        permalink: gives the public addresses of lines.
        released: the analyzed sources, each compared with its release.
        sources: the options that name those that the user named.

    Returns:
        Markdown, an HTML page and, where there is a path, its drawing; or what that would be drawn from.
    """
    answer = answer_of(findings, asked.paths or _USUAL_PATHS)
    name = _name(asked)
    title, note = (asked.stored.question, asked.stored.note) if asked.stored else ("", "")
    question = question_id(asked.root, asked.target, asked.access, asked.filters)
    provenance = Provenance(_command(asked, sources), __version__, _python(), list(released))
    files: dict[str, bytes] = {f"{name}.md": b""}
    warnings = []
    if Path(answer.root.file).is_absolute():
        warnings.append(
            f"the report names {answer.root.file}: type the script's name alone, in its folder, to avoid that"
        )

    def page(drawn: Drawing | None) -> bytes:
        return html_page(answer, drawn, source_line, permalink, provenance, title, note).encode()

    try:
        files[f"{name}.html"] = page(drawing(findings, most=_PAGE_FUNCTIONS))
    except DeepgrepError as error:
        files[f"{name}.html"] = page(None)
        warnings.append(f"{name}.html has no drawing: {error}")
    small = drawing(findings)
    if small is not None:
        dot = picture_source(readable(small), answer, source_line, permalink)
        try:
            files[f"{name}.svg"] = render(dot, "svg")
        except DeepgrepError as error:
            files[f"{name}.dot"] = dot.encode()
            warnings.append(f"there is no {name}.svg: {error} (kept in {name}.dot)")
    text = markdown(
        answer,
        source_line,
        permalink,
        provenance,
        question=title,
        note=note,
        mermaid=None if small is None else mermaid_source(small, answer, permalink),
        attached=list(files)[1:],
    )
    files[f"{name}.md"] = f"{text}\n{marker(question)}\n".encode()
    return Report(name, question, answer, files, tuple(warnings))


def marker(question: str) -> str:
    """The line of a report's Markdown, which trackers do not show, that says which question it belongs to."""
    return f"<!-- deepgrep report {question} -->"


def _name(asked: Asked) -> str:
    if asked.stored:
        return safe_name(asked.stored.name)
    return report_name(asked.root, asked.target, asked.access, asked.filters)


def _command(asked: Asked, sources: Sequence[str]) -> str:
    if asked.stored and asked.is_shipped:
        return repeating_command(["--query", asked.stored.name], None, asked.paths, NO_FILTERS, sources)
    return repeating_command([asked.root, asked.target], asked.access, asked.paths, asked.filters, sources)


def _python() -> str:
    return ".".join(map(str, sys.version_info[:3]))
