"""`deepgrep callers`."""

from __future__ import annotations

import click

from deepgrep.cli.options import Setup, depth_option, help_text, setup_options, text_or_json_option


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
@setup_options
def callers(setup: Setup, name: str, depth: int | None, file_format: str) -> int:
    """Answer `deepgrep callers`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.callers(name, depth=depth)
        if file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer))
        else:
            from deepgrep.reports.neighbours_text import callers_text

            show(callers_text(answer, opened.source_lines(), width()))
    return 0 if answer.functions else 1
