"""Which sources are at hand, and whether they are what was released; no graph is made for that."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

from deepgrep.api.opening import open_store
from deepgrep.api.places import TORCH, kept_in, open_trees
from deepgrep.errors import DeepgrepError
from deepgrep.indexing import Progress
from deepgrep.questions.at_hand import InstalledSource, SourcesAnswer, kept_sources, verified_sources
from deepgrep.sources import find_installed
from deepgrep.sources.kept import kept_releases, remove_kept
from deepgrep.sources.released import compare_releases
from deepgrep.sources.version import stated_version


def list_sources(
    *,
    python: str | None = None,
    cache_dir: str | Path | None = None,
    available: str | None = None,
    warn: Callable[[str], None] = lambda _line: None,
) -> SourcesAnswer:
    """List what is at hand: the installed torch, and the releases that are kept.

    Args:
        python: the interpreter whose torch is meant; None for the running one.
        cache_dir: as of `deepgrep.open`.
        available: the name of a package whose released versions are listed too, or None.
        warn: called with a line about each thing that goes wrong and does not stop the answer.

    Raises:
        DeepgrepError: `python` is no interpreter, the cache cannot be used, or no package index answers.
    """
    installed = []
    try:
        place = find_installed(TORCH, python)
        installed.append(InstalledSource(TORCH, *stated_version(place.location, TORCH)))
    except DeepgrepError:
        if python is not None:
            raise
    with closing(open_store(cache_dir, warn)) as store:
        kept = kept_sources(kept_releases(kept_in(store)))
    versions: list[str] = []
    if available is not None:
        from deepgrep.sources.releases import released_versions

        versions = released_versions(available, warn)
    return SourcesAnswer(installed=installed, kept=kept, available=versions)


def verify_sources(
    *sources: str | Path,
    torch: str | None = None,
    packages: Sequence[str] = (),
    python: str | None = None,
    cache_dir: str | Path | None = None,
    warn: Callable[[str], None] = lambda _line: None,
    progress: TextIO | None = None,
) -> SourcesAnswer:
    """Compare sources with the releases that they were installed from; arguments as of `deepgrep.open`.

    Raises:
        DeepgrepError: a source cannot be read, or none of them can be compared with anything.
    """
    with closing(open_store(cache_dir, warn)) as store:
        trees = open_trees(sources, packages, torch, python, store, warn, Progress(progress or io.StringIO()))
    verified = verified_sources(trees, compare_releases(trees))
    if not any(source.compared for source in verified):
        names = ", ".join(source.source.name for source in verified)
        raise DeepgrepError(
            f"{names}: nothing to compare with: it was not installed from a release, or without a RECORD"
        )
    return SourcesAnswer(verified=verified)


def remove_source(name: str, version: str, *, cache_dir: str | Path | None = None) -> None:
    """Remove a release that is kept.

    Args:
        name: of the package.
        version: of the release.
        cache_dir: as of `deepgrep.open`.

    Raises:
        DeepgrepError: it is not kept, or cannot be removed.
    """
    with closing(open_store(cache_dir, lambda _line: None)) as store:
        remove_kept(kept_in(store), name, version)
