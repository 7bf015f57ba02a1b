"""What an answer of `reach` rests on: what could not be followed, what is assumed, what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from deepgrep.graph.backward import could_reach
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind
from deepgrep.graph.slices import ForwardSlice
from deepgrep.questions.answers import Lead, NativeExitRef, Removed
from deepgrep.questions.leads import count_blind_spots, count_native_exits, leads, native_exits
from deepgrep.questions.roots import Root
from deepgrep.questions.targets import Site, Target

_NAMED = 6

_UNLISTED = NativeExitRef("", "", 0, "")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer rests on; leads and open parameters are given for a null result.

    Attributes:
        open_calls: as of `ReachAnswer`.
    """

    leads: list[Lead]
    lead_count: int
    native_exits: list[NativeExitRef]
    blind_spots: int
    open_calls: int
    assumptions: list[str]
    removed: list[Removed]
    open_parameters: list[str]
    notes: list[str]


def evidence(
    graph: CallGraph, root: Root, reached: ForwardSlice, target: Target, found: bool, *, brief: bool = False
) -> Evidence:
    """What an answer rests on.

    Args:
        graph: the graph.
        root: where paths begin.
        reached: what it reaches.
        target: where they end.
        found: whether there is a path.
        brief: as of `reach.answer`.
    """
    sites = list(target.sites)
    could = bytearray()
    if not found or reached.values is not None:
        could = could_reach(graph, (site.function for site in sites), reached)
    exits = count_native_exits(graph, reached) * [_UNLISTED] if found and brief else native_exits(graph, reached)
    blind, unnamed = count_blind_spots(graph, reached)
    cut_off = removed(graph, reached, sites, could)
    withheld = [] if found else _withheld(graph, reached, sites, could)
    assumed = list(_assumptions(graph, root, reached, withheld, could, found))
    if found:
        return Evidence([], 0, exits, blind, 0, assumed, cut_off, [], [])
    unresolved = leads(graph, reached, could)
    notes = list(unresolved.notes)
    unnamed = unnamed if any(could) or _is_unmentioned(graph, target) else 0
    if unnamed:
        notes.append(f"{unnamed} of the {blind} blind spots call a value that has no name: what that is, is not known")
    computed = _computed_by(graph, target) if target.ref.access is AccessKind.WRITE else []
    if computed:
        notes.append(
            f"{target.ref.name} is computed by {' and '.join(computed)} when it is read: "
            f"what changes that, changes it too, and is not searched for"
        )
    return Evidence(
        leads=unresolved.shown,
        lead_count=unresolved.count,
        native_exits=exits,
        blind_spots=blind,
        open_calls=unnamed + sum(one.is_open for one in withheld) + len(computed),
        assumptions=assumed,
        removed=cut_off,
        open_parameters=_open_parameters(graph, root, reached),
        notes=notes,
    )


def _is_unmentioned(graph: CallGraph, target: Target) -> bool:
    """Whether the target is code outside of the sources that none of them calls: a value could still be it."""
    is_called = target.ref.access is AccessKind.CALL and not target.sites
    return is_called and not graph.functions_named(target.ref.name) and not graph.classes_named(target.ref.name)


def _open_parameters(graph: CallGraph, root: Root, reached: ForwardSlice) -> list[str]:
    """The root's parameters that are called, but for those that are assumed to hold a constant."""
    if root.is_code:
        return []
    assumed = reached.restriction.assumptions
    parameters = [p for function in root.functions for p in graph.function(function).parameters if p.is_called]
    return list(dict.fromkeys(p.name for p in parameters if assumed is None or p.name not in assumed.parameters))


def _computed_by(graph: CallGraph, target: Target) -> list[str]:
    """What computes an attribute of an object: a property of its class, or `__getattr__`."""
    owner, _, name = target.ref.name.rpartition(".")
    classes = dict.fromkeys(base for row in graph.classes_of(owner) for base in row.mro)
    methods = [f"{cls}.{method}" for cls in classes for method in (name, "__getattr__", "__getattribute__")]
    return [method for method in methods if graph.functions_named(method)]


@dataclass(frozen=True, slots=True)
class _Withheld:
    """A call that would lead on if what it requires were met.

    Attributes:
        callee: what it would lead to.
        cls: the class of which it requires an instance; "" if it requires something else.
        is_open: whether the root may well be handed such an object: not a method of one, but what is done where a
            value turns out to be one.
    """

    callee: int
    cls: str
    is_open: bool


