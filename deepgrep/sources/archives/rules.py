"""What may come out of an archive: names that stay in their folder, and no more than a package can have."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deepgrep.errors import DeepgrepError

MOST_MEMBERS = 500_000
MOST_BYTES = 1 << 30
"""Of all Python files of a package together: 20 times those of the largest that are known."""
MOST_FILE_BYTES = 64 << 20

# Source text becomes 3 to 20 times smaller; small files of one repeated line somewhat more.
MOST_RATIO = 200
_RATIO_FROM_BYTES = 1 << 20

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_names(names: Iterable[str], archive: str) -> None:
    """Refuse an archive in which a member would not stay in its folder, or with more members than a package has.

    Args:
        names: of all members, as they are written in it; those of folders end with `/`.
        archive: its file name, for the error.

    Raises:
        DeepgrepError: one of them is so.
    """
    for count, name in enumerate(names, 1):
        parts = name.removesuffix("/").split("/")
        if _CONTROL.search(name) or "\\" in name or _DRIVE.match(name) or not {"", ".", ".."}.isdisjoint(parts):
            raise DeepgrepError(f"{archive}: refused: the path {shown(name)} in it leads out of its folder")
        if count > MOST_MEMBERS:
            raise DeepgrepError(f"{archive}: refused: it has more than {MOST_MEMBERS:,} files")


def check_once(names: Iterable[str], archive: str) -> None:
    """Refuse an archive that holds a file twice.

    Args:
        names: of the files that are read.
        archive: its file name, for the error.

    Raises:
        DeepgrepError: one of them is there again.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DeepgrepError(f"{archive}: refused: it holds {shown(name)} twice")
        seen.add(name)


def check_size(name: str, size: int, packed: int | None, archive: str) -> None:
    """Refuse an archive with a member that is larger than source code is.

    Args:
        name: of the member.
        size: its size in bytes, unpacked.
        packed: its size in the archive, or None where that is not known.
        archive: its file name, for the error.

    Raises:
        DeepgrepError: the member is too large, or becomes so from next to nothing.
    """
    if size > MOST_FILE_BYTES:
        raise DeepgrepError(f"{archive}: refused: {shown(name)} in it has {size:,} bytes: is it made to fill the disk?")
    if packed is not None and size > _RATIO_FROM_BYTES and size > packed * MOST_RATIO:
        raise DeepgrepError(
            f"{archive}: refused: {shown(name)} in it has {size:,} bytes, packed into {packed:,}: "
            "is it made to fill the disk?"
        )


def check_total(size: int, archive: str) -> None:
    """Refuse an archive whose members are together larger than source code is; arguments as of `check_size`."""
    if size > MOST_BYTES:
        raise DeepgrepError(
            f"{archive}: refused: over {MOST_BYTES:,} bytes of Python files: is it made to fill the disk?"
        )


def shown(name: str) -> str:
    """A name from an archive, for an error: escaped, and short."""
    text = ascii(name)
    return text if len(text) <= 100 else f"{text[:99]}…"
