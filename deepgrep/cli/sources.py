"""`deepgrep sources`."""

from __future__ import annotations

import sys

import click

from deepgrep.cli.options import Setup, help_text, setup_options, text_or_json_option


@click.command(
    help=help_text(
        """List the sources at hand: installed, and fetched releases.

        With --verify: compare what would be analyzed (the installed torch, or what --torch, --with, --source or
        --python name) with the hashes of its release, and name the files that were edited.""",
        example="deepgrep sources --verify\n  deepgrep sources --available",
        status={0: "listed; with --verify: all is as released", 1: "with --verify: files were edited"},
    )
)
@click.option("--verify", is_flag=True, help="Name edited, missing and added files.")
@click.option(
    "--available",
    is_flag=False,
    flag_value="torch",
    metavar="[NAME]",
    help="List the releases that the package index has too, of torch or of this package.",
)
@click.option("--remove", metavar="NAME==VERSION", help="Remove a release that is kept, and nothing else.")
@text_or_json_option
@setup_options
def sources(setup: Setup, verify: bool, available: str | None, remove: str | None, file_format: str) -> int:
    """Answer `deepgrep sources`."""
    if sum([verify, available is not None, remove is not None]) > 1:
        raise click.UsageError("--verify, --available and --remove are three questions: ask one of them")
    from deepgrep.api import at_hand
    from deepgrep.cli.output import show, warn, width
    from deepgrep.reports.json import encode
    from deepgrep.reports.text.sources import sources_text, verified_text

    if remove is not None:
        name, is_named, version = remove.partition("==")
        if not is_named:
            raise click.UsageError(f"--remove {remove}: it is NAME==VERSION")
        at_hand.remove_source(name, version, cache_dir=setup.cache_dir)
        return 0
    if verify:
        answer = at_hand.verify_sources(
            *setup.sources,
            torch=setup.torch,
            packages=setup.packages,
            python=setup.python,
            cache_dir=setup.cache_dir,
            warn=warn,
            progress=sys.stderr,
        )
        show(encode(answer) if file_format == "json" else verified_text(answer, width()))
        return 0 if all(source.is_as_released for source in answer.verified) else 1
    answer = at_hand.list_sources(python=setup.python, cache_dir=setup.cache_dir, available=available, warn=warn)
    show(encode(answer) if file_format == "json" else sources_text(answer, width()))
    return 0
