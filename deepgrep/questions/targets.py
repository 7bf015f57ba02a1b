"""The target of a question, and the places that touch it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.costs import COST
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.restriction import Restriction
from deepgrep.graph.rows import ONE_OF_SEVERAL, Access, AccessKind, Certainty, Via
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.answers import AccessRef, TargetRef
from deepgrep.questions.guards import conditions
from deepgrep.questions.names import Definition, find, the_one
from deepgrep.questions.scopes import Scopes

VERBS = {AccessKind.WRITE: "writes", AccessKind.READ: "reads", AccessKind.CALL: "calls"}
_INSTANCE = "instance attribute"
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})


@dataclass(frozen=True, slots=True)
class Site:
    """One place that writes, reads or calls the target.

    Attributes:
        function, line, access, form, restore, guard: as of an access.
        edge: the edge that makes the call, or -1 where what is touched is a state.
        is_sure: whether it is known to be the target: what touches an attribute or item of an unknown name may be.
    """

    function: int
    line: int
    access: AccessKind
    form: str
    restore: bool
    guard: int
    edge: int = -1
    is_sure: bool = True

    def reached(self, graph: CallGraph, reached: ForwardSlice) -> bool:
        """Whether control can come to this place."""
        if not reached.inside[self.function]:
            return False
        if self.edge >= 0:
            return reached.takes(graph, self.function, self.edge)
        return self.is_sure_enough(reached.restriction) and reached.can_happen(self.function, self.guard)

    def is_sure_enough(self, restriction: Restriction) -> bool:
        """Whether a question that leaves out what is less certain takes this place for one of the target."""
        return self.is_sure or restriction.allows_certainty(Certainty.FLOW)

    def kind(self, graph: CallGraph) -> tuple[Via, Certainty]:
        """How control passes on from here, and how sure that is."""
        if self.edge >= 0:
            return KINDS[graph.edge_kind[self.edge]]
        return Via.CALL, Certainty.CERTAIN if self.is_sure else Certainty.FLOW

    def doubt(self, graph: CallGraph) -> tuple[int, bool, int, int]:
        """Sorts the places of one function: the surest first, restores last, then by line."""
        cost = COST[KINDS.index(self.kind(graph))] if self.edge >= 0 or not self.is_sure else 0
        return cost, self.restore, self.line, self.edge


@dataclass(frozen=True, slots=True)
class Target:
    """Where a question ends."""

    ref: TargetRef
    sites: list[Site]
    notes: tuple[str, ...] = ()


def resolve_target(graph: CallGraph, typed: str, access: AccessKind | None) -> Target:
    """The target that is meant, and all places that access it so; by default writes of a state, calls of a function.

    Raises:
        DeepgrepError: nothing or more than one thing is meant.
    """
    found = find(graph, typed, states=True)
    if not found and (target := _outside(typed, access)) is not None:
        return target
    if access is not None and (fitting := [d for d in found if _can_be(graph, d, access)]):
        found = fitting
    definition = the_one(graph, typed, found, states=True)
    if access is None:
        access = AccessKind.CALL if _can_be(graph, definition, AccessKind.CALL) else AccessKind.WRITE
    sites = [*_state_sites(graph, definition, access)]
    if access is AccessKind.CALL:
        sites += _call_sites(graph, definition)
    sites.sort(key=lambda site: (site.function, site.line, site.form, site.edge))
    ref = _ref(graph, definition, access)
    nothing = () if sites else (_nothing(graph, definition, ref),)
    return Target(ref, sites, definition.notes + nothing)


def _outside(typed: str, access: AccessKind | None) -> Target | None:
    """What is outside the analyzed sources, and nothing in them mentions."""
    from deepgrep.questions.outside import outside_name  # late: few questions are about such a name

    named = outside_name(typed.strip())
    if named is None:
        return None
    access = access or named.access
    if not named.can_be(access):
        raise DeepgrepError(f"it is not noted what {VERBS[access]} {named.name}: ask what {VERBS[named.access]} it")
    nothing = f"nothing in the analyzed sources {VERBS[access]} {named.name}; what lies outside of them is not searched"
    return Target(TargetRef(named.name, named.kind, named.scope, access), [], (nothing,))


def access_refs(graph: CallGraph, target: Target, reached: ForwardSlice | None) -> list[AccessRef]:
    """The places as an answer lists them: by file and line, those of a function's contexts as one."""
    merged: dict[tuple[str, int, str, str, bool], AccessRef] = {}
    for site in target.sites:
        function = graph.function(site.function)
        here = None if reached is None else site.reached(graph, reached)
        key = (function.file, site.line, function.name, site.form, site.restore)
        if key in merged and not (here and not merged[key].reached):
            continue
        merged[key] = AccessRef(
            function=function.name,
            file=function.file,
            line=site.line,
            access=site.access,
            form=site.form,
            restore=site.restore,
            reached=here,
            conditions=conditions(graph, site.guard),
            is_sure=site.is_sure,
        )
    return [merged[key] for key in sorted(merged)]


