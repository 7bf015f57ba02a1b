"""What every kind of source gives: the Python files of one version of one package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from deepgrep.sources.revision import Revision, RevisionFile

Folder = Path | Revision
"""Where the files of a tree lie; `folder / path` is one of them."""

File = Path | RevisionFile
"""A file there: it is read by `read_bytes()`, which raises `OSError`, and its `str()` says where it is."""


def byte_size(file: File) -> int:
    """How many bytes a file has; 0 where it is gone."""
    if isinstance(file, RevisionFile):
        return file.size
    try:
        return file.stat().st_size
    except OSError:  # whoever wants to read it will say so
        return 0


class SourceFile(msgspec.Struct, frozen=True):  # thousands are made for each question: a third of the time
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


def source_file(path: str, digest: str) -> SourceFile:
    """Name the module that is in a file; arguments as the fields of `SourceFile`."""
    module = path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    return SourceFile(path, module, digest, path.endswith("/__init__.py"))


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The Python files of one version of one package, wherever they came from.

    Attributes:
        name: the package's name: `torch`.
        version: as the package states it, or "" where it does not.
        commit: the git commit that the package states it was built from, or "".
        digest: hex SHA-256 over the paths and digests of all files: the tree's identity.
        location: the folder that holds the package (`.../site-packages`), on disk or in a git repository.
        files: sorted by path.
    """

    name: str
    version: str
    commit: str
    digest: str
    location: Folder
    files: tuple[SourceFile, ...]
