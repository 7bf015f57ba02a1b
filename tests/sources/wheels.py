"""Wheels and source distributions for tests, good ones and hostile ones."""

import base64
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

FILES = {"pkg/__init__.py": b"x = 1\n", "pkg/sub/__init__.py": b"", "pkg/sub/mod.py": b"def f(): pass\n" * 50}


def recorded(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def record(files: Mapping[str, bytes], folder: str) -> bytes:
    rows = [f"{name},{recorded(data)},{len(data)}\n" for name, data in files.items()]
    return "".join([*rows, f"{folder}/RECORD,,\n"]).encode()


def wheel(
    name: str = "pkg",
    version: str = "1.0",
    files: Mapping[str, bytes] | None = None,
    *,
    more: Mapping[str, bytes] | None = None,
    record_says: bytes | None = None,
    without_record: bool = False,
    padding: int = 0,
) -> bytes:
    """The bytes of a wheel.

    `more` are files beside those that RECORD is made from, `record_says` is another RECORD, and `padding` the number of
    random bytes of a library in the middle.
    """
    files = dict(FILES if files is None else files)
    folder = f"{name}-{version}.dist-info"
    files[f"{folder}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nx\n".encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for position, (path, data) in enumerate({**files, **(more or {})}.items()):
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
            if position == 0 and padding:
                library = hashlib.shake_128(b"library").digest(padding)
                archive.writestr("pkg/lib.so", library, zipfile.ZIP_STORED)
        if not without_record:
            archive.writestr(f"{folder}/RECORD", record(files, folder) if record_says is None else record_says)
    return written.getvalue()


def sdist(files: Mapping[str, bytes], top: str = "pkg-1.0", links: Mapping[str, str] | None = None) -> bytes:
    """The bytes of a `.tar.gz`."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        for path, data in files.items():
            member = tarfile.TarInfo(f"{top}/{path}" if top else path)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        for path, target in (links or {}).items():
            member = tarfile.TarInfo(f"{top}/{path}")
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return written.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    """The Python files under a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.py"))}
