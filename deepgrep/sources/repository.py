"""The public repository of a package, as its installed distribution names it."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Labels of `Project-URL` and other fields by how surely they mean the repository, without case and punctuation.
_LABELS = (
    *("repository", "source", "sourcecode", "code", "github", "gitlab", "homepage", "downloadurl"),
    *("issuetracker", "bugtracker", "issues", "tracker"),
)
_ADDRESS = re.compile(
    r"https?://(?:www\.)?(github|gitlab)\.com/([A-Za-z0-9][\w.-]*)/([A-Za-z0-9_][\w.-]*?)(?:\.git)?(?:[/?#].*)?",
    re.ASCII,
)


def named_repository(metadata: Sequence[tuple[str, str]]) -> str:
    """Say where a distribution's sources are kept.

    Args:
        metadata: the fields of its METADATA, by name.

    Returns:
        `https://github.com/OWNER/NAME`, or the same on gitlab.com; "" where the distribution names none. Older
        ones name it only by where to download from, or where to report bugs.
    """
    urls: dict[str, str] = {}
    for name, value in metadata:
        label, _, url = value.partition(",") if name == "Project-URL" else (name, "", value)
        urls.setdefault(re.sub(r"[\W_]", "", label).lower(), url.strip())
    stated = [urls.get(label, "") for label in _LABELS]
    for url in stated:
        if found := _ADDRESS.fullmatch(url):
            return f"https://{found[1]}.com/{found[2]}/{found[3]}"
    return ""
