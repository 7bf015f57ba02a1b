"""What makes stored work stale: the code that made it, told by its own text, so that any change of it counts."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path

import deepgrep

# What each kind of stored data depends on: packages of deepgrep, and of the graph's only what says how it is stored.
_EXTRACTION = ("facts",)
_STORING = ("columns", "costs", "endings", "kinds", "layout", "pages", "rows", "sure_calls", "walks")
_LINKING = ("facts", *(f"graph/{name}.py" for name in _STORING), "linking", "models")


def extractor_version() -> str:
    """The version under which facts are stored."""
    return _code_digest(_EXTRACTION)


def linker_version() -> str:
    """The version under which linked graphs are stored."""
    return _code_digest(_LINKING)


@cache
def _code_digest(parts: tuple[str, ...]) -> str:
    digest = hashlib.sha256(f"{deepgrep.__version__} {sys.version_info[:2]} {_libcst_version()}".encode())
    home = Path(deepgrep.__file__).parent
    for part in parts:
        for path in [home / part, *sorted((home / part).rglob("*"))]:
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
