"""`deepgrep effects`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deepgrep.cli.options import Setup, filter_options, help_text, setup_options, text_or_json_option

if TYPE_CHECKING:
    from deepgrep.questions.filters import Filters

_NEAREST = 5


@click.command(
    help=help_text(
        """List the shared state that ROOT can change.

        What is certain and near comes first.

        Shared state is what outlives the call: module globals, class attributes, config options, native settings,
        os.environ, ... ROOT is a function, Python code, or a .py file.""",
        example="deepgrep effects torch.set_default_device\n  deepgrep effects 'torch.manual_seed(0)' --reads",
        status={0: "there is some", 1: "there is none"},
    )
)
@click.argument("root")
@click.option("--reads", is_flag=True, help="List what ROOT depends on instead: the shared state that it reads.")
@click.option("--all", "everything", is_flag=True, help="List all of it as text, not only the nearest of each kind.")
@text_or_json_option
@filter_options()
@setup_options
def effects(setup: Setup, filters: Filters, root: str, reads: bool, everything: bool, file_format: str) -> int:
    """Answer `deepgrep effects`."""
    from deepgrep.cli.analysis import analysis
    from deepgrep.cli.output import show, width

    with analysis(setup) as opened:
        if file_format == "json":
            from deepgrep.reports.json import encode

            answer = opened.effects(root, reads=reads, filters=filters)
            show(encode(answer))
        else:
            from deepgrep.reports.text.effects import effects_text

            answer = opened.effects(root, reads=reads, nearest=None if everything else _NEAREST, filters=filters)
            show(effects_text(answer, opened.source_lines(root), width()))
    return 0 if answer.counts or answer.elsewhere else 1
