"""`deepgrep callers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, depth_option, filter_options, help_text, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


@click.command(
    help=help_text(
        "List the functions that call NAME.",
        example="deepgrep callers Tracer.trace --depth 2",
        status={0: "there are some", 1: "there are none"},
    )
)
@click.argument("name")
@depth_option()
@text_or_json_option
@filter_options()
@setup_options
def callers(setup: Setup, filters: Filters, name: str, depth: int | None, file_format: str) -> int:
    """Answer `deepgrep callers`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.callers(name, depth=depth, filters=filters)
        if file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer))
        else:
            from deepgrep.reports.text.neighbours import callers_text

            show(callers_text(answer, opened.source_lines(), width()))
    return 0 if answer.functions else 1
