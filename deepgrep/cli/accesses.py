"""`deepgrep accesses`."""

from __future__ import annotations

import click

from deepgrep.cli.options import Setup, access_option, help_text, setup_options, text_or_json_option
from deepgrep.graph.rows import AccessKind


@click.command(
    help=help_text(
        "List every place that writes, reads or calls TARGET.",
        example="deepgrep accesses torch._dynamo.config.recompile_limit --access read",
        status={0: "there are some", 1: "there are none"},
    )
)
@click.argument("target")
@access_option
@text_or_json_option
@setup_options
def accesses(setup: Setup, target: str, access: AccessKind | None, file_format: str) -> int:
    """Answer `deepgrep accesses`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.accesses(target, access=access)
        if file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer))
        else:
            from deepgrep.reports.text.accesses import accesses_text

            show(accesses_text(answer, opened.source_lines(), width()))
    return 0 if answer.accesses else 1
