"""The facts of all files that are linked: looked up in the cache, or extracted, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deepgrep.indexing.modules import Module
from deepgrep.indexing.progress import Progress
from deepgrep.store import Store, extractor_version

if TYPE_CHECKING:
    from deepgrep.facts import Pieces
    from deepgrep.indexing.extraction import Extracted, Unread
    from deepgrep.sources import File

# How many files' facts are stored at a time: what a run that is broken off may lose.
_FILES_PER_TRANSACTION = 200


@dataclass(slots=True)
class FileFacts:
    """The facts of some files.

    Attributes:
        made_of: what those of each file are made of, by the digest of its bytes.
        contents: the pieces, compressed, by key.
        reasons: why a content has none.
        new: the keys of the pieces that were not in the cache.
    """

    made_of: dict[str, Pieces] = field(default_factory=dict)
    contents: dict[bytes, bytes] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    new: set[bytes] = field(default_factory=set)

    def kept(self) -> tuple[int, int]:
        """Return how many functions and methods were in the cache, of how many, each as often as it is written."""
        written = [key for pieces in self.made_of.values() for key in pieces.keys[1:]]
        return sum(key not in self.new for key in written), len(written)


Extract = Callable[[Sequence["Unread"], frozenset[bytes]], Iterator[list["Extracted"]]]
"""Extracts the facts of files, but for the pieces that are known, as `extraction.extract_files` does."""


def extract_here(files: Sequence[Unread], known: frozenset[bytes], jobs: int | None) -> Iterator[list[Extracted]]:
    """Extract on this machine, in `jobs` processes at the same time; None for one for each core."""
    from deepgrep.indexing.extraction import extract_files
    from deepgrep.indexing.processes import available_cores

    return extract_files(files, known, jobs or available_cores())


def gather_facts(modules: Sequence[Module], store: Store, extract: Extract, progress: Progress) -> FileFacts:
    """Give the facts of modules; what had to be extracted is in the cache then.

    Args:
        modules: whose files can be read.
        store: the cache.
        extract: extracts what is not there.
        progress: told how far the work is.

    Raises:
        DeepgrepError: a file changed during the work, or memory ran out.
    """
    extractor = extractor_version()
    progress.stage("looking into the cache")
    facts = FileFacts()
    files = {module.file.digest: module.path for module in modules}
    for digest in files:
        pieces = store.facts(extractor, digest)
        if pieces is not None:
            facts.made_of[digest] = pieces
    damaged = _load(facts, store)
    if missing := {digest: path for digest, path in files.items() if digest not in facts.made_of}:
        _extract(facts, missing, store.piece_keys(extractor) - damaged, store, extract, progress)
        _load(facts, store)
    # Pieces of these turned out to be damaged, or another process has dropped them by now.
    done = facts.made_of.keys() | facts.reasons.keys()
    if missing := {digest: path for digest, path in files.items() if digest not in done}:
        _extract(facts, missing, facts.contents, store, extract, progress)
    return facts


def _load(facts: FileFacts, store: Store) -> set[bytes]:
    """Read the pieces that are not there yet, and leave out files of which one cannot be read; return those pieces."""
    extractor = extractor_version()
    unread = set()
    for digest, pieces in list(facts.made_of.items()):
        for key in pieces.keys:
            if key not in facts.contents:
                content = store.piece(extractor, key)
                if content is None:
                    unread.add(key)
                    facts.made_of.pop(digest, None)
                else:
                    facts.contents[key] = content
    return unread


def _extract(
    facts: FileFacts,
    files: Mapping[str, File],
    known: Collection[bytes],
    store: Store,
    extract: Extract,
    progress: Progress,
) -> None:
    """Extract the facts of files, by digest, but for the pieces that are known, and store them."""
    from deepgrep.indexing.extraction import Unread

    extractor = extractor_version()
    progress.stage("reading files", len(files))
    made_of: dict[str, Pieces] = {}
    new: dict[bytes, bytes] = {}
    for results in extract([Unread(path, digest) for digest, path in files.items()], frozenset(known)):
        for result in results:
            if result.facts is None:
                facts.reasons[result.digest] = result.reason
            else:
                made_of[result.digest] = result.facts
                new |= result.new
        progress.advance(len(results))
        if len(made_of) >= _FILES_PER_TRANSACTION:
            _keep(facts, made_of, new, store, extractor)
            made_of, new = {}, {}
    _keep(facts, made_of, new, store, extractor)


def _keep(
    facts: FileFacts, made_of: Mapping[str, Pieces], new: Mapping[bytes, bytes], store: Store, extractor: str
) -> None:
    store.add_facts(extractor, made_of, new)
    facts.made_of.update(made_of)
    facts.contents.update(new)
    facts.new.update(new)
