"""`deepgrep export`."""

from __future__ import annotations

from pathlib import Path

import click

from deepgrep.cli.options import Setup, help_text, output_option, setup_options


@click.command(
    help=help_text(
        "Write the whole call graph as JSON.",
        example="deepgrep export -o torch.json",
        status={0: "written"},
    )
)
@click.option(
    "--format",
    "file_format",
    type=click.Choice(["json", "pycg"]),
    default="json",
    show_default=True,
    help="json: everything that is known; pycg: {caller: [callees]}.",
)
@output_option("Write to this file instead of stdout (-: stdout).")
@setup_options
def export(setup: Setup, file_format: str, output: Path | None) -> int:
    """Answer `deepgrep export`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show
    from deepgrep.questions.export import export_graph
    from deepgrep.questions.pycg import export_pycg
    from deepgrep.reports.json import encode

    with analysis(setup) as opened:
        answer = export_graph(opened.graph) if file_format == "json" else export_pycg(opened.graph)
        show(encode(answer), output)
    return 0
