"""Windows: from the write of a state whose value was saved, to the write that puts the saved value back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import AccessKind, Via
from deepgrep.questions.parts import Parts
from deepgrep.questions.race_answers import WithUse
from deepgrep.questions.statements import Statements
from deepgrep.questions.targets import Site

_ENTER = frozenset({"__enter__", "__aenter__"})
_LEAVE = frozenset({"__exit__", "__aexit__"})
_LINES_OF_A_SAVE = 3
_OPENS_ELSEWHERE = _ENTER | {"__init__", "__new__", "__post_init__"}


@dataclass(frozen=True, slots=True)
class Body:
    """A function in all its contexts, with its accesses of the state by line."""

    name: str
    file: str
    line: int
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
            found[key] = Body(key[0], file, key[1], tuple(alike))
        found[key].sites.append(site)
    return sorted(found.values(), key=lambda body: (body.file, body.functions))


def with_told_restores(graph: CallGraph, sites: Sequence[Site], statements: Statements) -> list[Site]:
    """The accesses, where the source tells it better what is a restore.

    None is what writes a state from itself (`x = x or y`). One is what pops the value from where the same function or
    class pushed it, `flag = self.saved.pop()`, and what gives back what a write returned, `old = set_flag(x)`.
    """
    writes = {(site.function, site.line) for site in sites if site.access is AccessKind.WRITE}

    def file(site: Site) -> str:
        return graph.texts[graph.function_file[site.function]]

    def owner(site: Site) -> str:
        return graph.function_names[site.function].rpartition(".")[0]

    def gives_back(site: Site) -> bool:
        begin = graph.function_line[site.function]
        save = statements.save_line(file(site), site.line, begin, site.line - 1)
        return (site.function, save) in writes and statements.gives_back(file(site), site.line, save)

    def is_popped(site: Site) -> bool:
        stack = statements.popped(file(site), site.line)
        return bool(stack) and any(
            other.access is AccessKind.READ
            and owner(other) == owner(site)
            and statements.pushes(file(other), other.line, stack)
            for other in sites
        )

    def is_restore(site: Site) -> bool:
        if site.restore:
            return not statements.rewrites(file(site), site.line)
        return gives_back(site) if site.form.endswith("call") else is_popped(site)

    return [
        replace(site, restore=is_restore(site)) if site.access is AccessKind.WRITE and site.is_sure else site
        for site in sites
    ]


def windows(found: list[Body], statements: Statements, parts: Parts) -> list[RawWindow]:
    """The windows of a state, by its accessing functions; those of each of its parts apart."""
    result: list[RawWindow] = []
    for part in dict.fromkeys(parts.of(site) for body in found for site in body.sites if _is_restore(site)):
        of_part = [replace(body, sites=[site for site in body.sites if parts.of(site) in (part, "")]) for body in found]
        for body in of_part:
            restores = [site for site in body.sites if _is_restore(site) and parts.of(site) == part]
            if restores:
                here = list(_within(body, statements))
                result += here or _across(body, restores[-1], of_part, statements)
    return result


def _within(body: Body, statements: Statements) -> Iterable[RawWindow]:
    """The windows that a function opens and closes itself."""
    for writes, restore in _runs(body.sites):
        opens = next(iter(writes), restore)
        save = statements.save_line(body.file, restore.line, body.line, opens.line)
        if not save and (later := statements.save_line(body.file, restore.line, opens.line, restore.line - 1)):
            # What was written before the save is no part of it.
            save, writes = later, [site for site in writes if site.line >= later]
        if writes:
            yield RawWindow(body, writes[0], save, body, restore, writes=True)
        elif saved := _reads_at(body, save, restore.line - 1):
            yield RawWindow(body, saved[0], save, body, restore, writes=False)


def _runs(sites: Sequence[Site]) -> Iterator[tuple[list[Site], Site]]:
    """The writes of a function up to each restore after which there is a write again, or nothing."""
    writes: list[Site] = []
    restore: Site | None = None
    for site in sites:
        if _is_restore(site):
            restore = site
        elif _is_write(site):
            if restore is not None:
                yield writes, restore
                writes, restore = [], None
            writes.append(site)
    if restore is not None:
        yield writes, restore


def _across(body: Body, restore: Site, found: list[Body], statements: Statements) -> Iterable[RawWindow]:
    """The window that a function closes and another one opens: `__enter__`, or the function that it is nested in.

    If none is known to write, the value is only saved: what others write until the restore is undone.
    """
    others = [other for other in found if other is not body and _opens_for(other, body)]
    # Who saves the value is more likely to open the window than who only writes it.
    others.sort(key=lambda other: (not _reads(other), other.last not in _ENTER))
    for other in others:
        if writes := [site for site in other.sites if _is_write(site)]:
            save = statements.save_line(body.file, restore.line, other.line, writes[0].line)
            yield RawWindow(other, writes[0], save, body, restore, writes=True)
            return
    for other in others:
        last = max(site.line for site in other.sites)
        save = statements.save_line(body.file, restore.line, other.line, last)
        if saved := _reads_at(other, save, last):
            yield RawWindow(other, saved[0], save, body, restore, writes=False)
            return


def _reads_at(body: Body, save: int, last: int) -> list[Site]:
    """The reads of the statement that saves the value at a line, if there is one."""
    return [site for site in _reads(body) if save and save <= site.line <= min(save + _LINES_OF_A_SAVE, last)]


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


def with_uses(
    graph: CallGraph, window: RawWindow, statements: Statements, takes: Callable[[int, int], bool]
) -> list[WithUse]:
    """The `with` statements whose body is part of a window, and the functions that it decorates.

    Args:
        graph: the graph.
        window: the window.
        statements: the source.
        takes: whether an edge, given with its caller, can be taken.
    """
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
            if not takes(row.caller, edge):
                continue
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
