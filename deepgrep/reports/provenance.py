"""What a report says of itself, so that someone else can repeat it."""

from __future__ import annotations

import msgspec

from deepgrep.sources.released import Released


class Provenance(msgspec.Struct, frozen=True):
    """Where a report comes from.

    Attributes:
        command: what was typed, without paths of the machine: typing it again gives the same report.
        deepgrep: its version.
        python: the version of Python that it ran on.
        released: the analyzed sources, each compared with its release.
    """

    command: str
    deepgrep: str
    python: str
    released: list[Released]
