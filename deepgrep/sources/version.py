"""The version and commit that a package states, read as text."""

from __future__ import annotations

import ast
import re

from deepgrep.sources.distribution import distribution_folder, metadata_fields
from deepgrep.sources.tree import File, Folder

_VERSION = re.compile(rb"(?=.{1,60}\Z)\d+(\.\d+)*[\w.+-]*", re.ASCII)


def stated_version(location: Folder, package: str) -> tuple[str, str]:
    """Read which version a package says it is; nothing is imported.

    Args:
        location: the folder that holds the package.
        package: its top-level name.

    Returns:
        The version and the git commit: the literals `__version__` and `git_version` of `<package>/version.py`, else the
        version of the installed distribution of that name, else the one in a checkout's `version.txt`; "" for what is
        not stated.
    """
    literals = _literals(location / f"{package}/version.py")
    version = (
        literals.get("__version__") or _distribution_version(location, package) or _checkout_version(location, package)
    )
    return version, literals.get("git_version", "")


def _literals(path: File) -> dict[str, str]:
    """The string constants that a module binds at its top level."""
    try:
        body = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):  # no version is a valid answer
        return {}
    found = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
                found[name] = text
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text))):
                found[name] = text
    return found


def _distribution_version(location: Folder, package: str) -> str:
    distribution = distribution_folder(location, package)
    return "" if distribution is None else dict(reversed(metadata_fields(distribution))).get("Version", "")


def _checkout_version(location: Folder, package: str) -> str:
    """What `version.txt` beside a package says, if that is a version."""
    try:
        (location / f"{package}/__init__.py").read_bytes()  # beside a script, it is that of something else
        text = (location / "version.txt").read_bytes().strip()
    except OSError:
        return ""
    return text.decode() if _VERSION.fullmatch(text) else ""
