"""What has already happened when a function is called: its module was imported, and the object it is called on made.

A module's body runs once. So the bodies that importing the root's module has run cannot run again, and an import of
one of them leads nowhere; and the instances they made exist, which meets requirements. So does what the constructor of
a method's object has made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import CERTAIN, IMPORT


class History:
    """What ran before the root: what importing some modules runs, and some functions."""

    def __init__(self, graph: CallGraph, imported: Collection[str], called: Iterable[int] = ()) -> None:
        self._graph = graph
        self._imported = imported
        self._called = tuple(called)
        self.ran = _bodies_run_by_import(graph, imported, _always)
        """The module bodies that have run."""

    @cached_property
    def made(self) -> bytearray:
        """1 for each function that has certainly been called by then, module bodies included: what they made exists.

        Only over certain edges that stand under no `if`: over all of them, importing torch would seem to have entered
        every mode there is. Modules that are imported under an `if` count (`if is_available():`): that their code is
        reached shows that they were.
        """
        graph = self._graph
        bodies = _bodies_run_by_import(graph, self._imported, _perhaps)
        inside, order = bytearray(graph.function_count), sorted({*bodies, *self._called})
        for body in order:
            inside[body] = 1
        waiting: dict[int, list[int]] = {}
        while order:
            for function in order:  # grows as it is walked
                for callee, needed in _certain_callees(graph, function):
                    if inside[callee]:
                        continue
                    if needed:
                        waiting.setdefault(needed, []).append(callee)
                    else:
                        inside[callee] = 1
                        order.append(callee)
            met = [r for r in waiting if any(inside[member] for member in graph.requirement(r))]
            order = list(dict.fromkeys(callee for r in met for callee in waiting.pop(r) if not inside[callee]))
            for callee in order:
                inside[callee] = 1
        return inside


def _certain_callees(graph: CallGraph, function: int) -> Iterator[tuple[int, int]]:
    """Yield what a function that runs to its end has certainly called, with what each requires; 0 for nothing."""
    requires, kinds, guards, callees = graph.look("edge_requires"), graph.edge_kind, graph.edge_guard, graph.edge_callee
    certain = range(graph.out_start[function], graph.out_certain[function])  # in front of the others, and plain
    conditional = range(graph.out_plain[function], graph.out_start[function + 1])
    for edge in (*certain, *(edge for edge in conditional if CERTAIN[kinds[edge]])):
        if guards[edge] < 0 or _always(graph, guards[edge]):
            yield callees[edge], requires[edge]


def imported_before(graph: CallGraph, functions: Collection[int]) -> tuple[str, ...]:
    """The modules that were imported before some functions are called: their own; none if one is a module body."""
    modules = sorted({graph.module(function) for function in functions})
    return () if any(graph.module_body(module) in functions for module in modules) else tuple(modules)


def _bodies_run_by_import(
    graph: CallGraph, modules: Iterable[str], is_run: Callable[[CallGraph, int], bool]
) -> frozenset[int]:
    """The bodies that importing some modules runs; `is_run` tells whether an import under a guard is."""
    bodies = [body for module in modules if (body := graph.module_body(module)) is not None]
    seen, packages = set(bodies), {""}
    callees, kinds, guards, requires = graph.edge_callee, graph.edge_kind, graph.edge_guard, graph.look("edge_requires")
    for body in bodies:  # grows as it is walked
        found = [
            callees[edge]
            for edge in range(graph.out_plain[body], graph.out_start[body + 1])
            if IMPORT[kinds[edge]] and callees[edge] not in seen and not requires[edge] and is_run(graph, guards[edge])
        ]
        # Importing a.b.c runs a and a.b first, whether or not an edge says so.
        package = graph.module(body).rpartition(".")[0]
        while package not in packages:
            packages.add(package)
            found += graph.functions_named(f"{package}.<module>")
            package = package.rpartition(".")[0]
        for imported in found:
            if imported not in seen:
                seen.add(imported)
                bodies.append(imported)
    return frozenset(seen)


# What stands under one of these has run in a function that has run to its end: loops are taken to have something to do.
_PASSED = frozenset({"return", "for", "while", "with", "finally"})


def _perhaps(_graph: CallGraph, _guard: int) -> bool:
    return True


def _always(graph: CallGraph, guard: int) -> bool:
    """Whether a function that has run to its end has run what stands under a guard."""
    while guard >= 0 and graph.texts[graph.guard_kind[guard]] in _PASSED:
        guard = graph.guard_parent[guard]
    return guard < 0
