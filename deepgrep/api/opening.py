"""What comes before every question: find the sources, open the cache, open the graph."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from deepgrep.api.analysis import Analysis
from deepgrep.errors import DeepgrepError
from deepgrep.indexing import Progress, open_graph, read_trees
from deepgrep.sources import SourceTree, find_directory, find_installed
from deepgrep.store import Store

_TORCH = "torch"


def open(  # noqa: A001
    *sources: str | Path,
    python: str | None = None,
    cache_dir: str | Path | None = None,
    jobs: int | None = None,
    warn: Callable[[str], None] | None = None,
    progress: TextIO | None = None,
) -> Analysis:
    """Open the call graph of some sources, made now if the cache does not have it.

        >>> torch = deepgrep.open()
        >>> mine = deepgrep.open("train.py", "~/pytorch/torch", cache_dir="/tmp/cache")

    Args:
        sources: folders or `.py` files to analyze beside the installed torch; if they hold a package torch, it is
            analyzed instead of that.
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
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        raise DeepgrepError(f"jobs={jobs}: at least one process is needed; None is one for each core")
    warn = warn or _ignore
    store = _store(cache_dir, warn)
    try:
        trees = _trees([Path(source).expanduser() for source in sources], python, store, warn)
        graph = open_graph(trees, store, warn=warn, jobs=jobs, progress=Progress(progress or io.StringIO()))
    except BaseException:
        store.close()
        raise
    return Analysis(graph, trees, store, [Path(os.path.abspath(source)).name for source in sources])


def _trees(sources: Sequence[Path], python: str | None, store: Store, warn: Callable[[str], None]) -> list[SourceTree]:
    """The sources given, and the installed torch beside them, unless they hold a torch themselves."""
    trees = read_trees([find_directory(path) for path in sources], store, warn)
    if any(file.module == _TORCH for tree in trees for file in tree.files):
        return trees
    try:
        torch = find_installed(_TORCH, python)
    except DeepgrepError as error:
        if not trees or python is not None:
            raise
        warn(f"only the given sources are analyzed: {error}")
        return trees
    return [*trees, *read_trees([torch], store, warn)]


def _store(cache_dir: str | Path | None, warn: Callable[[str], None]) -> Store:
    """The cache: in the folder that is named, which must be one that can be used, or in the user's."""
    given = cache_dir if cache_dir is not None else os.environ.get("DEEPGREP_CACHE_DIR") or None
    if given is not None:
        if not os.fspath(given):
            raise DeepgrepError("the cache folder has no name: give one, or leave --cache-dir out")
        return Store(Path(given).expanduser(), warn, must_open=True)
    from platformdirs import user_cache_path

    return Store(user_cache_path("deepgrep"), warn)


def _ignore(_message: str) -> None:
    """Nobody asked for warnings."""
