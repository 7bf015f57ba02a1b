"""Which locks are held: at a line, and on every path to a function (must-hold lock sets, as in Eraser and RacerX)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import AccessKind, Guard
from deepgrep.questions.guards import is_lock
from deepgrep.questions.race_answers import Lock

NO_LOCKS: frozenset[Lock] = frozenset()
_ASSIGNMENTS = frozenset({"global", "attribute"})


class Locks:
    """The locks of a graph."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._chains: dict[int, dict[int, Lock]] = {-1: {}}

    def around(self, function: int, guard: int) -> dict[int, Lock]:
        """The locks that are held under a guard of a function, each by the guard that takes it."""
        known = self._chains.get(guard)
        if known is None:
            row = self._graph.guard(guard)
            known = self.around(function, row.parent)
            if row.kind == "with" and (lock := self._lock(function, row)) is not None:
                known = {**known, guard: lock}
            self._chains[guard] = known
        return known

    def at(self, function: int, guard: int) -> frozenset[Lock]:
        """The locks that are held under a guard of a function."""
        found = self.around(function, guard)
        return frozenset(found.values()) if found else NO_LOCKS

    def on_every_path(
        self, functions: Iterable[int], is_start: Callable[[int], bool], takes: Callable[[int, int], bool]
    ) -> dict[int, frozenset[Lock]]:
        """The locks that are held whenever one of some functions is entered.

        The greatest solution of: a start holds none; any other function what all its callers hold, each with what it
        holds around the call. What nothing calls counts as a start.

        Args:
            functions: those that are asked about.
            is_start: whether a function can be entered from outside.
            takes: whether an edge, given with its caller, can be taken.
        """
        callers: dict[int, list[tuple[int, frozenset[Lock]]]] = {}
        held: dict[int, frozenset[Lock] | None] = {}
        bare: set[int] = set()

        def entering(function: int) -> list[tuple[int, frozenset[Lock]]]:
            if function not in callers:
                callers[function] = list(self._entering(function, takes))
            return callers[function]

        def is_bare(function: int) -> bool:
            """Whether a start leads here without a lock: the search ends at the first one."""
            seen, waiting = {function}, [function]
            for current in waiting:  # grows as it is walked
                if current in bare or is_start(current) or not entering(current):
                    bare.add(function)
                    return True
                for caller, locks in entering(current):
                    if not locks and caller not in seen:
                        seen.add(caller)
                        waiting.append(caller)
            return False

        waiting = list(dict.fromkeys(functions))
        for function in waiting:  # grows as it is walked
            if function not in held:
                held[function] = NO_LOCKS if is_bare(function) else None
                if held[function] is None:
                    waiting += [caller for caller, _ in entering(function)]
        open_functions = [function for function, locks in held.items() if locks is None]
        changed = True
        while changed:
            changed = False
            for function in open_functions:
                sets = [before | locks for caller, locks in entering(function) if (before := held[caller]) is not None]
                new = frozenset.intersection(*sets) if sets else None
                if new != held[function]:
                    held[function] = new
                    changed = True
        # Functions that only call each other are never entered.
        return {function: locks or NO_LOCKS for function, locks in held.items()}

    def _entering(self, function: int, takes: Callable[[int, int], bool]) -> Iterator[tuple[int, frozenset[Lock]]]:
        graph = self._graph
        start, end = graph.in_start[function], graph.in_start[function + 1]
        for caller, edge in zip(graph.in_caller[start:end], graph.in_edge[start:end], strict=True):
            if caller != function and takes(caller, edge):
                yield caller, self.at(caller, graph.edge_guard[edge])

    def _is_replaced(self, name: str) -> bool:
        """Whether a function assigns another lock: two threads may then hold two."""
        graph = self._graph
        return any(
            access.access is AccessKind.WRITE
            and access.form in _ASSIGNMENTS
            and not graph.function_names[access.function].endswith(".<module>")
            for state in graph.states_named(name)
            for access in graph.accesses_of(state)
        )

    def _lock(self, function: int, row: Guard) -> Lock | None:
        """The lock that a `with` takes, or None where it takes none."""
        graph = self._graph
        here = [access for access in graph.accesses_in(function) if access.line == row.line]
        states = [graph.state(access.state) for access in here]
        text = row.text.rpartition(".")[2]
        named = sorted(
            {state for state in states if state.kind != "function" and state.name.rpartition(".")[2] == text},
            key=lambda state: (state.kind == "instance attribute", state.name),
        )
        entered = any(
            state.kind == "function" and state.name.endswith(".__enter__") and is_lock(state.name) for state in states
        )
        if not is_lock(row.text) and not (entered and named):
            return None
        if named:
            name = named[0].name
            return Lock(name, may_differ=named[0].kind == "instance attribute" or self._is_replaced(name))
        full = f"{graph.module(function)}.{row.text}"
        full = graph.alias(full) or full
        if graph.states_named(full):
            return Lock(full, may_differ=self._is_replaced(full))
        return Lock(f"{row.text} in {graph.function_names[function]}", may_differ=True)
