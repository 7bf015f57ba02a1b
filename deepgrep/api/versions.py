"""Opening one of several versions of torch, by what the user calls it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepgrep.api.opening import open as open_sources

if TYPE_CHECKING:
    from deepgrep.api.analysis import Analysis

_INSTALLED = "installed"


def open_version(spec: str, *sources: Path, **options: Any) -> Analysis:
    """Open the call graph of some sources with one version of torch.

    Args:
        spec: `installed`, or a folder that holds a package torch.
        sources: what to analyze beside it.
        options: as of `deepgrep.open`.

    Raises:
        DeepgrepError: as of `deepgrep.open`.
    """
    torch = () if spec == _INSTALLED else (Path(spec),)
    return open_sources(*sources, *torch, **options)
