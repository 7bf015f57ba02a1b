"""How a source tree stands to what was released: its public repository, and the files that differ from the release."""

from __future__ import annotations

import base64
import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deepgrep.sources.distribution import distribution_folder, metadata_fields, recorded_text
from deepgrep.sources.repository import named_repository
from deepgrep.sources.tree import SourceTree


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

    @property
    def differing(self) -> list[tuple[str, tuple[str, ...]]]:
        """In what the files are not those of the release: `changed`, `missing`, `added` with the files of each."""
        each = (("changed", self.changed), ("missing", self.missing), ("added", self.added))
        return [(word, files) for word, files in each if files]


def compare_releases(trees: Sequence[SourceTree]) -> list[Released]:
    """Compare some source trees with the releases that they were installed from.

    Args:
        trees: as they were read; no file of them is read again.

    Returns:
        One for each tree, in this order. A tree that no installer put where it is (a checkout, an editable install, a
        folder) has neither a repository nor anything to be compared with.
    """
    return [_compare(tree) for tree in trees]


def _compare(tree: SourceTree) -> Released:
    package = tree.name.partition(".")[0]
    distribution = distribution_folder(tree.location, package)
    if distribution is None:
        return Released(tree.name, "", 0, (), (), ())
    repository = named_repository(metadata_fields(distribution))
    recorded = _recorded(distribution, tree.name.replace(".", "/"))
    if not recorded:
        return Released(tree.name, repository, 0, (), (), ())
    present = {file.path: file.digest for file in tree.files}
    # Of a file without a hash in RECORD, and of one that cannot be read, nothing is known.
    known = {path: digest for path, digest in recorded.items() if digest and present.get(path)}
    return Released(
        name=tree.name,
        repository=repository,
        compared=len(known),
        changed=tuple(sorted(path for path, digest in known.items() if present[path] != digest)),
        missing=tuple(sorted(path for path in recorded.keys() - present if _is_gone(distribution.parent / path))),
        added=tuple(sorted(present.keys() - recorded.keys())),
    )


def _recorded(distribution: Path, start: str) -> dict[str, str]:
    """The Python files of a package that RECORD names, with the hex SHA-256 of each, or "" where it says none."""
    text = recorded_text(distribution / "RECORD")  # some installers write none
    lines = (line for line in text.splitlines() if ".py," in line or '.py"' in line)
    rows = (_fields(line) for line in lines if line.lstrip('"').startswith((f"{start}/", f"{start}.py")))
    return {row[0]: hex_digest(row[1]) for row in rows if len(row) > 1 and row[0].endswith(".py")}


def _fields(line: str) -> list[str]:
    """The fields of one line, each read by itself: a quote that is not closed spoils no other; [] where it is none."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def hex_digest(recorded: str) -> str:
    """Read a hash as RECORD writes it, `sha256=` and URL-safe base64 without padding.

    Returns:
        Its hex digits; "" where it is another one, or none.
    """
    algorithm, _, encoded = recorded.partition("=")
    if algorithm != "sha256":
        return ""
    try:
        return base64.urlsafe_b64decode(f"{encoded}{'=' * (-len(encoded) % 4)}").hex()
    except ValueError:
        return ""


def _is_gone(path: Path) -> bool:
    """Whether a file is not there; one that was left out when the tree was read is not gone."""
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # it cannot be looked at, or is no name that a file can have
        return False
    return False
