"""The public functions that lead to a place: what a user's thread can be in when it gets there.

A function is public if no part of its name begins with an underscore (those of special methods aside), or if it or its
class is re-exported under such a name. Nested functions and lambdas are not: nobody can call them by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.costs import COST
from deepgrep.graph.kinds import IMPORT, KINDS
from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.allowed import Allowed
from deepgrep.questions.race_answers import EntryPoint

_SAME = bytes(via is Via.SAME for via, _ in KINDS)
_DOUBT = bytes(list(Certainty).index(certainty) for _, certainty in KINDS)
_CERTAINTIES = tuple(Certainty)


class EntryPoints:
    """The public functions of a graph, and of what they call what the filters of a question let pass."""

    def __init__(self, graph: CallGraph, allowed: Allowed) -> None:
        self._graph = graph
        self._allowed = allowed
        self._names: dict[int, str] = {}

    def public_name(self, function: int) -> str:
        """The name under which users call a function; "" where they do not."""
        if function not in self._names:
            self._names[function] = self._public_name(function)
        return self._names[function]

    def is_public(self, function: int) -> bool:
        """Whether users call a function."""
        return bool(self.public_name(function))

    def nearest(self, function: int, wanted: int) -> list[EntryPoint]:
        """The least doubtful and nearest entry points of a function, at most `wanted`; of contexts, the best."""
        graph = self._graph
        in_start, callers, edges, kinds = graph.in_start, graph.in_caller, graph.in_edge, graph.edge_kind
        allows = self._allowed.edge
        found: dict[str, EntryPoint] = {}
        cost = {function: 0}
        # Of each function, what it calls on the way, and by an edge of which kind, as one number: it is set often.
        way = {function: -1}
        levels: list[list[int]] = [[function]]

        def look_at(current: int) -> None:
            if cost[current] == level and (name := self.public_name(current)) and name not in found:
                row = graph.function(current)
                found[name] = EntryPoint(name, row.name, row.file, row.line, *_length(way, current))

        level = 0
        while level < len(levels):
            # All of a level are looked at before any is gone on from: the last level is the largest by far.
            known = len(levels[level])
            for current in levels[level]:
                look_at(current)
                if len(found) >= wanted:
                    return list(found.values())
            for position, current in enumerate(levels[level]):  # grows as it is walked, by contexts
                if cost[current] != level:
                    continue
                if position >= known:
                    look_at(current)
                start, end = in_start[current], in_start[current + 1]
                step = current * len(KINDS)
                for caller, edge in zip(callers[start:end], edges[start:end], strict=True):
                    kind = kinds[edge]
                    total = level + COST[kind]
                    if (caller in cost and total >= cost[caller]) or IMPORT[kind] or not allows(caller, edge):
                        continue
                    cost[caller] = total
                    way[caller] = step + kind
                    while len(levels) <= total:
                        levels.append([])
                    levels[total].append(caller)
            level += 1
        return list(found.values())[:wanted]

    def count(self, functions: Iterable[int]) -> int:
        """How many public functions lead to one of some functions."""
        graph = self._graph
        inside, order = bytearray(graph.function_count), list(dict.fromkeys(functions))
        for function in order:
            inside[function] = 1
        in_start, in_plain, callers = graph.in_start, graph.in_plain, graph.in_caller
        kinds, edges, allows = graph.edge_kind, graph.in_edge, self._allowed.edge
        for function in order:  # grows as it is walked
            plain = in_plain[function]
            for position, caller in enumerate(callers[in_start[function] : plain], in_start[function]):
                if not inside[caller] and allows(caller, edges[position]):
                    inside[caller] = 1
                    order.append(caller)
            for position in range(plain, in_start[function + 1]):
                caller, edge = callers[position], edges[position]
                if not inside[caller] and not IMPORT[kinds[edge]] and allows(caller, edge):
                    inside[caller] = 1
                    order.append(caller)
        return len({name for function in order if (name := self.public_name(function))})

    def _public_name(self, function: int) -> str:
        name = self._graph.function_names[function]
        if "<" in name or not self._graph.function_line[function]:
            return ""
        if _is_public(name):
            return name
        # The function itself, its class, the class around that, ...
        module = self._graph.module(function)
        whole, rest = name, ""
        while whole != module:
            if (alias := self._aliases.get(whole)) is not None and _is_public(alias + rest):
                return alias + rest
            whole, _, last = whole.rpartition(".")
            rest = f".{last}{rest}"
        return ""

    @cached_property
    def _aliases(self) -> dict[str, str]:
        """Of each definition that has some, its shortest public alias."""
        graph = self._graph
        found: dict[str, str] = {}
        for index, alias in enumerate(graph.alias_names):
            if not _is_public(alias):
                continue
            definition = graph.alias_definition(index)
            if (len(alias), alias) < (len(known := found.get(definition, alias)), known) or definition not in found:
                found[definition] = alias
        return found


def _length(way: dict[int, int], function: int) -> tuple[int, Certainty]:
    """How many calls a way has from a function on, and the certainty of the least certain."""
    distance = doubt = 0
    while (step := way[function]) >= 0:
        function, kind = divmod(step, len(KINDS))
        distance += not _SAME[kind]
        doubt = max(doubt, _DOUBT[kind])
    return distance, _CERTAINTIES[doubt]


def _is_public(name: str) -> bool:
    return f".{name}".find("._") < 0 or all(
        not part.startswith("_") or (part.startswith("__") and part.endswith("__")) for part in name.split(".")
    )
