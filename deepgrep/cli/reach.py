"""`deepgrep reach`."""

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
    paths_option,
    setup_options,
)
from deepgrep.graph.rows import AccessKind

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


_FORMATS = ("text", "json", "svg", "png", "pdf", "dot", "mermaid")


@click.command(
    help=help_text(
        """Ask whether ROOT can get to code that changes TARGET.

        All paths are found; the most certain and shortest are shown. ROOT is a function, by any end of its dotted name
        that only it has, Python code, or a .py file. TARGET is a state (a module global, a class attribute, a config
        option, os.environ[NAME], ...) or a function.""",
        example="deepgrep reach create_block_mask _is_fx_tracing_flag --format svg -o paths.svg\n"
        "  deepgrep reach create_block_mask _is_fx_tracing_flag --assume defaults --exclude torch.onnx\n"
        "  deepgrep reach 'torch.compile(f)(x)' torch.compiler._is_compiling_flag\n"
        "  deepgrep reach train.py torch._inductor.config.deterministic",
        status={
            0: "reaches (some path is certain) or may-reach (each path has a call with several possible callees)",
            1: "no-path (calls remain that could not be followed) or excluded (none of those could lead there)",
        },
    )
)
@click.argument("root")
@click.argument("target")
@access_option
@paths_option
@click.option("--format", "file_format", type=click.Choice(_FORMATS), default="text", show_default=True)
@output_option("Write to this file instead of stdout (-: stdout); png and pdf need one.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Draw every function that lies on a path; cycles as one node, and more than 2,000 by package (dot: each one).",
)
@filter_options()
@setup_options
def reach(
    setup: Setup,
    filters: Filters,
    root: str,
    target: str,
    access: AccessKind | None,
    paths: int,
    file_format: str,
    output: Path | None,
    everything: bool,
) -> int:
    """Answer `deepgrep reach`."""
    if file_format in {"png", "pdf"} and output is None:
        raise click.UsageError(f"--format {file_format} needs -o FILE")
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width
    from deepgrep.questions.answers import FOUND

    with analysis(setup) as opened:
        if file_format == "json":
            answer = opened.reach(root, target, access=access, paths=paths, filters=filters)
        else:
            from deepgrep.questions.reach import answer as answer_of
            from deepgrep.questions.reach import investigate

            findings = investigate(opened.graph, root, target, access, filters)
            answer = answer_of(findings, paths, brief=True)
            if file_format != "text":
                from deepgrep.cli.picture import show_picture

                lines = opened.source_lines(root)
                show_picture(findings, answer, file_format, output, lines, opened.permalinks(), everything=everything)
        if file_format == "text":
            from deepgrep.reports.text.reach import reach_text

            show(reach_text(answer, opened.source_lines(root), width(output)), output)
        elif file_format == "json":
            from deepgrep.reports.json import encode

            show(encode(answer), output)
    return 0 if answer.verdict in FOUND else 1
