"""`deepgrep diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import (
    Setup,
    access_option,
    filter_options,
    help_text,
    output_option,
    versions_setup_options,
)
from deepgrep.graph.rows import AccessKind

if TYPE_CHECKING:
    from deepgrep.api import Analysis
    from deepgrep.cli.questions import Asked
    from deepgrep.questions.diff import Compared
    from deepgrep.questions.filters import Filters

_FORMATS = ("text", "json", "markdown", "svg", "png", "pdf", "dot")
_DRAWN = ("svg", "png", "pdf", "dot")


@click.command(
    help=help_text(
        """Compare the answers of two versions, or all shared state.

        ROOT and TARGET are those of `reach`. BEFORE and AFTER are versions of torch, as --torch takes them elsewhere:
        2.12.0, 2.12, latest, installed, a wheel, a folder, git:PATH@REVISION.
        Paths and accesses are compared by names, not by lines; of each path that only one version has, the calls
        that differ are shown, and why. Without ROOT and TARGET: state that is new, gone or of another kind, and the
        functions that write it.""",
        example="deepgrep diff 2.12.0 2.13.0 create_block_mask _is_fx_tracing_flag\n  deepgrep diff 2.11.0 2.12.0",
        status={0: "the same", 1: "different"},
    )
)
@click.argument("before")
@click.argument("after")
@click.argument("root", required=False)
@click.argument("target", required=False)
@click.option("--query", metavar="NAME", help="Instead of ROOT and TARGET: a stored query, or a .toml file.")
@access_option
@click.option(
    "--paths",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Paths of each version to compare; one to each function that accesses the target is compared in any case.",
)
@click.option("--format", "file_format", type=click.Choice(_FORMATS), default="text", show_default=True)
@output_option("Write to this file instead of stdout (-: stdout); png and pdf need one.")
@filter_options()
@versions_setup_options
def diff(
    setup: Setup,
    filters: Filters,
    before: str,
    after: str,
    root: str | None,
    target: str | None,
    query: str | None,
    access: AccessKind | None,
    paths: int,
    file_format: str,
    output: Path | None,
) -> int:
    """Answer `deepgrep diff`."""
    from deepgrep.cli.analysis import several_versions, version
    from deepgrep.cli.questions import asked

    if file_format in {"png", "pdf"} and output is None:
        raise click.UsageError(f"--format {file_format} needs -o FILE")
    several_versions(setup, "BEFORE and AFTER")
    question = asked(root, target, query, access, filters, after="BEFORE and AFTER, then ")
    if question is None and file_format in _DRAWN:
        raise click.UsageError(f"--format {file_format} draws paths: give ROOT and TARGET, or --query NAME")
    with version(setup, before) as old, version(setup, after) as new:
        if question is None:
            return _changes(old, new, file_format, output)
        return _diff(old, new, question, paths, file_format, output)


def _changes(old: Analysis, new: Analysis, file_format: str, output: Path | None) -> int:
    """All that changed between two versions."""
    from deepgrep.api.comparing import changes
    from deepgrep.cli.output import show, width

    answer = changes(old, new)
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(answer), output)
    elif file_format == "markdown":
        from deepgrep.reports.markdown.changes import changes_markdown

        show(changes_markdown(answer).encode(), output)
    else:
        from deepgrep.reports.text.changes import changes_text

        show(changes_text(answer, width(output)), output)
    return 0 if answer.same else 1


def _diff(old: Analysis, new: Analysis, asked: Asked, paths: int, file_format: str, output: Path | None) -> int:
    """What a question answers in both."""
    from deepgrep.api.comparing import question_of, version_of
    from deepgrep.cli.output import show, width
    from deepgrep.questions.diff import compare

    question = question_of(asked.root, asked.target, asked.access, paths, asked.filters)
    compared = compare(version_of(old, question), version_of(new, question), question)
    answer, source_line = compared.answer, new.source_lines(question.root)
    match file_format:
        case "json":
            from deepgrep.reports.json import encode

            show(encode(answer), output)
        case "markdown":
            from deepgrep.reports.markdown.diff import diff_markdown

            show(diff_markdown(answer, source_line).encode(), output)
        case "text":
            from deepgrep.reports.text.diff import diff_text

            show(diff_text(answer, source_line, width(output)), output)
        case _:
            _draw(compared, file_format, output)
    return 0 if answer.same else 1


def _draw(compared: Compared, file_format: str, output: Path | None) -> None:
    """Write both versions as one picture."""
    from deepgrep.cli.output import show, warn
    from deepgrep.cli.picture import show_drawn
    from deepgrep.questions.diff_drawing import diff_drawing
    from deepgrep.reports.diff_sentences import diff_sentence
    from deepgrep.reports.drawings.diff import diff_source

    drawing = diff_drawing(compared)
    if drawing is None:
        warn(f"nothing is drawn: {diff_sentence(compared.answer)}: --format text says what that rests on")
        return
    dot = diff_source(drawing, compared.answer)
    if file_format == "dot":
        show(dot.encode(), output)
    else:
        show_drawn(dot, file_format, output)
