"""The Python API as the command line uses it: set up by options, with warnings and progress on stderr."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from deepgrep import api
from deepgrep.cli.options import Setup
from deepgrep.cli.output import warn


def analysis(setup: Setup) -> api.Analysis:
    """Open the graph of the sources that the user named; to be closed, as by `with`.

    Raises:
        DeepgrepError: there is nothing to analyze, or it cannot be read.
    """
    return api.open(
        *setup.sources,
        torch=setup.torch,
        packages=setup.packages,
        python=setup.python,
        cache_dir=setup.cache_dir,
        jobs=setup.jobs,
        warn=warn,
        progress=sys.stderr,
    )


def version(setup: Setup, spec: str) -> api.Analysis:
    """Open the graph of one version of torch, beside what else the user named; to be closed, as by `with`.

    Raises:
        DeepgrepError: there is no such version, or it cannot be read.
    """
    return analysis(replace(setup, torch=spec))


def several_versions(setup: Setup, arguments: str) -> None:
    """Refuse the options that name one version where arguments or options name several.

    Raises:
        click.UsageError: one was given.
    """
    for option, given in (("--torch", setup.torch), ("--python", setup.python)):
        if given is not None:
            raise click.UsageError(f"the versions of torch are named by {arguments}: give no {option} beside")
