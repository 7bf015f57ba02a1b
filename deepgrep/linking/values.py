"""The abstract values that flow: what a name, attribute or expression may hold.

Each value is interned: the same arguments give the same object, so that sets of values hash by identity and compare
fast. A set of values is a frozenset; the empty one means that nothing is known.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from deepgrep.linking.cells import Cell
    from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo


_numbers = itertools.count()


def number_from_zero() -> None:
    """Begin a program: its values are numbered as if it were the first of the process."""
    global _numbers
    _numbers = itertools.count()


class _Numbered:
    """Hashes by the order in which values are made: sets of them then iterate in the same order in every run."""

    __slots__ = ("_number",)

    def __post_init__(self) -> None:
        self._number = next(_numbers)

    def __hash__(self) -> int:
        return self._number


@dataclass(eq=False, slots=True, repr=False)
class Text(_Numbered):
    """A constant: a string, a small int, True, False or None."""

    value: str | int | bool | None


@dataclass(eq=False, slots=True, repr=False)
class FunctionValue(_Numbered):
    """A function made in a frame: two closures of one `def` differ by the frame that made them."""

    unit: UnitInfo
    frame: Frame | None


@dataclass(eq=False, slots=True, repr=False)
class ClassValue(_Numbered):
    """A class; `is_open` if it may be one of its subclasses (`cls`, `type[C]`)."""

    cls: ClassInfo
    is_open: bool


@dataclass(eq=False, slots=True, repr=False)
class InstanceValue(_Numbered):
    """An instance of an analyzed class.

    Attributes:
        is_open: whether it may be of a subclass (`self`, annotations); a constructor makes one that is not.
        site: where a module body made it, "" elsewhere; tells module-level objects apart.
    """

    cls: ClassInfo
    is_open: bool
    site: str


@dataclass(eq=False, slots=True, repr=False)
class ModuleValue(_Numbered):
    """A module of the analyzed sources."""

    module: ModuleInfo


@dataclass(eq=False, slots=True, repr=False)
class External(_Numbered):
    """A function, class, module or object outside the analyzed sources, by dotted name; builtins by their bare name."""

    name: str


@dataclass(eq=False, slots=True, repr=False)
class Container(_Numbered):
    """An object made by external code or a display, by where it is made: what it holds is told apart by key.

    Attributes:
        class_name: `list`, `dict`, `tuple`, ..., or the dotted name of an external class.
        site: what made it.
        items: constant key or position -> what is held there.
        element: what is held at unknown keys or positions (iteration gives all).
        key: what the keys are, of a mapping.
        pool: of all that it holds, once there is much that is read together.
    """

    class_name: str
    site: object
    element: Cell
    key: Cell
    items: dict[object, Cell] = field(default_factory=dict)
    pool: Cell | None = None


@dataclass(eq=False, slots=True, repr=False)
class Bound(_Numbered):
    """A callable with its first argument given: a bound method."""

    function: Value
    receiver: Value


@dataclass(eq=False, slots=True, repr=False)
class Partial(_Numbered):
    """A callable that calls another with arguments of its own first.

    Attributes:
        frame: in which it is made.
        args: its positional arguments, by position.
        keywords: its keyword arguments, by name.
        star, double_star: what it passes at unknown positions and under unknown names.
    """

    frame: Frame
    callee: Cell
    star: Cell
    double_star: Cell
    args: dict[int, Cell] = field(default_factory=dict)
    keywords: dict[str, Cell] = field(default_factory=dict)


@dataclass(eq=False, slots=True, repr=False)
class Wrapped(_Numbered):
    """A function under a descriptor or wrapper that the language itself knows.

    Attributes:
        kind: `property`, `staticmethod`, `classmethod`, or `setter`, `getter`, `deleter`: the decorator of that name of
            a property.
        functions: of a property, getter, setter and deleter; else the one function.
    """

    kind: str
    functions: tuple[Value | None, ...]


@dataclass(eq=False, slots=True, repr=False)
class Super(_Numbered):
    """`super()`: attribute look-up that starts after `cls` in the receiver's method resolution order."""

    cls: ClassInfo
    receiver: Value


@dataclass(eq=False, slots=True, repr=False)
class Generator(_Numbered):
    """What calling a generator function in a frame gives."""

    frame: Frame


@dataclass(eq=False, slots=True, repr=False)
class Methods(_Numbered):
    """Any method of an object or class whose name fits a pattern (any_method.py)."""

    owner: Value
    pattern: str


@dataclass(eq=False, slots=True, repr=False)
class Cut(_Numbered):
    """What a place was given beyond what it keeps: it flows on, so that a call of it is known to be incomplete."""


