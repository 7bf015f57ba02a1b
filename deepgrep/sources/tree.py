"""What every kind of source gives: the Python files of one version of one package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One Python file of a source tree.

    Attributes:
        path: relative to the folder that holds the package, with `/`: `torch/fx/graph.py`.
        module: its dotted name: `torch.fx.graph`; a package's `__init__.py` has the package's name.
        digest: hex SHA-256 of the file's bytes.
        is_package: whether it is an `__init__.py`.
    """

    path: str
    module: str
    digest: str
    is_package: bool


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The Python files of one version of one package, wherever they came from.

    Attributes:
        name: the package's name: `torch`.
        version: as the package states it, or "" where it does not.
        commit: the git commit that the package states it was built from, or "".
        digest: hex SHA-256 over the paths and digests of all files: the tree's identity.
        location: the folder that holds the package (`.../site-packages`).
        files: sorted by path.
    """

    name: str
    version: str
    commit: str
    digest: str
    location: Path
    files: tuple[SourceFile, ...]
