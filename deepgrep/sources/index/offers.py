"""What there is of a package: the files that indexes, folders and pages of links offer."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from packaging.utils import (
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.configuration import Configuration

if TYPE_CHECKING:
    from pypi_simple import ProjectPage

    from deepgrep.sources.index.connection import Connection

_LINK = re.compile(rb"""(\bhref\s*=\s*["'])([^"'>]*)""", re.IGNORECASE)
# The longest pages that are known have some megabytes.
_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A file with a release of a package.

    Attributes:
        filename: its name, which says what it is.
        url: where it is, or "" for one on this machine. It may not be shown.
        path: where it is on this machine, or None.
        version: of the release.
        is_wheel: whether it is a wheel; otherwise it is a source distribution.
        yanked: whether its author took it back.
        sha256: of its bytes, as the index says, or "".
        size: in bytes, as the index says, or None.
    """

    filename: str
    url: str
    path: Path | None
    version: Version
    is_wheel: bool
    yanked: bool
    sha256: str
    size: int | None


def find_offers(
    package: str, configuration: Configuration, connection: Connection, warn: Callable[[str], None]
) -> tuple[list[Offer], bool]:
    """List the files that there are of a package.

    Args:
        package: its name, as pip knows it.
        configuration: where to look.
        connection: to the hosts there.
        warn: called with a line about an index that does not answer, where another one does.

    Returns:
        All wheels and source distributions, yanked ones too; and whether every index answered.

    Raises:
        DeepgrepError: there is none, or no index answers.
    """
    from deepgrep.sources.index.connection import NotOfferedError

    project = canonicalize_name(package)
    places = [(f"{url.rstrip('/')}/{project}/", False) for url in configuration.index_urls]
    places += [(link, True) for link in configuration.find_links]
    offers: list[Offer] = []
    failures: list[DeepgrepError] = []
    for place, is_link in places:
        try:
            offers += _offers_of(place, is_link, project, connection)
        except NotOfferedError:
            continue
        except DeepgrepError as error:
            failures.append(error)
    if failures and not offers:
        raise failures[0]
    if not offers:
        raise DeepgrepError(f"{package}: the package index has no such package: is that its name for pip?")
    for failure in failures:
        warn(f"one of the package indexes is left out: {failure}")
    return offers, not failures


def _offers_of(place: str, is_link: bool, project: str, connection: Connection) -> Iterator[Offer]:
    scheme = urlsplit(place).scheme
    if scheme in ("http", "https"):
        if filename := _archive(place):
            yield from _offer(filename, project, url=place)
        else:
            yield from _offers_of_page(_fetched_page(place, project, connection), project, is_local=False)
        return
    if "://" in place and scheme != "file":
        raise DeepgrepError(
            f"{project}: an address in pip's configuration is neither http:, https: nor file: 'pip config debug' shows "
            "where it is set"
        )
    path = _local(place) if scheme == "file" else Path(os.path.expanduser(place))
    try:
        if path.is_dir() and is_link:
            for file in sorted(path.iterdir()):
                yield from _offer(file.name, project, path=file)
        elif path.is_dir():
            yield from _offers_of_page(_local_page(path / "index.html", project), project, is_local=True)
        elif _archive(path.name):
            yield from _offer(path.name, project, path=path)
        elif path.is_file():
            yield from _offers_of_page(_local_page(path, project), project, is_local=True)
    except OSError as error:
        raise DeepgrepError(f"{project}: a folder of pip's configuration cannot be read ({error.strerror})") from None


def _local_page(path: Path, project: str) -> ProjectPage | None:
    if not path.is_file():  # an index on this machine without this package
        return None
    return _page(path.read_bytes(), "text/html", path.absolute().as_uri(), project)


def _fetched_page(url: str, project: str, connection: Connection) -> ProjectPage:
    from pypi_simple import ACCEPT_JSON_PREFERRED

    from deepgrep.sources.index.connection import chunks

    with connection.get(url, project, Accept=ACCEPT_JSON_PREFERRED) as answer:
        body = b"".join(chunks(answer, project, _MOST_BYTES))
        return _page(body, answer.headers.get("Content-Type", ""), answer.url, project)


def _page(body: bytes, content_type: str, url: str, project: str) -> ProjectPage:
    """Understand a page of a simple index, as HTML or JSON."""
    from pypi_simple import UnsupportedRepoVersionError

    kind, _, parameters = content_type.partition(";")
    charset = parameters.partition("charset=")[2].strip(" \"'") or None
    try:
        if kind.strip().lower().endswith("+json"):
            return _json_page(json.loads(body), url)
        if kind.strip().lower() in ("text/html", "application/vnd.pypi.simple.v1+html"):
            return _html_page(project, body, url, charset)
    except UnsupportedRepoVersionError:
        raise DeepgrepError(f"{project}: the package index is of a newer kind than deepgrep knows") from None
    except (ValueError, LookupError, AssertionError, RecursionError):  # what the parsers raise for other than an index
        pass
    raise DeepgrepError(
        f"{project}: what the package index answers is no list of files: is pip's option index-url right?"
    )


def _json_page(data: object, url: str) -> ProjectPage:
    """Understand a page; a file on it that is not described as it should be is left out."""
    from pypi_simple import DistributionPackage, ProjectPage, UnsupportedRepoVersionError

    try:
        return ProjectPage.from_json_data(data, url)
    except UnsupportedRepoVersionError:
        raise
    except ValueError:
        files = data.get("files") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(files, list):
            raise
    page = ProjectPage.from_json_data({**data, "files": []}, url)
    for file in files:
        with suppress(ValueError):
            page.packages.append(DistributionPackage.from_json_data(file, page.project, url))
    return page


def _html_page(project: str, body: bytes, url: str, charset: str | None) -> ProjectPage:
    """Understand a page; a link on it that is no address is left out."""
    from pypi_simple import ProjectPage, UnsupportedRepoVersionError

    try:
        return ProjectPage.from_html(project, body, url, charset)
    except UnsupportedRepoVersionError:
        raise
    except ValueError:
        return ProjectPage.from_html(project, _LINK.sub(_checked, body), url, charset)


def _checked(link: re.Match[bytes]) -> bytes:
    try:
        urlsplit(link[2].decode(errors="replace"))
    except ValueError:
        return link[1]
    return link[0]


def _offers_of_page(page: ProjectPage | None, project: str, *, is_local: bool) -> Iterator[Offer]:
    for file in page.packages if page else ():
        filename = _archive(file.url)
        if not filename:
            continue
        path = None
        if (
            urlsplit(file.url).scheme == "file" and is_local
        ):  # a server has no say in which files of this machine are read
            path = _local(file.url)
        elif urlsplit(file.url).scheme not in ("http", "https"):
            continue
        digest = file.digests.get("sha256", "").lower()
        for offer in _offer(filename, project, url=file.url, path=path):
            yield Offer(filename, offer.url, path, offer.version, offer.is_wheel, file.is_yanked, digest, file.size)


def _local(url: str) -> Path:
    """The path that a `file:` address means."""
    from urllib.request import url2pathname

    return Path(url2pathname(urlsplit(url).path))


def _archive(address: str) -> str:
    """The name of the archive that an address ends with, or ""."""
    filename = unquote(urlsplit(address).path).rpartition("/")[2]
    return filename if filename.endswith((".whl", ".tar.gz", ".zip")) else ""


def _offer(filename: str, project: str, *, url: str = "", path: Path | None = None) -> Iterator[Offer]:
    """The file, if it is a release of the project."""
    is_wheel = filename.endswith(".whl")
    try:
        if is_wheel:
            name, version, *_ = parse_wheel_filename(filename)
        else:
            name, version = parse_sdist_filename(filename)
    except ValueError:  # another name than that of a release, or a number too long to be one
        return
    if name == project:
        yield Offer(filename, "" if path else url, path, version, is_wheel, False, "", None)
