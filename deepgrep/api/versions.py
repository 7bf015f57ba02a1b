"""The versions between two, of which one is asked after the other: releases, or the commits of a repository."""

from __future__ import annotations

from collections.abc import Callable

from deepgrep.api.places import TORCH
from deepgrep.errors import DeepgrepError

_GIT = "git:"
_DIGITS = 12


def versions_between(good: str | None, bad: str | None, warn: Callable[[str], None]) -> list[str]:
    """List the versions from one to another, as `deepgrep.open(torch=...)` takes them.

    Args:
        good: the first: a release, `git:PATH@REVISION`, or None for the oldest release.
        bad: the last, of the same sort; None for the newest release.
        warn: called with a line about what went wrong and does not stop the answer.

    Returns:
        Both, and all between them, oldest first; of a repository, its first-parent history.

    Raises:
        DeepgrepError: there are no versions between the two, or they cannot be listed.
    """
    ends = [end for end in (good, bad) if end is not None]
    if any(end.startswith(_GIT) for end in ends):
        if len(ends) < 2 or not all(end.startswith(_GIT) for end in ends):
            raise DeepgrepError("--good and --bad: both are git:PATH@REVISION, of one repository, or none is")
        from deepgrep.sources.git import commits_between

        return commits_between(ends[0], ends[1])
    return _releases_between(good, bad, warn)


def _releases_between(good: str | None, bad: str | None, warn: Callable[[str], None]) -> list[str]:
    from packaging.version import Version

    from deepgrep.sources.index.choice import matching
    from deepgrep.sources.releases import released_versions

    released = [Version(text) for text in released_versions(TORCH, warn)]
    # Builds of one release (`2.13.0+cpu`) hold the same code.
    versions = [version for version in released if version.local is None or Version(version.public) not in released]
    places = []
    for end, default in ((good, versions[0]), (bad, versions[-1])):
        found = [default] if end is None else matching(end, versions, TORCH)
        if not found:
            raise DeepgrepError(f"{TORCH} {end}: no such release between {versions[0]} and {versions[-1]}")
        places.append(versions.index(found[0]))
    first, last = places
    if first >= last:
        raise DeepgrepError(f"{TORCH} {versions[first]} is not before {versions[last]}: --good is the earlier one")
    return [str(version) for version in versions[first : last + 1]]


def title_of(version: str) -> str:
    """What answers call a version: a release as it is, and a commit by its first digits."""
    return version.rpartition("@")[2][:_DIGITS] if version.startswith(_GIT) else version
