"""Small call graphs for tests, written down by names: `m:C.f` is the function `C.f` of the module `m`."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.rows import (
    Access,
    AccessKind,
    BlindSpot,
    BuiltinCall,
    Certainty,
    ClassRow,
    Edge,
    Function,
    GraphRows,
    Guard,
    NativeExit,
    Parameter,
    Skipped,
    Source,
    State,
    Via,
)


class Sketch:
    """Collects rows; what is named for the first time is added."""

    def __init__(self) -> None:
        self.rows = GraphRows([Source("m", "1.0", "", "d1")], [], [], [], [], [], [], [], [], {}, [])
        self._functions: dict[tuple[str, str], int] = {}
        self._states: dict[str, int] = {}

    def function(self, name: str, line: int = 1, context: str = "") -> int:
        if (name, context) not in self._functions:
            self._functions[name, context] = len(self.rows.functions)
            module, _, qualname = name.partition(":")
            file = module.replace(".", "/") + ".py"
            self.rows.functions.append(Function(f"{module}.{qualname}", file, qualname, line, context))
        return self._functions[name, context]

    def again(self, name: str, line: int) -> int:
        """One more function of a name that is there already."""
        first = self.rows.functions[self.function(name)]
        self.rows.functions.append(Function(first.name, first.file, first.qualname, line))
        return len(self.rows.functions) - 1

    def edge(
        self,
        caller: str,
        callee: str,
        line: int = 1,
        via: Via = Via.CALL,
        certainty: Certainty = Certainty.CERTAIN,
        guard: int = -1,
        requires: tuple[str, ...] = (),
        passes: tuple[tuple[int, int | str], ...] = (),
    ) -> None:
        needed = tuple(self.function(name) for name in requires)
        ends = self.function(caller), self.function(callee)
        owner = self.rows.functions[ends[1]].name.rpartition(".")[0]
        if any(row.name == owner for row in self.rows.classes):
            self.rows.instance_requirements.append((owner, needed))
        self.rows.edges.append(Edge(*ends, line, via, certainty, guard, needed, passes))

    def parameters(self, function: str, *parameters: Parameter) -> None:
        index = self.function(function)
        self.rows.functions[index] = replace(self.rows.functions[index], parameters=parameters)

    def chain(self, *names: str, certainty: Certainty = Certainty.CERTAIN) -> None:
        for caller, callee in pairwise(names):
            self.edge(caller, callee, certainty=certainty)

    def imports(self, importer: str, *modules: str, guard: int = -1) -> None:
        for module in modules:
            self.edge(importer, f"{module}:<module>", via=Via.IMPORT, guard=guard)

    def guard(
        self, text: str, kind: str = "if", parent: int = -1, line: int = 1, parameters: tuple[str, ...] = ()
    ) -> int:
        self.rows.guards.append(Guard(parent, kind, text, line, parameters))
        return len(self.rows.guards) - 1

    def state(self, name: str, kind: str = "module global", scope: str = "process") -> int:
        if name not in self._states:
            self._states[name] = len(self.rows.states)
            self.rows.states.append(State(name, kind, scope))
        return self._states[name]

    def access(
        self,
        function: str,
        state: str,
        line: int = 9,
        access: AccessKind = AccessKind.WRITE,
        form: str = "global",
        restore: bool = False,
        guard: int = -1,
    ) -> None:
        row = Access(self.state(state), self.function(function), line, access, form, restore, guard)
        self.rows.accesses.append(row)

    def blind_spot(self, function: str, expression: str, name: str, line: int = 5, reason: str = "parameter") -> None:
        self.rows.blind_spots.append(BlindSpot(self.function(function), line, expression, name, reason))

    def native_exit(self, function: str, callee: str, line: int = 6) -> None:
        self.rows.native_exits.append(NativeExit(self.function(function), line, callee))

    def builtin_call(self, function: str, callee: str) -> None:
        self.rows.builtin_calls.append(BuiltinCall(self.function(function), callee))

    def class_row(self, name: str, *bases: str) -> None:
        self.rows.classes.append(ClassRow(name, name.partition(".")[0] + ".py", 2, (name, *bases)))

    def alias(self, name: str, definition: str) -> None:
        self.rows.aliases[name] = definition

    def object(self, state: str, class_name: str) -> None:
        self.rows.objects.append((state, class_name))

    def skip(self, file: str, reason: str) -> None:
        self.rows.skipped.append(Skipped(file, reason))

    def graph(self) -> CallGraph:
        return CallGraph(pack(self.rows).__getitem__)

    def index(self, name: str) -> int:
        return self._functions[name, ""]

    def names(self, functions: object) -> list[str]:
        return [self.rows.functions[i].name for i in functions]  # type: ignore[attr-defined]
