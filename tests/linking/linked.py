"""Small programs, linked: what the graph says of them, by names.

The module `m` is the one that a test is about: its names are given without `m.`.
A function in a context is `f [context]`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from textwrap import dedent

from deepgrep.facts import extract
from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.rows import AccessKind, Function, GraphRows, Via
from deepgrep.linking import LinkModule, link
from deepgrep.sources.tree import SourceFile, SourceTree


def link_sources(sources: str | dict[str, str]) -> Linked:
    """Link modules by name; a text alone is the module `m`. What has submodules is a package."""
    by_name = {"m": sources} if isinstance(sources, str) else sources
    modules = [_link_module(name, dedent(text), set(by_name)) for name, text in sorted(by_name.items())]
    files = tuple(module.source_file for module in modules)
    rows = link([SourceTree("m", "1.0", "", "d", Path(), files)], modules, [])
    assert all(-1 <= edge.guard < len(rows.guards) for edge in rows.edges)
    return Linked(rows)


def _link_module(name: str, text: str, names: set[str]) -> LinkModule:
    is_package = any(other.startswith(f"{name}.") for other in names)
    path = name.replace(".", "/") + ("/__init__.py" if is_package else ".py")
    data = text.encode()
    return LinkModule(SourceFile(path, name, hashlib.sha256(data).hexdigest(), is_package), extract(data))


class Linked:
    """The rows of a graph, by names."""

    def __init__(self, rows: GraphRows) -> None:
        self.rows = rows
        self.functions = [_label(function) for function in rows.functions]

    def graph(self) -> CallGraph:
        """The graph that questions read."""
        return CallGraph(pack(self.rows).__getitem__)

    def edges(self, caller: str) -> set[tuple[str, str, str]]:
        """What a function leads to, in all its contexts: (callee, via, certainty)."""
        self._check(caller)
        return {
            (self.functions[e.callee], str(e.via), str(e.certainty))
            for e in self.rows.edges
            if caller in (self.functions[e.caller], _without_context(self.functions[e.caller]))
            and e.via is not Via.SAME
        }

    def callees(self, caller: str) -> set[str]:
        """What a function leads to."""
        return {callee for callee, _, _ in self.edges(caller)}

    def passes(self, caller: str, callee: str) -> list[set[str]]:
        """What each edge from one function to another passes on: `parameter=constant`, `parameter<caller's own`."""
        self._check(caller)
        self._check(callee)
        return [
            {
                f"{self._parameter(e.callee, i)}<{self._parameter(e.caller, source)}"
                if isinstance(source, int)
                else f"{self._parameter(e.callee, i)}={source}"
                for i, source in e.passes
            }
            for e in self.rows.edges
            if (self.functions[e.caller], self.functions[e.callee]) == (caller, callee)
        ]

    def requires(self, caller: str, callee: str) -> set[str]:
        """What an edge requires: the functions of which one must be reached before it can be taken; none: nothing."""
        (edge,) = [
            e for e in self.rows.edges if (self.functions[e.caller], self.functions[e.callee]) == (caller, callee)
        ]
        return {self.functions[i] for i in edge.requires}

    def _parameter(self, function: int, index: int) -> str:
        return self.rows.functions[function].parameters[index].name

    def reached(self, root: str) -> set[str]:
        """What can be reached from a function, itself left out."""
        self._check(root)
        found = {root}
        queue = [root]
        while queue:
            caller = queue.pop()
            new = {self.functions[e.callee] for e in self.rows.edges if self.functions[e.caller] == caller} - found
            found |= new
            queue += new
        return found - {root}

    def writes(self, state: str) -> set[tuple[str, str]]:
        """Who writes a state, and how: (function, form). What puts back a saved value counts too."""
        return {(f, form) for f, kind, form, _ in self._accesses(state) if kind == AccessKind.WRITE}

    def writers(self, state: str) -> set[str]:
        """Who writes a state."""
        return {function for function, _ in self.writes(state)}

    def restores(self, state: str) -> set[str]:
        """Who puts back a saved value of a state."""
        return {f for f, kind, _, restore in self._accesses(state) if kind == AccessKind.WRITE and restore}

    def readers(self, state: str) -> set[str]:
        """Who reads a state."""
        return {f for f, kind, _, _ in self._accesses(state) if kind == AccessKind.READ}

    def callers_of(self, outside: str) -> set[str]:
        """Who calls a function outside the analyzed sources."""
        return {f for f, kind, _, _ in self._accesses(outside) if kind == AccessKind.CALL}

    def state(self, name: str) -> tuple[str, str]:
        """The kind and scope of a state."""
        (found,) = [s for s in self.rows.states if _short(s.name) == name]
        return found.kind, found.scope

    def blind_spots(self, function: str) -> set[tuple[str, str]]:
        """The calls in a function whose callee is not known: (expression, reason)."""
        self._check(function)
        return {(b.expression, b.reason) for b in self.rows.blind_spots if self.functions[b.function] == function}

    def native_exits(self, function: str) -> set[str]:
        """The native functions without a model that a function calls."""
        self._check(function)
        return {n.callee for n in self.rows.native_exits if self.functions[n.function] == function}

    def builtins(self, function: str) -> set[str]:
        """The builtins, and methods of builtin types, that a function calls."""
        self._check(function)
        return {b.callee for b in self.rows.builtin_calls if self.functions[b.function] == function}

    def alias(self, name: str) -> str | None:
        """The definition that another name stands for."""
        return {_short(k): _short(v) for k, v in self.rows.aliases.items()}.get(name)

    def mro(self, cls: str) -> list[str]:
        """The method resolution order of a class."""
        (found,) = [c for c in self.rows.classes if _short(c.name) == cls]
        return [_short(name) for name in found.mro]

    def _accesses(self, state: str) -> list[tuple[str, AccessKind, str, bool]]:
        return [
            (self.functions[a.function], a.access, a.form, a.restore)
            for a in self.rows.accesses
            if _short(self.rows.states[a.state].name) == state
        ]

    def _check(self, function: str) -> None:
        assert function in self.functions, f"no function {function}; there are {self.functions}"


def _label(function: Function) -> str:
    name = _short(function.name)
    return f"{name} [{_short(function.context)}]" if function.context else name


def _short(name: str) -> str:
    return name.removeprefix("m.")


def _without_context(label: str) -> str:
    return label.partition(" [")[0]
