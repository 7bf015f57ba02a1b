"""The lines of source that an answer shows, read from the analyzed files."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from deepgrep.sources import SourceTree

CODE_FILE = "<root>"
"""What answers call the file of a root that is code."""


def source_files(trees: Sequence[SourceTree], root: str = "") -> Callable[[str], bytes | None]:
    """Give access to the analyzed files.

    Args:
        trees: what was analyzed; where two hold the same path, the first is meant.
        root: the root as the user typed it; where that is code, answers call its file `<root>`, and a script's by the
            path that was typed.

    Returns:
        A function from a file's path in its tree to its bytes; or to None, where the file is not in the trees, cannot
        be read any more, or no longer holds what was analyzed.
    """
    root = root.strip()  # as it was read
    files = {file.path: (tree.location, file) for tree in reversed(trees) for file in tree.files}

    def read(path: str) -> bytes | None:
        if path == CODE_FILE:
            return root.encode(errors="replace")
        if path != root and path not in files:
            return None
        location, file = files.get(path, (Path(), None))
        try:
            data = (location / path).read_bytes()
        except OSError:  # gone since it was analyzed: the answer shows places only
            return None
        return data if file is None or hashlib.sha256(data).hexdigest() == file.digest else None

    return read


def source_lines(trees: Sequence[SourceTree], root: str = "") -> Callable[[str, int], str | None]:
    """Give access to the lines of the analyzed files; arguments as of `source_files`.

    Returns:
        A function from a file's path and a line number to that line; or to None, where there is none.
    """
    read = source_files(trees, root)

    @functools.cache
    def lines_of(path: str) -> tuple[list[bytes], str]:
        data = read(path) or b""
        return data.splitlines(), _encoding(data)

    def line_of(path: str, line: int) -> str | None:
        lines, encoding = lines_of(path)
        return lines[line - 1].decode(encoding, "replace") if 0 < line <= len(lines) else None

    return line_of


def _encoding(data: bytes) -> str:
    """What a file declares its code to be written in: `# -*- coding: latin-1 -*-`."""
    if b"coding" not in b"".join(data.split(b"\n", 2)[:2]):
        return "utf-8"
    import io
    import tokenize  # late: few files declare anything

    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:  # it declares none that there is
        return "utf-8"
