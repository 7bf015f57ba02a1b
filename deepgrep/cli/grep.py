"""`deepgrep grep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, depth_option, filter_options, help_text, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


@click.command(
    help=help_text(
        """Search for PATTERNs in every function that ROOT can reach.

        Each line that holds one of them is shown, with the shortest way by which its function is reached. ROOT is a
        function, Python code, or a .py file. Put -- before a PATTERN that begins with a dash.""",
        example="deepgrep grep create_block_mask _is_fx_tracing_flag\n"
        "  deepgrep grep torch.compile -E 'os\\.(environ|getenv)' --no-comments --depth 4",
        status={0: "some line matches", 1: "none does"},
    )
)
@click.argument("root")
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True)
@click.option("-E", "regular", is_flag=True, help="PATTERNs are Python regular expressions, not fixed strings.")
@click.option("-i", "ignore_case", is_flag=True, help="Upper and lower case are the same.")
@click.option("--no-strings", is_flag=True, help="Leave out what is in string literals, docstrings among them.")
@click.option("--no-comments", is_flag=True, help="Leave out what is in comments.")
@click.option("--paths", is_flag=True, help="Show every call on the way to each function.")
@depth_option("all", least=0)
@text_or_json_option
@filter_options()
@setup_options
def grep(
    setup: Setup,
    filters: Filters,
    root: str,
    patterns: tuple[str, ...],
    regular: bool,
    ignore_case: bool,
    no_strings: bool,
    no_comments: bool,
    paths: bool,
    depth: int | None,
    file_format: str,
) -> int:
    """Answer `deepgrep grep`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.grep(
            root,
            *patterns,
            regular=regular,
            ignore_case=ignore_case,
            strings=not no_strings,
            comments=not no_comments,
            depth=depth,
            filters=filters,
        )
        if file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer))
        else:
            from deepgrep.reports.text.grep import grep_text

            show(grep_text(answer, width(), paths=paths))
    return 0 if answer.functions else 1
