"""A chain of calls on one line: the two ends of it, and of the middle what fits."""

from __future__ import annotations

from collections.abc import Sequence

from deepgrep.reports.words import clean, local_name, shorten

_ARROW = " → "


def chain_name(function: str, file: str) -> str:
    """What a function is called in a chain: its qualname, and the body of a module by the module's name."""
    name = local_name(function, file)
    return clean(function.removesuffix(".<module>")) if name == "<module>" and function != file else name


def chain(functions: Sequence[str], width: int) -> str:
    """The functions of a path, by qualname, folded to `width` columns: how many are left out is said in their place."""
    names = [function.rpartition("<locals>.")[2] for function in functions]
    if len(whole := _ARROW.join(names)) <= width:
        return whole
    # The ends count most; from there inwards, the nearer to the end of the path first.
    most = width // len(_ARROW) + 1
    for kept in range(min(len(names) - 1, most), 1, -1):
        tail = (kept + 1) // 2
        head = kept - tail
        middle = f"({len(names) - kept} more)"
        if len(folded := _ARROW.join([*names[:head], middle, *names[-tail:]])) <= width:
            return folded
    return shorten(f"{names[0]}{_ARROW}({len(names) - 2} more){_ARROW}{names[-1]}", width)
