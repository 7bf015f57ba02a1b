"""A linker that says which modules it was given: what indexing is about shows in that."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import Function, GraphRows, Skipped, Source
from deepgrep.indexing import Progress, open_graph, read_trees
from deepgrep.linking import LinkModule
from deepgrep.sources import SourceTree, find_directory
from deepgrep.store import Store


def module_names(sources: Sequence[SourceTree], modules: Iterable[LinkModule], skipped: list[Skipped]) -> GraphRows:
    """Link to a graph with one function for each module."""
    names = [
        Function(f"{module.source_file.module}.<module>", module.source_file.path, "<module>", 1) for module in modules
    ]
    return GraphRows(
        sources=[Source(tree.name, tree.version, tree.commit, tree.digest) for tree in sources],
        functions=sorted(names, key=lambda function: function.name),
        edges=[],
        guards=[],
        states=[],
        accesses=[],
        blind_spots=[],
        native_exits=[],
        classes=[],
        aliases={},
        skipped=skipped,
    )


class Run:
    """A project folder, a cache folder, and one run of the indexing at a time."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = folder / "project"
        self.cache = folder / "cache"
        self.project.mkdir()
        self.warnings: list[str] = []
        self.links = 0
        self.stderr = io.StringIO()
        monkeypatch.setattr("deepgrep.linking.link", self._link)

    def _link(self, *arguments: Any) -> GraphRows:
        self.links += 1
        return module_names(*arguments)

    def write(self, path: str, text: str | bytes = "") -> Path:
        """Write a file of the project."""
        file = self.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def open(self, *paths: Path, jobs: int = 2) -> CallGraph:
        """Index the project, or other places, and read the graph's functions."""
        with Store(self.cache, self.warnings.append) as store:
            trees = read_trees([find_directory(path) for path in paths or (self.project,)], store, self.warnings.append)
            progress = Progress(self.stderr)
            graph = open_graph(trees, store, progress=progress, jobs=jobs, warn=self.warnings.append)
            assert graph.sources  # loaded while the cache is open, as are the functions
            self.functions(graph)
            return graph

    @staticmethod
    def functions(graph: CallGraph) -> list[str]:
        """The names of all functions in a graph."""
        return [graph.function(index).name for index in range(graph.function_count)]
