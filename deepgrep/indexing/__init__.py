"""From source trees to a call graph: looked up in the cache, or made."""

from deepgrep.indexing.graphs import open_graph, read_trees
from deepgrep.indexing.progress import Progress

__all__ = ["Progress", "open_graph", "read_trees"]
