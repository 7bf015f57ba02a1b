"""Method resolution orders, and which part of one is a class's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from deepgrep.linking.program import ClassInfo
from deepgrep.linking.values import ClassValue, External


class Orders:
    """The method resolution orders of classes, as far as base expressions have been evaluated."""

    def __init__(self) -> None:
        self._known: dict[ClassInfo, tuple[ClassInfo | str, ...]] = {}
        self._own: dict[ClassInfo, tuple[frozenset[ClassInfo | str], ClassInfo | None]] = {}

    def forget(self, cls: ClassInfo) -> None:
        """Drop what is known of a class, as its bases, or those of one above it, have changed."""
        self._known.pop(cls, None)
        self._own.pop(cls, None)

    def own(self, cls: ClassInfo) -> frozenset[ClassInfo | str]:
        """Return what stands in the order of a class up to the first whose own order is all the rest, with that.

        What follows after anything behind that first one, follows in that one's order too: in a hierarchy of any depth,
        few orders say anything that others do not.
        """
        return self._parts(cls)[0]

    def telling(self, classes: Iterable[ClassInfo], after: ClassInfo) -> Iterator[ClassInfo]:
        """Yield for each of some classes the one that says, in its own part, what follows after one in its order."""
        known: dict[ClassInfo, ClassInfo] = {}
        for cls in classes:
            passed: list[ClassInfo] = []
            at = cls
            while at not in known:
                own, first = self._parts(at)
                if after in own or first is None:
                    known[at] = at
                else:
                    passed.append(at)
                    at = first
            known |= dict.fromkeys(passed, known[at])
            yield known[at]

    def _parts(self, cls: ClassInfo) -> tuple[frozenset[ClassInfo | str], ClassInfo | None]:
        """Return the part of an order that is a class's own, and the class whose order is the rest, if one's is."""
        known = self._own.get(cls)
        if known is None:
            order = self.mro(cls)
            shared = next((i for i in range(1, len(order)) if self._is_order_of_first(order, i)), len(order))
            first = order[shared] if shared < len(order) else None
            known = self._own[cls] = frozenset(order[1 : shared + 1]), first if isinstance(first, ClassInfo) else None
        return known

    def _is_order_of_first(self, order: tuple[ClassInfo | str, ...], start: int) -> bool:
        """Whether an order, from a place on, is that of the class there."""
        first = order[start]
        if isinstance(first, str):
            return False
        rest = self.mro(first)
        return len(rest) == len(order) - start and rest == order[start:]

    def mro(self, cls: ClassInfo) -> tuple[ClassInfo | str, ...]:
        """Return the method resolution order (C3); classes outside the analyzed sources by dotted name.

        Where C3 has no answer (the bases are not all known), it is depth first, left to right.
        """
        known = self._known.get(cls)
        if known is None:
            self._order_with_bases(cls)
            known = self._known[cls]
        return known

    def _order_with_bases(self, cls: ClassInfo) -> None:
        """Find the order of a class, after those of its bases: hierarchies can be deeper than Python's stack."""
        self._known[cls] = (cls,)  # a class that inherits from itself, by mistake or by a name not told apart
        stack = [(cls, iter(cls.bases))]
        while stack:
            current, bases = stack[-1]
            base = next((b.cls for b in bases if isinstance(b, ClassValue) and b.cls not in self._known), None)
            if base is None:
                self._known[current] = (current, *self._linearized(current))
                stack.pop()
            else:
                self._known[base] = (base,)
                stack.append((base, iter(base.bases)))

    def _linearized(self, cls: ClassInfo) -> list[ClassInfo | str]:
        orders: list[list[ClassInfo | str]] = []
        direct: list[ClassInfo | str] = []
        for base in cls.bases:
            if isinstance(base, ClassValue):
                orders.append([c for c in self._known[base.cls] if c is not cls])
                direct.append(base.cls)
            elif isinstance(base, External) and base.name != "object":
                orders.append([base.name])
                direct.append(base.name)
        return orders[0] if len(direct) == 1 else _merged([*orders, direct])


def _merged(orders: list[list[ClassInfo | str]]) -> list[ClassInfo | str]:
    """Merge orders as C3 does: what is first in one and not further down in any is next.

    Where there is nothing such, it is the first of the first.
    """
    further_down = Counter(c for order in orders for c in order[1:])
    at = [0] * len(orders)
    merged: dict[ClassInfo | str, None] = {}
    while heads := [order[i] for i, order in zip(at, orders, strict=True) if i < len(order)]:
        merged[next((head for head in heads if not further_down[head]), heads[0])] = None
        for number, order in enumerate(orders):
            before = at[number]
            while at[number] < len(order) and order[at[number]] in merged:
                at[number] += 1
            if before < at[number] < len(order):
                further_down[order[at[number]]] -= 1
    return list(merged)
