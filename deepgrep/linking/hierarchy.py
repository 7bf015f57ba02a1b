"""Classes: bases, method resolution order, subclasses, and where an attribute of a class or instance is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deepgrep.graph.rows import Certainty
from deepgrep.linking.cells import Cell
from deepgrep.linking.client_code import is_client
from deepgrep.linking.name_patterns import matches
from deepgrep.linking.orders import Orders
from deepgrep.linking.overrides import MOST_TOLD_APART, MethodsPool, Overrides
from deepgrep.linking.pools import FEW, pour
from deepgrep.linking.program import ClassInfo, Frame, Program
from deepgrep.linking.values import ClassValue, Interner, Value


@dataclass(frozen=True, slots=True)
class Found:
    """Where an attribute may be found.

    Attributes:
        inherited: the class in the receiver's own order that has it, with its cell; None if none has.
        overrides: subclasses that have one of their own, with their cells; only for open receivers.
        fields: cells of attributes assigned on instances.
        external: dotted names of bases outside the analyzed sources that might have it, where no class has; else those
            that may stand in the place of the class that has it.
        is_late: whether it is assigned, but by no statement of the classes' own methods: it may not be there yet.
        many_overrides: the overrides, where they are many.
        pool: of the fields, where they are many.
    """

    inherited: tuple[ClassInfo, Cell] | None
    overrides: tuple[tuple[ClassInfo, Cell], ...]
    fields: tuple[Cell, ...]
    external: tuple[str, ...]
    is_late: bool = False
    many_overrides: Overrides | None = None
    pool: Cell | None = None

    @property
    def in_classes(self) -> list[Cell]:
        """The cells of the classes that have it, the receiver's own first."""
        own = [self.inherited[1]] if self.inherited else []
        return own + [cell for _, cell in self.overrides]

    @property
    def is_anywhere(self) -> bool:
        """Whether a class or an instance is known to have it."""
        return self.inherited is not None or bool(self.overrides) or bool(self.fields)

    @property
    def certainty(self) -> Certainty:
        """How sure a call of it is: certain, unless a subclass, or one of several, has one of its own."""
        return Certainty.DISPATCH if self.overrides else Certainty.CERTAIN


