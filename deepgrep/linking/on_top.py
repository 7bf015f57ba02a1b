"""Code that is linked on top of a library: a few lines that someone typed, or a script.

The library is not solved again: the code is a program of one module, with the ordinary solver, and what it sees of the
library is as it was left (see `library`).
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping

import msgspec

from deepgrep.facts.model import ModuleFacts
from deepgrep.facts.operations import Attribute, Global, SetGlobal
from deepgrep.graph.overlay import CodeEdge, CodeRows
from deepgrep.graph.rows import Access, BlindSpot, BuiltinCall, Edge, NativeExit
from deepgrep.linking import numbering
from deepgrep.linking.cells import Cell
from deepgrep.linking.last_evaluation import record
from deepgrep.linking.library import Library
from deepgrep.linking.program import ClassInfo, Frame, LinkModule, ModuleInfo, Program
from deepgrep.linking.recording import Recorder
from deepgrep.linking.solver import Solver
from deepgrep.linking.values import NOTHING, FunctionValue, ModuleValue, Values, Wrapped, number_from_zero
from deepgrep.models import Models

_GIVEN = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__package__", "__builtins__", "__spec__"}


class Code:
    """A module on top of a library."""

    def __init__(self, module: LinkModule, library: Library, models: Models) -> None:
        number_from_zero()
        self._program = Program([module], library)
        self._library = library
        self._solver = Solver(self._program, models)
        (self._module,) = self._program.modules.values()
        self._unbound = list(self._find_unbound(module.facts))
        self._meanings: Mapping[str, str] = {}

    @property
    def unbound(self) -> list[str]:
        """The names that the code uses and does not bind, in the order of their first use."""
        return self._unbound

    def _find_unbound(self, facts: ModuleFacts) -> Iterator[str]:
        stars = [self._module.absolute(name, level) for name, level in self._module.stars]
        starred = [self._program.module(name) for name in stars]
        used = {op.name: None for unit in facts.units for op in unit.operations if isinstance(op, Global)}
        for name in used:
            if name in self._module.names or name in _GIVEN:
                continue
            # `import *` of a module that is not analyzed may bind anything.
            if not any(module is None or self._stars_bind(module, name, {module}) for module in starred):
                yield name

    def _stars_bind(self, module: ModuleInfo, name: str, seen: set[ModuleInfo]) -> bool:
        if not module.exports(name):
            return False
        if name in module.names:
            return True
        for starred, level in module.stars:
            inner = self._program.module(module.absolute(starred, level))
            if inner is None or (inner not in seen and self._stars_bind(inner, name, seen | {inner})):
                return True
        return False

    def named_modules(self) -> list[str]:
        """The modules of the library that the linked code names, outermost first."""
        found: dict[str, None] = {}
        for unit in self._module.facts.units:
            names: dict[int, str] = {}
            for index, op in enumerate(unit.operations):
                name = ""
                if isinstance(op, Global | SetGlobal):
                    name = self._meanings.get(op.name, "") or self._module_of(op.name)
                elif isinstance(op, Attribute) and op.base in names:
                    name = f"{names[op.base]}.{op.name}"
                if name:
                    module = self._around(name)
                    found[module] = None
                    if module == name:
                        names[index] = name
        return list(found)

    def _module_of(self, name: str) -> str:
        """The module of the library that a global of the code holds, if it is just that."""
        values = self._module.names[name].values if name in self._module.names else NOTHING
        modules = [v.module for v in values if isinstance(v, ModuleValue) and self._library.has(v.module)]
        return modules[0].name if len(modules) == len(values) == 1 else ""

    def _around(self, name: str) -> str:
        """The module that a full name is in, or names."""
        while self._library.module_number(name) is None:
            name = name.rpartition(".")[0]
        return name

    def link(self, meanings: Mapping[str, str], first: int) -> CodeRows:
        """Link the code.

        Args:
            meanings: what its unbound names mean, as full names; those that are left out are unknown values.
            first: the number of its first function.
        """
        self._meanings = meanings
        for name in self._unbound:
            cell = self._module.names[name] = Cell()
            cell.values = self._meaning(meanings[name]) if name in meanings else NOTHING
        self._solver.solve()
        recorder = Recorder(self._solver)
        record(self._solver, recorder)
        return self._rows(recorder, first)

    def _meaning(self, name: str) -> Values:
        module = self._program.module(self._around(name))
        assert module is not None
        if module.name == name:
            return self._solver.interner.one(self._solver.interner.module(module))
        return module.names[name[len(module.name) + 1 :]].values

    def _rows(self, recorder: Recorder, first: int) -> CodeRows:
        numbers, functions = numbering.numbered_functions(recorder)
        body = numbers[self._solver.frame(self._module.units[0], None)]
        functions[body] = msgspec.structs.replace(functions[body], name=functions[body].file)
        rows = {frame: first + number for frame, number in numbers.items()}
        states, state_index = numbering.numbered_states(
            recorder, self._program, self._solver.models, self._solver.objects
        )
        unbound = {f"{self._module.name}.{name}" for name in self._unbound}
        classes: dict[ClassInfo, None] = {}
        edges = []
        for caller, callee, line, via, certainty, guard, passes in recorder.edges():
            needed = None
            if self._library.has(callee):
                needed = recorder.requirements.needed_class(caller, callee, via, certainty)
            if needed is not None:
                classes[needed] = None
            edge = Edge(rows[caller], self._number(callee, rows), line, via, certainty, guard, passes=passes)
            is_nested = self._library.has(callee) and callee.parent is not None and not callee.parent.unit.is_module
            edges.append(CodeEdge(edge, needed.name if needed is not None else "", is_nested))
        makes = []
        for frame, cls in recorder.requirements.instances():
            for base in self._solver.hierarchy.mro(cls):
                if isinstance(base, ClassInfo) and self._library.has(base):
                    classes[base] = None
                    makes.append((rows[frame], base.name))
        return CodeRows(
            first=first,
            body=first + body,
            functions=functions,
            edges=edges,
            guards=numbering.numbered_guards(self._program)[0],
            states=states,
            accesses=[
                Access(state_index[name, kind], rows[frame], line, access, form, restore, at)
                for name, kind, frame, line, access, form, restore, at in recorder.accesses()
                if name not in unbound
            ],
            blind_spots=[
                BlindSpot(rows[frame], line, text, name, reason, guard)
                for (frame, line, text, name, reason), guard in recorder.blind_spots.items()
            ],
            native_exits=[
                NativeExit(rows[frame], line, name, guard)
                for (frame, line, name), guard in recorder.native_exits.items()
            ],
            builtin_calls=[BuiltinCall(rows[frame], name) for frame, name in recorder.builtin_calls],
            makes=makes,
            members={cls.name: self._methods(cls) for cls in classes},
        )

    def _number(self, frame: Frame, rows: Mapping[Frame, int]) -> int:
        return self._library.function(frame) if self._library.has(frame) else rows[frame]

    def _methods(self, cls: ClassInfo) -> list[int]:
        """The rows of the methods that a class of the library has itself."""
        found: set[int] = set()
        for cell in cls.attributes.values():
            for value in cell.values:
                for function in value.functions if isinstance(value, Wrapped) else (value,):
                    if isinstance(function, FunctionValue) and function.unit.cls is cls:
                        found.update(self._library.functions(function.unit))
        return sorted(found)
