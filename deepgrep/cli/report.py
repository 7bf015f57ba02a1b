"""`deepgrep report`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.options import (
    PATHS_HELP,
    Setup,
    access_option,
    filter_options,
    help_text,
    named_folder,
    setup_options,
)
from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind

if TYPE_CHECKING:
    from deepgrep.questions.answers import Verdict
    from deepgrep.questions.filters import Filters
    from deepgrep.reports.report import Report


@click.command(
    help=help_text(
        """Write the answer of `reach` into files for a bug filing.

        NAME.md is Markdown for a tracker, with links to the public source code; NAME.html a page to look around in, all
        in one file; NAME.svg a drawing, where there is a path. Their names are printed.""",
        example="deepgrep report create_block_mask _is_fx_tracing_flag -o reports\n"
        "  deepgrep report --query fx-tracing-flag-block-mask -o reports",
        status={
            0: "there is a path: reaches or may-reach; of several queries, for one of them",
            1: "no-path or excluded; of several queries, for each of them",
        },
    )
)
@click.argument("root", required=False)
@click.argument("target", required=False)
@click.option(
    "--query",
    "queries",
    metavar="NAME",
    multiple=True,
    help="Instead of ROOT and TARGET: a stored query, a .toml file, or a folder of them (repeatable).",
)
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    default=".",
    callback=named_folder,
    help="The folder to write into.  [default: the current one]",
)
@access_option
@click.option("--paths", metavar="N", type=click.IntRange(min=1), help=f"{PATHS_HELP}  [default: 5]")
@filter_options()
@setup_options
def report(
    setup: Setup,
    filters: Filters,
    root: str | None,
    target: str | None,
    queries: tuple[str, ...],
    folder: Path,
    access: AccessKind | None,
    paths: int | None,
) -> int:
    """Answer `deepgrep report`."""
    from deepgrep.questions.filters import NO_FILTERS
    from deepgrep.questions.stored import find_queries

    if queries and (root is not None or access is not None or filters != NO_FILTERS):
        raise click.UsageError("--query NAME is a whole question: give no ROOT, TARGET, --access or filter beside it")
    if not queries and (root is None or target is None):
        raise click.UsageError("give ROOT and TARGET, or --query NAME")
    found = find_queries(queries)
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import complain
    from deepgrep.questions.answers import FOUND

    verdicts: list[Verdict] = []
    failed = False
    with analysis(setup) as opened:
        if root is not None and target is not None:
            verdicts = [_written(opened.report(root, target, access=access, paths=paths, filters=filters), folder)]
        for query in found:
            try:
                verdicts.append(_written(opened.report_query(query, paths=paths), folder))
            except DeepgrepError as error:  # of several, one that cannot be answered does not stop the others
                complain(f"{query.name}: {error}")
                failed = True
    if failed:
        return EXIT_ERROR
    return 0 if any(verdict in FOUND for verdict in verdicts) else 1


def _written(report: Report, folder: Path) -> Verdict:
    """Write a report, and say on stdout which files it has; the verdict that it gives."""
    from deepgrep.cli.output import show, warn
    from deepgrep.reports.report_files import write_report
    from deepgrep.reports.words import clean

    for warning in report.warnings:
        warn(warning)
    show("".join(f"{clean(str(path))}\n" for path in write_report(report, folder)))
    return report.answer.verdict
