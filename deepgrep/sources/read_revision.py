"""Which Python files a revision has, and the digest of each: contents known by their blob ids are not read again."""

from __future__ import annotations

import hashlib
import re

import msgspec

from deepgrep.sources.revision import Revision
from deepgrep.sources.tree import SourceFile, source_file

# `torch/fx/graph.py`, as in a folder on disk: modules lie in no other folders.
_MODULE_PATH = re.compile(r"(?:(?!__pycache__/)[^\W\d]\w*/)*[^/]*\.py")


def read_revision(revision: Revision, start: str, remembered: bytes) -> tuple[list[SourceFile], bytes]:
    """List and hash the Python files of a revision.

    Args:
        revision: its files.
        start: the package's folder, a file, or "" for all.
        remembered: what an earlier call returned for any revision of the repository, or b"".

    Returns:
        The files; and what to remember: `remembered` itself where there is nothing new.
    """
    known = _decode(remembered)
    fresh: dict[str, str] = {}
    files = []
    for path in sorted(revision.files):
        if (not start or path == start or path.startswith(f"{start}/")) and _MODULE_PATH.fullmatch(path):
            file = revision / path
            digest = known.get(file.blob) or fresh.get(file.blob, "")
            if not digest:
                try:
                    digest = fresh[file.blob] = hashlib.sha256(file.read_bytes()).hexdigest()
                except OSError:  # whoever needs the bytes learns why
                    digest = ""
            files.append(source_file(path, digest))
    return files, msgspec.msgpack.encode(known | fresh) if fresh else remembered


def _decode(remembered: bytes) -> dict[str, str]:
    if not remembered:
        return {}
    try:
        return msgspec.msgpack.decode(remembered, type=dict[str, str])
    except msgspec.MsgspecError:  # written by another version: every content is hashed again
        return {}
