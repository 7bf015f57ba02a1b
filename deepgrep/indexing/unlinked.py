"""What a graph is linked from, as plain data: any process that has deepgrep can do the work."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from deepgrep.indexing.file_facts import FileFacts
from deepgrep.indexing.modules import Module
from deepgrep.sources import SourceFile, SourceTree

if TYPE_CHECKING:
    from deepgrep.facts import Pieces
    from deepgrep.graph.rows import Skipped


@dataclass(frozen=True, slots=True)
class Unlinked:
    """What a graph is linked from.

    Attributes:
        sources: the trees, as the graph names them; without their files.
        modules: the files that have facts, and what those are made of.
        contents: the pieces of facts, compressed, by key.
        skipped: the files that have none.
    """

    sources: tuple[SourceTree, ...]
    modules: tuple[tuple[SourceFile, Pieces], ...]
    contents: dict[bytes, bytes]
    skipped: tuple[Skipped, ...]


def unlinked(
    trees: Sequence[SourceTree], modules: Sequence[Module], facts: FileFacts, unreadable: Sequence[Skipped]
) -> Unlinked:
    """Put together what a graph is linked from.

    Args:
        trees: the code to analyze.
        modules: those files of it that could be read.
        facts: theirs.
        unreadable: the files that could not be read.
    """
    from deepgrep.graph.rows import Skipped

    with_facts = [module.file for module in modules if module.file.digest in facts.made_of]
    without = [
        Skipped(module.file.path, facts.reasons[module.file.digest])
        for module in modules
        if module.file.digest in facts.reasons
    ]
    return Unlinked(
        tuple(replace(tree, files=()) for tree in trees),
        tuple((file, facts.made_of[file.digest]) for file in with_facts),
        facts.contents,
        (*unreadable, *without),
    )


def linked_sections(program: Unlinked) -> dict[str, bytes]:
    """Link, and give the sections of the graph in pages, as they are stored."""
    from deepgrep.graph.callgraph import pack
    from deepgrep.graph.pages import in_pages
    from deepgrep.indexing.extraction import unpack_facts
    from deepgrep.linking import LinkModule, link

    with _no_garbage_collection():
        modules = (
            LinkModule(file, unpack_facts(pieces, [program.contents[key] for key in pieces.keys]))
            for file, pieces in program.modules
        )
        return in_pages(pack(link(program.sources, modules, list(program.skipped))))


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
