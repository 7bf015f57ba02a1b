"""Releases that were unpacked, kept so that no network is needed again: each whole, or not there."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives.rules import shown

_UNFINISHED = ".unfinished-"
_LEFT_BEHIND_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Kept:
    """A release that is kept.

    Attributes:
        name: the package's name, as pip knows it.
        version: of the release.
        origin: "" for one from the package index; otherwise what tells the file apart that it is from.
        folder: where its packages and its `.dist-info` folder lie.
    """

    name: str
    version: Version
    origin: str
    folder: Path


def kept_releases(keep_in: Path) -> list[Kept]:
    """List the releases that are kept.

    Args:
        keep_in: the folder with all of them, which need not exist.

    Returns:
        By name, version and origin.
    """
    found = []
    for folder in keep_in.glob("[!.]*-*"):
        name, version, origin = [*folder.name.split("-", 2), ""][:3]
        try:
            found.append(Kept(canonicalize_name(name), Version(version), origin, folder))
        except ValueError:  # a folder of something else
            continue
    return sorted(found, key=lambda kept: (kept.name, kept.version, kept.origin))


def keep(keep_in: Path, name: str, version: str, origin: str, files: Iterable[tuple[str, bytes]]) -> Path:
    """Keep a release.

    Args:
        keep_in: the folder with all of them; it is made if there is none.
        name: the package's name.
        version: of the release.
        origin: as of `Kept`.
        files: path and bytes of each.

    Returns:
        The folder of the release. Where another process was faster, its folder is given.

    Raises:
        DeepgrepError: it cannot be written, or getting the files fails; then there is nothing.
    """
    import secrets
    import shutil

    folder = kept_folder(keep_in, name, version, origin)
    unfinished = None
    try:
        keep_in.mkdir(parents=True, exist_ok=True)
        _remove_left_behind(keep_in)
        unfinished = keep_in / f"{_UNFINISHED}{secrets.token_hex(8)}"
        unfinished.mkdir()  # with the rights that the user gives to what is new
        for path, data in files:
            _write(unfinished / path, data, path)
        try:
            unfinished.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
        return folder
    except OSError as error:
        raise DeepgrepError(
            f"{name} {version}: cannot be kept in {keep_in} ({error.strerror}): --cache-dir DIR names another folder"
        ) from None
    finally:
        if unfinished is not None and unfinished.exists():
            shutil.rmtree(unfinished, ignore_errors=True)


def remove_kept(keep_in: Path, name: str, version: str) -> None:
    """Remove a release, also what was unpacked from files with it.

    Args:
        keep_in: the folder with all of them.
        name: the package's name.
        version: of the release.

    Raises:
        DeepgrepError: it is not kept, or cannot be removed.
    """
    import shutil

    kept = kept_releases(keep_in)
    found = [release for release in kept if (release.name, str(release.version)) == (canonicalize_name(name), version)]
    if not found:
        listed = ", ".join(dict.fromkeys(f"{release.name}=={release.version}" for release in kept)) or "nothing"
        raise DeepgrepError(f"{name}=={version} is not kept; kept is {listed}")
    for release in found:
        try:
            # Whoever looks at that moment finds it whole, or not at all.
            unfinished = release.folder.with_name(f"{_UNFINISHED}{release.folder.name}")
            release.folder.rename(unfinished)
            shutil.rmtree(unfinished)
        except OSError as error:
            raise DeepgrepError(f"{name}=={version} cannot be removed ({error.strerror})") from None


def kept_folder(keep_in: Path, name: str, version: str, origin: str) -> Path:
    """Say where a release would be kept; arguments as of `keep`."""
    parts = [canonicalize_name(name).replace("-", "_"), version, *([origin] if origin else [])]
    return keep_in / "-".join(parts)


def _write(target: Path, data: bytes, path: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.write(data)
    except (FileExistsError, NotADirectoryError):
        raise DeepgrepError(f"refused: {shown(path)} is the name of two files, or of a file and a folder") from None
    except OSError as error:
        if error.errno is not None and os.strerror(error.errno) == "File name too long":
            raise DeepgrepError(f"refused: the path {shown(path)} is too long") from None
        raise


def _remove_left_behind(keep_in: Path) -> None:
    """Remove what processes that were killed did not finish; those that are at work are younger."""
    import shutil

    for folder in keep_in.glob(f"{_UNFINISHED}*"):
        if time.time() - folder.stat().st_mtime > _LEFT_BEHIND_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