def _can_be(graph: CallGraph, definition: Definition, access: AccessKind) -> bool:
    """Whether something of this kind can be so accessed."""
    if access is not AccessKind.CALL:
        return any(graph.state(state).kind != "function" for state in definition.states)
    callable_state = any(graph.state(state).kind == "function" for state in definition.states)
    return bool(definition.functions) or definition.class_row is not None or callable_state


def _state_sites(graph: CallGraph, definition: Definition, access: AccessKind) -> Iterator[Site]:
    for state in definition.states:
        for row in graph.accesses_of(state):
            if row.access is access:
                is_sure = not row.form.endswith(ONE_OF_SEVERAL)
                yield Site(row.function, row.line, row.access, row.form, row.restore, row.guard, is_sure=is_sure)
    if access is AccessKind.CALL or not definition.states:
        return
    surely = {(row.function, row.line) for state in definition.states for row in graph.accesses_of(state)}
    for rows, of in (
        (_unnamed(graph, definition.name), "of an unknown name"),
        (_of_instances(graph, definition.name), "of an instance"),
    ):
        for row in rows:
            if row.access is access and (row.function, row.line) not in surely:
                form = f"{row.form} {of}"
                yield Site(row.function, row.line, row.access, form, row.restore, row.guard, is_sure=False)


def _of_instances(graph: CallGraph, name: str) -> list[Access]:
    """What accesses an attribute of some instance of a class, when the state is that of one of its objects.

    A constructor accesses those of the new instance.
    """
    owner, _, attribute = name.rpartition(".")
    names = [f"{base}.{attribute}" for row in graph.classes_of(owner) for base in row.mro]
    rows = [row for name in names for state in graph.states_named(name) for row in graph.accesses_of(state)]
    return [row for row in rows if graph.texts[graph.function_last[row.function]] not in _CONSTRUCTORS]


def _unnamed(graph: CallGraph, name: str) -> list[Access]:
    """What accesses some attribute, or item, of the object that a state is part of, its name not being known."""
    whole, bracket, _ = name.partition("[")
    if not bracket:
        # Of some instance of a class, nearly all that is written so (by its `__setattr__`) is something else.
        states = graph.states_named(f"{name.rpartition('.')[0]}.*")
        states = [state for state in states if graph.state(state).kind != _INSTANCE]
        return [row for state in states for row in graph.accesses_of(state)]
    found = [row for state in graph.states_named(f"{whole}[*]") for row in graph.accesses_of(state)]
    # Every access of an item is one of the whole too; the others are of all items.
    by_key = {
        (row.function, row.line) for state in _states_beginning(graph, f"{whole}[") for row in graph.accesses_of(state)
    }
    rows = [row for state in graph.states_named(whole) for row in graph.accesses_of(state)]
    return found + [row for row in rows if (row.function, row.line) not in by_key]


def _states_beginning(graph: CallGraph, start: str) -> Iterator[int]:
    position = bisect_left(graph.state_order, start, key=graph.state_names.__getitem__)
    for state in graph.state_order[position:]:
        if not graph.state_names[state].startswith(start):
            return
        yield state


def _call_sites(graph: CallGraph, definition: Definition) -> Iterator[Site]:
    """The edges that enter the function, or the class's own constructors."""
    functions = definition.functions or definition.constructors(graph, inherited=False)
    if not functions and not definition.states:
        raise DeepgrepError(
            f"class {definition.name} has no __init__ of its own in the analyzed sources, so its construction cannot "
            f"be told from that of its base: ask about one of its methods, or the __init__ that it inherits"
        )
    for function in functions:
        for edge in graph.in_edges(function):
            row = graph.edge(edge)
            if row.via is Via.SAME:  # no call: the function itself, in a context
                continue
            yield Site(row.caller, row.line, AccessKind.CALL, row.via, False, row.guard, edge)


def _ref(graph: CallGraph, definition: Definition, access: AccessKind) -> TargetRef:
    states = [graph.state(state) for state in definition.states]
    if not states or (access is AccessKind.CALL and _can_be(graph, definition, access)):
        is_class = definition.class_row is not None and not definition.functions
        return TargetRef(definition.name, "class" if is_class else "function", "", access)
    # A state that code replaces says more than the native function of the same name.
    state = next((state for state in states if state.kind != "function"), states[0])
    return TargetRef(definition.name, state.kind, Scopes(graph).of(state).scope, access)


def _nothing(graph: CallGraph, definition: Definition, ref: TargetRef) -> str:
    """That no place accesses the target so, and what does happen to it."""
    others = [row.access for state in definition.states for row in graph.accesses_of(state)]
    counts = [f"{others.count(kind)} with --access {kind}" for kind in AccessKind if kind in others]
    there = f"; there are {', '.join(counts)}" if counts else ""
    return f"nothing in the analyzed sources {VERBS[ref.access]} {ref.name}{there}"
