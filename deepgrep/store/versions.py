"""What makes stored work stale: the code that made it, told by its own text, so that any change of it counts."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

import deepgrep

# What each kind of stored data depends on, as packages of deepgrep.
_EXTRACTION = ("facts",)
_LINKING = ("facts", "graph", "linking", "models")


def extractor_version() -> str:
    """The version under which facts are stored."""
    return _code_digest(_EXTRACTION)


def linker_version() -> str:
    """The version under which linked graphs are stored."""
    return _code_digest(_LINKING)


@cache
def _code_digest(packages: tuple[str, ...]) -> str:
    digest = hashlib.sha256(f"{deepgrep.__version__} {sys.version_info[:2]} {_libcst_version()}".encode())
    home = Path(deepgrep.__file__).parent
    for package in packages:
        for path in sorted((home / package).rglob("*")):
            if path.suffix in {".py", ".toml"}:
                digest.update(f"\0{path.relative_to(home).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _libcst_version() -> str:
    """Read libcst's version as text: which syntax it reads shows in the facts, and importing it takes 150 ms."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("libcst")
    if spec is None or spec.origin is None:
        return ""
    path = Path(spec.origin).with_name("_version.py")
    return path.read_text("utf-8") if path.is_file() else ""
