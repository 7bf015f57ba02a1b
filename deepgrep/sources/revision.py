"""A revision of a git repository as a folder of files, read from the object store: nothing is checked out, or run."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RevisionFile:
    """One file of a revision; like a `Path`, it is handed from process to process.

    Attributes:
        repository: the git folder (`.../.git`).
        path: the file's path in the revision.
        blob: the hex id of its contents.
        size: in bytes.
    """

    repository: Path
    path: str
    blob: str
    size: int

    def read_bytes(self) -> bytes:
        """Read the file.

        Raises:
            OSError: the repository has no such object, or another one under this id.
        """
        # A process forked from one that has read something must not share its pipe.
        return _objects(self.repository, os.getpid()).read(self.blob)

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Revision:
    """The folder that a tree of a revision is relative to.

    Attributes:
        repository: the git folder (`.../.git`).
        commit: the hex id of the commit.
        files: each file's blob id and size in bytes, by its path.
    """

    repository: Path
    commit: str
    files: Mapping[str, tuple[str, int]]

    def __truediv__(self, path: str) -> RevisionFile:
        blob, size = self.files.get(path, ("", 0))
        return RevisionFile(self.repository, path, blob, size)

    def __str__(self) -> str:
        return f"{self.repository}@{self.commit[:12]}"


def git_command(repository: Path, *arguments: str) -> list[str]:
    """A git command that only reads objects; the repository's own configuration can make it run nothing.

    Args:
        repository: the git folder.
        arguments: the subcommand and what follows.
    """
    return ["git", f"--git-dir={repository}", "-c", "core.fsmonitor=false", "--no-pager", *arguments]


def git_environment() -> dict[str, str]:
    """The environment for it: without the user's git settings; objects are neither fetched nor replaced by others."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return {
        **kept,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # an older git knows only this of the two
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


class _Objects:
    """`git cat-file --batch`: one process for all objects that this process reads of a repository."""

    def __init__(self, repository: Path) -> None:
        import subprocess

        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            git_command(repository, "cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=git_environment(),
            start_new_session=True,  # Ctrl-C is for the process that reads, which ends this one
        )

    def read(self, blob: str) -> bytes:
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None
        assert answers is not None
        with self._lock:
            asked.write(f"{blob}\n".encode())
            asked.flush()
            _, kind, size = [*answers.readline().split(), b"", b""][:3]
            if kind != b"blob" or not size.isdigit():
                raise OSError(errno.ENOENT, "no such object")
            data = answers.read(int(size))
            answers.read(1)
        if object_id(data, len(blob)) != blob:
            raise OSError(errno.EIO, "a damaged object")
        return data


@functools.lru_cache(maxsize=4)
def _objects(repository: Path, _process_id: int) -> _Objects:
    return _Objects(repository)


def object_id(data: bytes, digits: int = 40) -> str:
    """The id that git gives to a file's contents, of 40 (SHA-1) or 64 (SHA-256) hex digits."""
    algorithm = hashlib.sha1 if digits == 40 else hashlib.sha256
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()
