"""The renderer behind a thin face: DOT source in, the bytes of a picture out.

The renderer is the `graphviz-pure` program, which its wheel installs; no system package is needed. Another build of
Graphviz's `dot` would do.
"""

from __future__ import annotations

import re
import subprocess
from importlib import metadata
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.reports.drawings.pdf import PAGE_LIMIT, pdf_of

_PACKAGE = "graphviz-pure"
_TIME_LIMIT = 120.0
# The renderer itself does not bound a PNG: 7,200 pixels squared are 207 MB while they are drawn.
_PNG_INCHES, _PNG_DPI = 60, 120
_POINTS = 72
PNG_LIMIT = _PNG_INCHES * _PNG_DPI


def render(dot: str, file_format: str, time_limit: float = _TIME_LIMIT) -> bytes:
    """Lay out and draw a graph.

    Args:
        dot: the graph in the DOT language.
        file_format: `svg`, `png`, `pdf`, or `plain` for positions. A PNG that would be larger than `PNG_LIMIT` pixels
            is scaled down to that, and a PDF to the largest page that there can be.
        time_limit: in seconds.

    Returns:
        The contents of the picture's file.

    Raises:
        DeepgrepError: the renderer is missing, failed, or took longer than the time limit.
    """
    command = [str(_renderer()), "-Kdot", f"-T{'svg' if file_format == 'pdf' else file_format}"]
    if file_format == "png":
        command += [f"-Gsize={_PNG_INCHES},{_PNG_INCHES}", f"-Gdpi={_PNG_DPI}"]
    if file_format == "pdf":
        inches = PAGE_LIMIT // _POINTS
        command += [f"-Gsize={inches},{inches}"]
    try:
        done = subprocess.run(command, input=dot.encode(), capture_output=True, timeout=time_limit, check=False)
    except subprocess.TimeoutExpired:
        raise DeepgrepError(
            f"drawing took longer than {time_limit:g} s; draw fewer functions (without --all), or use --format dot"
        ) from None
    except OSError as error:
        raise DeepgrepError(f"cannot run the renderer {command[0]}: {error.strerror}; use --format dot") from error
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        reason = said[0] if said else f"exit status {done.returncode}"
        raise DeepgrepError(f"the renderer failed: {reason}; --format dot writes what it was given")
    return pdf_of(done.stdout) if file_format == "pdf" else done.stdout


def scaled_down(drawn: bytes, file_format: str) -> str:
    """The largest size a picture can have, where one that `render` gave would be larger; else ""."""
    if file_format == "png":
        width, height = (int.from_bytes(drawn[start : start + 4]) for start in (16, 20))
        return f"{PNG_LIMIT:,} pixels" if max(width, height) >= PNG_LIMIT else ""
    if file_format == "pdf":
        page = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+)", drawn)
        is_largest = page is not None and max(map(float, page.groups())) >= PAGE_LIMIT - 1
        return f"the largest page, {PAGE_LIMIT:,} points" if is_largest else ""
    return ""


def _renderer() -> Path:
    """Where the wheel put the program: beside the interpreter, wherever that is."""
    try:
        files = metadata.distribution(_PACKAGE).files or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        path = Path(str(file.locate()))
        if file.stem == _PACKAGE and path.is_file():
            return path
    raise DeepgrepError(f"no renderer found; pip install {_PACKAGE}, or use --format dot")
