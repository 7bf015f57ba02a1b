"""The Python files of a source distribution, `.tar.gz` or `.zip`: nothing says what they should be."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives import rules

# What is unpacked to get at the Python files, and thrown away, counts too.
_MOST_UNPACKED = 16 << 30


def read_sdist(file: IO[bytes], filename: str) -> Iterator[tuple[str, bytes]]:
    """Read the Python files of a source distribution, and `PKG-INFO` and `version.txt` beside its packages.

    Args:
        file: the archive.
        filename: its name.

    Yields:
        Path and bytes of each file, relative to the folder that all are in, if they are in one.

    Raises:
        DeepgrepError: it is damaged, or holds what would not stay in its folder.
    """
    try:
        names = [name for name, _ in _members(file, filename, frozenset())]
        rules.check_names(names, filename)
        beginnings = {name.partition("/")[0] for name in names}
        top = f"{beginnings.pop()}/" if len(beginnings) == 1 and all("/" in name for name in names) else ""
        read = [name for name in names if _is_wanted(name.removeprefix(top))]
        rules.check_once(read, filename)
        wanted = frozenset(read)
        file.seek(0)
        total = 0
        for name, data in _members(file, filename, wanted):
            if data is not None:
                total += len(data)
                rules.check_total(total, filename)
                yield name.removeprefix(top), data
    # What the standard library raises for a damaged archive, by what is damaged.
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise DeepgrepError(f"{filename}: damaged: {rules.shown(str(error))}") from None
    except (NotImplementedError, RuntimeError, ValueError, OverflowError) as error:
        raise DeepgrepError(f"{filename}: damaged: {rules.shown(str(error))}") from None


def _is_wanted(name: str) -> bool:
    return name.endswith(".py") or name in ("PKG-INFO", "version.txt")


def _members(file: IO[bytes], filename: str, wanted: frozenset[str]) -> Iterator[tuple[str, bytes | None]]:
    """The regular files in the archive, with the bytes of those that are wanted."""
    members = _zip_members if filename.endswith(".zip") else _tar_members
    return members(file, filename, wanted)


def _zip_members(file: IO[bytes], filename: str, wanted: frozenset[str]) -> Iterator[tuple[str, bytes | None]]:
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if member.filename.endswith("/"):  # `is_dir` fails of one without a name
                continue
            name = member.orig_filename
            if stat.S_ISLNK(member.external_attr >> 16):
                _refuse_link(name, filename)
                continue
            if name not in wanted:
                yield name, None
                continue
            if member.flag_bits & 0x1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise DeepgrepError(f"{filename}: refused: {rules.shown(name)} in it is encrypted, or packed unusually")
            rules.check_size(name, member.file_size, member.compress_size, filename)
            yield name, archive.read(member)


def _tar_members(file: IO[bytes], filename: str, wanted: frozenset[str]) -> Iterator[tuple[str, bytes | None]]:
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
    with gzip.open(file) as unpacked, tarfile.open(fileobj=_Limited(unpacked, packed, filename), mode="r:") as archive:
        for member in archive:
            name = member.name.removeprefix("./")
            if member.issym() or member.islnk():
                _refuse_link(name, filename)
            elif member.isreg() and name not in wanted:
                yield name, None
            elif member.isreg():
                rules.check_size(name, member.size, None, filename)
                content = archive.extractfile(member)
                yield name, content.read() if content else b""


def _refuse_link(name: str, filename: str) -> None:
    """Other links are of no interest: nothing is written through them."""
    if name.endswith(".py"):
        raise DeepgrepError(f"{filename}: refused: {rules.shown(name)} in it is a link")


class _Limited(io.RawIOBase):
    """What comes out of a packed file, until it is too much."""

    def __init__(self, unpacked: gzip.GzipFile, packed: int, filename: str) -> None:
        super().__init__()
        self._unpacked = unpacked
        self._most = min(_MOST_UNPACKED, max(rules.MOST_FILE_BYTES, packed * rules.MOST_RATIO))
        self._filename = filename

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._unpacked.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._check(offset)
        return self._unpacked.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > rules.MOST_FILE_BYTES:  # the length of a name, say
            raise DeepgrepError(f"{self._filename}: damaged: a header in it is too long")
        self._check(self._unpacked.tell() + size)
        return self._unpacked.read(size)

    def _check(self, end: int) -> None:
        if end > self._most:
            raise DeepgrepError(
                f"{self._filename}: refused: it becomes more than {self._most:,} bytes: is it made to fill the disk?"
            )
