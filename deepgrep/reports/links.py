"""Links from a report to the public source code."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import quote

from deepgrep.sources.released import Released
from deepgrep.sources.tree import SourceTree

Permalink = Callable[[str, int], str | None]
"""Gives the address of a line of an analyzed file at the commit it was built from, or None where there is none."""

# Where paths in a wheel are those in the repository. Elsewhere packages can lie in a folder such as `src`.
_SAME_PATHS = frozenset({"https://github.com/pytorch/pytorch"})
_COMMIT = re.compile(r"[0-9a-f]{40}")


def permalinks(trees: Sequence[SourceTree], released: Sequence[Released]) -> Permalink:
    """Give access to the lines of the analyzed files in their public repositories.

    Args:
        trees: what was analyzed; where two hold the same path, the first is meant.
        released: the same, each compared with its release. A file that differs from that has no address, as a line of
            it would be another one there; nor has any file of a tree that was compared with nothing.

    Returns:
        A function from a file's path and a line number to the line's address; or to None, also for files that are made
        when the package is built, and so are not in its repository.
    """
    folders: dict[str, str] = {}
    for tree, release in zip(trees, released, strict=True):
        is_known = release.compared and release.repository in _SAME_PATHS and _COMMIT.fullmatch(tree.commit)
        folder = f"{release.repository}/blob/{tree.commit}" if is_known else ""
        differing = {*release.changed, *release.added}
        for file in tree.files:
            folders.setdefault(file.path, "" if file.path in differing or _is_built(file.path) else folder)

    def permalink(file: str, line: int) -> str | None:
        folder = folders.get(file)
        return f"{folder}/{quote(file)}#L{line}" if folder and line > 0 else None

    return permalink


def commit_address(release: Released, commit: str) -> str:
    """The address of the commit that a source states it was built from, or ""."""
    is_known = release.repository.startswith("https://github.com/") and _COMMIT.fullmatch(commit)
    return f"{release.repository}/commit/{commit}" if is_known else ""


def _is_built(path: str) -> bool:
    """Whether builds make a file: it states the commit, so that it cannot be part of that, or its folder says so."""
    package, *folders, name = path.split("/")
    return "generated" in (package, *folders) or (not folders and name == "version.py")
