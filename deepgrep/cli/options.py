"""The options that verbs share."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.graph.rows import AccessKind


@dataclass(frozen=True, slots=True)
class Setup:
    """What to analyze and where to keep the results, as the user said it.

    Attributes:
        sources: folders or files to analyze.
        python: the interpreter whose torch to analyze; None for the running one.
        cache_dir: None for the user's cache folder.
        jobs: processes to index with; None for one for each core.
    """

    sources: tuple[Path, ...]
    python: str | None
    cache_dir: Path | None
    jobs: int | None


def help_text(what: str, example: str, status: Mapping[int, str]) -> str:
    """What `--help` says: what the verb does, a real example, and every exit status."""
    statuses = {**status, EXIT_ERROR: "error; one line on stderr says what to do"}
    listed = "\n".join(f"  {code}  {meaning}" for code, meaning in statuses.items())
    # A paragraph that starts with a backspace is not wrapped.
    return f"{inspect.cleandoc(what)}\n\n\b\nExample:\n  {example}\n\n\b\nExit status:\n{listed}"


def setup_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of `Setup`, and pass them as its argument `setup`."""

    @click.option(
        "--source",
        "sources",
        multiple=True,
        metavar="PATH",
        type=click.Path(path_type=Path),
        help="Analyze this folder or .py file too, beside the installed torch (repeatable). "
        "If it holds a package torch, that one is taken; where no torch is installed, it is analyzed alone.",
    )
    @click.option("--python", metavar="PATH", help="Analyze the torch installed for this interpreter.")
    @click.option(
        "--cache-dir",
        envvar="DEEPGREP_CACHE_DIR",
        show_envvar=True,
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Where indexed code is kept.  [default: the user's cache folder]",
    )
    @click.option(
        "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes to index with.  [default: one for each core]"
    )
    @functools.wraps(verb)
    def with_setup(
        *, sources: tuple[Path, ...], python: str | None, cache_dir: Path | None, jobs: int | None, **rest: Any
    ) -> int:
        return verb(setup=Setup(sources, python, cache_dir, jobs), **rest)

    return with_setup


access_option = click.option(
    "--access",
    type=click.Choice([kind.value for kind in AccessKind]),
    callback=lambda _context, _option, value: None if value is None else AccessKind(value),
    help="What the code must do to the target.  [default: write for a state, call for a function]",
)

text_or_json_option = click.option(
    "--format", "file_format", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def output_option(help_text: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option `-o FILE`."""
    return click.option(
        "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help=help_text
    )


def depth_option(default: str = "1", least: int = 1) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The option `--depth N|all`, N from `least` on; "all" is passed as None."""

    def depth(_context: click.Context, _option: click.Parameter, value: str) -> int | None:
        if value == "all":
            return None
        if value.isdecimal() and int(value) >= least:
            return int(value)
        raise click.BadParameter(f"{value!r} is neither a number from {least} on nor 'all'")

    return click.option(
        "--depth",
        default=default,
        show_default=True,
        metavar="N|all",
        callback=depth,
        help="How many calls to follow.",
    )