@dataclass(eq=False, slots=True, repr=False)
class Many(_Numbered):
    """Any of the callables that a place was given beyond those that it keeps (too_many.py).

    Attributes:
        members: each, with the frames that gave it to the place.
        others: values of the same kind that the place was given.
    """

    members: dict[Value, dict[Frame, None]] = field(default_factory=dict)
    others: dict[Many, None] = field(default_factory=dict)


@dataclass(eq=False, slots=True, repr=False)
class ManyMethods(Many):
    """Any of the methods by which subclasses override one, where they are too many to be told apart (overrides.py)."""


Value: TypeAlias = (
    Text | FunctionValue | ClassValue | InstanceValue | ModuleValue | External | Container | Bound | Partial | Wrapped
    | Super | Generator | Methods | Many | Cut
)  # fmt: skip
Values: TypeAlias = frozenset[Value]
# What a call hands to parameters, by the parameter's index.
Context: TypeAlias = tuple[tuple[int, Value], ...]
NOTHING: Values = frozenset()
CODE = (FunctionValue, ClassValue, Bound, Partial, Wrapped)


def function_of(value: Value) -> Value:
    """Return what runs when a value is called: a method of several objects is one function."""
    return value.function if isinstance(value, Bound) else value


class Interner:
    """Makes values, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Value] = {}
        self._single: dict[Value, Values] = {}
        self.cut = Cut()

    def values(self) -> list[Value]:
        """Return all values that there are."""
        return list(self._known.values())

    def one(self, value: Value) -> Values:
        """Return the set of just this value."""
        known = self._single.get(value)
        if known is None:
            known = self._single[value] = frozenset((value,))
        return known

    def text(self, value: str | int | bool | None) -> Value:
        """Return a constant; True and 1 are told apart."""
        key = (Text, type(value), value)
        return self._known.get(key) or self._known.setdefault(key, Text(value))

    def function(self, unit: UnitInfo, frame: Frame | None) -> Value:
        """Return the function that a frame makes of a unit."""
        key = (FunctionValue, unit, frame)
        return self._known.get(key) or self._known.setdefault(key, FunctionValue(unit, frame))

    def cls(self, cls: ClassInfo, is_open: bool = False) -> Value:
        """Return a class."""
        key = (ClassValue, cls, is_open)
        return self._known.get(key) or self._known.setdefault(key, ClassValue(cls, is_open))

    def instance(self, cls: ClassInfo, is_open: bool = False, site: str = "") -> Value:
        """Return an instance of a class."""
        key = (InstanceValue, cls, is_open, site)
        return self._known.get(key) or self._known.setdefault(key, InstanceValue(cls, is_open, site))

    def module(self, module: ModuleInfo) -> Value:
        """Return a module of the analyzed sources."""
        key = (ModuleValue, module)
        return self._known.get(key) or self._known.setdefault(key, ModuleValue(module))

    def external(self, name: str) -> Value:
        """Return what a dotted name outside the analyzed sources names."""
        key = (External, name)
        return self._known.get(key) or self._known.setdefault(key, External(name))

    def container(self, class_name: str, site: object) -> Container:
        """Return what is made at a site."""
        from deepgrep.linking.cells import Cell

        key = (Container, class_name, site)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Container(class_name, site, Cell(), Cell())
        assert isinstance(known, Container)
        return known

    def bound(self, function: Value, receiver: Value) -> Value:
        """Return a bound method."""
        key = (Bound, function, receiver)
        return self._known.get(key) or self._known.setdefault(key, Bound(function, receiver))

    def partial(self, frame: Frame, site: object) -> Partial:
        """Return the partial that is made at a site of a frame."""
        from deepgrep.linking.cells import Cell

        key = (Partial, frame, site)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Partial(frame, Cell(), Cell(), Cell())
        assert isinstance(known, Partial)
        return known

    def wrapped(self, kind: str, *functions: Value | None) -> Value:
        """Return a function under a descriptor or wrapper."""
        key = (Wrapped, kind, *functions)
        return self._known.get(key) or self._known.setdefault(key, Wrapped(kind, functions))

    def super(self, cls: ClassInfo, receiver: Value) -> Value:
        """Return what `super()` gives."""
        key = (Super, cls, receiver)
        return self._known.get(key) or self._known.setdefault(key, Super(cls, receiver))

    def methods(self, owner: Value, pattern: str) -> Value:
        """Return any method of an object or class whose name fits a pattern."""
        key = (Methods, owner, pattern)
        return self._known.get(key) or self._known.setdefault(key, Methods(owner, pattern))

    def generator(self, frame: Frame) -> Value:
        """Return what calling a generator function gives."""
        key = (Generator, frame)
        return self._known.get(key) or self._known.setdefault(key, Generator(frame))
