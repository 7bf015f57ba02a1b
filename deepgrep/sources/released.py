"""How a source tree stands to what was released: its public repository, and the files that differ from the release."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Released:
    """A source tree, compared with its release.

    Attributes:
        name: the package's name.
        repository: the address of its public repository, or "" where the distribution names none.
        compared: how many files were compared with the distribution's RECORD; 0 where there is none.
        changed: files whose contents are not those of the release, by path.
        missing: files of the release that are gone.
        added: files that the release does not have.
    """

    name: str
    repository: str
    compared: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]
