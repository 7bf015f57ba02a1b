"""What lies on paths in one version and not in the other: functions and edges, by their names."""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.questions.diff_answers import ChopDiff, EdgeName
from deepgrep.questions.diff_names import Renamed
from deepgrep.questions.diff_sides import Side, Version

_Edges = dict[str, set[str]]


def compare_chops(before: Side, after: Side, renamed: Renamed) -> ChopDiff:
    """Compare the chops of a question in two versions."""
    old, new = _edges(before, renamed), _edges(after, None)
    gone, added = [name for name in old if name not in new], [name for name in new if name not in old]
    edges_gone, same, beside_gone = _only(old, new)
    edges_new, _, beside_new = _only(new, old)

    def earlier(name: str) -> str:
        return renamed.other(name, is_later=True)

    return ChopDiff(
        functions_new=added,
        functions_gone=[earlier(name) for name in gone],
        defined_new=[name for name in added if not _is_defined(before.version, earlier(name))],
        defined_gone=[earlier(name) for name in gone if not _is_defined(after.version, name)],
        edges_new=edges_new,
        edges_gone=edges_gone,
        functions_same=len(new) - len(added),
        edges_same=same,
        edges_beside_new=beside_new,
        edges_beside_gone=beside_gone,
    )


def _edges(side: Side, renamed: Renamed | None) -> _Edges:
    """For each function that lies on a path, by its later name, what it leads on to; those that are nearest first."""
    assert side.findings is not None
    names = side.named
    if renamed is not None and renamed.moved:
        names = {function: renamed.other(name, is_later=False) for function, name in names.items()}
    found: _Edges = {}
    for function, callees in side.findings.chop.successors.items():
        name = names[function]
        here = found.get(name)
        if here is None:
            here = found[name] = set()
        here.update([names[callee] for callee in callees])
    for name, callees_of in found.items():
        callees_of.discard(name)
    return found


def _only(edges: _Edges, others: _Edges) -> tuple[list[EdgeName], int, int]:
    """The edges that the others do not have, between what both have; how many both have; how many are elsewhere."""
    found: list[EdgeName] = []
    same = total = 0
    for caller, callees in edges.items():
        total += len(callees)
        if caller in others:
            same += len(callees & others[caller])
            found += _named(caller, (callee for callee in callees - others[caller] if callee in others))
    return found, same, total - same - len(found)


def _named(caller: str, callees: Iterable[str]) -> list[EdgeName]:
    return [EdgeName(caller, callee) for callee in sorted(callees)]


def _is_defined(version: Version, name: str) -> bool:
    return version.has(name) or "<one of several>" in name
