"""`deepgrep callees`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, depth_option, filter_options, help_text, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


@click.command(
    help=help_text(
        """List the functions that ROOT calls.

        ROOT is a function's name, Python code, or a .py file.""",
        example="deepgrep callees torch.compile --depth all --format json\n  deepgrep callees 'torch.compile(f)(x)'",
        status={0: "there are some", 1: "there are none"},
    )
)
@click.argument("root")
@depth_option()
@text_or_json_option
@filter_options()
@setup_options
def callees(setup: Setup, filters: Filters, root: str, depth: int | None, file_format: str) -> int:
    """Answer `deepgrep callees`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.callees(root, depth=depth, filters=filters)
        if file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer))
        else:
            from deepgrep.reports.text.neighbours import callees_text

            show(callees_text(answer, opened.source_lines(root), width()))
    return 0 if answer.functions else 1