class Hierarchy:
    """The class hierarchy, as far as base expressions have been evaluated."""

    def __init__(self, program: Program, interner: Interner) -> None:
        self._orders = Orders()
        self._interner = interner
        self._subclasses: dict[ClassInfo, list[ClassInfo]] = {}
        self._all_subclasses: dict[ClassInfo, tuple[ClassInfo, ...]] = {}
        self._found: dict[str, dict[tuple[ClassInfo, bool], Found]] = {}
        # The names that were looked up in a class.
        self._looked_up: dict[ClassInfo, set[str]] = {}
        self._after: dict[ClassInfo, dict[tuple[ClassInfo, str], Found]] = {}
        self._beside: dict[str, dict[ClassInfo, dict[ClassInfo, Found]]] = {}
        self._with_field: dict[str, list[ClassInfo]] = {}
        # What is assigned to attributes whose names are not known, by what is known of the names.
        self._unnamed: dict[ClassInfo, dict[str, Cell]] = {}
        self._fitting: dict[ClassInfo, dict[str | None, list[Cell]]] = {}
        # What the types of attributes admit, where they rule out functions (closed_types.py).
        self._closed: dict[str, dict[ClassInfo, tuple[ClassInfo, ...]]] = {}
        # Of what objects of an open class hold, and of what its subclasses have, by the attribute's name.
        self._field_pools: dict[tuple[ClassInfo, str], Cell] = {}
        self._override_pools: dict[tuple[ClassInfo, str], Cell] = {}
        # Of what so many subclasses have that it is not told apart, and whether all that there is was poured.
        self._methods_pools: dict[tuple[ClassInfo, str], MethodsPool] = {}
        self._poured: dict[str, set[ClassInfo]] = {}
        self._library = program.library
        for cls in program.classes():
            self.add_fields(cls)

    def add_fields(self, cls: ClassInfo) -> None:
        """Know the attributes that a class's instances have from the beginning."""
        for name in cls.fields:
            self._with_field.setdefault(name, []).append(cls)

    def direct_subclasses(self, cls: ClassInfo) -> list[ClassInfo]:
        """Return the classes that have a class among their bases."""
        known = self._subclasses.get(cls)
        if known is None:
            known = self._subclasses[cls] = self._library.subclasses(cls) if self._library is not None else []
        return known

    def set_bases(self, cls: ClassInfo, frame: Frame, stated: Sequence[Value]) -> bool:
        """Set the bases that a frame gives to a class; return whether the class's bases, over all frames, changed."""
        cls.stated_bases[frame] = list(stated)
        bases = list(dict.fromkeys(base for some in cls.stated_bases.values() for base in some))
        if bases == cls.bases:
            return False
        before = self._related(cls)
        for base in bases:
            # Of client code, the other code knows nothing.
            if (
                isinstance(base, ClassValue)
                and is_client(cls.module) <= is_client(base.cls.module)
                and cls not in (known := self.direct_subclasses(base.cls))
            ):
                known.append(cls)
        cls.bases = bases
        for below in (cls, *self.subclasses(cls)):
            self._orders.forget(below)
            self._fitting.pop(below, None)
        for related in before | self._related(cls):
            self._forget(related)
        return True

    def _related(self, cls: ClassInfo) -> dict[ClassInfo, None]:
        """Return a class, those below it, and those above any of these: whatever the bases of the class bear on."""
        below = (cls, *self.subclasses(cls))
        return {c: None for sub in below for c in self.mro(sub) if isinstance(c, ClassInfo)}

    def _forget(self, cls: ClassInfo) -> None:
        """Drop what was derived of a class, but for its order: that is known by those above it alone."""
        self._all_subclasses.pop(cls, None)
        self._forget_found(cls)

    def _forget_found(self, cls: ClassInfo) -> None:
        """Drop what was found when attributes were looked up in a class."""
        for name in self._looked_up.pop(cls, ()):
            self._forget_name(cls, name)
        self._after.pop(cls, None)
        self._fitting.pop(cls, None)

    def _forget_name(self, cls: ClassInfo, name: str) -> None:
        found = self._found.get(name)
        if found is not None:
            found.pop((cls, False), None)
            found.pop((cls, True), None)
        beside = self._beside.get(name)
        if beside is not None:
            beside.pop(cls, None)
        poured = self._poured.get(name)
        if poured is not None:
            poured.discard(cls)

    def _forget_added(self, cls: ClassInfo, name: str) -> None:
        """Drop what was found before a class got an attribute."""
        if name in self._found or name in self._beside:
            for related in self._related(cls):
                self._forget_name(related, name)
        for below in (cls, *self.subclasses(cls)):
            self._after.pop(below, None)

    def add_attribute(self, cls: ClassInfo, name: str) -> Cell:
        """Return the cell of a class attribute; make it if there is none."""
        cell = cls.attributes.get(name)
        if cell is None:
            cell = cls.attributes[name] = Cell()
            self._forget_added(cls, name)
        return cell

    def add_field(self, cls: ClassInfo, name: str) -> Cell:
        """Return the cell of an attribute assigned on instances of a class; make it if there is none."""
        cell = cls.fields.get(name)
        if cell is None:
            cell = cls.fields[name] = Cell()
            cls.late_fields.add(name)
            self._with_field.setdefault(name, []).append(cls)
            self._forget_added(cls, name)
        return cell

    def add_unnamed(self, cls: ClassInfo, pattern: str) -> tuple[Cell, bool]:
        """Return the cell of what is assigned to attributes of a class under names of a pattern; whether it is new."""
        cells = self._unnamed.setdefault(cls, {})
        is_new = pattern not in cells
        if is_new:
            cells[pattern] = Cell()
            for related in self._related(cls):
                self._forget_found(related)
        return cells[pattern], is_new

    def set_unnamed(self, cls: ClassInfo, cells: dict[str, Cell]) -> None:
        """Know what was assigned to attributes of a class of the library whose names are not known."""
        self._unnamed[cls] = cells
        self._fitting.clear()

    def own_unnamed(self, cls: ClassInfo) -> dict[str, Cell]:
        """Return what was assigned to attributes of just this class whose names are not known, by their pattern."""
        return self._unnamed.get(cls, {})

    def unnamed(self, cls: ClassInfo, name: str | None = None) -> list[Cell]:
        """Return the cells of what may be an attribute of a class: assigned to it, or a base, under unknown names.

        Args:
            cls: the class.
            name: of the attribute; None for any.
        """
        if not self._unnamed:
            return []
        fitting = self._fitting.setdefault(cls, {})
        found = fitting.get(name)
        if found is None:
            held = [self._unnamed[c] for c in self.mro(cls) if isinstance(c, ClassInfo) and c in self._unnamed]
            found = fitting[name] = [
                cell for cells in held for known, cell in cells.items() if name is None or matches(known, name)
            ]
        return found

    def close(self, cls: ClassInfo, name: str, types: tuple[ClassInfo, ...]) -> None:
        """Know what an attribute that a class declares may hold."""
        self._closed.setdefault(name, {})[cls] = types

    def closed(self, cls: ClassInfo, name: str) -> tuple[ClassInfo, ...] | None:
        """Return the classes that the type of an attribute admits; None where it may hold functions or anything."""
        declared = self._closed.get(name)
        if declared is None:
            return None
        return next((declared[c] for c in self.mro(cls) if isinstance(c, ClassInfo) and c in declared), None)

    def outside_packages(self, cls: ClassInfo) -> set[str]:
        """Return the packages that a class has bases in, of those bases that are outside the analyzed sources."""
        return {base.partition(".")[0] for base in self.mro(cls) if isinstance(base, str)}

    def mro(self, cls: ClassInfo) -> tuple[ClassInfo | str, ...]:
        """Return the method resolution order (C3); classes outside the analyzed sources by dotted name."""
        return self._orders.mro(cls)

    def subclasses(self, cls: ClassInfo) -> tuple[ClassInfo, ...]:
        """Return all classes that inherit from one, without itself."""
        known = self._all_subclasses.get(cls)
        if known is None:
            found: dict[ClassInfo, None] = {}
            queue = list(self.direct_subclasses(cls))
            while queue:
                sub = queue.pop()
                if sub not in found and sub is not cls:
                    found[sub] = None
                    queue.extend(self.direct_subclasses(sub))
            known = self._all_subclasses[cls] = tuple(sorted(found, key=lambda c: c.order))
        return known

    def is_subclass(self, cls: ClassInfo, of: ClassInfo) -> bool:
        """Whether one class is, or inherits from, another."""
        order, place = self.mro(cls), len(self.mro(of))
        # Most end as the base's own order does, and looking there is quick.
        return (place <= len(order) and order[-place] is of) or of in order

    def find(self, cls: ClassInfo, name: str, is_open: bool) -> Found:
        """Say where attribute `name` of an instance of a class may be found."""
        found = self._found.setdefault(name, {})
        key = (cls, is_open)
        known = found.get(key)
        if known is None:
            known = found[key] = self._find(cls, name, is_open, self.mro(cls))
            self._looked_up.setdefault(cls, set()).add(name)
        return known

    def find_after(self, cls: ClassInfo, after: ClassInfo, name: str) -> Found:
        """Say where `super(after, instance of cls).name` is found."""
        found = self._after.setdefault(cls, {})
        key = (after, name)
        known = found.get(key)
        if known is None:
            order = self.mro(cls)
            start = order.index(after) + 1 if after in order else 1
            known = found[key] = self._find(cls, name, False, order[start:])
        return known

    def find_beside(self, after: ClassInfo, name: str) -> dict[ClassInfo, Found]:
        """Say where `super(after, instance of a subclass).name` may be found, by the class that has it.

        In a subclass with several bases, `super()` can lead to a sibling. What comes after a class that is in the part
        that an order shares with another's, that other says.
        """
        found = self._beside.setdefault(name, {})
        known = found.get(after)
        if known is None:
            below = self.subclasses(after)
            telling = [sub for sub in below if after in self._orders.own(sub)]
            targets = {f.inherited[0]: f for sub in telling if (f := self.find_after(sub, after, name)).inherited}
            if len(targets) > 1:  # in the order of the classes from which they are reached
                reached = (self.find_after(sub, after, name).inherited for sub in self._orders.telling(below, after))
                targets = {at[0]: targets[at[0]] for at in reached if at}
            known = found[after] = targets
            self._looked_up.setdefault(after, set()).add(name)
        return known

    def _find(self, cls: ClassInfo, name: str, is_open: bool, order: tuple[ClassInfo | str, ...]) -> Found:
        inherited = next(
            ((c, c.attributes[name]) for c in order if isinstance(c, ClassInfo) and name in c.attributes), None
        )
        overrides: tuple[tuple[ClassInfo, Cell], ...] = ()
        if is_open:
            overrides = self._overrides(cls, name, inherited[0] if inherited is not None else None)
        if self._unnamed and inherited is not None:
            overrides += self._unnamed_overrides(
                name, order, inherited[0], overrides, self.subclasses(cls) if is_open else ()
            )
        holders: list[ClassInfo] = []
        candidates = self._with_field.get(name, ())
        if candidates:
            above = set(self.mro(cls))
            under = set(self.subclasses(cls)) if is_open else set()
            holders = [c for c in candidates if c in above or c in under]
        external: tuple[str, ...] = ()
        if inherited is None and not holders:
            external = tuple(c for c in order if isinstance(c, str))
        elif inherited is not None:
            before = order[: order.index(inherited[0])]
            external = tuple(name for c in before if isinstance(c, ClassInfo) for name in c.or_outside)
        is_late = inherited is None and bool(holders) and all(name in c.late_fields for c in holders)
        fields = tuple(c.fields[name] for c in holders)
        if not is_open:
            return Found(inherited, overrides, fields, external, is_late)
        many, pool = None, None
        if len(overrides) > FEW:
            many = Overrides(overrides, self._override_pools.setdefault((cls, name), Cell()))
            pour((cell for _, cell in overrides), many.pool)
        if len(fields) > FEW:
            pool = self._field_pools.setdefault((cls, name), Cell())
            pour(fields, pool)
        return Found(inherited, overrides, fields, external, is_late, many, pool)

    def _overrides(self, cls: ClassInfo, name: str, inherited: ClassInfo | None) -> tuple[tuple[ClassInfo, Cell], ...]:
        """Return the classes whose attribute an instance of a subclass may have instead, each with its cell."""
        found: dict[ClassInfo, Cell] = {}
        most = MOST_TOLD_APART // len(self.mro(cls))
        for overriding, cell in self._having(cls, name):
            if overriding is not inherited:
                found[overriding] = cell
                if len(found) > most:
                    top = self._top(cls, name)
                    return ((top, self._methods_pool(top, name)),)
        return tuple(found.items())

    def _having(self, cls: ClassInfo, name: str) -> Iterator[tuple[ClassInfo, Cell]]:
        """Yield each class whose attribute an instance of a subclass of one has, with its cell."""
        for sub in self.subclasses(cls):
            if name in sub.attributes:
                yield sub, sub.attributes[name]
            elif len(sub.bases) > 1:  # a sibling base may come before
                for base in self.mro(sub):
                    if isinstance(base, ClassInfo) and name in base.attributes:
                        yield base, base.attributes[name]
                        break

    def _top(self, cls: ClassInfo, name: str) -> ClassInfo:
        """Return the class at the top of those above a class that have an attribute, or of all above it."""
        above = [c for c in self.mro(cls) if isinstance(c, ClassInfo) and is_client(c.module) == is_client(cls.module)]
        return next((c for c in reversed(above) if name in c.attributes), above[-1])

    def _methods_pool(self, top: ClassInfo, name: str) -> MethodsPool:
        """Return what the subclasses of a class have as an attribute."""
        pool = self._methods_pools.get((top, name))
        if pool is None:
            pool = self._methods_pools[top, name] = MethodsPool(self._interner, top)
        poured = self._poured.setdefault(name, set())
        if top not in poured:
            poured.add(top)
            pour(dict(self._having(top, name)).values(), pool)
        return pool

    def pools(self) -> list[Cell]:
        """Return all pools of attributes."""
        return [*self._field_pools.values(), *self._override_pools.values(), *self.methods_pools()]

    def methods_pools(self) -> list[MethodsPool]:
        """Return the pools of what so many subclasses have that it is not told apart."""
        return list(self._methods_pools.values())

    def _unnamed_overrides(
        self,
        name: str,
        order: tuple[ClassInfo | str, ...],
        inherited: ClassInfo,
        overrides: tuple[tuple[ClassInfo, Cell], ...],
        subclasses: tuple[ClassInfo, ...],
    ) -> tuple[tuple[ClassInfo, Cell], ...]:
        """Return the classes that may override an inherited attribute by what was assigned under unknown names."""
        before = [c for c in order[: order.index(inherited)] if isinstance(c, ClassInfo)]
        named = {c for c, _ in overrides}
        return tuple(
            (c, cell)
            for c in (*before, *subclasses)
            if c in self._unnamed and c not in named
            for known, cell in self._unnamed[c].items()
            if matches(known, name)
        )
