"""The lines of source that an answer shows, read from the analyzed files."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from deepgrep.sources import SourceTree


def source_lines(trees: Sequence[SourceTree], root: str = "") -> Callable[[str, int], str | None]:
    """Give access to the lines of the analyzed files.

    Args:
        trees: what was analyzed; where two hold the same path, the first is meant.
        root: the root as the user typed it; where that is code, answers call its file `<root>`, and a script's by the
            path that was typed.

    Returns:
        A function from a file's path in its tree and a line number to that line; or to None, where the file is not in
        the trees, cannot be read any more, or no longer holds what was analyzed.
    """
    root = root.strip()  # as it was read
    files = {file.path: (tree.location, file) for tree in reversed(trees) for file in tree.files}

    @functools.cache
    def read(path: str) -> list[bytes]:
        if path == root:
            try:
                return Path(path).read_bytes().splitlines()
            except OSError:
                return []
        if path not in files:
            return []
        location, file = files[path]
        try:
            data = (location / path).read_bytes()
        except OSError:  # gone since it was analyzed: the answer shows places only
            return []
        return data.splitlines() if hashlib.sha256(data).hexdigest() == file.digest else []

    def line_of(path: str, line: int) -> str | None:
        lines = root.encode(errors="replace").splitlines() if path == "<root>" else read(path)
        return lines[line - 1].decode(errors="replace") if 0 < line <= len(lines) else None

    return line_of
