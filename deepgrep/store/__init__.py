"""The cache on disk. It can be deleted at any time, and can never make an answer wrong."""

from deepgrep.store.store import Store
from deepgrep.store.versions import extractor_version, linker_version

__all__ = ["Store", "extractor_version", "linker_version"]
