"""Which files are analyzed: of all source trees together, each module once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.sources import File, Folder, SourceFile, SourceTree

if TYPE_CHECKING:
    from deepgrep.graph.rows import Skipped


@dataclass(frozen=True, slots=True)
class Module:
    """A module that is analyzed.

    Attributes:
        file: as its tree lists it.
        location: the folder that the tree is in.
    """

    file: SourceFile
    location: Folder

    @property
    def path(self) -> File:
        """Where the file is."""
        return self.location / self.file.path


def choose_modules(trees: Sequence[SourceTree], warn: Callable[[str], None]) -> list[Module]:
    """List the modules of all trees.

    Args:
        trees: in order of precedence.
        warn: called with a line about the modules that are defined more than once.

    Returns:
        Each module once, as the first tree has it; within a tree a package goes before a file of the same name, as when
        Python imports them.
    """
    chosen: dict[str, Module] = {}
    doubled: list[tuple[File, File]] = []
    for tree in trees:
        for file in sorted(tree.files, key=_packages_first):
            module = Module(file, tree.location)
            taken = chosen.setdefault(file.module, module)
            if taken is not module and taken.path != module.path:
                doubled.append((taken.path, module.path))
    if doubled:
        taken_path, left_out = doubled[0]
        more = f", and {len(doubled) - 1:,} more like it" if len(doubled) > 1 else ""
        warn(f"{left_out}: left out, since {taken_path} is the same module and comes first{more}")
    return list(chosen.values())


def are_distinct(trees: Sequence[SourceTree]) -> bool:
    """Whether no two files of some trees are the same module."""
    modules = [file.module for tree in trees for file in tree.files]
    return len(set(modules)) == len(modules)


def _packages_first(file: SourceFile) -> tuple[bool, str]:
    return not file.is_package, file.path


def set_aside_unreadable(modules: Sequence[Module]) -> tuple[list[Module], list[Skipped]]:
    """Separate the modules whose files could not be read when they were listed.

    Returns:
        The others; and those, with the reasons.

    Raises:
        DeepgrepError: such a file can be read by now.
    """
    from deepgrep.graph.rows import Skipped

    skipped = []
    for module in modules:
        if not module.file.digest:
            try:
                module.path.read_bytes()
            except OSError as error:
                skipped.append(Skipped(module.file.path, f"cannot be read: {error.strerror}"))
            else:
                raise DeepgrepError(f"{module.path}: changed while it was being read: run the command again")
    return [module for module in modules if module.file.digest], skipped
