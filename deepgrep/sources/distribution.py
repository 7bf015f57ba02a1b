"""The installed distribution that a package came with: the folder of what its installer wrote down, beside it."""

from __future__ import annotations

from pathlib import Path

from deepgrep.sources.tree import Folder


def distribution_folder(location: Folder, package: str) -> Path | None:
    """Find the `.dist-info` folder of a package.

    Args:
        location: the folder that holds the package.
        package: its top-level name.

    Returns:
        The folder, or None where the package was not installed there by an installer.
    """
    if not isinstance(location, Path):  # a revision: nothing was installed there
        return None
    folders = sorted(location.glob("*.dist-info"))
    for folder in folders:
        if folder.name.partition("-")[0].replace("-", "_").lower() == package.lower():
            return folder
    for folder in folders:  # one of another name: PyYAML is what `yaml` comes with
        if any(f"\n{start}," in f"\n{recorded_text(folder / 'RECORD')}" for start in _starts(package)):
            return folder
    return None


def _starts(package: str) -> tuple[str, str]:
    return f"{package}/__init__.py", f"{package}.py"


def recorded_text(file: Path) -> str:
    """Read what an installer wrote down; "" where it is not there, or cannot be read."""
    try:
        return file.read_text("utf-8", "replace") if file.is_file() else ""  # a pipe would be waited for
    except OSError:
        return ""


def metadata_fields(distribution: Path) -> list[tuple[str, str]]:
    """Read the fields of a distribution's METADATA, by name, in its order; none where it cannot be read."""
    text = recorded_text(distribution / "METADATA")
    # Not with the `email` package: every question reads a version, and importing that takes longer.
    fields = (line.partition(":") for line in text.partition("\n\n")[0].splitlines())
    return [(name, value.strip()) for name, colon, value in fields if colon]
