"""What must exist before an edge can be taken (rapid type analysis, Bacon and Sweeney 1996, extended to functions).

A call of some object's method goes to a class only if the root reaches code that makes an instance of it. A call of some
function value goes to a function only if the root reaches code that takes it: names it other than by defining it. A closure
exists only if the function around it has run.
"""

from __future__ import annotations

from collections.abc import Iterable

from deepgrep.facts.operations import Attribute, Call, ClassName, Global, ImportFrom, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import ClassInfo, Frame, UnitInfo
from deepgrep.linking.values import Bound, ClassValue, FunctionValue, Value, Values, Wrapped

# What is made or taken in more places than this is taken to exist: nearly every root reaches one of them.
_MOST_PLACES = 200
_NAMES_VALUES = (Global, Attribute, ImportFrom, ClassName)


class Requirements:
    """Which functions make instances of classes, and take functions and classes as values."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._makers: dict[ClassInfo, dict[Frame, None]] = {}
        self._open_makers: dict[ClassInfo, dict[Frame, None]] = {}
        self._takers: dict[UnitInfo | ClassInfo, dict[Frame, None]] = {}
        self._known: dict[tuple[object, ...], tuple[Frame, ...]] = {}

    def made(self, frame: Frame, cls: ClassInfo, is_open: bool) -> None:
        """Note that a frame makes an instance of a class; of one of its subclasses too, if `is_open`."""
        (self._open_makers if is_open else self._makers).setdefault(cls, {})[frame] = None

    def named(self, frame: Frame, op: Operation, result: Values, decorated: Values) -> None:
        """Note what an operation of a frame takes as a value.

        Args:
            frame: that it belongs to.
            op: the operation.
            result: what it gives.
            decorated: of a call that applies a decorator, what it is applied to.
        """
        if isinstance(op, _NAMES_VALUES):
            for value in result:
                self._take(frame, value)
        elif isinstance(op, Call) and op.decorator:
            for value in decorated:
                self._take(frame, value)

    def _take(self, frame: Frame, value: Value) -> None:
        match value:
            case FunctionValue():
                self._takers.setdefault(value.unit, {})[frame] = None
            case ClassValue():
                self._takers.setdefault(value.cls, {})[frame] = None
            case Bound():
                self._take(frame, value.function)
            case Wrapped():
                for function in value.functions:
                    if function is not None:
                        self._take(frame, function)

    def of(self, caller: Frame, callee: Frame, via: Via, certainty: Certainty) -> tuple[Frame, ...]:
        """Return the frames of which one must have run before an edge can be taken; none for no requirement."""
        if certainty is Certainty.CERTAIN:
            return ()
        unit = callee.unit
        if unit.cls is not None and via is Via.CONSTRUCT:
            return self._cached("class", unit.cls)
        if unit.cls is not None:
            if unit.binding != "instance" or self._has_self(caller, unit.cls):
                return ()
            return self._cached("instance", unit.cls)
        if callee.parent is not None and not callee.parent.unit.is_module:
            return (callee.parent,)
        return self._cached("function", unit)

    def _has_self(self, caller: Frame, cls: ClassInfo) -> bool:
        """Whether a method runs on an object that is an instance of a class already."""
        frame: Frame | None = caller
        while frame is not None:
            if frame.unit.cls is not None and frame.unit.binding == "instance":
                return self._hierarchy.is_subclass(frame.unit.cls, cls)
            frame = frame.parent
        return False

    def _cached(self, kind: str, of: UnitInfo | ClassInfo) -> tuple[Frame, ...]:
        key = (kind, of)
        known = self._known.get(key)
        if known is None:
            frames = dict.fromkeys(self._places(kind, of))
            known = self._known[key] = tuple(frames) if len(frames) <= _MOST_PLACES else ()
        return known

    def _places(self, kind: str, of: UnitInfo | ClassInfo) -> Iterable[Frame]:
        if isinstance(of, UnitInfo):
            yield from self._takers.get(of, ())
            return
        for cls in (of, *self._hierarchy.subclasses(of)):
            yield from self._takers.get(cls, ()) if kind == "class" else self._makers.get(cls, ())
        if kind == "instance":
            for base in self._hierarchy.mro(of):
                if isinstance(base, ClassInfo):
                    yield from self._open_makers.get(base, ())
