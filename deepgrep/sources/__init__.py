"""Where analyzed code comes from: each kind of source gives a `SourceTree`. Nothing of it is imported or run."""

from deepgrep.sources.environment import find_installed
from deepgrep.sources.place import Place, find_directory
from deepgrep.sources.read import read_tree
from deepgrep.sources.tree import File, Folder, SourceFile, SourceTree, byte_size

__all__ = [
    "File",
    "Folder",
    "Place",
    "SourceFile",
    "SourceTree",
    "byte_size",
    "find_directory",
    "find_installed",
    "read_tree",
]
