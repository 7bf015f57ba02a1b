"""Several versions in one word: `2.5..2.15` is the newest patch release of each minor version from 2.5 to 2.15."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.archives.rules import shown

_BETWEEN = ".."


def listed_versions(texts: Sequence[str], released: Callable[[], list[str]]) -> list[str]:
    """List the versions that some texts mean.

    Args:
        texts: each a version as `find_package` takes it, several with commas between, or a range.
        released: gives the released versions, oldest first; only asked for ranges.

    Returns:
        Each once, in the order of the texts.

    Raises:
        DeepgrepError: a text is empty, or a range holds no release.
    """
    versions: list[str] = []
    for text in texts:
        for part in text.split(","):
            if not part.strip():
                raise DeepgrepError(f"--versions {text!r}: a version is missing in it: 2.11,2.12.1 or 2.5..2.15")
            versions += _versions(part.strip(), released)
    return list(dict.fromkeys(versions))


def _versions(text: str, released: Callable[[], list[str]]) -> Iterator[str]:
    first, between, last = text.partition(_BETWEEN)
    # The folders of `git:../pytorch@main` are no range.
    if not between or not first[:1].isdigit():
        yield text
        return
    low, high = _version(first, text), _version(last, text)
    minors: dict[tuple[int, ...], str] = {}
    for version in map(Version, released()):
        if low <= version and (version <= high or version.release[: len(high.release)] == high.release):
            minors[version.release[:2]] = str(version)
    if not minors:
        raise DeepgrepError(
            f"--versions {text}: there is no release in it: the earlier version comes first, as in 2.5..2.15"
        )
    yield from minors.values()


def _version(text: str, between: str) -> Version:
    try:
        return Version(text)
    except ValueError:  # no version, or with a number of thousands of digits
        raise DeepgrepError(
            f"--versions {between[:100]}: {shown(text)} is no version: a range is 2.5..2.15, each end a release or "
            "the beginning of some"
        ) from None
