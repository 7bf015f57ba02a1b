"""Keeping sets of values small without losing what they say.

Many instances of one hierarchy become "an instance of their common base or a subclass": the class hierarchy answers
what their methods are as well as a list would. Many constants become "some string". Of what is left, a place keeps so
many of each kind; one that was given more is cut, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import (
    Bound,
    Container,
    External,
    InstanceValue,
    Interner,
    Many,
    ModuleValue,
    Text,
    Value,
    Values,
)

# Sets smaller than this are left as they are.
MANY = 4
# A place that was given more functions, classes or instances than this holds "anything": following them all costs more
# than it tells. Of data, and of what is outside the analyzed sources, MANY are followed.
_MOST = 8
# Modules are told apart by what they bind, and few places hold any.
_MOST_MODULES = 40
# Of values that each stand for many, few tell anything.
_MOST_MANIES = 2
_ROOM = {"module": _MOST_MODULES, "code": _MOST, "many": _MOST_MANIES, "other": MANY}


class Widening:
    """Widens sets of values, by the class hierarchy as it is known so far."""

    def __init__(self, interner: Interner, hierarchy: Hierarchy) -> None:
        self._interner = interner
        self._hierarchy = hierarchy
        self._covers: dict[Value, Values] = {}

    def uncovered(self, known: Values, values: Values) -> Values:
        """Return those of `values` that `known` does not hold, nor covers by an open instance of a base."""
        new = [v for v in values if v not in known and self._open_bases(v).isdisjoint(known)]
        return values if len(new) == len(values) else frozenset(new)

    def _open_bases(self, value: Value) -> Values:
        """Return the open instances that stand for an instance too; what is told apart by its place stays."""
        if not isinstance(value, InstanceValue) or value.site:
            return frozenset()
        covers = self._covers.get(value)
        if covers is None:
            order = self._hierarchy.mro(value.cls)
            covers = self._covers[value] = frozenset(
                self._interner.instance(cls, True) for cls in order if isinstance(cls, ClassInfo)
            )
        return covers

    def forget(self) -> None:
        """Drop what was derived from the hierarchy: it has changed."""
        self._covers.clear()

    def widened(self, values: Values) -> Values:
        """Return a smaller set that stands for at least the same."""
        instances = [v for v in values if isinstance(v, InstanceValue) and not v.site]
        texts = [v for v in values if isinstance(v, Text)]
        result = values
        if len(texts) > MANY:
            some_text = self._interner.container("str", "some")
            result = result.difference(texts) | {some_text}
        if len(instances) > MANY:
            for base in self._common_bases({v.cls: None for v in instances}):
                covered = [v for v in instances if self._hierarchy.is_subclass(v.cls, base)]
                result = result.difference(covered) | {self._interner.instance(base, True)}
        return result

    def cut(self, known: Values, grown: Values) -> tuple[Values, Values]:
        """Return as much of `grown`, of which `known` is a part, as a place may hold; and the rest.

        If something that is no code is left out, the place says so by holding a Cut.
        """
        cut = self._interner.cut
        known, grown = known - {cut}, grown - {cut} if (was_cut := cut in grown) else grown
        room = {kind: most - sum(_kind(v) == kind for v in known) for kind, most in _ROOM.items()}
        kept = []
        for value in grown:
            if value not in known:
                kind = _kind(value)
                if room[kind] > 0:
                    room[kind] -= 1
                    kept.append(value)
        result = known.union(kept)
        rest = grown - result
        is_cut = was_cut or any(_kind(value) != "code" for value in rest)
        return (result | {cut} if is_cut else result), rest

    def _common_bases(self, classes: Iterable[ClassInfo]) -> list[ClassInfo]:
        """Return the bases that MANY of some classes share, the topmost of each hierarchy."""
        counts: dict[ClassInfo, int] = {}
        tops: dict[ClassInfo, None] = {}
        for cls in classes:
            for base in self._hierarchy.mro(cls):
                if isinstance(base, ClassInfo):
                    counts[base] = counts.get(base, 0) + 1
        for base, count in counts.items():
            if count >= MANY and not any(
                isinstance(above, ClassInfo) and above is not base and counts.get(above, 0) >= MANY
                for above in self._hierarchy.mro(base)
            ):
                tops[base] = None
        return list(tops)


def _kind(value: Value) -> str:
    """Return what room a value takes: that of modules, of what leads to analyzed code, or of anything else."""
    if isinstance(value, Bound):
        return _kind(value.function)
    if isinstance(value, ModuleValue):
        return "module"
    if isinstance(value, Many):
        return "many"
    return "other" if isinstance(value, External | Container | Text) else "code"
