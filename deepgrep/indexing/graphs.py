"""The use case: source trees in, call graph out."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.indexing.modules import Module, choose_modules, set_aside_unreadable
from deepgrep.indexing.progress import Progress
from deepgrep.sources import Place, SourceTree, read_tree
from deepgrep.store import Store, extractor_version, linker_version

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph
    from deepgrep.graph.rows import Skipped
    from deepgrep.linking import LinkModule

# How many files' facts are stored at a time: what a run that is broken off may lose.
_FACTS_PER_TRANSACTION = 200


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
    from deepgrep.graph.callgraph import CallGraph
    from deepgrep.graph.pages import PagedSections

    modules = choose_modules(trees, warn)
    key = _graph_key(trees)

    def build() -> dict[str, bytes]:
        return _build(trees, modules, key, store, progress, jobs)

    read = _StoredSections(key, store, build).read if store.has_graph(key) else build().__getitem__
    return CallGraph(PagedSections(read).blob)


def _graph_key(trees: Sequence[SourceTree]) -> str:
    """What a graph is made of: the trees, as they are named in it, and the code that makes it."""
    identities = [(tree.name, tree.version, tree.commit, tree.digest) for tree in trees]
    return hashlib.sha256(repr((linker_version(), identities)).encode()).hexdigest()


def _build(
    trees: Sequence[SourceTree],
    modules: Sequence[Module],
    key: str,
    store: Store,
    progress: Progress,
    jobs: int | None,
) -> dict[str, bytes]:
    """Make the sections of a graph, in pages, and store them."""
    from deepgrep.graph.callgraph import pack
    from deepgrep.graph.pages import in_pages
    from deepgrep.linking import link

    summary = ""
    try:
        readable, skipped = set_aside_unreadable(modules)
        facts, reasons = _facts(readable, store, progress, jobs)
        progress.stage(f"linking {len(readable):,} files")
        with _no_garbage_collection():
            rows = link(trees, _link_modules(readable, facts), skipped + _skipped(readable, reasons))
            sections = in_pages(pack(rows))
            del rows
        progress.stage("storing the graph")
        store.add_graph(key, sections, extractor_version(), sorted(facts))
        summary = f"indexed {', '.join(_title(tree) for tree in trees)} ({len(modules):,} files)"
    finally:
        progress.end(summary)
    return sections


def _facts(
    modules: Sequence[Module], store: Store, progress: Progress, jobs: int | None
) -> tuple[dict[str, bytes], dict[str, str]]:
    """The facts of all modules by digest, stored or extracted; and why a content has none."""
    extractor = extractor_version()
    facts: dict[str, bytes] = {}
    missing = {}
    progress.stage("looking into the cache")
    for module in modules:
        digest = module.file.digest
        if digest in facts or digest in missing:
            continue
        stored = store.facts(extractor, digest)
        if stored is None:
            missing[digest] = module.path
        else:
            facts[digest] = stored
    reasons: dict[str, str] = {}
    if not missing:
        return facts, reasons

    from deepgrep.indexing.extraction import Unread, available_cores, extract_files

    progress.stage("reading files", len(missing))
    unread = [Unread(path, digest) for digest, path in missing.items()]
    unstored: dict[str, bytes] = {}
    for results in extract_files(unread, jobs or available_cores()):
        for result in results:
            if result.reason:
                reasons[result.digest] = result.reason
            else:
                facts[result.digest] = unstored[result.digest] = result.facts
        progress.advance(len(results))
        if len(unstored) >= _FACTS_PER_TRANSACTION:
            store.add_facts(extractor, unstored)
            unstored = {}
    store.add_facts(extractor, unstored)
    return facts, reasons


def _link_modules(modules: Sequence[Module], facts: dict[str, bytes]) -> Iterator[LinkModule]:
    from deepgrep.indexing.extraction import unpack_facts
    from deepgrep.linking import LinkModule

    for module in modules:
        data = facts.get(module.file.digest)
        if data is not None:
            yield LinkModule(module.file, unpack_facts(data))


def _skipped(modules: Sequence[Module], reasons: dict[str, str]) -> list[Skipped]:
    from deepgrep.graph.rows import Skipped

    return [
        Skipped(module.file.path, reasons[module.file.digest]) for module in modules if module.file.digest in reasons
    ]


def _title(tree: SourceTree) -> str:
    return f"{tree.name} {tree.version}".rstrip()


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Linking makes millions of objects that stay: looking through them for garbage, again and again, finds none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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
