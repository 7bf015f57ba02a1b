"""What comes before every question: find the sources, open the cache, open the graph."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from deepgrep.api.analysis import Analysis
from deepgrep.api.arguments import checked_jobs, ignore
from deepgrep.api.places import open_trees, repeating_options
from deepgrep.errors import DeepgrepError
from deepgrep.indexing import Progress, open_graph
from deepgrep.store import Store


def open(  # noqa: A001
    *sources: str | Path,
    torch: str | None = None,
    packages: Sequence[str] = (),
    python: str | None = None,
    cache_dir: str | Path | None = None,
    jobs: int | None = None,
    warn: Callable[[str], None] | None = None,
    progress: TextIO | None = None,
) -> Analysis:
    """Open the call graph of some sources, made now if the cache does not have it.

        >>> torch = deepgrep.open()
        >>> mine = deepgrep.open("train.py", "~/pytorch/torch", cache_dir="/tmp/cache")
        >>> older = deepgrep.open(torch="2.11.0", packages=["transformers==4.57"])

    Args:
        sources: folders, `.py` files, wheels, source distributions or revisions (`git:PATH@REVISION`) to analyze beside
            the installed torch; if they hold a package torch, it is analyzed instead of that.
        torch: the torch to analyze instead of the installed one: a version, which is fetched from the package index
            that pip is configured for (`2.11.0`; `2.11`: its newest patch release; `latest`; `nightly`), `installed`, a
            wheel, a source distribution, a folder, or `git:PATH@REVISION`.
        packages: others to analyze: `NAME==VERSION`, `NAME` for the installed one or else the newest release, or what
            `sources` takes.
        python: the interpreter whose torch to analyze; None for the running one.
        cache_dir: where indexed code is kept; None for `$DEEPGREP_CACHE_DIR` or the user's cache folder.
        jobs: processes to index with; None for one for each core.
        warn: called with a line about each thing that was left out or went wrong and does not stop the answer; None
            for nobody.
        progress: where to show how far the indexing is, such as `sys.stderr`; None for nowhere.

    Returns:
        What can be asked, until it is closed.

    Raises:
        DeepgrepError: there is nothing to analyze, it cannot be read, or the cache folder that is named cannot be used.
    """
    jobs = checked_jobs(jobs)
    warn = warn or ignore
    store = open_store(cache_dir, warn)
    try:
        shown = Progress(progress or io.StringIO())
        trees = open_trees(sources, packages, torch, python, store, warn, shown)
        graph = open_graph(trees, store, warn=warn, jobs=jobs, progress=shown)
    except BaseException:
        store.close()
        raise
    return Analysis(graph, trees, store, repeating_options(sources, packages, torch, trees))


def open_store(cache_dir: str | Path | None, warn: Callable[[str], None]) -> Store:
    """Open the cache: in the folder that is named, which must be one that can be used, or in the user's.

    Args:
        cache_dir: as of `open`.
        warn: called with a line if the user's cannot be used.

    Raises:
        DeepgrepError: the folder that is named cannot be used.
    """
    given = cache_dir if cache_dir is not None else os.environ.get("DEEPGREP_CACHE_DIR") or None
    if given is not None:
        if not os.fspath(given):
            raise DeepgrepError("the cache folder has no name: give one, or leave --cache-dir out")
        return Store(Path(given).expanduser(), warn, must_open=True)
    from platformdirs import user_cache_path

    return Store(user_cache_path("deepgrep"), warn)
