"""What a line stands under: the conditions, and the locks that are held."""

from __future__ import annotations

import re

from deepgrep.graph.callgraph import CallGraph

_LONGEST = 160
_LOCK_WORDS = {"lock", "locks", "rlock", "filelock", "mutex", "condition", "semaphore"}


def conditions(graph: CallGraph, guard: int) -> list[str]:
    """The conditions that a guard stands for, outermost first; what is longer than a line of text is cut."""
    texts = [row.text for row in graph.guard_chain(guard) if row.kind != "with"]
    return [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]


def locks(graph: CallGraph, guard: int) -> list[str]:
    """The locks that are held under a guard, outermost first."""
    return [row.text for row in graph.guard_chain(guard) if row.kind == "with" and is_lock(row.text)]


def is_lock(expression: str) -> bool:
    """Whether a context expression seems to be a lock, by the words in its names: `_cache_lock`, `RLock()`."""
    names = re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", names)
    return any(word.lower() in _LOCK_WORDS for word in words)
