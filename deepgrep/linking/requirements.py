"""What must exist before an edge can be taken (rapid type analysis, Bacon and Sweeney 1996).

A call of some object's method goes to a class only if the root reaches code that makes an instance of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.hierarchy import Hierarchy
from deepgrep.linking.program import ClassInfo, Frame
from deepgrep.linking.values import InstanceValue, Value

# What is made in more places than this is taken to exist: nearly every root reaches one of them.
_MOST_PLACES = 200
_CONSTRUCTORS = ("__init__", "__new__")


class Requirements:
    """Which functions make instances of which classes.

    Attributes:
        noted: how many places that make one are known.
    """

    def __init__(self, hierarchy: Hierarchy, packages: Collection[str], asked: Iterable[str]) -> None:
        """Begin with nothing noted.

        Args:
            hierarchy: the classes.
            packages: the names of the analyzed packages.
            asked: the native functions that some relay needs a call of.
        """
        self._hierarchy = hierarchy
        self._packages = packages
        # Each with whether it makes them only where there is an instance of some class already.
        self._makers: dict[ClassInfo, dict[Frame, bool]] = {}
        self._open_makers: dict[ClassInfo, dict[Frame, bool]] = {}
        # Where one of many classes is called, all of them would seem to be: the relays that stand for that.
        self._given: dict[ClassInfo, dict[Frame, None]] = {}
        self._entering: dict[ClassInfo, dict[Frame, None]] = {}
        self._asked = frozenset(asked)
        self._callers: dict[str, dict[Frame, None]] = {}
        self._constructors: dict[ClassInfo, dict[Frame, None]] = {}
        self._known: dict[ClassInfo, tuple[Frame, ...] | None] = {}
        self.noted = 0

    def made(self, frame: Frame, cls: ClassInfo, is_open: bool, *, is_conditional: bool = False) -> None:
        """Note that a frame makes an instance of a class; of one of its subclasses too, if `is_open`.

        `is_conditional`: only where there is an instance of some class already (`if isinstance(x, D): C(x)`).
        """
        frames = (self._open_makers if is_open else self._makers).setdefault(cls, {})
        self.noted += frame not in frames
        frames[frame] = frames.get(frame, True) and is_conditional

    def given(self, relay: Frame, cls: ClassInfo) -> None:
        """Note that a relay, which stands for a place of many, makes an instance of a class given to it."""
        self._given.setdefault(cls, {})[relay] = None

    def called(self, frame: Frame, name: str) -> None:
        """Note that a frame calls a function outside the analyzed sources."""
        if name in self._asked:
            self._callers.setdefault(name, {})[frame] = None

    def entered(self, frame: Frame, cls: ClassInfo) -> None:
        """Note that a frame enters an instance of a class as a context manager."""
        frames = self._entering.setdefault(cls, {})
        self.noted += frame not in frames
        frames[frame] = None

    def of(self, caller: Frame, callee: Frame, cls: ClassInfo | None, certainty: Certainty) -> tuple[Frame, ...]:
        """Return the frames of which one must have run before an edge can be taken; none for no requirement.

        `cls`: the class of which there must be an instance (`needed_class`).
        """
        if cls is None:
            return _maker(caller, callee)
        places = self._places(cls)
        if places and callee in places:  # a constructor is no evidence for itself
            places = tuple(dict.fromkeys((*(f for f in places if f is not callee), *self._given.get(cls, ()))))
        if places == () and certainty is not Certainty.CERTAIN and _is_private(cls):
            return (callee,)  # nothing known makes one: some other way must lead there first
        return places or _maker(caller, callee)

    def named_elsewhere(self, caller: Frame, places: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Return what makes an instance of a class that a caller does not name, the caller left out.

        That it makes an instance of whatever it was handed does not say that this class is among that.
        """
        return tuple(frame for frame in places if frame.unit is not caller.unit)

    def instance_of_any(self, classes: Iterable[ClassInfo]) -> tuple[Frame, ...]:
        """Return what makes an instance of one of some classes; none if nothing known does, or nearly everything."""
        found: dict[Frame, None] = {}
        for cls in classes:
            places = self._places(cls)
            if not places:
                return ()
            found |= dict.fromkeys(places)
        return tuple(found) if len(found) <= _MOST_PLACES else ()

    def instance_tested(self, caller: Frame, classes: Iterable[ClassInfo]) -> tuple[Frame, ...]:
        """Return what makes an instance of one of the classes that a caller tests a value for.

        None if nothing known does, or nearly everything, or the caller itself; nor where native code may make one.
        """
        if any(self._has_self(caller, cls) or self._is_native(cls) for cls in classes):
            return ()
        made = self.instance_of_any(classes)
        return () if any(frame.unit is caller.unit for frame in made) else made

    def _is_native(self, cls: ClassInfo) -> bool:
        """Whether a class has a base that an analyzed package has in native code, which can make instances."""
        return not self._hierarchy.outside_packages(cls).isdisjoint(self._packages)

    def any_few(self, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Return some frames; none if those are so many that nearly every root reaches one."""
        return frames if len(frames) <= _MOST_PLACES else ()

    def any_context(self, frames: Iterable[Frame]) -> tuple[Frame, ...]:
        """Return some frames with their clones; none if those are so many that nearly every root reaches one."""
        found = tuple(one for frame in frames for one in _clones(frame))
        return found if len(found) <= _MOST_PLACES else ()

    def runs(self, frame: Frame) -> None:
        """Note that there is a frame."""
        if frame.unit.cls is not None and frame.unit.facts.qualname.rpartition(".")[2] in _CONSTRUCTORS:
            self._constructors.setdefault(frame.unit.cls, {})[frame] = None

    def any_of(self, needed: Iterable[Frame | ClassInfo | str], callee: Frame) -> tuple[Frame, ...]:
        """Return the frames of which one must have run before a relay can call something.

        Args:
            needed: what the relay needs, any of it: that a frame has run, that a class has an instance, or that a
                native function was called.
            callee: what it calls. Where nothing known makes an instance, some other way must lead there first.
        """
        found: dict[Frame, None] = {}
        for need in needed:
            if isinstance(need, Frame):
                found[need] = None
            elif isinstance(need, str):
                found |= self._callers.get(need, {})
            else:
                places = self._exists(need)
                if places is None:
                    return ()
                found |= dict.fromkeys(places)
        return tuple(found) or (callee,)

    def _exists(self, cls: ClassInfo) -> tuple[Frame, ...] | None:
        """Return what shows that a class has an instance; None if that is nearly everywhere.

        Whatever makes an instance runs the class's constructor: where it has one of its own, that says it all.
        `type(x)(...)` in a base shows nothing: the class of `x` has an instance already.
        """
        frames: dict[Frame, None] = {}
        classes = (cls, *self._hierarchy.subclasses(cls))
        for sub in classes:
            frames |= self._entering.get(sub, {})
        for sub in classes if not frames else ():  # native code meets a mode only once it has been entered
            own = self._own_constructors(sub)
            makers = (self._makers, self._open_makers, self._given)
            frames |= own or {frame: None for made in makers for frame in made.get(sub, ())}
        if len(frames) <= _MOST_PLACES:
            return tuple(frames)
        own = self._own_constructors(cls)  # all of them run it, if there is one
        return tuple(own) if 0 < len(own) <= _MOST_PLACES else None

    def _made_of_many(self, cls: ClassInfo) -> dict[Frame, None]:
        """Return what shows that a place of many has made an instance: the constructor, if the class has its own."""
        given = self._given.get(cls, {})
        return (self._own_constructors(cls) or given) if given else given

    def _own_constructors(self, cls: ClassInfo) -> dict[Frame, None]:
        """Return the constructors that a class has itself, or that of a base as it runs for the class."""
        if cls in self._constructors:
            return self._constructors[cls]
        for base in self._hierarchy.mro(cls)[1:]:
            if isinstance(base, ClassInfo) and base in self._constructors:
                frames = self._constructors[base]
                return {f: None for f in frames if any(_is_object_of(value, cls) for _, value in f.context[:1])}
        return {}

    def needed_class(self, caller: Frame, callee: Frame, via: Via, certainty: Certainty) -> ClassInfo | None:
        """Return the class of which there must be an instance before an edge can be taken; None for no requirement."""
        cls = callee.unit.cls
        if cls is None or callee.unit.binding not in ("instance", "static"):
            return None
        if via is Via.CONSTRUCT or _is_new(callee):  # of a class that is one of several: something else names it
            return None if certainty is Certainty.CERTAIN else cls
        if callee.unit.binding != "instance":
            return None
        return None if self._has_self(caller, cls) else cls

    def instances(self) -> Iterator[tuple[Frame, ClassInfo]]:
        """Yield each frame that makes an instance of just a class."""
        for cls in dict.fromkeys((*self._makers, *self._given)):
            yield from ((frame, cls) for frame in (*self._makers.get(cls, ()), *self._made_of_many(cls)))

    def _has_self(self, caller: Frame, cls: ClassInfo) -> bool:
        """Whether a method runs on an object that is an instance of a class already."""
        frame: Frame | None = caller
        while frame is not None:
            if frame.unit.cls is not None and frame.unit.binding == "instance":
                return self._hierarchy.is_subclass(frame.unit.cls, cls)
            frame = frame.parent
        return False

    def _showing(self, cls: ClassInfo) -> dict[Frame, None]:
        """Return what shows that just a class has an instance.

        That something makes one only where there is an instance of another class shows nothing: the call of the
        constructor, which requires that, does.
        """
        makers = self._makers.get(cls, {})
        if not any(makers.values()):
            return dict.fromkeys(makers)
        own = self._own_constructors(cls)
        shown = {frame: None for frame, is_conditional in makers.items() if not (is_conditional and own)}
        return shown | own

    def _places(self, cls: ClassInfo) -> tuple[Frame, ...] | None:
        """Return what makes an instance of a class or subclass; None if that is nearly everywhere."""
        if cls not in self._known:
            frames: dict[Frame, None] = {}
            for sub in (cls, *self._hierarchy.subclasses(cls)):
                frames |= self._showing(sub) | self._made_of_many(sub)
            # `type(x)(...)` makes what it was handed, which of a private class is seldom meant.
            for base in () if _is_private(cls) else self._hierarchy.mro(cls):
                if isinstance(base, ClassInfo):
                    frames |= dict.fromkeys(self._open_makers.get(base, ()))
            self._known[cls] = tuple(frames) if len(frames) <= _MOST_PLACES else None
        return self._known[cls]


def _is_object_of(value: Value, cls: ClassInfo) -> bool:
    return isinstance(value, InstanceValue) and value.cls is cls


def _is_new(callee: Frame) -> bool:
    return callee.unit.cls is not None and callee.unit.facts.qualname.endswith(".__new__")


def _maker(caller: Frame, callee: Frame) -> tuple[Frame, ...]:
    """Return the frames of which one has made a nested function; none where that has certainly run already."""
    maker = callee.parent
    if maker is None or maker.unit.is_module:
        return ()
    made = _clones(maker)
    around: Frame | None = caller
    while around is not None:
        if around.unit is maker.unit:
            return ()
        around = around.parent
    return made


def _clones(frame: Frame) -> tuple[Frame, ...]:
    """Return a frame, and those that share what it does: its clones, if it is a base."""
    return (frame,) if frame.base is not None else (frame, *(clone for clone, _ in frame.clones))


def _is_private(cls: ClassInfo) -> bool:
    """Whether a class is not for users to make: a part of its name begins with an underscore."""
    return any(part.startswith("_") for part in cls.name.split("."))
