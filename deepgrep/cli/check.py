"""`deepgrep check`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.options import Setup, help_text, output_option, setup_options

if TYPE_CHECKING:
    from deepgrep.api import Analysis
    from deepgrep.questions.checking import CheckAnswer


@click.command(
    help=help_text(
        """Check that stored queries are answered as expected.

        What is new and what is gone is said.

        QUERY is the name of one that ships with deepgrep, a .toml file, or a folder of them; without one, all that ship
        are checked. They are compared with the verdict that each expects, or with a baseline: then also with which
        accesses of the target were reached.""",
        example="deepgrep check queries/ --format sarif -o deepgrep.sarif\n"
        "  deepgrep check queries/ --baseline deepgrep.json --update-baseline",
        status={
            0: "all are as expected, or the baseline was updated",
            1: "some are different, or nothing says what to expect of them",
        },
    )
)
@click.argument("names", metavar="[QUERY...]", nargs=-1)
@click.option(
    "--baseline",
    "baseline_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Compare with what this file holds.",
)
@click.option("--update-baseline", is_flag=True, help="Write what is found now into the baseline.")
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["text", "json", "sarif", "junit"]),
    default="text",
    show_default=True,
)
@output_option("Write to this file (-: stdout); if it is not text, the text goes to stdout.")
@setup_options
def check(
    setup: Setup,
    names: tuple[str, ...],
    baseline_file: Path | None,
    update_baseline: bool,
    file_format: str,
    output: Path | None,
) -> int:
    """Answer `deepgrep check`."""
    if update_baseline and baseline_file is None:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width
    from deepgrep.questions.baseline import Baseline, encode_baseline, load_baseline
    from deepgrep.questions.checking import Outcome
    from deepgrep.questions.stored import find_queries, shipped_queries
    from deepgrep.reports.text.check import check_text

    queries = find_queries(names) if names else shipped_queries()
    baseline = None
    if baseline_file is not None:
        is_first = update_baseline and not os.path.exists(baseline_file)
        baseline = Baseline() if is_first else load_baseline(baseline_file)
    with analysis(setup) as opened:
        answer = opened.check(queries, baseline=baseline)
        document = _document(opened, answer, file_format)
    if update_baseline and baseline is not None:
        show(encode_baseline(answer.updated(baseline)), baseline_file)
    if document is not None:
        show(document, output)
    if file_format == "text" or output is not None:
        text_file = output if file_format == "text" else None
        show(check_text(answer, width(text_file), is_updated=update_baseline), text_file)
    if update_baseline:
        return 0
    if answer.outcomes[Outcome.NOT_ANSWERED]:
        return EXIT_ERROR
    return 0 if answer.outcomes[Outcome.AS_EXPECTED] == len(answer.queries) else 1


def _document(opened: Analysis, answer: CheckAnswer, file_format: str) -> bytes | None:
    """The answer in a format for programs; None for text."""
    match file_format:
        case "sarif":
            from deepgrep.reports.check.sarif import sarif

            repositories = {released.name: released.repository for released in opened.released()}
            return sarif(answer, repositories, opened.local_paths())
        case "junit":
            from deepgrep.reports.check.junit import junit

            return junit(answer)
        case "json":
            from deepgrep.reports.json import encode

            return encode(answer)
    return None
