"""Drawings in a file or on stdout."""

from __future__ import annotations

from pathlib import Path

from deepgrep.cli.output import show, warn
from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import ReachAnswer
from deepgrep.questions.drawing import drawing
from deepgrep.questions.reach import Findings
from deepgrep.reports.drawing import dot_source
from deepgrep.reports.reach_text import verdict_sentence
from deepgrep.reports.render import PNG_LIMIT, is_scaled_down, render


def show_picture(
    findings: Findings, answer: ReachAnswer, file_format: str, output: Path | None, *, everything: bool
) -> None:
    """Draw what was found, and write the picture; without a path there is none, which is told on stderr.

    Args:
        findings: what to draw.
        answer: the answer that belongs to it.
        file_format: `dot`, `svg` or `png`.
        output: the file; None for stdout.
        everything: draw all functions that lie on a path.

    Raises:
        DeepgrepError: it cannot be drawn or written. The DOT source is kept beside `output` if it cannot be drawn.
    """
    found = drawing(findings, everything=everything)
    if found is None:
        warn(f"nothing is drawn: {verdict_sentence(answer)}: --format text says what that rests on")
        return
    dot = dot_source(found, answer)
    if file_format == "dot":
        show(dot.encode(), output)
        return
    try:
        picture = render(dot, file_format)
    except DeepgrepError as error:
        if output is None:
            raise
        kept = output.with_name(f"{output.name}.dot")
        show(dot.encode(), kept)
        raise DeepgrepError(f"{error} (kept in {kept})") from error
    show(picture, output)
    if file_format == "png" and is_scaled_down(picture):
        warn(f"the picture is scaled down to {PNG_LIMIT:,} pixels: --format svg keeps every label readable")
