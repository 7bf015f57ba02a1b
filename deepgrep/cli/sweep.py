"""`deepgrep sweep`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.options import Setup, help_text, output_option, versions_setup_options


@click.command(
    help=help_text(
        """Ask stored queries of many versions: a table of verdicts.

        QUERY is the name of one that ships with deepgrep, a .toml file, or a folder of them. A version that is not in
        the cache is indexed, on all cores or on a cluster, and kept.""",
        example="deepgrep sweep fx-tracing-flag-block-mask --versions 2.5..2.15\n"
        "  deepgrep sweep --reach torch.compile torch._dynamo.config.recompile_limit --versions 2.10..latest\n"
        "  deepgrep sweep queries/ --versions 2.12,2.13,git:~/pytorch@main --format markdown",
        status={0: "each query has the same verdict on all versions", 1: "some verdict changes"},
    )
)
@click.argument("names", metavar="[QUERY...]", nargs=-1)
@click.option(
    "--reach",
    "questions",
    nargs=2,
    multiple=True,
    metavar="ROOT TARGET",
    help="Ask this too, as `deepgrep reach` does (repeatable).",
)
@click.option(
    "--versions",
    multiple=True,
    required=True,
    metavar="VERSIONS",
    help="The versions, with commas between, or a range such as 2.5..2.15: of each minor version, the newest patch "
    "release. A version is what --torch takes elsewhere (repeatable).",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Work on the Dask cluster with this scheduler, such as tcp://10.0.0.1:8786, instead of on this machine.",
)
@click.option(
    "--format", "file_format", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True
)
@output_option("Write to this file instead of stdout (-: stdout).")
@versions_setup_options
def sweep(
    setup: Setup,
    names: tuple[str, ...],
    questions: tuple[tuple[str, str], ...],
    versions: tuple[str, ...],
    scheduler: str | None,
    file_format: str,
    output: Path | None,
) -> int:
    """Answer `deepgrep sweep`."""
    if not names and not questions:
        raise click.UsageError("give a QUERY, or --reach ROOT TARGET")
    from deepgrep import api
    from deepgrep.cli.analysis import several_versions
    from deepgrep.cli.output import show, warn, width
    from deepgrep.questions.stored import find_queries, typed_query

    several_versions(setup, "--versions")
    queries = find_queries(names) + [typed_query(root, target) for root, target in questions]
    answer = api.sweep(
        queries,
        versions,
        sources=setup.sources,
        packages=setup.packages,
        scheduler=scheduler,
        cache_dir=setup.cache_dir,
        jobs=setup.jobs,
        warn=warn,
        progress=sys.stderr,
    )
    match file_format:
        case "text":
            from deepgrep.reports.text.sweep import sweep_text

            show(sweep_text(answer, width(output)), output)
        case "json":
            from deepgrep.reports.json import encode

            show(encode(answer), output)
        case "markdown":
            from deepgrep.reports.markdown.sweep import sweep_markdown

            show(sweep_markdown(answer).encode(), output)
    had_not = any(version.error for version in answer.versions)
    # Such as a name that is misspelled: the same on all versions, and no verdict.
    unanswered = any(all(one.verdict is None for one in query.answers) for query in answer.queries)
    if had_not or unanswered:
        return EXIT_ERROR
    return 1 if answer.changes else 0
