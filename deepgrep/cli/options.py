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
from deepgrep.graph.rows import AccessKind, Certainty


@dataclass(frozen=True, slots=True)
class Setup:
    """What to analyze and where to keep the results, as the user said it.

    Attributes:
        sources: folders, files or revisions to analyze.
        packages: other packages to analyze, by name and version.
        torch: the version of torch to analyze, or where it is; None for the installed one.
        python: the interpreter whose torch to analyze; None for the running one.
        cache_dir: None for the user's cache folder.
        jobs: processes to index with; None for one for each core.
    """

    sources: tuple[str, ...]
    packages: tuple[str, ...]
    torch: str | None
    python: str | None
    cache_dir: Path | None
    jobs: int | None


def help_text(what: str, example: str, status: Mapping[int, str]) -> str:
    """What `--help` says: what the verb does, a real example, and every exit status."""
    statuses = {**status, EXIT_ERROR: "error; one line on stderr says what to do"}
    listed = "\n".join(f"  {code}  {meaning}" for code, meaning in statuses.items())
    # A paragraph that starts with a backspace is not wrapped.
    return f"{inspect.cleandoc(what)}\n\n\b\nExample:\n  {example}\n\n\b\nExit status:\n{listed}"


def named_folder(_context: click.Context, _option: click.Parameter, value: str | None) -> Path | None:
    """A folder as an option names it."""
    if value == "":  # as a path, that would be the current folder
        raise click.BadParameter("the folder has no name: give one, or leave the option out")
    return None if value is None else Path(value)


def setup_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the options of `Setup`, and pass them as its argument `setup`."""
    return _setup_options(verb, one_version=True)


def versions_setup_options(verb: Callable[..., int]) -> Callable[..., int]:
    """The same for a verb whose arguments name versions: options that name one are not listed, and to be refused."""
    return _setup_options(verb, one_version=False)


def _setup_options(verb: Callable[..., int], *, one_version: bool) -> Callable[..., int]:

    @click.option(
        "--source",
        "sources",
        multiple=True,
        metavar="PATH",
        help="Analyze this folder, .py file, wheel, source distribution or git:PATH@REVISION too, beside torch "
        "(repeatable). If it holds a package torch, that one is taken; where no torch is installed, it is "
        "analyzed alone.",
    )
    @click.option(
        "--torch",
        metavar="VERSION",
        hidden=not one_version,
        help="Analyze this torch: 2.11.0, 2.11 (its newest patch release), latest, nightly, all fetched from pip's "
        "package index; installed; git:PATH@REVISION; a wheel, source distribution or folder.  [default: installed]",
    )
    @click.option(
        "--with",
        "packages",
        multiple=True,
        metavar="NAME[==VERSION]",
        help="Analyze this package too, such as transformers==4.57 or vllm: without a version the installed one, or "
        "else the newest release (repeatable).",
    )
    @click.option(
        "--python",
        metavar="PATH",
        hidden=not one_version,
        help="Analyze the torch installed for this interpreter.",
    )
    @click.option(
        "--cache-dir",
        envvar="DEEPGREP_CACHE_DIR",
        show_envvar=True,
        metavar="DIR",
        callback=named_folder,
        help="Where indexed code is kept.  [default: the user's cache folder]",
    )
    @click.option(
        "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes to index with.  [default: one for each core]"
    )
    @functools.wraps(verb)
    def with_setup(
        *,
        sources: tuple[str, ...],
        packages: tuple[str, ...],
        torch: str | None,
        python: str | None,
        cache_dir: Path | None,
        jobs: int | None,
        **rest: Any,
    ) -> int:
        return verb(setup=Setup(sources, packages, torch, python, cache_dir, jobs), **rest)

    return with_setup


_FILTERS = {
    "assume": click.option(
        "--assume",
        metavar="NAME=VALUE",
        multiple=True,
        help="Remove what cannot be if a parameter of the root, a state, or a call NAME() has this value, such as "
        "fullgraph=False or 'torch.cuda.is_available()=False'; 'defaults': all parameters with a constant default "
        "have that (repeatable).",
    ),
    "assume_env": click.option(
        "--assume-env",
        metavar="NAME=VALUE",
        multiple=True,
        help="The same for an environment variable (repeatable).",
    ),
    "avoid": click.option(
        "--avoid",
        metavar="NAME",
        multiple=True,
        help="Only paths that do not pass through this function, or anything in this package or module (repeatable).",
    ),
    "through": click.option(
        "--through",
        metavar="NAME",
        multiple=True,
        help="Only paths that pass through this function, or "
        "something in this package or module (repeatable: in this order).",
    ),
    "within": click.option(
        "--within", metavar="PACKAGE", multiple=True, help="Only paths that stay in it, or in native code (repeatable)."
    ),
    "exclude": click.option(
        "--exclude", metavar="PACKAGE", multiple=True, help="Only paths that stay out of it (repeatable)."
    ),
    "certainty": click.option(
        "--certainty",
        type=click.Choice([certainty.value for certainty in Certainty]),
        default=Certainty.FLOW.value,
        show_default=True,
        help="Follow only calls that are at least as certain.",
    ),
    "max_length": click.option(
        "--max-length", metavar="N", type=click.IntRange(min=1), help="Only paths of at most N calls."
    ),
    "testing": click.option("--testing", is_flag=True, help="Follow torch.testing too, which is left out otherwise."),
}
"""The options by the attribute of `Filters` that each of them sets."""


def filter_options(*without: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The options of `Filters`, but for those that a verb does without; they are passed as its argument `filters`."""
    names = [name for name in _FILTERS if name not in without]

    def decorate(verb: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(verb)
        def with_filters(**given: Any) -> int:
            from deepgrep.questions.filters import Filters

            return verb(filters=Filters(**{name: given.pop(name) for name in names}), **given)

        for name in reversed(names):
            with_filters = _FILTERS[name](with_filters)
        return with_filters

    return decorate


PATHS_HELP = "Paths to show in all; one to each function that accesses the target is shown in any case."

paths_option = click.option(
    "--paths", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help=PATHS_HELP
)

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
    """The option `-o FILE`; `-` is stdout."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
        callback=lambda _context, _option, value: None if value == Path("-") else value,
        help=help_text,
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
