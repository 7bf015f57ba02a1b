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
    setup_options,
)
from deepgrep.graph.rows import AccessKind

if TYPE_CHECKING:
    from deepgrep.api import Analysis
    from deepgrep.cli.questions import Asked
    from deepgrep.questions.filters import Filters

_FORMATS = ("text", "json", "markdown")


@click.command(
    help=help_text(
        """Compare two versions: what changed for ROOT and TARGET, as `reach` takes them.

        BEFORE and AFTER are versions of torch, as --torch takes them: 2.12.0, 2.12, latest, installed, a wheel, a
        folder, git:PATH@REVISION.
        Paths and accesses are compared by names, not by lines; of each path that only one version has, the first call
        that differs is shown, and why.""",
        example="deepgrep diff 2.12.0 2.13.0 create_block_mask _is_fx_tracing_flag",
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
@output_option("Write to this file instead of stdout (-: stdout).")
@filter_options()
@setup_options
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

    several_versions(setup, "BEFORE and AFTER")
    question = asked(root, target, query, access, filters)
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


def _diff(old: Analysis, new: Analysis, question: Asked, paths: int, file_format: str, output: Path | None) -> int:
    """What a question answers in both."""
    from deepgrep.api.comparing import diff as compare
    from deepgrep.cli.output import show, width

    answer = compare(
        old, new, question.root, question.target, access=question.access, paths=paths, filters=question.filters
    )
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(answer), output)
    elif file_format == "markdown":
        from deepgrep.reports.markdown.diff import diff_markdown

        show(diff_markdown(answer, new.source_lines(question.root)).encode(), output)
    else:
        from deepgrep.reports.text.diff import diff_text

        show(diff_text(answer, new.source_lines(question.root), width(output)), output)
    return 0 if answer.same else 1