def _withheld(graph: CallGraph, reached: ForwardSlice, sites: list[Site], could: bytearray) -> list[_Withheld]:
    """The calls that would lead on to where the target is accessed."""
    accessing = {site.edge for site in sites}
    waiting = [edge for edge in reached.waiting(graph) if could[graph.edge_callee[edge]] or edge in accessing]
    required = graph.required_classes() if waiting else {}
    found = []
    for edge in waiting:
        callee = graph.edge_callee[edge]
        own = _class(graph, callee)
        found.append(_Withheld(callee, own or required.get(graph.edge_requires[edge], ""), is_open=not own))
    return found


def _assumptions(
    graph: CallGraph,
    root: Root,
    reached: ForwardSlice,
    withheld: list[_Withheld],
    could: bytearray,
    found: bool,
) -> Iterator[str]:
    """What the answer takes for granted, as far as it matters for it."""
    if found or any(could[body] for body in reached.history.ran):
        yield from imported_before(root, reached)
    if graph.skipped:
        yield f"the {len(graph.skipped)} files that could not be read hold nothing that matters"
    if found:
        return
    of_classes = [one.cls for one in withheld if one.cls]
    if of_classes:
        named = _some(of_classes, "classes")
        yield (
            f"the caller passes in no instance of {named}, and has entered no mode of them: {_calls(of_classes)} "
            f"would lead on if it did, as nothing that is reached makes one"
        )
    others = [graph.function_names[one.callee] for one in withheld if not one.cls]
    if others:
        named = _some(others, "functions")
        yield (
            f"the caller has neither made nor registered {named}: {_calls(others)} would lead to one, as nothing "
            f"that is reached does so"
        )
    if len(reached.order) > 1 and any(could):
        yield "the caller has replaced no function or class that is reached (no monkeypatching from outside)"


def imported_before(root: Root, reached: ForwardSlice) -> list[str]:
    """That the modules which count as imported before the root are not run again; nothing where there are none."""
    ran = len(reached.history.ran)
    if not ran:
        return []
    has = "has" if len(root.imported) == 1 else "have"
    again = f"the {ran:,} modules that this runs are" if ran > 1 else "the module that this runs is"
    return [f"{', '.join(root.imported)} {has} been imported: {again} not run again"]


def _class(graph: CallGraph, function: int) -> str:
    """The class that a method is of; "" for a function that is no method."""
    owner = graph.function_names[function].rpartition(".")[0]
    return owner if graph.classes_named(owner) else ""


def _calls(callees: Sequence[str]) -> str:
    return "1 call" if len(callees) == 1 else f"{len(callees)} calls"


def _some(names: Iterable[str], kind: str) -> str:
    """A few of some names, and how many more there are."""
    distinct = list(dict.fromkeys(names))
    more = f" and {len(distinct) - _NAMED} more {kind}" if len(distinct) > _NAMED else ""
    return ", ".join(distinct[:_NAMED]) + more


def removed(
    graph: CallGraph, reached: ForwardSlice, sites: Iterable[Site] = (), could: bytes | bytearray = b""
) -> list[Removed]:
    """The conditions that cannot hold by what is assumed: first those that keep the root from the target.

    Args:
        graph: the graph.
        reached: what the root reaches.
        sites: every place that accesses the target.
        could: 1 for each function that leads to the target; empty where there is none.
    """
    values = reached.values
    if values is None:
        return []
    leads_on: dict[tuple[int, int], bool] = {}
    for edge, guard in reached.impossible.items():
        callee = graph.edge_callee[edge]
        on = bool(could) and bool(could[callee]) and not reached.inside[callee]
        place = graph.caller(edge), guard
        if not reached.inside[place[0]]:  # too far away
            continue
        leads_on[place] = leads_on.get(place, False) or on
    for site in sites:
        if reached.inside[site.function] and site.edge < 0:
            guard = values.blocking(site.function, site.guard)
            if guard >= 0:
                leads_on[site.function, guard] = True
    rank = {function: i for i, function in enumerate(reached.order)}
    found: dict[tuple[str, int, str], Removed] = {}
    for function, guard in sorted(leads_on, key=lambda place: (not leads_on[place], rank[place[0]], place[1])):
        row = graph.guard(guard)
        file = graph.texts[graph.function_file[function]]
        # Of a function's contexts, the first.
        found.setdefault(
            (file, row.line, row.text),
            Removed(
                function=graph.function_names[function],
                file=file,
                line=row.line,
                condition=row.text,
                why=" and ".join(values.because(function, guard)),
                leads_on=leads_on[function, guard],
            ),
        )
    return list(found.values())
