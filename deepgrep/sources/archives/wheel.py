"""The Python files of a wheel, each checked against what the wheel's RECORD says of it."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import stat
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives import rules
from deepgrep.sources.archives.remote import RemoteFile
from deepgrep.sources.released import hex_digest

# Beside the Python files: what says which release it is, and what was in it.
_METADATA = ("METADATA", "RECORD", "WHEEL", "top_level.txt")

_LOCAL_HEADER_BYTES = 30
_LARGEST_EXTRA = 1 << 12


def read_wheel(file: IO[bytes] | RemoteFile, filename: str) -> Iterator[tuple[str, bytes]]:
    """Read the Python files of a wheel, and its metadata.

    Args:
        file: the wheel, on this machine or on a server.
        filename: its name.

    Yields:
        Path and bytes of each file, as they lie when the wheel is installed.

    Raises:
        DeepgrepError: it is damaged, holds something else than its RECORD says, or what no wheel holds.
    """
    try:
        yield from _read_wheel(file, filename)
    # What the standard library raises for a damaged zip file, by what is damaged.
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        OverflowError,
    ) as error:
        raise DeepgrepError(f"{filename}: damaged: {rules.shown(str(error))}") from None


def _read_wheel(file: IO[bytes] | RemoteFile, filename: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        rules.check_names([member.orig_filename for member in members], filename)
        folder = _metadata_folder([member.filename for member in members], filename)
        wanted = [member for member in members if _is_wanted(member.filename, folder)]
        rules.check_once([member.filename for member in wanted], filename)
        for member in wanted:
            _check(member, filename)
        rules.check_total(sum(member.file_size for member in wanted), filename)
        if isinstance(file, RemoteFile):
            file.fetch(_spans(wanted, members, archive.start_dir))
        record = _record(archive, folder, filename)
        absent = sorted({name for name in record if _is_wanted(name, folder)} - {member.filename for member in wanted})
        if absent:
            raise DeepgrepError(f"{filename}: refused: RECORD names {rules.shown(absent[0])}, which is not in it")
        data_folder = f"{folder.removesuffix('.dist-info')}.data/"
        moved = (f"{data_folder}purelib/", f"{data_folder}platlib/")
        for member in wanted:
            name = member.filename
            data = archive.read(member)
            if name == f"{folder}/RECORD":
                for beginning in moved:
                    data = data.replace(f"\n{beginning}".encode(), b"\n")
            elif name not in record:
                raise DeepgrepError(f"{filename}: refused: RECORD does not name {rules.shown(name)}")
            elif hashlib.sha256(data).hexdigest() != record[name]:
                raise DeepgrepError(f"{filename}: refused: {rules.shown(name)} has not the hash that RECORD says")
            for beginning in moved:
                name = name.removeprefix(beginning)
            yield name, data


def _metadata_folder(names: list[str], filename: str) -> str:
    """The `.dist-info` folder, which must be that of the release that the file is named after."""
    folders = {name.partition("/")[0] for name in names if "/" in name}
    found = [folder for folder in folders if folder.endswith(".dist-info")]
    if len(found) != 1:
        raise DeepgrepError(f"{filename}: refused: no wheel: it has {len(found)} .dist-info folders")
    name, _, version = found[0].removesuffix(".dist-info").partition("-")
    try:
        expected = parse_wheel_filename(filename)[:2]
        is_same = (canonicalize_name(name), Version(version)) == expected
    except ValueError:  # what it is named after is no release
        is_same = False
    if not is_same:
        raise DeepgrepError(f"{filename}: refused: what is in it is {rules.shown(found[0])}")
    return found[0]


def _is_wanted(name: str, folder: str) -> bool:
    data_folder = f"{folder.removesuffix('.dist-info')}.data/"
    if name.startswith(data_folder):
        return name.startswith((f"{data_folder}purelib/", f"{data_folder}platlib/")) and name.endswith(".py")
    return name.endswith(".py") or name in {f"{folder}/{file}" for file in _METADATA}


def _check(member: zipfile.ZipInfo, filename: str) -> None:
    if member.flag_bits & 0x1:
        raise DeepgrepError(f"{filename}: refused: {rules.shown(member.filename)} in it is encrypted")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise DeepgrepError(f"{filename}: refused: {rules.shown(member.filename)} in it is a symbolic link")
    if member.compress_type not in (
        zipfile.ZIP_STORED,
        zipfile.ZIP_DEFLATED,
    ):  # the others are unpacked without a limit
        raise DeepgrepError(f"{filename}: refused: {rules.shown(member.filename)} in it is packed as in no wheel")
    rules.check_size(member.filename, member.file_size, member.compress_size, filename)


def _spans(wanted: list[zipfile.ZipInfo], members: list[zipfile.ZipInfo], directory: int) -> Iterator[tuple[int, int]]:
    """Where the members lie in the file, each with its own header, whose length is not known before it is read."""
    starts = sorted({member.header_offset for member in members} | {directory})
    following = dict(itertools.pairwise(starts))
    for member in wanted:
        start = member.header_offset
        length = _LOCAL_HEADER_BYTES + len(member.orig_filename.encode()) + _LARGEST_EXTRA + member.compress_size
        end = min(start + length, following.get(start, directory))
        if 0 <= start < end:
            yield start, end


def _record(archive: zipfile.ZipFile, folder: str, filename: str) -> dict[str, str]:
    """The hex SHA-256 of each file that RECORD names."""
    try:
        text = archive.read(f"{folder}/RECORD").decode()
    except KeyError:
        raise DeepgrepError(f"{filename}: refused: no wheel: it has no RECORD") from None
    found: dict[str, str] = {}
    try:
        for row in csv.reader(io.StringIO(text)):
            if len(row) > 1 and found.setdefault(row[0], hex_digest(row[1])) != hex_digest(row[1]):
                raise DeepgrepError(f"{filename}: refused: RECORD says two things of {rules.shown(row[0])}")
    except csv.Error as error:
        raise DeepgrepError(f"{filename}: damaged: its RECORD cannot be read: {error}") from None
    return found
