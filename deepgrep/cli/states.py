"""`deepgrep states`."""

from __future__ import annotations

import click

from deepgrep.cli.options import Setup, help_text, setup_options
from deepgrep.questions.shared_state import SCOPES, STATE_KINDS


@click.command(
    help=help_text(
        """List the mutable shared state, and how many functions use it.

        Mutable is what something writes after its definition (by its own module while that is imported, by a
        constructor on its object), and what is there to be set: native settings, config options, environment variables.
        PATTERN is a part of the name, or with * or ? in it a pattern of the name, or of an end of it after a dot.""",
        example="deepgrep states --package torch.fx\n  deepgrep states '*_tracing*' --format csv",
        status={0: "there is some", 1: "there is none"},
    )
)
@click.argument("pattern", default="")
@click.option("--kind", type=click.Choice(STATE_KINDS), help="Only state of this kind.")
@click.option("--package", metavar="NAME", help="Only state whose name begins with this package, module or class.")
@click.option("--scope", type=click.Choice(SCOPES), help="Only state that is one for each of these.")
@click.option("--all", "everything", is_flag=True, help="Also what nothing changes, and attributes of instances.")
@click.option("--format", "file_format", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True)
@setup_options
def states(
    setup: Setup,
    pattern: str,
    kind: str | None,
    package: str | None,
    scope: str | None,
    everything: bool,
    file_format: str,
) -> int:
    """Answer `deepgrep states`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        answer = opened.states(pattern, kind=kind, package=package, scope=scope, everything=everything)
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(answer))
    elif file_format == "csv":
        from deepgrep.reports.text.states import states_csv

        show(states_csv(answer))
    else:
        from deepgrep.reports.text.states import states_text

        show(states_text(answer, width()))
    return 0 if answer.states else 1
