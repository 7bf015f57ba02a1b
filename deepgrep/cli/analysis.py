"""What every verb does first: find the sources, open the cache, open the graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deepgrep.cli.options import Setup
from deepgrep.cli.output import warn
from deepgrep.cli.source_lines import source_files, source_lines
from deepgrep.errors import DeepgrepError
from deepgrep.indexing import Progress, open_graph, read_trees
from deepgrep.sources import SourceTree, find_directory, find_installed
from deepgrep.store import Store

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph

_TORCH = "torch"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The graph of the sources that a question is about, and their text: a line of it, or the bytes of a file."""

    graph: CallGraph
    source_line: Callable[[str, int], str | None]
    source_file: Callable[[str], bytes | None]


@contextmanager
def analysis(setup: Setup, root: str = "") -> Iterator[Analysis]:
    """Open the graph of the sources that the user named; it can be asked until the end of the `with`.

    Args:
        setup: what to analyze.
        root: the root of the question, as typed.

    Yields:
        The graph and the source lines.

    Raises:
        DeepgrepError: there is nothing to analyze, or it cannot be read.
    """
    with Store(setup.cache_dir or _default_cache_dir(), warn) as store:
        trees = _trees(setup, store)
        graph = open_graph(trees, store, warn=warn, jobs=setup.jobs, progress=Progress(sys.stderr))
        yield Analysis(graph, source_lines(trees, root), source_files(trees, root))


def _trees(setup: Setup, store: Store) -> list[SourceTree]:
    """The sources given, and the installed torch beside them, unless they hold a torch themselves."""
    trees = read_trees([find_directory(path) for path in setup.sources], store, warn)
    if any(file.module == _TORCH for tree in trees for file in tree.files):
        return trees
    try:
        torch = find_installed(_TORCH, setup.python)
    except DeepgrepError as error:
        if not trees or setup.python is not None:
            raise
        warn(f"only the given sources are analyzed: {error}")
        return trees
    return [*trees, *read_trees([torch], store, warn)]


def _default_cache_dir() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("deepgrep")
