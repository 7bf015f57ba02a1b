"""Reading a source tree: which files it has, and the digest of each."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.sources.place import Place
from deepgrep.sources.read_revision import read_revision
from deepgrep.sources.revision import Revision
from deepgrep.sources.tree import SourceFile, SourceTree, source_file
from deepgrep.sources.version import stated_version

# Size, modification time, change time and inode: while these stay, so do the bytes.
_Stat = tuple[int, int, int, int]
_Digests = dict[str, tuple[_Stat, str]]

# A file changed this shortly before it was hashed may change again without a trace: the clock of some file systems
# ticks every two seconds only. Such a file is hashed again next time.
_RACY_NANOSECONDS = 2_500_000_000


def read_tree(place: Place, remembered: bytes, warn: Callable[[str], None]) -> tuple[SourceTree, bytes]:
    """List and hash the Python files of a place.

    Files whose size, times and inode are as remembered are not read. Nothing is followed out of the place: symbolic
    links to files elsewhere, and all links to folders, are left out.

    Args:
        place: what to read.
        remembered: what an earlier call returned for this place, or b"".
        warn: called with a line about each kind of thing that was left out.

    Returns:
        The tree; and what to remember: `remembered` itself where nothing changed.

    Raises:
        DeepgrepError: there is no Python file in the place.
    """
    location = place.location
    if isinstance(location, Revision):
        files, to_remember = read_revision(location, place.start, remembered)
    else:
        files, to_remember = _read_folder(location, place.start, remembered, warn)
    if not files:
        raise DeepgrepError(f"{place.path}: no Python files there: name the folder that holds the package")
    version, commit = (
        stated_version(location, place.start.partition("/")[0].removesuffix(".py")) if place.start else ("", "")
    )
    if isinstance(location, Revision):
        commit = location.commit
    tree = SourceTree(place.name, version, commit, _tree_digest(files), location, tuple(files))
    return tree, to_remember


def _read_folder(
    location: Path, start: str, remembered: bytes, warn: Callable[[str], None]
) -> tuple[list[SourceFile], bytes]:
    """The files of a place on disk, and what to remember."""
    now = time.time_ns()
    known = _decode(remembered)
    fresh: _Digests = {}
    files = []
    for path, full, status in sorted(_python_files(location / start, start, warn)):
        signature = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        entry = known.get(path)
        digest = entry[1] if entry is not None and entry[0] == signature else _file_digest(full)
        if digest and now - max(status.st_mtime_ns, status.st_ctime_ns) > _RACY_NANOSECONDS:
            fresh[path] = (signature, digest)
        files.append(source_file(path, digest))
    return files, remembered if fresh == known else msgspec.msgpack.encode(fresh)


def _decode(remembered: bytes) -> _Digests:
    if not remembered:
        return {}
    try:
        return msgspec.msgpack.decode(remembered, type=_Digests)
    except msgspec.MsgspecError:  # written by another version: every file is hashed again
        return {}


def _file_digest(path: str) -> str:
    """Hex SHA-256 of a file's bytes, or "" where it cannot be read; whoever needs the bytes then learns why."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def _tree_digest(files: list[SourceFile]) -> str:
    # No path holds a NUL, so different trees give different texts.
    return hashlib.sha256("".join(f"{file.path}\0{file.digest}\n" for file in files).encode()).hexdigest()


def _python_files(place: Path, start: str, warn: Callable[[str], None]) -> Iterator[tuple[str, str, os.stat_result]]:
    """Every Python file of a place: relative path, full path, stat."""
    if place.is_file():
        yield start, str(place), place.stat()
        return
    root = str(place)
    links: list[str] = []
    special: list[str] = []
    unnameable: list[str] = []
    folders = [(f"{start}/" if start else "", root)]
    while folders:
        prefix, folder = folders.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            warn(f"{folder}: cannot be listed ({error.strerror}): the code in it is left out")
            continue
        for entry in entries:
            name = entry.name
            is_module = name.endswith(".py")
            # Modules lie in no other folder: hidden ones, `python3.11`, `site-packages` in a project's environment.
            if not is_module and (not name.isidentifier() or name == "__pycache__"):
                continue
            status = _status(entry)
            mode = 0 if status is None else status.st_mode
            if entry.is_symlink() and not (is_module and status and _stays_inside(entry.path, root)):
                if is_module or stat.S_ISDIR(mode):
                    links.append(entry.path)
            elif not is_module:
                if stat.S_ISDIR(mode):
                    folders.append((f"{prefix}{name}/", entry.path))
            elif not is_text(name):
                unnameable.append(ascii(entry.path))
            elif status is None or stat.S_ISDIR(mode):  # deleted since the folder was listed; a folder
                continue
            elif stat.S_ISREG(mode):
                yield prefix + name, entry.path, status
            else:
                special.append(entry.path)
    _warn_left_out(links, "symbolic link not followed", warn)
    _warn_left_out(special, "left out: a pipe, socket or device, not a file", warn)
    _warn_left_out(unnameable, "file left out: its name is not valid text", warn)


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """What an entry of a folder is, or a link leads to; None where that is gone, or a loop of links."""
    try:
        return entry.stat()
    except OSError:
        return None


def _stays_inside(link: str, root: str) -> bool:
    return Path(os.path.realpath(link)).is_relative_to(root)


def is_text(name: str) -> bool:
    """Whether a file name was valid in the file system's encoding; nothing else can be printed or stored."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _warn_left_out(paths: list[str], reason: str, warn: Callable[[str], None]) -> None:
    if paths:
        more = f" (and {len(paths) - 1:,} more)" if len(paths) > 1 else ""
        warn(f"{min(paths)}: {reason}{more}")
