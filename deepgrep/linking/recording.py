"""What the last evaluation notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from deepgrep.graph.rows import ONE_OF_SEVERAL, AccessKind, Certainty, Via
from deepgrep.linking.evaluation import Site
from deepgrep.linking.passages import HandedOn, Passes, both, common_guard
from deepgrep.linking.program import ClassInfo, Frame
from deepgrep.linking.provenance import Kept, Provenance
from deepgrep.linking.recorded import Accesses, AccessKey, EdgeKey, EdgeRow, Edges
from deepgrep.linking.references import References
from deepgrep.linking.requirements import Requirements
from deepgrep.linking.tested import Tested
from deepgrep.models.model import OUTWARD_BUILTINS

if TYPE_CHECKING:
    from deepgrep.linking.cells import Cell
    from deepgrep.linking.solver import Solver
    from deepgrep.linking.values import Values

_T = TypeVar("_T")
_ORDER = {Certainty.CERTAIN: 0, Certainty.DISPATCH: 1, Certainty.FLOW: 2}
# Builtins and methods of builtin types are no targets: `len`, `list.append`.
_BUILTIN_TYPES = frozenset({"list", "dict", "set", "tuple", "str", "int", "bytes", "iterator", "frozenset", "bool",
                            "NoneType", "object", "contents", "namespace"})  # fmt: skip
ANY_CONTEXT = "any"
# Of these, what is no type that a reader knows.
_UNNAMED_TYPES = frozenset({"iterator", "NoneType", "contents", "namespace"})


class Recorder:
    """Listens to evaluations, and keeps what it hears."""

    def __init__(self, solver: Solver) -> None:
        program, hierarchy, models = solver.program, solver.hierarchy, solver.models
        self.frame: Frame | None = None
        self._relay: Frame | None = None
        self._needed: Frame | ClassInfo | str | None = None
        self._givers: Mapping[Frame, None] = {}
        self._is_one_of_several = False
        self._bound_to: ClassInfo | None = None
        self._called: list[Kept] = []
        self._is_unnamed_class = False
        self.provenance = Provenance()
        self.requirements = Requirements(hierarchy, program.packages, [relay.needs for relay in models.relays.values()])
        self.handed_on = HandedOn()
        self.tested = Tested(hierarchy)
        self.references = References()
        self._packages = program.packages
        self.frames: dict[Frame, None] = {}
        # Of the frame that is listened to; what others noted is in columns.
        self._edges: dict[EdgeKey, tuple[Certainty, int, Passes]] = {}
        self._accesses: dict[AccessKey, tuple[bool, int]] = {}
        self._noted_edges, self._noted_accesses = Edges(), Accesses()
        # Those of relays are noted while others are listened to.
        self._relay_edges: dict[Frame, dict[EdgeKey, tuple[Certainty, int, Passes]]] = {}
        # What each edge of a relay requires: that a function was reached, that a class has an instance, or that a
        # native function of some name was called.
        self.needs: dict[tuple[Frame, Frame, int, Via], dict[Frame | ClassInfo | str, None]] = {}
        # Of edges to what a place was given beyond what it keeps, what gave it.
        self.givers: dict[tuple[Frame, Frame, int, Via], dict[Frame, None]] = {}
        # Of edges to functions that are no methods but were called as such, the classes of what they were bound to.
        self.receivers: dict[tuple[Frame, Frame, int, Via], tuple[ClassInfo, ...]] = {}
        # Of edges to what was kept somewhere, where.
        self.kept_in: dict[tuple[Frame, Frame, int, Via], tuple[Kept, ...]] = {}
        # Edges to constructors of classes that their callers do not name.
        self.of_unnamed_classes: dict[tuple[Frame, Frame, int, Via], None] = {}
        # Module bodies, by the module's name; and what they call.
        self.bodies: dict[str, Frame] = {}
        self.called_by_modules: dict[Frame, None] = {}
        self.blind_spots: dict[tuple[Frame, int, str, str, str], int] = {}
        self.native_exits: dict[tuple[Frame, int, str], int] = {}
        self.builtin_calls: dict[tuple[Frame, str], None] = {}

    def listen(self, frame: Frame) -> None:
        """Take what follows as said of a frame; each is listened to once."""
        self._put_away()
        self.frame = frame
        self.frames[frame] = None
        if frame.unit.is_module:
            self.bodies[frame.unit.module.name] = frame
        self.provenance.begin()
        self.requirements.runs(frame)
        self.tested.declared(frame)

    def _put_away(self) -> None:
        if self.frame is not None:
            for edge, row in self._edges.items():
                self._noted_edges.add(self.frame, edge, *row)
            for access, (restore, guard) in self._accesses.items():
                self._noted_accesses.add(self.frame, access, restore, guard)
        self._edges, self._accesses = {}, {}

    def edges(self) -> Iterator[EdgeRow]:
        """Yield all edges."""
        self._put_away()
        yield from self._noted_edges
        for relay, edges in self._relay_edges.items():
            for (callee, line, via), row in edges.items():
                yield relay, callee, line, via, *row

    def accesses(self) -> Accesses:
        """Return all accesses."""
        self._put_away()
        return self._noted_accesses

    def rest(self, frame: Frame, clones: Iterable[Frame], listen_to: Callable[[], None]) -> None:
        """Note what a function does in any context; its clones go on to it, if it is anything.

        Args:
            frame: stands for that part of the function.
            clones: those that share it.
            listen_to: evaluates it.
        """
        before = self._size()
        self.listen(frame)
        listen_to()
        if self._size() == before:
            del self.frames[frame]
            return
        self._put_away()
        for clone in clones:
            self._noted_edges.add(clone, (frame, frame.unit.facts.line, Via.SAME), Certainty.CERTAIN, -1, ())

    def _size(self) -> tuple[int, int, int]:
        edges: list[Sized] = [self._noted_edges, self._edges, *self._relay_edges.values()]
        noted: tuple[Sized, ...] = (
            self._noted_accesses,
            self._accesses,
            self.blind_spots,
            self.native_exits,
            self.builtin_calls,
        )
        return (sum(map(len, edges)), self.requirements.noted, sum(map(len, noted)))

    def edge(self, site: Site, callee: Frame, via: Via, certainty: Certainty, passes: Passes = ()) -> None:
        """Note a call; of several on one line, what holds for all."""
        assert self.frame is not None
        edges, key, guard = self._edges, (callee, site.line, via), site.guard
        if self._relay is not None:
            # What the registration stands under is no condition of the call, and no guard of the relay's.
            edges, key, guard, passes = self._relay_edges.setdefault(self._relay, {}), (callee, 0, via), -1, ()
            if self._needed is not None:
                self.needs.setdefault((self._relay, *key), {})[self._needed] = None
            certainty = Certainty.FLOW
            if self._givers:
                self.givers.setdefault((self._relay, *key), {}).update(self._givers)
        known = edges.get(key)
        if self._relay is None:
            self._note_callee((self.frame, *key), known is None)
        if known is None:
            edges[key] = (certainty, guard, passes)
        else:
            surest = min(certainty, known[0], key=_ORDER.__getitem__)
            edges[key] = (surest, self._around(known[1], guard), both(known[2], passes))

    def _note_callee(self, edge: tuple[Frame, Frame, int, Via], is_new: bool) -> None:
        """Note on what, and from where, something is called; of several on one line, where that is known of all."""
        caller, callee, *_ = edge
        if caller.unit.is_module:
            self.called_by_modules[callee] = None
        if self._bound_to is None:
            self.receivers.pop(edge, None)
        elif is_new or edge in self.receivers:
            _extend(self.receivers, edge, (self._bound_to,))
        if not self._is_unnamed_class:
            self.of_unnamed_classes.pop(edge, None)
        elif is_new:
            self.of_unnamed_classes[edge] = None
        if not self._called:
            self.kept_in.pop(edge, None)
        elif is_new or edge in self.kept_in:
            _extend(self.kept_in, edge, self._called)

    def names(self, operations: Iterable[int], held: Callable[[int], Values]) -> None:
        """Note what some operations of the frame that is listened to name; `held` gives what an operand holds."""
        assert self.frame is not None
        self.references.note(self.frame, operations, held)

    def kept(self, cell: Cell, code: Values) -> None:
        """Note that the frame that is listened to assigns callables to an attribute."""
        assert self.frame is not None
        self.provenance.keep(self.frame, cell, code)

    @contextmanager
    def calling(self, kept: list[Kept], is_unnamed: bool) -> Iterator[None]:
        """Take edges, until the end of the block, as those of a call of a value.

        Args:
            kept: the attributes that it comes from; none if it may come from somewhere else.
            is_unnamed: whether it is a class that the function which is listened to neither defines nor names.
        """
        before = self._called, self._is_unnamed_class
        self._called, self._is_unnamed_class = kept or self._called, is_unnamed
        yield
        self._called, self._is_unnamed_class = before

    def _around(self, one: int, other: int) -> int:
        """Return the innermost guard, of the frame's module, that two things on one line both stand under."""
        assert self.frame is not None
        return common_guard(self.frame.unit.module.facts.guards, one, other)

    @contextmanager
    def through(self, relay: Frame, needed: Frame | ClassInfo | str | None) -> Iterator[None]:
        """Take edges, until the end of the block, as those of a relay, which require something; the relay: nothing."""
        before = self._relay, self._needed
        self._relay, self._needed = relay, needed
        yield
        self._relay, self._needed = before

    @contextmanager
    def given(self, givers: Mapping[Frame, None]) -> Iterator[None]:
        """Take edges, until the end of the block, as to something that one of some frames gave; none: not known."""
        before, self._givers = self._givers, givers
        yield
        self._givers = before

    @contextmanager
    def bound_to(self, cls: ClassInfo | None) -> Iterator[None]:
        """Take edges, until the end of the block, as calls on an instance of a class; None: on nothing special."""
        before, self._bound_to = self._bound_to, cls
        yield
        self._bound_to = before

    @contextmanager
    def one_of_several(self) -> Iterator[None]:
        """Take accesses, until the end of the block, as those of one of several values that may be called."""
        before, self._is_one_of_several = self._is_one_of_several, True
        yield
        self._is_one_of_several = before

    @property
    def is_through_relay(self) -> bool:
        """Whether what is noted is noted of a relay."""
        return self._relay is not None

    def import_edge(self, site: Site, body: Frame) -> None:
        """Note that a module body is run."""
        self.edge(site, body, Via.IMPORT, Certainty.CERTAIN)

    def construction(self, cls: ClassInfo, is_open: bool, guard: int = -1) -> None:
        """Note that an instance of a class, or of a subclass if `is_open`, is made under a guard."""
        assert self.frame is not None
        if self._relay is None:
            is_conditional = any(self.tested.under(self.frame.unit.module, guard))
            self.requirements.made(self.frame, cls, is_open, is_conditional=is_conditional)
        elif self._givers and is_open:
            self.requirements.made(self._relay, cls, is_open)
        elif self._givers:
            self.requirements.given(self._relay, cls)

    def entering(self, cls: ClassInfo) -> None:
        """Note that an instance of a class is entered as a context manager."""
        assert self.frame is not None
        self.requirements.entered(self.frame, cls)

    def external_call(self, site: Site, name: str, via: Via, has_model: bool) -> None:
        """Note a call that leaves the analyzed sources."""
        assert self.frame is not None
        owner = name.rpartition(".")[0]
        if not owner or owner in _BUILTIN_TYPES:
            # What syntax runs (`for`, `@staticmethod`) is not written as a call.
            if via in (Via.CALL, Via.CONSTRUCT) and owner not in _UNNAMED_TYPES:
                self.builtin_calls[self.frame, name] = None
            if name in OUTWARD_BUILTINS:
                self.access(site, f"builtins.{name}", "function", AccessKind.CALL, "call", False)
            return
        self.access(site, name, "function", AccessKind.CALL, "call", False)
        self.requirements.called(self.frame, name)
        # Inside an analyzed package, what has no Python source is native.
        if not has_model and name.partition(".")[0] in self._packages:
            exit_ = (self.frame, site.line, name)
            self.native_exits[exit_] = self._around(self.native_exits.get(exit_, site.guard), site.guard)

    def access(self, site: Site, state: str, kind: str, access: AccessKind, form: str, restore: bool) -> None:
        """Note that a state is written, read or called."""
        assert self.frame is not None
        key = (state, kind, site.line, access, form + ONE_OF_SEVERAL if self._is_one_of_several else form)
        known = self._accesses.get(key)
        guard = site.guard if known is None else self._around(known[1], site.guard)
        self._accesses[key] = (restore if known is None else known[0], guard)

    def blind(self, site: Site, expression: str, name: str, reason: str) -> None:
        """Note a call whose callee is not known."""
        assert self.frame is not None
        spot = (self.frame, site.line, expression, name, reason)
        self.blind_spots[spot] = self._around(self.blind_spots.get(spot, site.guard), site.guard)


def _extend(
    noted: dict[tuple[Frame, Frame, int, Via], tuple[_T, ...]],
    edge: tuple[Frame, Frame, int, Via],
    more: Iterable[_T],
) -> None:
    noted[edge] = tuple(dict.fromkeys((*noted.get(edge, ()), *more)))
