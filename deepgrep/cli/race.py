"""`deepgrep race`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, filter_options, help_text, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters


@click.command(
    help=help_text(
        """Ask whether threads can interleave on the state TARGET.

        Who writes and reads it, the public functions that lead there, the locks held on every path, and the windows in
        which a saved value waits to be put back; and from that which places can interleave, and what comes of it.""",
        example="deepgrep race _is_fx_tracing_flag\n"
        "  deepgrep race _is_fx_tracing_flag --from torch.fx.symbolic_trace --from torch.cond",
        status={
            0: "can-interleave",
            1: "locked (a common lock), separate (each thread or context has its own), not-shared (no pair of threads)",
        },
    )
)
@click.argument("target")
@click.option(
    "--from",
    "roots",
    multiple=True,
    metavar="ROOT",
    help="What a thread runs: a function, Python code, or a .py file (repeatable: each thread another one; one alone: "
    "all threads).  [default: any public function]",
)
@text_or_json_option
@filter_options("through", "max_length")
@setup_options
def race(setup: Setup, filters: Filters, target: str, roots: tuple[str, ...], file_format: str) -> int:
    """Answer `deepgrep race`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width
    from deepgrep.questions.race_answers import RaceVerdict

    with analysis(setup) as opened:
        answer = opened.race(target, roots=roots, filters=filters)
    if file_format == "json":
        from deepgrep.reports.json import encode

        show(encode(answer))
    else:
        from deepgrep.reports.text.race import race_text

        show(race_text(answer, width()))
    return 0 if answer.verdict is RaceVerdict.CAN_INTERLEAVE else 1
