"""Windows: from the write of a state whose value was saved, to the write that puts the saved value back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import AccessKind, Via
from deepgrep.questions.race_answers import WithUse
from deepgrep.questions.statements import Statements
from deepgrep.questions.targets import Site

_ENTER = frozenset({"__enter__", "__aenter__"})
_LEAVE = frozenset({"__exit__", "__aexit__"})
_OPENS_ELSEWHERE = _ENTER | {"__init__", "__new__", "__post_init__"}


@dataclass(frozen=True, slots=True)
class Body:
    """A function in all its contexts, with its accesses of the state by line."""

    name: str
    file: str
    functions: tuple[int, ...]
    sites: list[Site] = field(default_factory=list)

    @property
    def last(self) -> str:
        """Its own name."""
        return self.name.rpartition(".")[2]

    @property
    def owner(self) -> str:
        """The class or function that it is in."""
        return self.name.rpartition(".")[0].removesuffix(".<locals>")


@dataclass(frozen=True, slots=True)
class RawWindow:
    """A window as the graph has it.

    Attributes:
        opens: where it is opened: the write, or the save where no write follows that.
        save_line: of the save, or 0.
        closes: the restore.
        writes: whether `opens` is a write.
    """

    start: Body
    opens: Site
    save_line: int
    end: Body
    closes: Site
    writes: bool


def bodies(graph: CallGraph, sites: Iterable[Site]) -> list[Body]:
    """The accessing functions, by file and line."""
    found: dict[tuple[str, int], Body] = {}
    for site in sorted(sites, key=lambda site: (site.line, site.access, site.function)):
        key = graph.function_names[site.function], graph.function_line[site.function]
        if key not in found:
            alike = [f for f in graph.functions_named(key[0]) if graph.function_line[f] == key[1]]
            file = graph.texts[graph.function_file[site.function]]
            found[key] = Body(key[0], file, tuple(alike))
        found[key].sites.append(site)
    return sorted(found.values(), key=lambda body: (body.file, body.functions))


def windows(found: list[Body], statements: Statements, state: str) -> list[RawWindow]:
    """The windows of a state, by its accessing functions."""
    result: list[RawWindow] = []
    for part in dict.fromkeys(_part(site) for body in found for site in body.sites if _is_restore(site)):
        of_part = [replace(body, sites=[site for site in body.sites if _part(site) in (part, "")]) for body in found]
        for body in of_part:
            restores = [site for site in body.sites if _is_restore(site) and _part(site) == part]
            if restores:
                here = list(_within(body, statements, state))
                result += here or _across(body, restores[-1], of_part, statements, state)
    return result


def _part(site: Site) -> str:
    """The attribute that is accessed of the object that a state is; "" where it is the state itself."""
    word, _, attribute = site.form.partition(" ")
    return attribute if word == "attribute" and " " not in attribute else ""


def _within(body: Body, statements: Statements, state: str) -> Iterable[RawWindow]:
    """The windows that a function opens and closes itself."""
    opened: Site | None = None
    closed: Site | None = None
    for site in [*body.sites, None]:
        if site is None or (_is_write(site) and closed is not None):
            if opened is not None and closed is not None:
                save = _save_line(body, opened, closed, statements, state)
                yield RawWindow(body, opened, save, body, closed, writes=True)
            opened = closed = None
        if site is None:
            return
        if _is_restore(site):
            closed = site
        elif _is_write(site) and opened is None and closed is None:
            opened = site
    return


def _across(body: Body, restore: Site, found: list[Body], statements: Statements, state: str) -> Iterable[RawWindow]:
    """The window that a function closes and another one opens: `__enter__`, or the function that it is nested in.

    If none is known to write, the value is only saved: what others write until the restore is undone.
    """
    others = [other for other in found if other is not body and _opens_for(other, body)]
    # Who saves the value is more likely to open the window than who only writes it.
    others.sort(key=lambda other: (not _reads(other), other.last not in _ENTER))
    for other in others:
        writes = [site for site in other.sites if _is_write(site) and site.is_sure]
        if writes:
            before = (site.line for site in _reads(other) if site.line <= writes[0].line)
            yield RawWindow(other, writes[0], max(before, default=0), body, restore, writes=True)
            return
    reads = [site for site in _reads(body) if site.line < restore.line]
    saved = statements.written(body.file, restore.line, state)
    saves = [site for site in reads if statements.saves(body.file, site.line, saved)] or reads[-1:]
    if saves:
        yield RawWindow(body, saves[0], saves[0].line, body, restore, writes=False)
        return
    for other in others:
        if reads := _reads(other):
            yield RawWindow(other, reads[0], reads[0].line, body, restore, writes=False)
            return


def _opens_for(other: Body, body: Body) -> bool:
    if other.name == body.owner:
        return True
    return other.owner == body.owner and other.last in _OPENS_ELSEWHERE and body.last not in _OPENS_ELSEWHERE


def _reads(body: Body) -> list[Site]:
    return [site for site in body.sites if site.access is AccessKind.READ]


def _is_restore(site: Site) -> bool:
    return site.access is AccessKind.WRITE and site.restore and site.is_sure


def _is_write(site: Site) -> bool:
    return site.access is AccessKind.WRITE and not site.restore and site.is_sure


def _save_line(body: Body, opened: Site, closed: Site, statements: Statements, state: str) -> int:
    """The line that reads what is put back later: if that can be told, the one that assigns what the restore writes."""
    reads = [site.line for site in _reads(body) if site.line <= opened.line]
    saved = statements.written(body.file, closed.line, state)
    saves = [line for line in reads if statements.saves(body.file, line, saved)]
    return max(saves or reads, default=0)


def calls_within(graph: CallGraph, window: RawWindow) -> list[str]:
    """What a function calls between the two lines of a window, by line; nothing where they are in two functions."""
    if window.start is not window.end:
        return []
    return _callees(
        graph,
        [
            edge
            for function in window.start.functions
            for edge in graph.out_edges(function)
            if window.opens.line < graph.edge_line[edge] < window.closes.line
        ],
    )


def with_uses(graph: CallGraph, window: RawWindow, statements: Statements) -> list[WithUse]:
    """The `with` statements whose body is part of a window, and the functions that it decorates."""
    if window.start is not window.end:
        ends = window.end.functions if window.end.last in _LEAVE else ()
    elif window.start.last in _ENTER or not statements.yields(window.start.file, window.opens.line, window.closes.line):
        ends = ()
    else:
        ends = window.start.functions
    found: dict[tuple[str, int, str], WithUse] = {}
    waiting = list(ends)
    for function in waiting:  # grows as it is walked
        for edge in graph.in_edges(function):
            if KINDS[graph.edge_kind[edge]][0] is not Via.WITH:
                continue
            row = graph.edge(edge)
            caller = graph.function(row.caller)
            if (
                row.caller not in waiting
                and caller.qualname.rpartition(".")[2] not in _ENTER
                and statements.yields_under(caller.file, row.line)
            ):
                # A generator that yields under this `with`: where that is entered in turn, its body belongs here too.
                waiting.append(row.caller)
            key = caller.file, row.line, caller.name
            calls = _callees(graph, list(_under_with(graph, row.caller, row.line)))
            if key in found:
                calls = list(dict.fromkeys([*found[key].calls, *calls]))
            found[key] = WithUse(caller.name, caller.file, row.line, calls)
    return [found[key] for key in sorted(found)]


def _under_with(graph: CallGraph, function: int, line: int) -> Iterator[int]:
    """The edges that leave a function in the body of the `with` at a line."""
    for edge in graph.out_edges(function):
        chain = graph.guard_chain(graph.edge_guard[edge])
        if any(guard.kind == "with" and guard.line == line for guard in chain) and graph.edge_line[edge] != line:
            yield edge


def _callees(graph: CallGraph, edges: list[int]) -> list[str]:
    """The names of what edges lead to, by line."""
    kept = [edge for edge in edges if KINDS[graph.edge_kind[edge]][0] is not Via.SAME]
    kept.sort(key=lambda edge: (graph.edge_line[edge], edge))
    return list(dict.fromkeys(graph.function_names[graph.edge_callee[edge]] for edge in kept))
