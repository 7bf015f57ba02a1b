"""Which sources there are to ask about, and whether they are what was released."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from deepgrep.graph.rows import Source
from deepgrep.sources import SourceTree
from deepgrep.sources.kept import Kept
from deepgrep.sources.released import Released


class InstalledSource(msgspec.Struct, frozen=True):
    """An installed package.

    Attributes:
        name: of the package.
        version: as it states it, or "".
        commit: the git commit that it states it was built from, or "".
    """

    name: str
    version: str
    commit: str


class KeptSource(msgspec.Struct, frozen=True):
    """A release whose Python files are kept.

    Attributes:
        name: the name of the package that pip knows.
        version: of the release.
        size: of its files together, in bytes.
        is_from_file: whether it was unpacked from a file of the user's, and not fetched from the package index.
    """

    name: str
    version: str
    size: int
    is_from_file: bool


class VerifiedSource(msgspec.Struct, frozen=True):
    """A source, compared with the RECORD of the release that it was installed from.

    Attributes:
        source: which one.
        compared: how many files were compared; 0 where there is nothing to compare with.
        changed: files whose contents are not those of the release.
        missing: files of the release that are gone.
        added: files that the release does not have.
    """

    source: Source
    compared: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def is_as_released(self) -> bool:
        """Whether no file differs."""
        return not (self.changed or self.missing or self.added)


class SourcesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `sources` (`deepgrep-sources/1`).

    Attributes:
        installed: the installed torch, if there is one.
        kept: the releases that need no network any more.
        available: the released versions that the package index has, oldest first, where they were asked for.
        verified: the sources that were compared with their releases, where that was asked for.
    """

    schema: Literal["deepgrep-sources/1"] = "deepgrep-sources/1"
    installed: list[InstalledSource] = []
    kept: list[KeptSource] = []
    available: list[str] = []
    verified: list[VerifiedSource] = []


def kept_sources(kept: Sequence[Kept]) -> list[KeptSource]:
    """Say of each release that is kept how much room it takes."""
    return [
        KeptSource(
            release.name,
            str(release.version),
            sum(path.stat().st_size for path in release.folder.rglob("*") if path.is_file()),
            bool(release.origin),
        )
        for release in kept
    ]


def verified_sources(trees: Sequence[SourceTree], released: Sequence[Released]) -> list[VerifiedSource]:
    """Say of each source how it compares with its release; both in the same order."""
    return [
        VerifiedSource(
            Source(tree.name, tree.version, tree.commit, tree.digest),
            release.compared,
            release.changed,
            release.missing,
            release.added,
        )
        for tree, release in zip(trees, released, strict=True)
    ]
