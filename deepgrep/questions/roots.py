"""The root of a question: a function by name, or code that imports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.history import History
from deepgrep.graph.slices import ForwardSlice, forward_slice
from deepgrep.questions.answers import RootRef
from deepgrep.questions.names import find, the_one

CODE = "<root>"
"""The name and file of a root that is code."""


@dataclass(frozen=True, slots=True)
class Root:
    """Where a question begins.

    Attributes:
        ref: how the answer names it.
        functions: the root itself, in all its contexts; none where it is code.
        imports: for code, the module bodies it runs, in order, each with the line of the import.
        notes: what the user should know of how the root was understood.
    """

    ref: RootRef
    functions: tuple[int, ...] = ()
    imports: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_code(self) -> bool:
        """Whether the root is not one of the graph's functions."""
        return not self.functions

    def slice(self, graph: CallGraph) -> ForwardSlice:
        """Everything that the root reaches."""
        starts = self.functions or tuple(dict.fromkeys(body for body, _ in self.imports))
        return forward_slice(graph, starts, History(graph, self.functions))


def resolve_root(graph: CallGraph, typed: str) -> Root:
    """The root that is meant.

    Raises:
        DeepgrepError: nothing or more than one thing is meant, or it is code other than imports.
    """
    typed = typed.strip()
    if typed.endswith(".py"):
        raise DeepgrepError(f"{typed!r}: a file as the root is not supported yet: name the function that it calls")
    if not re.fullmatch(r"[\w.<>]+", typed):
        return _code(graph, typed)
    found = find(graph, typed, states=False)
    if not found and (others := find(graph, typed, states=True)):
        state = graph.state(others[0].states[0])
        kind = "function whose source is not analyzed" if state.kind == "function" else state.kind
        raise DeepgrepError(f"{state.name} is a {kind}: it can be the target, but the root must be analyzed code")
    definition = the_one(graph, typed, found, states=False)
    if definition.functions:
        return Root(_ref(graph, definition.functions[0]), definition.functions, notes=definition.notes)
    row = definition.class_row
    constructors = definition.constructors(graph, inherited=True)
    if row is None or not constructors:
        raise DeepgrepError(f"class {definition.name} has no __init__ in the analyzed sources: name one of its methods")
    names = " and ".join(dict.fromkeys(graph.function_names[f] for f in constructors))
    note = f"{row.name} is a class: the root is its construction, {names}"
    return Root(RootRef(row.name, row.file, row.line), constructors, notes=(*definition.notes, note))


def _ref(graph: CallGraph, index: int) -> RootRef:
    function = graph.function(index)
    return RootRef(function.name, function.file, function.line)


def _code(graph: CallGraph, code: str) -> Root:
    # `ast` reads what the user typed, as the analyzer's own Python understands it; analyzed files go another way.
    import ast

    try:
        statements = ast.parse(code).body
    except SyntaxError as error:
        raise DeepgrepError(f"{code!r} is neither a name nor Python code ({error.msg}): name a function") from error
    imports: list[tuple[int, int]] = []
    outside: list[str] = []
    for statement in statements:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            raise DeepgrepError(
                f"{code!r}: code other than imports is not supported as a root yet: name the function that it calls"
            )
        for module in _imported(graph, statement):
            body = graph.module_body(module)
            if body is not None:
                imports.append((body, statement.lineno))
            elif graph.module_body(module.partition(".")[0]) is not None:
                raise DeepgrepError(f"{code!r}: there is no module {module} in the analyzed sources: check its name")
            else:
                outside.append(module)
    if not imports:
        raise DeepgrepError(f"{code!r} imports nothing of the analyzed sources: add theirs with --source DIR")
    notes = tuple(f"{module} is outside the analyzed sources: what its import runs is not known" for module in outside)
    return Root(RootRef(CODE, CODE, 1), imports=tuple(imports), notes=notes)


def _imported(graph: CallGraph, statement: object) -> Iterator[str]:
    """The modules that an import statement runs, in order, packages before what they hold."""
    import ast

    if isinstance(statement, ast.Import):
        modules = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        members = [f"{statement.module}.{alias.name}" for alias in statement.names]
        modules = [statement.module, *(name for name in members if graph.module_body(name) is not None)]
    else:
        raise DeepgrepError("a relative import has no meaning in a root: write the module's full name")
    for module in modules:
        parts = module.split(".")
        yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))
