"""Packages installed for a Python interpreter, found without importing them."""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.sources.distribution import recorded_text
from deepgrep.sources.place import Place, find_directory

# `yaml/__init__.py`, `six.py`
_TOP_LEVEL = re.compile(r"[^\W\d]\w*(/__init__)?\.py")

_ANSWER_SECONDS = 20.0


def find_installed(package: str = "torch", python: str | None = None) -> Place:
    """Find an installed package; none of its code is run.

    Args:
        package: its import name.
        python: the interpreter whose packages are meant, as a path or a command; None for the running one.

    Returns:
        The place of the package.

    Raises:
        DeepgrepError: the package is not installed there, or only through an import hook or in an archive; or `python`
            is not a Python 3 interpreter.
    """
    search = _folders(python)
    spec = PathFinder.find_spec(package, search)
    if spec is None or not spec.origin or not Path(spec.origin).is_file() or Path(spec.origin).suffix != ".py":
        raise DeepgrepError(_absent(package, python, search))
    origin = Path(spec.origin)
    return find_directory(origin.parent if spec.submodule_search_locations else origin)


def find_installed_distribution(name: str, python: str | None = None) -> list[Place]:
    """Find the packages and modules of an installed distribution; none of its code is run.

    Args:
        name: as pip knows it: `PyYAML`.
        python: as of `find_installed`.

    Returns:
        The place of each, by name: `_yaml`, `yaml`.

    Raises:
        DeepgrepError: it is not installed there, or `python` is not a Python 3 interpreter.
    """
    for folder in map(Path, _folders(python)):
        for record in folder.glob("*.dist-info/RECORD"):
            if _plain(record.parent.name.partition("-")[0]) == _plain(name):
                paths = (line.split(",", 1)[0] for line in recorded_text(record).splitlines())
                names = {path.removesuffix("/__init__.py") for path in paths if _TOP_LEVEL.fullmatch(path)}
                found = sorted(names - {"__init__.py"})
                if found and all(os.path.exists(folder / top) for top in found):
                    return [find_directory(folder / top) for top in found]
    # An editable one is recorded without its files, and others not at all.
    return [find_installed(name.replace("-", "_"), python)]


def _folders(python: str | None) -> list[str]:
    return [entry for entry in (sys.path if python is None else _search_path(python)) if os.path.isdir(entry)]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _absent(package: str, python: str | None, search: list[str]) -> str:
    """The line for a package that is not there: an editable install that hides it is told from a missing one."""
    where = "this Python environment" if python is None else f"the environment of {python}"
    hidden = package.replace("_", "-").lower()
    for folder in map(Path, search):
        for record in folder.glob("*.dist-info/direct_url.json"):
            distribution = record.parent.name.partition("-")[0].replace("_", "-").lower()
            if distribution == hidden:
                return (
                    f"{package} is installed in {where} as an editable project that only an import hook can find: "
                    f"name its folder: --source DIR"
                )
    elsewhere = "--python PATH/TO/python or --source DIR names one elsewhere"
    if package == "torch":
        without = "--torch 2.13.0 (or latest) reads one without installing it"
        return f"torch is not installed in {where}: {without}; {elsewhere}"
    return f"{package} is not installed in {where}: pip install {package}, or: {elsewhere}"


def _search_path(python: str) -> list[str]:
    """Ask an interpreter where it looks for packages."""
    import ast
    import subprocess

    # Only `sys`, which is built in: with -c the current folder comes first, and a module in it would be run.
    command = [python, "-c", "import sys; print(); print(ascii(sys.path))"]
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_ANSWER_SECONDS, check=False
        )
    except FileNotFoundError:
        raise DeepgrepError(f"--python {python}: no such file or command") from None
    except PermissionError:
        raise DeepgrepError(
            f"--python {python}: not an executable file: name the interpreter, .../bin/python"
        ) from None
    except subprocess.TimeoutExpired:
        raise DeepgrepError(
            f"--python {python}: no answer within {_ANSWER_SECONDS:.0f} s: is it a Python interpreter?"
        ) from None
    except OSError as error:
        raise DeepgrepError(f"--python {python}: cannot be run: {error.strerror}") from None
    not_python = DeepgrepError(f"--python {python}: does not answer as a Python 3 interpreter does")
    lines = answer.stdout.decode("ascii", "replace").splitlines()
    if answer.returncode != 0 or not lines:
        raise not_python
    try:
        path = ast.literal_eval(lines[-1])
    except (SyntaxError, ValueError):
        raise not_python from None
    if not isinstance(path, list) or not all(isinstance(entry, str) for entry in path):
        raise not_python
    return [entry for entry in path if entry]
