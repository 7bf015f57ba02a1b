"""A release of a package: one that is kept, or fetched from the package index and kept then."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from packaging.utils import canonicalize_name

from deepgrep.errors import DeepgrepError
from deepgrep.sources.fetching import Fetching
from deepgrep.sources.kept import Kept, keep, kept_folder, kept_releases

if TYPE_CHECKING:
    import requests
    from packaging.version import Version

    from deepgrep.sources.index.connection import Connection
    from deepgrep.sources.index.offers import Offer

# Wheels of up to 5 GB are known.
_MOST_ARCHIVE_BYTES = 16 << 30


def find_release(package: str, spec: str, fetching: Fetching) -> Path:
    """Give the folder of a release; it is fetched if it is not kept.

    Args:
        package: its name, as pip knows it.
        spec: `2.11.0` for one release; `2.11` for the newest that begins so, `latest`, or `nightly`, for which the
            package index is asked each time, as long as it answers.
        fetching: how.

    Raises:
        DeepgrepError: there is no such release, or it cannot be had.
    """
    from deepgrep.sources.index.choice import is_exact, matching

    kept = {release.version: release for release in _kept(package, fetching)}
    known = matching(spec, kept, package)
    if known and is_exact(spec):
        return kept[known[0]].folder
    try:
        return _fetched(package, spec, known[0] if known else None, fetching)
    except _UnansweredError as error:
        if not known:
            raise
        fetching.warn(f"{error}; taken is {package} {known[0]}, which is kept")
        return kept[known[0]].folder


def released_versions(package: str, warn: Callable[[str], None]) -> list[str]:
    """List the released versions of a package that the package index has.

    Args:
        package: its name, as pip knows it.
        warn: called with a line about an index that does not answer, where another one does.

    Returns:
        Oldest first, without pre-releases and those that were yanked.

    Raises:
        DeepgrepError: there is no such package, or no index answers.
    """
    from deepgrep.sources.index.choice import released

    with _index(package, warn) as (_, offers, _):
        return [str(version) for version in released(offers)]


class _UnansweredError(DeepgrepError):
    """The package index could not be asked: what is kept will do."""


def _kept(package: str, fetching: Fetching) -> list[Kept]:
    name = canonicalize_name(package)
    return [release for release in kept_releases(fetching.keep_in) if release.name == name and not release.origin]


@contextmanager
def _index(package: str, warn: Callable[[str], None]) -> Iterator[tuple[Connection, list[Offer], bool]]:
    from deepgrep.sources.index.configuration import read_configuration
    from deepgrep.sources.index.connection import Connection, UnreachableError
    from deepgrep.sources.index.offers import find_offers

    configuration = read_configuration()
    with Connection(configuration) as connection:
        try:
            offers, is_complete = find_offers(package, configuration, connection, warn)
        except UnreachableError as error:
            raise _UnansweredError(str(error)) from None
        yield connection, offers, is_complete


def _fetched(package: str, spec: str, known: Version | None, fetching: Fetching) -> Path:
    """The folder of a release that the package index has; `known` is the best one that is kept."""
    from deepgrep.sources.index.choice import choose, matching

    name = canonicalize_name(package)
    with _index(package, fetching.warn) as (connection, offers, is_complete):
        if known and not is_complete and max([known, *matching(spec, (o.version for o in offers), package)]) == known:
            raise _UnansweredError(f"{package} {spec}: the others have none that is newer")
        offer = choose(spec, offers, package, fetching.warn)[0]
        folder = kept_folder(fetching.keep_in, name, str(offer.version), "")
        if folder.is_dir():
            return folder
        title = f"{name} {offer.version}"
        fetching.begin(f"fetching {title}")
        summary = ""
        try:
            folder = keep(fetching.keep_in, name, str(offer.version), "", _files(offer, connection, fetching))
            summary = f"fetched the Python files of {title}"
        finally:
            fetching.end(summary)
    return folder


def _files(offer: Offer, connection: Connection, fetching: Fetching) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of the Python files in what is offered."""
    from deepgrep.sources.archives.remote import RangesRefusedError, RemoteFile
    from deepgrep.sources.archives.sdist import read_sdist
    from deepgrep.sources.archives.wheel import read_wheel

    if offer.path is not None:
        with _opened(offer) as file:
            yield from (read_wheel if offer.is_wheel else read_sdist)(file, offer.filename)
        return
    answer = None
    if offer.is_wheel:
        try:
            yield from read_wheel(RemoteFile(connection, offer.url, offer.filename, fetching.advance), offer.filename)
            return
        except RangesRefusedError as refusal:
            answer = refusal.answer
    with _whole(offer, connection, answer, fetching) as file:
        yield from (read_wheel if offer.is_wheel else read_sdist)(file, offer.filename)


