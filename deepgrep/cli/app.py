"""The verbs, each imported only when it is asked for."""

from __future__ import annotations

import importlib

import click

from deepgrep import __version__
from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.options import help_text

_VERBS = (
    "reach",
    "effects",
    "grep",
    "race",
    "accesses",
    "states",
    "callers",
    "callees",
    "diff",
    "bisect",
    "sweep",
    "queries",
    "run",
    "check",
    "report",
    "export",
    "sources",
)


class _LazyGroup(click.Group):
    """Finds the verb `NAME` in `deepgrep.cli.NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            return None
        command: click.Command = getattr(importlib.import_module(f"deepgrep.cli.{cmd_name}"), cmd_name)
        return command


_HELP = help_text(
    """Ask which code of PyTorch can reach which other code, and who changes a state.

    What is read is the installed torch, or with --torch another, which need not be installed; nothing of it is
    imported or run. The first question about a version indexes it, which takes minutes; later ones are answered from
    the cache.""",
    example="deepgrep reach create_block_mask _is_fx_tracing_flag\n"
    "  deepgrep reach create_block_mask _is_fx_tracing_flag --torch 2.13.0\n"
    "  deepgrep diff 2.12.0 2.13.0 create_block_mask _is_fx_tracing_flag",
    status={0: "found: reaches, may-reach", 1: "nothing found: no-path, excluded"},
)


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    help=_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="deepgrep")
@click.pass_context
def app(context: click.Context) -> int:
    """Without a verb, there is nothing to do: show what there is."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
    return EXIT_ERROR
