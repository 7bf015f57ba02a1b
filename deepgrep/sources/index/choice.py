"""Which release is meant, and which of its files to take."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence

from packaging.specifiers import SpecifierSet
from packaging.utils import parse_wheel_filename
from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives.rules import shown
from deepgrep.sources.index.offers import Offer

LATEST = "latest"
NIGHTLY = "nightly"

# `2`, `2.11`: the newest release that begins so.
_BEGINNING = re.compile(r"\d+(\.\d+)?", re.ASCII)


def is_exact(spec: str) -> bool:
    """Whether a text names one release: `2.11.0`, but not `2.11` or `latest`."""
    return spec not in (LATEST, NIGHTLY) and not _BEGINNING.fullmatch(spec)


def matching(spec: str, versions: Iterable[Version], package: str) -> list[Version]:
    """Say which versions a text means, the best one first.

    Args:
        spec: `2.11.0`, `2.11`, `latest` or `nightly`.
        versions: those that there are.
        package: whose versions they are.

    Raises:
        DeepgrepError: the text is no version.
    """
    known = sorted(set(versions), reverse=True)
    if spec == LATEST:
        return [version for version in known if not version.is_prerelease]
    if spec == NIGHTLY:
        return [version for version in known if version.is_devrelease]
    try:
        if not is_exact(spec):
            beginning = SpecifierSet(f"=={spec}.*")
            return [version for version in known if not version.is_prerelease and version in beginning]
        exact = Version(spec)
    except ValueError:  # no version, or with a number of thousands of digits
        raise DeepgrepError(
            f"{package} {shown(spec)}: neither a version (2.11.0, 2.11), latest, nightly, nor a file or folder that "
            "there is"
        ) from None
    # As PEP 440 says, a version that names no local part means all builds of it.
    return [version for version in known if exact in (version, Version(version.public))]


def choose(spec: str, offers: Sequence[Offer], package: str, warn: Callable[[str], None]) -> list[Offer]:
    """Choose a release.

    Args:
        spec: `2.11.0`, `2.11`, `latest` or `nightly`.
        offers: the files that there are of all releases.
        package: whose files they are.
        warn: called with a line if the release that is named was taken back by its authors.

    Returns:
        The files of the release, the best one to read first.

    Raises:
        DeepgrepError: there is no such release.
    """
    present = [offer.version for offer in offers if not offer.yanked or is_exact(spec)]
    found = matching(spec, present, package)
    if not found:
        raise DeepgrepError(_absent(spec, offers, package))
    files = [offer for offer in offers if offer.version == found[0]]
    if all(offer.yanked for offer in files):
        warn(f"{package} {found[0]} was yanked: its authors took this release back")
    return sorted(files, key=_rank)


def released(offers: Sequence[Offer]) -> list[Version]:
    """The versions that were released, each once, oldest first: without yanked ones and pre-releases."""
    taken = {offer.version for offer in offers if not offer.yanked and not offer.version.is_prerelease}
    return sorted({Version(version.public) for version in taken})


def _absent(spec: str, offers: Sequence[Offer], package: str) -> str:
    if spec == NIGHTLY:
        return f"{package} nightly: the package index offers none: set pip's option index-url to one that does"
    versions = [str(version) for version in released(offers)]
    listed = ", ".join(versions if len(versions) <= 5 else [*versions[-5:]])
    older = ", …, " if len(versions) > 5 else ""
    first = f"{versions[0]}{older}" if older else ""
    return f"{package} {spec}: the package index has no such release: it has {first}{listed or 'pre-releases only'}"


def _rank(offer: Offer) -> tuple[object, ...]:
    """The order in which files of a release are taken: the Python code in all wheels of one is the same."""
    if not offer.is_wheel:
        return (offer.yanked, True, offer.filename)
    _, _, _, tags = parse_wheel_filename(offer.filename)
    running = f"cp{sys.version_info.major}{sys.version_info.minor}"
    any_platform = any(tag.platform == "any" for tag in tags)
    linux = any("linux" in tag.platform for tag in tags)
    intel = any(tag.platform.endswith("x86_64") for tag in tags)
    same_python = any(tag.interpreter == running and tag.abi in (running, "abi3", "none") for tag in tags)
    newest = max((int("".join(filter(str.isdigit, tag.interpreter)) or 0) for tag in tags), default=0)
    return (offer.yanked, False, not any_platform, not linux, not same_python, not intel, -newest, offer.filename)
