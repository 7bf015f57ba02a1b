"""A file with some bytes, for parsers that are given a path."""

import os
import tempfile
from functools import cache
from pathlib import Path


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def in_file(data: bytes, name: str) -> Path:
    path = Path(_folder().name, f"{os.getpid()}-{name}")
    path.write_bytes(data)
    return path