@contextmanager
def _opened(offer: Offer) -> Iterator[IO[bytes]]:
    """A file on this machine, of a folder or an index there."""
    assert offer.path is not None
    try:
        file = offer.path.open("rb")
    except OSError as error:
        raise DeepgrepError(f"{offer.filename}: cannot be read ({error.strerror})") from None
    with file:
        if offer.sha256 and hashlib.file_digest(file, "sha256").hexdigest() != offer.sha256:
            raise DeepgrepError(f"{offer.filename}: refused: it has not the hash that the package index says")
        yield file


@contextmanager
def _whole(
    offer: Offer, connection: Connection, answer: requests.Response | None, fetching: Fetching
) -> Iterator[IO[bytes]]:
    """A file of a package index, fetched whole, into a file that is removed in the end."""
    import tempfile

    from deepgrep.sources.index.connection import chunks

    digest = hashlib.sha256()
    with tempfile.TemporaryFile(dir=fetching.keep_in) as file:
        with answer or connection.get(offer.url, offer.filename) as body:
            for chunk in chunks(body, offer.filename, offer.size or _MOST_ARCHIVE_BYTES):
                file.write(chunk)
                digest.update(chunk)
                fetching.advance(len(chunk))
        if offer.sha256 and digest.hexdigest() != offer.sha256:
            raise DeepgrepError(f"{offer.filename}: refused: it has not the hash that the package index says")
        file.seek(0)
        yield file


def unpacked_file(path: Path, fetching: Fetching) -> Path:
    """Give the folder with what is in a wheel or source distribution of the user's; it is unpacked once.

    Args:
        path: a `.whl`, `.tar.gz` or `.zip` file.
        fetching: where to keep it.

    Raises:
        DeepgrepError: it cannot be read, is damaged, or may not be unpacked.
    """
    from packaging.utils import parse_sdist_filename, parse_wheel_filename

    from deepgrep.sources.archives.sdist import read_sdist
    from deepgrep.sources.archives.wheel import read_wheel

    is_wheel = path.name.endswith(".whl")
    try:
        name, version = parse_wheel_filename(path.name)[:2] if is_wheel else parse_sdist_filename(path.name)
    except ValueError:  # another name than that of a release, or a number too long to be one
        form = "NAME-VERSION-…-any.whl" if is_wheel else "NAME-VERSION.tar.gz"
        raise DeepgrepError(
            f"{path}: its name is not {form}: rename it as it was, or unpack it and name the folder"
        ) from None
    try:
        with path.open("rb") as file:
            stat = os.stat(file.fileno())
            # While these stay, so do its bytes: hashing a wheel of torch at each question would take a second.
            identity = (os.path.realpath(path), stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
            origin = hashlib.sha256(repr(identity).encode()).hexdigest()[:12]
            folder = kept_folder(fetching.keep_in, name, str(version), origin)
            if folder.is_dir():
                return folder
            fetching.begin(f"unpacking {name} {version}")
            try:
                files = (read_wheel if is_wheel else read_sdist)(file, path.name)
                return keep(fetching.keep_in, name, str(version), origin, files)
            finally:
                fetching.end("")
    except OSError as error:
        raise DeepgrepError(f"{path}: cannot be read ({error.strerror})") from None
