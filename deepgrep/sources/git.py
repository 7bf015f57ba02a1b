"""`git:PATH@REVISION`: a revision of a local repository, found without running anything that the repository says."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.sources.place import Place
from deepgrep.sources.read import is_text
from deepgrep.sources.revision import Revision, git_command, git_environment

PREFIX = "git:"

_SOURCE_FOLDERS = ("", "src/")
_REGULAR = ("100644", "100755")
_SECONDS = 120.0


def find_revision(spec: str, package: str, warn: Callable[[str], None]) -> Place:
    """Find the package in a revision.

    Args:
        spec: `git:PATH@REVISION`, or `git:PATH` for what is checked out there (as it was committed).
        package: the package that is wanted; "" for the one that the repository is about.
        warn: called with a line about what is left out.

    Returns:
        The folder of the package; where it is not known which, all that the revision holds.

    Raises:
        DeepgrepError: there is no such repository, revision, or package in it.
    """
    folder, repository, commit = _resolved(spec)
    files = _files(repository, commit, spec, warn)
    top = folder.name.removesuffix(".git")
    for candidate in [package] if package else ["torch", top.replace("-", "_")]:
        for prefix in _SOURCE_FOLDERS:
            if f"{prefix}{candidate}/__init__.py" in files:
                inside = {name.removeprefix(prefix): entry for name, entry in files.items() if name.startswith(prefix)}
                return Place(candidate, Revision(repository, commit, inside), candidate)
    if package:
        raise DeepgrepError(f"{spec}: there is no package {package} in this revision")
    return Place(top, Revision(repository, commit, files), "")


def commits_between(first: str, last: str) -> list[str]:
    """List the commits from one revision to another.

    Args:
        first: `git:PATH@REVISION`.
        last: the same, of the same repository, and after it.

    Returns:
        Both, and what is between them on the first-parent history, oldest first, as such texts.

    Raises:
        DeepgrepError: there is no such repository or revision, or the one is not before the other.
    """
    _, repository, start = _resolved(first)
    _, other, end = _resolved(last)
    if other != repository:
        raise DeepgrepError(f"{last}: another repository than {first}: both are revisions of one")
    listed = _run(git_command(repository, "rev-list", "--first-parent", "--reverse", end, f"^{start}"), last)
    commits = [] if listed is None else listed.decode("ascii").split()
    if not commits or _run(git_command(repository, "merge-base", "--is-ancestor", start, end), last) is None:
        raise DeepgrepError(f"{first} is not before {last}: name an earlier and a later revision")
    path, _ = _split(last)
    return [f"{PREFIX}{path}@{commit}" for commit in (start, *commits)]


def _resolved(spec: str) -> tuple[Path, Path, str]:
    """The folder that is named, the repository's git folder, and the commit."""
    path, revision = _split(spec)
    folder = Path(os.path.realpath(os.path.expanduser(path)))
    repository = Path(
        _line(
            ["git", "-C", str(folder), "-c", "safe.directory=*", "rev-parse", "--absolute-git-dir"],
            spec,
            f"no git repository in {path}",
        )
    )
    wanted = f"{revision}^{{commit}}"
    commit = _line(
        git_command(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted),
        spec,
        f"the repository has no revision {revision}",
    )
    return folder, repository, commit


def _split(spec: str) -> tuple[str, str]:
    """Path and revision; either may hold an `@`."""
    text = spec.removeprefix(PREFIX)
    for position, character in enumerate(text):
        if character == "@" and os.path.isdir(os.path.expanduser(text[:position])):
            return text[:position], text[position + 1 :] or "HEAD"
    if os.path.isdir(os.path.expanduser(text)):
        return text, "HEAD"
    raise DeepgrepError(f"{spec}: no such folder: it is git:PATH@REVISION, with the path of a local clone")


def _files(repository: Path, commit: str, spec: str, warn: Callable[[str], None]) -> dict[str, tuple[str, int]]:
    listed = _run(git_command(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit), spec)
    damaged = DeepgrepError(f"{spec}: the repository is damaged or incomplete: 'git fsck' says what is missing")
    if listed is None:
        raise damaged
    files: dict[str, tuple[str, int]] = {}
    left_out = []
    for line in filter(None, os.fsdecode(listed).split("\0")):
        attributes, _, name = line.partition("\t")
        mode, _, blob, size = attributes.split()
        if mode in _REGULAR and is_text(name):
            if not size.isdigit():  # no such object
                raise damaged
            files[name] = (blob, int(size))
        elif name.endswith(".py"):
            left_out.append(name)
    if left_out:
        more = f" (and {len(left_out) - 1:,} more)" if len(left_out) > 1 else ""
        warn(f"{min(left_out)!a}: left out: a symbolic link, or its name is not valid text{more}")
    return files


def _line(command: list[str], spec: str, failure: str) -> str:
    answer = _run(command, spec)
    line = "" if answer is None else os.fsdecode(answer).rstrip("\n")
    if not line or "\n" in line:
        raise DeepgrepError(f"{spec}: {failure}")
    return line


def _run(command: list[str], spec: str) -> bytes | None:
    """What a git command prints, or None where it fails."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=git_environment(), timeout=_SECONDS, check=False
        )
    except FileNotFoundError:
        raise DeepgrepError(f"{spec}: git is not installed") from None
    except subprocess.TimeoutExpired:
        raise DeepgrepError(f"{spec}: no answer from git within {_SECONDS:.0f} s") from None
    except (OSError, ValueError) as error:  # a NUL in the revision, say
        raise DeepgrepError(f"{spec}: git cannot be run: {error}") from None
    return done.stdout if done.returncode == 0 else None
