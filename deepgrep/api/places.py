"""Which sources a question is about: those that the user names, in whatever form, and a torch."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.indexing import Progress, read_trees
from deepgrep.sources import Place, SourceTree, find_installed
from deepgrep.sources.fetching import Fetching
from deepgrep.store import Store

TORCH = "torch"

_MEGABYTE = 1_000_000

_MOVING = re.compile(r"latest|nightly|\d+(\.\d+)?", re.ASCII)


def fetching(store: Store, warn: Callable[[str], None], progress: Progress) -> Fetching:
    """Say how releases are fetched: they are kept beside the cache, and whoever waits sees how far it is."""
    total = 0

    def begin(text: str) -> None:
        progress.stage(f"{text} (MB)")

    def advance(size: int) -> None:
        nonlocal total
        before, total = total, total + size
        progress.advance(total // _MEGABYTE - before // _MEGABYTE)

    return Fetching(kept_in(store), warn, begin, advance, progress.end)


def kept_in(store: Store) -> Path:
    """The folder of the releases that are kept: beside the cache."""
    return store.path.parent / "sources"


def open_trees(
    sources: Sequence[str | Path],
    packages: Sequence[str],
    torch: str | None,
    python: str | None,
    store: Store,
    warn: Callable[[str], None],
    progress: Progress,
) -> list[SourceTree]:
    """Find and read what the user named, as `deepgrep.open` describes it.

    Returns:
        The sources, then the packages, then the torch, unless a source holds one.

    Raises:
        DeepgrepError: something is not there, or nothing is named and no torch is installed.
    """
    if torch is not None and python is not None:
        raise DeepgrepError(f"--torch {torch} and --python {python} name two torches: leave one of them out")
    if isinstance(packages, str):
        raise DeepgrepError(f"packages={packages!r}: it is a list of packages: [{packages!r}]")
    how = fetching(store, warn, progress)
    trees = read_trees(_named(sources, packages, how, python), store, warn)
    if any(file.module == TORCH for tree in trees for file in tree.files):
        if torch is not None:
            raise DeepgrepError(
                f"--torch {torch}: the other sources hold a package torch already: leave one of them out"
            )
        return trees
    try:
        place = find_installed(TORCH, python) if torch is None else _find_torch(torch, how)
    except DeepgrepError as error:
        if not trees or python is not None or torch is not None:
            raise
        warn(f"only the given sources are analyzed: {error}")
        return trees
    return [*trees, *read_trees([place], store, warn)]


def _find_torch(spec: str, how: Fetching) -> Place:
    from deepgrep.sources.spec import find_package

    return find_package(spec, TORCH, how)


def _named(sources: Sequence[str | Path], packages: Sequence[str], how: Fetching, python: str | None) -> list[Place]:
    if not sources and not packages:
        return []
    from deepgrep.sources.spec import find_requirement, find_sources

    places = [place for source in sources for place in find_sources(os.fspath(source), how)]
    return places + [place for package in packages for place in find_requirement(package, how, python)]


def repeating_options(
    sources: Sequence[str | Path], packages: Sequence[str], torch: str | None, trees: Sequence[SourceTree]
) -> list[str]:
    """The options that name the same sources again, without the folders that only this machine has."""
    options = [word for source in sources for word in ("--source", _without_folders(os.fspath(source), is_path=True))]
    options += [word for package in packages for word in ("--with", _without_folders(package))]
    if torch is not None:
        named = _without_folders(torch)
        if _MOVING.fullmatch(named):  # it will be another one some day
            named = trees[-1].version.partition("+")[0]
        options += ["--torch", named]
    return options


def _without_folders(spec: str, *, is_path: bool = False) -> str:
    from deepgrep.sources.git import PREFIX

    if spec.startswith(PREFIX):
        folder, at, revision = spec.removeprefix(PREFIX).rpartition("@")
        return f"{PREFIX}{Path(os.path.abspath(folder or revision)).name}{at}{revision if at else ''}"
    if is_path or os.path.exists(os.path.expanduser(spec)):
        return Path(os.path.abspath(os.path.expanduser(spec))).name
    return spec
