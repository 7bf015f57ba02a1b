"""`deepgrep bisect`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, access_option, filter_options, help_text, output_option, versions_setup_options
from deepgrep.graph.rows import AccessKind

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


@click.command(
    help=help_text(
        """Find the first version of torch with another answer.

        ROOT and TARGET are those of `reach`.

        By halving: of many versions few are asked, and each of them is indexed if it is not yet. What changed there is
        shown as `diff` does.""",
        example="deepgrep bisect torch.cond _is_fx_tracing_flag --good 2.6 --bad 2.13.0\n"
        "  deepgrep bisect torch.cond _is_fx_tracing_flag --good git:~/pytorch@v2.12.0 --bad git:~/pytorch@main",
        status={0: "both ends answer the same", 1: "a change was found"},
    )
)
@click.argument("root", required=False)
@click.argument("target", required=False)
@click.option("--query", metavar="NAME", help="Instead of ROOT and TARGET: a stored query, or a .toml file.")
@click.option(
    "--good",
    metavar="SPEC",
    help="The first version: a release, or git:PATH@REVISION, of which the first-parent history is looked through.  "
    "[default: the oldest release]",
)
@click.option("--bad", metavar="SPEC", help="The last one.  [default: the newest release]")
@click.option(
    "--on",
    type=click.Choice(["verdict", "paths"]),
    help="What must change.  [default: the verdict, or the paths where both ends have the same]",
)
@access_option
@click.option(
    "--format", "file_format", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True
)
@output_option("Write to this file instead of stdout (-: stdout).")
@filter_options()
@versions_setup_options
def bisect(
    setup: Setup,
    filters: Filters,
    root: str | None,
    target: str | None,
    query: str | None,
    good: str | None,
    bad: str | None,
    on: str | None,
    access: AccessKind | None,
    file_format: str,
    output: Path | None,
) -> int:
    """Answer `deepgrep bisect`."""
    from deepgrep.api.bisecting import bisect as find
    from deepgrep.cli.analysis import several_versions, version
    from deepgrep.cli.output import show, warn, width
    from deepgrep.cli.questions import asked

    several_versions(setup, "--good and --bad")
    question = asked(root, target, query, access, filters)
    if question is None:
        raise click.UsageError("give ROOT and TARGET, or --query NAME")
    answer = find(
        question.root,
        question.target,
        good=good,
        bad=bad,
        on=on,
        access=question.access,
        filters=question.filters,
        open_version=partial(version, setup),
        warn=warn,
    )
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(answer), output)
    elif file_format == "markdown":
        from deepgrep.reports.markdown.bisect import bisect_markdown

        show(bisect_markdown(answer).encode(), output)
    else:
        from deepgrep.reports.text.bisect import bisect_text

        show(bisect_text(answer, width(output)), output)
    return 0 if answer.after is None else 1
