"""A report on the disk: all of its files, or none."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.reports.report import Report, marker

_SUFFIXES = (".md", ".html", ".svg", ".dot")


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write a report; files of an earlier one to the same question are replaced, and those it no longer has removed.

    Args:
        report: what to write.
        folder: where to; it is made if it is not there.

    Returns:
        The files.

    Raises:
        DeepgrepError: something cannot be written, or the folder holds another file of this name. Nothing was changed
            then, unless the disk failed between two files.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DeepgrepError(f"cannot make the folder {folder}: {error.strerror}: -o DIR names another") from error
    _check(report, folder)
    temporary = {folder / name: folder / f".{name}.{os.getpid()}.tmp" for name in report.files}
    try:
        for path, written in temporary.items():
            written.write_bytes(report.files[path.name])
        for path, written in temporary.items():
            written.replace(path)
        for suffix in _SUFFIXES:
            if (path := folder / f"{report.name}{suffix}") not in temporary:
                path.unlink(missing_ok=True)
    except OSError as error:
        raise DeepgrepError(f"cannot write the report {report.name} into {folder}: {error.strerror}") from error
    finally:
        for written in temporary.values():
            with contextlib.suppress(OSError):  # where it cannot be removed, it could not be written
                written.unlink(missing_ok=True)
    return list(temporary)


def _check(report: Report, folder: Path) -> None:
    """Refuse to replace what is not an earlier report to the same question."""
    existing = [path for suffix in _SUFFIXES if os.path.lexists(path := folder / f"{report.name}{suffix}")]
    if not existing:
        return
    # What is no file cannot be replaced by one, and must not be found out when half of them are.
    if not all(map(os.path.isfile, existing)) or marker(report.question) not in _text(folder / f"{report.name}.md"):
        raise DeepgrepError(
            f"{existing[0]} is there, and not a report of this question: remove it, or name another folder with -o"
        )


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
