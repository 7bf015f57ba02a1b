"""Drawings in a file or on stdout."""

from __future__ import annotations

from pathlib import Path

from deepgrep.cli.output import show, warn
from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import ReachAnswer
from deepgrep.questions.drawing import drawing
from deepgrep.questions.drawing_groups import each_function, readable
from deepgrep.questions.reach import Findings
from deepgrep.reports.drawings.dot import picture_source
from deepgrep.reports.drawings.head import not_drawn
from deepgrep.reports.drawings.mermaid import MOST_FUNCTIONS, mermaid_source
from deepgrep.reports.drawings.render import render, scaled_down
from deepgrep.reports.links import Permalink
from deepgrep.reports.sentences import verdict_sentence
from deepgrep.reports.words import SourceLine


def show_picture(
    findings: Findings,
    answer: ReachAnswer,
    file_format: str,
    output: Path | None,
    source_line: SourceLine,
    permalink: Permalink,
    *,
    everything: bool,
) -> None:
    """Draw what was found, and write the picture; without a path there is none, which is told on stderr.

    Args:
        findings: what to draw.
        answer: the answer that belongs to it.
        file_format: `dot`, `mermaid`, `svg`, `png` or `pdf`.
        output: the file; None for stdout.
        source_line: gives the lines of source for tooltips.
        permalink: gives the links.
        everything: draw all functions that lie on a path: in pictures cycles as one node, and too many by package.

    Raises:
        DeepgrepError: it cannot be drawn or written. The DOT source is kept beside `output` if it cannot be drawn.
    """
    found = drawing(findings, most=len(findings.chop.functions) if everything else None)
    if found is None:
        warn(f"nothing is drawn: {verdict_sentence(answer)}: --format text says what that rests on")
        return
    if file_format == "mermaid":
        source = mermaid_source(found, answer, permalink)
        if source is None:
            raise DeepgrepError(
                f"too large for Mermaid on a tracker, with {len(found.functions):,} functions (at most {MOST_FUNCTIONS}"
                f" and 50,000 characters): use --format svg{' or leave out --all' if everything else ''}"
            )
        show(source.encode(), output)
        return
    picture = each_function(found) if file_format == "dot" else readable(found)
    for said in not_drawn(picture) if everything else ():
        warn(said)
    dot = picture_source(picture, answer, source_line, permalink)
    if file_format == "dot":
        show(dot.encode(), output)
        return
    show_drawn(dot, file_format, output)


def show_drawn(dot: str, file_format: str, output: Path | None) -> None:
    """Draw DOT source, and write the picture.

    Args:
        dot: the source.
        file_format: `svg`, `png` or `pdf`.
        output: the file; None for stdout.

    Raises:
        DeepgrepError: it cannot be drawn or written. The DOT source is kept beside `output` if it cannot be drawn.
    """
    try:
        drawn = render(dot, file_format)
    except DeepgrepError as error:
        if output is None:
            raise
        raise DeepgrepError(f"{error} ({_keep(dot, output.with_name(f'{output.name}.dot'))})") from error
    show(drawn, output)
    if limit := scaled_down(drawn, file_format):
        warn(f"the picture is scaled down to {limit}: --format svg keeps every label readable")


def _keep(dot: str, path: Path) -> str:
    """Write what could not be drawn, and say where it is; or why that failed too."""
    try:
        show(dot.encode(), path)
    except DeepgrepError as error:
        return str(error)
    return f"kept in {path}"
