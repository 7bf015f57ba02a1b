"""What has already happened when a function is called: its module was imported, and the object it is called on made.

A module's body runs once. So the bodies that importing the root's module has run cannot run again, and an import of
one of them leads nowhere; and the instances they made exist, which meets requirements. So does what the constructor of
a method's object has made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from deepgrep.graph.callgraph import CallGraph


class History:
    """What ran before the root: what importing some modules runs, and some functions."""

    def __init__(
        self, graph: CallGraph, imported: Collection[str], called: Iterable[int] = (), handed: Iterable[str] = ()
    ) -> None:
        """`handed`: the classes of which the root's caller hands it instances."""
        self._graph = graph
        self._handed = tuple(handed)
        self._imported = imported
        self._called = tuple(called)
        self.ran = _bodies_run_by_import(graph, imported, if_always=True)
        """The module bodies that have run."""

    @cached_property
    def handed(self) -> frozenset[int]:
        """The requirements that what the root is handed meets: that a class, or one above it, has an instance."""
        graph = self._graph
        rows = [row for name in self._handed for row in graph.classes_named(name)]
        names = {name for row in rows for name in (row.name, *row.mro)}
        return frozenset(requirement for name in names for requirement in graph.requirements_of(name))

    def meets(self, requirement: int) -> bool:
        """Whether a requirement was met before the root: by what it is handed, or by what was made."""
        return requirement in self.handed or any(map(self.made.__getitem__, self._graph.requirement(requirement)))

    @cached_property
    def made(self) -> bytearray:
        """1 for each function that has certainly been called by then, module bodies included: what they made exists.

        Only over certain edges that stand under no `if`: over all of them, importing torch would seem to have entered
        every mode there is. Modules that are imported under an `if` count (`if is_available():`): that their code is
        reached shows that they were.
        """
        graph = self._graph
        starts, callees, requires = graph.sure_start, graph.sure_callee, graph.sure_requires
        bodies = _bodies_run_by_import(graph, self._imported, if_always=False)
        inside, order = bytearray(graph.function_count), sorted({*bodies, *self._called})
        for body in order:
            inside[body] = 1
        waiting: dict[int, list[int]] = {}
        while order:
            for function in order:  # grows as it is walked
                start, end = starts[function], starts[function + 1]
                for callee, needed in zip(callees[start:end], requires[start:end], strict=True):
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


def imported_before(graph: CallGraph, functions: Collection[int]) -> tuple[str, ...]:
    """The modules that were imported before some functions are called: their own; none if one is a module body."""
    modules = sorted({graph.module(function) for function in functions})
    return () if any(graph.module_body(module) in functions for module in modules) else tuple(modules)


def _bodies_run_by_import(graph: CallGraph, modules: Iterable[str], *, if_always: bool) -> frozenset[int]:
    """The bodies that importing some modules runs; those under an `if` among them, or not."""
    bodies = [body for module in modules if (body := graph.module_body(module)) is not None]
    seen = set(bodies)
    places = {body: place for place, body in enumerate(graph.body_function)}
    starts, imports, always = graph.body_start, graph.body_import, graph.body_always
    for body in bodies:  # grows as it is walked
        place = places[body]
        start, end = starts[place], starts[place + 1]
        for imported, is_always in zip(imports[start:end], always[start:end], strict=True):
            if imported not in seen and (is_always or not if_always):
                seen.add(imported)
                bodies.append(imported)
    return frozenset(seen)
