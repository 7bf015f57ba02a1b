"""Where a source tree lies: a package, a folder that holds packages and modules, or one file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from deepgrep.errors import DeepgrepError
from deepgrep.sources.revision import Revision
from deepgrep.sources.tree import File, Folder


@dataclass(frozen=True, slots=True)
class Place:
    """A source tree that has been found, and not yet read.

    Attributes:
        name: what the tree is called: `torch`, `torch.fx`, `my_project`.
        location: the folder that holds the package; paths and module names are relative to it.
        start: what belongs to the tree, relative to `location`: a package's folder (`torch`), a file (`train.py`), or
            "" for everything in it.
    """

    name: str
    location: Folder
    start: str

    @property
    def path(self) -> File:
        """The package's folder, the folder of packages, or the file."""
        return self.location / self.start

    @property
    def remembered_as(self) -> Path:
        """What the cache knows the place by: all revisions of a repository are one."""
        return self.location.repository if isinstance(self.location, Revision) else self.location / self.start


def find_directory(path: Path) -> Place:
    """Find the source tree that a path means.

    A package's folder (it has an `__init__.py`) and a single file get the module names that Python gives them: those
    relative to the folder that holds the outermost package. In any other folder every package and module counts.

    Args:
        path: a package's folder, a folder that holds packages and modules (such as `src`), or a `.py` file.

    Returns:
        The place.

    Raises:
        DeepgrepError: there is no such folder or `.py` file.
    """
    try:
        real = Path(os.path.realpath(path))
    except OSError as error:
        raise DeepgrepError(
            f"{path}: the current folder cannot be read ({error.strerror}): name a whole path"
        ) from None
    # Not by the methods of `Path`, which raise for what is too long or not to be looked at.
    if os.path.isdir(real):
        if not os.path.isfile(real / "__init__.py"):
            return Place(real.name or str(real), real, "")
    elif not os.path.isfile(real):
        raise DeepgrepError(
            f"{path}: {_what_else(real)}: name a folder of Python code, a .py file, a wheel or an sdist"
        )
    elif real.suffix != ".py":
        raise DeepgrepError(f"{path}: not a Python file: name a folder of Python code, a .py file, a wheel or an sdist")
    holder = real.parent
    while holder.name.isidentifier() and os.path.isfile(holder / "__init__.py"):
        holder = holder.parent
    start = real.relative_to(holder).as_posix()
    return Place(start.removesuffix("/__init__.py").removesuffix(".py").replace("/", "."), holder, start)


def _what_else(path: Path) -> str:
    """What is wrong with a path that is neither a folder nor a file."""
    try:
        path.stat()
    except FileNotFoundError:
        return "no such file or folder"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return "neither a folder nor a regular file"
