"""The use case: source trees in, call graph out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.indexing.file_facts import Extract, FileFacts, extract_here, gather_facts
from deepgrep.indexing.modules import Module, are_distinct, choose_modules, set_aside_unreadable
from deepgrep.indexing.progress import Progress
from deepgrep.indexing.unlinked import Unlinked, linked_sections, unlinked
from deepgrep.sources import Place, SourceTree, read_tree
from deepgrep.store import Store, extractor_version, linker_version

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph


def read_trees(places: Sequence[Place], store: Store, warn: Callable[[str], None]) -> list[SourceTree]:
    """Read source trees, with the help of what the cache remembers of them.

    Args:
        places: what to read.
        store: the cache.
        warn: called with a line about anything that was left out.

    Returns:
        The trees, in the order of the places.

    Raises:
        DeepgrepError: there is no Python file in a place.
    """
    trees = []
    for place in places:
        remembered = store.stats(place.remembered_as)
        tree, to_remember = read_tree(place, remembered, warn)
        if to_remember is not remembered:
            store.set_stats(place.remembered_as, to_remember)
        trees.append(tree)
    return trees


def open_graph(
    trees: Sequence[SourceTree], store: Store, *, warn: Callable[[str], None], jobs: int | None, progress: Progress
) -> CallGraph:
    """Give the call graph of some source trees: the stored one, or a new one, which is then stored.

    Args:
        trees: the code to analyze. Where two define the same module, the first one's is taken.
        store: the cache.
        warn: called with a line about modules that are defined twice.
        jobs: how many processes extract facts at the same time; None for one per core.
        progress: told how far the work is, when there is work to do.

    Returns:
        The graph.

    Raises:
        DeepgrepError: a file changed during the work, or memory ran out.
    """
    chosen = cache(lambda: choose_modules(trees, warn))
    if not are_distinct(trees):
        chosen()  # which warns
    key = graph_key(trees)

    def build() -> dict[str, bytes]:
        summary, modules = "", chosen()
        try:
            facts, program = gather(trees, modules, store, partial(extract_here, jobs=jobs), progress)
            progress.stage(f"linking {len(program.modules):,} files")
            sections = linked_sections(program)
            progress.stage("storing the graph")
            keep_graph(key, sections, program, store)
            summary = f"indexed {', '.join(_title(tree) for tree in trees)} ({_size(modules, facts)})"
        finally:
            progress.end(summary)
        return sections

    return graph_of(_StoredSections(key, store, build).read if store.has_graph(key) else build().__getitem__)


def graph_of(read: Callable[[str], bytes]) -> CallGraph:
    """Give a graph whose sections are read by name, in pages."""
    from deepgrep.graph.callgraph import CallGraph
    from deepgrep.graph.pages import PagedSections

    return CallGraph(PagedSections(read).blob)


def graph_key(trees: Sequence[SourceTree]) -> str:
    """Say what a graph is made of: the trees, as they are named in it, and the code that makes it."""
    identities = [(tree.name, tree.version, tree.commit, tree.digest) for tree in trees]
    return hashlib.sha256(repr((linker_version(), identities)).encode()).hexdigest()


def gather(
    trees: Sequence[SourceTree], modules: Sequence[Module], store: Store, extract: Extract, progress: Progress
) -> tuple[FileFacts, Unlinked]:
    """Give the facts of some source trees, and what their graph is linked from.

    Args:
        trees: the code to analyze.
        modules: the files of it that count.
        store: the cache.
        extract: extracts what is not in the cache.
        progress: told how far the work is.

    Raises:
        DeepgrepError: a file changed during the work, or memory ran out.
    """
    readable, unreadable = set_aside_unreadable(modules)
    facts = gather_facts(readable, store, extract, progress)
    return facts, unlinked(trees, readable, facts, unreadable)


def keep_graph(key: str, sections: Mapping[str, bytes], program: Unlinked, store: Store) -> None:
    """Store a graph that was linked from `program`."""
    store.add_graph(key, sections, extractor_version(), sorted(file.digest for file, _ in program.modules))


def _size(modules: Sequence[Module], facts: FileFacts) -> str:
    """How much was indexed, and how much of it need not be read."""
    kept, count = facts.kept()
    known = f", {kept / count:.0%} of {count:,} functions known before" if kept else ""
    return f"{len(modules):,} files{known}"


def _title(tree: SourceTree) -> str:
    return f"{tree.name} {tree.version}".rstrip()


class _StoredSections:
    """Sections of a stored graph; where one turns out to be damaged, the graph is made again, once.

    Linking the same sources with the same code gives the same graph, so the sections given before stay good. That is
    checked: an answer must not be made of two graphs.
    """

    def __init__(self, key: str, store: Store, build: Callable[[], dict[str, bytes]]) -> None:
        self._key = key
        self._store = store
        self._build = build
        self._rebuilt: dict[str, bytes] | None = None

    def read(self, name: str) -> bytes:
        """Give a section, or a page of one, as it is stored."""
        if self._rebuilt is not None:
            return self._rebuilt[name]
        data = self._store.section(self._key, name)
        if data is not None:
            return data
        self._store.drop_graph(self._key)
        self._rebuilt = self._build()
        if not self._store.gave(self._key, self._rebuilt):
            raise DeepgrepError(f"cache {self._store.path}: was damaged, and has been repaired: run the command again")
        return self._rebuilt[name]
