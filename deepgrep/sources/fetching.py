"""How releases are fetched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Fetching:
    """How releases are fetched, and who hears of it.

    Attributes:
        keep_in: the folder with the releases that are kept.
        warn: called with a line about what goes wrong and does not stop the answer.
        begin: called with a text when fetching or unpacking begins.
        advance: called with a number of bytes whenever some were fetched.
        end: called when that is over, with a text, or "" where it came to nothing.
    """

    keep_in: Path
    warn: Callable[[str], None]
    begin: Callable[[str], None]
    advance: Callable[[int], None]
    end: Callable[[str], None]
