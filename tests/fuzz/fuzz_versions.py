"""Versions as they are typed."""

import contextlib

from packaging.version import Version

from deepgrep.errors import DeepgrepError
from deepgrep.sources.index.choice import matching
from deepgrep.sources.version_range import listed_versions

RELEASED = ["2.5.0", "2.5.1", "2.6.0", "2.10.0", "2.11.0rc1", "2.11.0.dev20260101+cpu"]


def one_input(data: bytes) -> None:
    spec = data.decode("utf-8", "surrogateescape")
    with contextlib.suppress(DeepgrepError):
        matching(spec, map(Version, RELEASED), "torch")
    with contextlib.suppress(DeepgrepError):
        listed_versions([spec], lambda: RELEASED)
