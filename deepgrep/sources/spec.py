"""What a user calls a source, `2.11.0` or `git:~/pytorch@main` say: found, and fetched if need be."""

from __future__ import annotations

import os
import re
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.sources.environment import find_installed, find_installed_distribution
from deepgrep.sources.fetching import Fetching
from deepgrep.sources.git import PREFIX, find_revision
from deepgrep.sources.place import Place, find_directory

INSTALLED = "installed"

_ARCHIVES = (".whl", ".tar.gz", ".zip")
_VERSION = re.compile(r"latest|nightly|v?\d[\w.!+-]*", re.ASCII)
_REQUIREMENT = re.compile(r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:==(\S+))?", re.ASCII)


def find_package(spec: str, package: str, fetching: Fetching, python: str | None = None) -> Place:
    """Find a version of a package.

    Args:
        spec: a version (`2.11.0`, or `2.11` for its newest patch release), `latest`, `nightly`, `installed`,
            `git:PATH@REVISION`, a wheel, a source distribution, or a folder.
        package: its import name, which is also pip's: `torch`.
        fetching: how releases are fetched, and where they are kept.
        python: for `installed`, the interpreter whose packages are meant; None for the running one.

    Returns:
        The place of the package.

    Raises:
        DeepgrepError: there is no such version, it cannot be had, or the package is not in it.
    """
    if spec == INSTALLED:
        return find_installed(package, python)
    if _is_path(spec):
        places = find_sources(spec, fetching, package)
    elif _VERSION.fullmatch(spec):
        from deepgrep.sources.releases import find_release

        places = _packages_in(find_release(package, spec.removeprefix("v"), fetching))
    else:
        raise DeepgrepError(
            f"{package} {spec!r}: neither a version (2.11.0, 2.11), latest, nightly, installed, git:PATH@REVISION, "
            "nor a wheel, source distribution or folder that there is"
        )
    for place in places:
        if place.start == package:
            return place
        if not place.start and isinstance(place.location, Path):
            inner = place.location / package
            if os.path.isfile(inner / "__init__.py"):
                return find_directory(inner)
    raise DeepgrepError(f"{spec}: there is no package {package} in it")


def find_requirement(spec: str, fetching: Fetching, python: str | None = None) -> list[Place]:
    """Find the packages of a distribution.

    Args:
        spec: `NAME==VERSION`, whose version is as of `find_package`; `NAME` for the installed one, or else the latest
            release; or what `find_sources` takes.
        fetching: how releases are fetched, and where they are kept.
        python: the interpreter whose installed packages are meant; None for the running one.

    Returns:
        The place of each of its packages.

    Raises:
        DeepgrepError: there is none.
    """
    if _is_path(spec):
        return find_sources(spec, fetching)
    found = _REQUIREMENT.fullmatch(spec)
    if found is None:
        raise DeepgrepError(
            f"{spec!r}: neither NAME, NAME==VERSION, git:PATH@REVISION, nor a file or folder that there is"
        )
    name, version = found[1], found[2]
    if version == INSTALLED:
        return find_installed_distribution(name, python)
    if version is None:
        try:
            return find_installed_distribution(name, python)
        except DeepgrepError:  # the latest is meant then
            version = "latest"
    from deepgrep.sources.releases import find_release

    return _packages_in(find_release(name, version, fetching))


def find_sources(spec: str, fetching: Fetching, package: str = "") -> list[Place]:
    """Find what a file, a folder or a revision holds.

    Args:
        spec: `git:PATH@REVISION`, a wheel, a source distribution, a folder of Python code, or a `.py` file.
        fetching: where wheels and source distributions are unpacked and kept.
        package: the package that is wanted in a revision; "" for the one that the repository is about.

    Returns:
        The places: one, but for archives with several packages.

    Raises:
        DeepgrepError: there is none.
    """
    if spec.startswith(PREFIX):
        return [find_revision(spec, package, fetching.warn)]
    path = Path(os.path.expanduser(spec))
    if path.name.endswith(_ARCHIVES) and os.path.isfile(path):
        from deepgrep.sources.releases import unpacked_file

        return _packages_in(unpacked_file(path, fetching))
    return [find_directory(path)]


def _is_path(spec: str) -> bool:
    separators = {os.sep, os.altsep or os.sep, "/"}
    return (
        spec.startswith((PREFIX, "~"))
        or spec in (".", "..")
        or spec.endswith((*_ARCHIVES, ".py"))
        or any(separator in spec for separator in separators)
    )


def _packages_in(folder: Path) -> list[Place]:
    """The packages and modules of an unpacked release; those of a source distribution may lie in `src`."""
    is_wheel = any(folder.glob("*.dist-info/RECORD"))
    for place in (folder, folder / "src"):
        entries = sorted(place.iterdir()) if place.is_dir() else []
        packages = [entry for entry in entries if entry.name.isidentifier() and os.path.isfile(entry / "__init__.py")]
        modules = [entry for entry in entries if entry.suffix == ".py" and entry.name != "setup.py"]
        # Beside the packages of a source distribution lies what builds and tests them.
        found = sorted(packages + modules) if is_wheel else packages or modules
        if found:
            return [find_directory(path) for path in found]
    if is_wheel and any(folder.rglob("*.py")):  # parts of packages that have no file of their own
        return [Place(folder.name.partition("-")[0], folder, "")]
    raise DeepgrepError(f"{folder.name}: there is no Python package in it")
