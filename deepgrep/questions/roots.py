"""The root of a question: a function by name, or code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.history import History, imported_before
from deepgrep.graph.restriction import NONE, Restriction
from deepgrep.graph.rows import Parameter
from deepgrep.graph.slices import ForwardSlice, forward_slice
from deepgrep.questions.answers import RootRef
from deepgrep.questions.decorated import wrappers
from deepgrep.questions.names import Definition, find, the_one

_HINTED = 3
_BOUND = ((Parameter("self"),), (Parameter("cls"),))


@dataclass(frozen=True, slots=True)
class Root:
    """Where a question begins.

    Attributes:
        ref: how the answer names it.
        graph: the graph that holds it: the analyzed sources, and the root where that is code.
        functions: the root itself, in all its contexts.
        imported: the modules that count as imported before.
        notes: what the user should know of how the root was understood.
        is_code: whether it is code rather than a function of the analyzed sources.
        wrappers: what its decorators made, which is what is called under its name. Where something is assumed of its
            parameters, its own call is meant.
        constructors: what has made the object that a method is called on.
        others: where `functions` are the root's own call alone: the same functions as whatever else calls them.
    """

    ref: RootRef
    graph: CallGraph
    functions: tuple[int, ...]
    imported: tuple[str, ...]
    notes: tuple[str, ...] = ()
    is_code: bool = False
    others: tuple[int, ...] = ()
    wrappers: tuple[int, ...] = ()
    constructors: tuple[int, ...] = ()

    @property
    def parameters(self) -> list[Parameter]:
        """What a caller passes: the parameters of all its functions but for the object that a method is called on."""
        found: list[Parameter] = []
        for function in self.functions if not self.is_code else ():
            row = self.graph.function(function)
            is_method = self.graph.classes_named(row.name.rpartition(".")[0])
            found += row.parameters[1 if is_method and row.parameters[:1] in _BOUND else 0 :]
        return found

    def slice(self, restriction: Restriction = NONE) -> ForwardSlice:
        """Everything that the root reaches, what a question leaves out aside."""
        starts = (*self.functions, *(self.wrappers if restriction.assumptions is None else ()))
        constant = restriction.assumptions.parameters if restriction.assumptions is not None else {}
        handed = [name for p in self.parameters if p.name not in constant for name in p.classes]
        history = History(self.graph, self.imported, self.constructors, handed)
        return forward_slice(self.graph, starts, history, restriction)


def is_script(typed: str) -> bool:
    """Whether a root that was typed is the path of a script."""
    return typed.strip().endswith(".py")


def is_code(typed: str) -> bool:
    """Whether a root that was typed is code, a script's among it, rather than a name."""
    return is_script(typed) or not re.fullmatch(r"[\w.<>]+", typed.strip())


def resolve_root(graph: CallGraph, typed: str) -> Root:
    """The root that is meant.

    Raises:
        DeepgrepError: nothing or more than one thing is meant, or it is code that cannot be linked.
    """
    typed = typed.strip()
    if not typed:
        raise DeepgrepError("the root is empty: give a function, Python code, or a .py file")
    if is_code(typed):
        return _code_root(graph, typed)
    found = find(graph, typed, states=False)
    if not found and (others := find(graph, typed, states=True)):
        state = graph.state(others[0].states[0])
        if held := _held(graph, others):
            ref = _ref(graph, held[0])
            note = f"{state.name} can hold several functions: the root is {ref.name}, which it was defined as"
            return Root(
                ref, graph, held, imported_before(graph, held), (note,), constructors=_constructors(graph, held)
            )
        kind = "function whose source is not analyzed" if state.kind == "function" else state.kind
        hint = _functions_called(graph, state.name.rpartition(".")[2])
        raise DeepgrepError(f"{state.name} is a {kind}: it can be the target, but the root must be analyzed code{hint}")
    definition = the_one(graph, typed, found, states=False)
    if definition.functions:
        ref, around = _ref(graph, definition.functions[0]), wrappers(graph, definition.functions)
        notes = definition.notes
        if around:
            names = " and ".join(dict.fromkeys(graph.function_names[function] for function in around))
            notes = (*notes, f"{ref.name} is decorated: the root is also what is called under its name, {names}")
        imported = imported_before(graph, definition.functions)
        made = _constructors(graph, definition.functions)
        return Root(ref, graph, definition.functions, imported, notes, wrappers=around, constructors=made)
    row = definition.class_row
    constructors = definition.constructors(graph, inherited=True)
    if row is None or not constructors:
        raise DeepgrepError(f"class {definition.name} has no __init__ in the analyzed sources: name one of its methods")
    names = " and ".join(dict.fromkeys(graph.function_names[f] for f in constructors))
    note = f"{row.name} is a class: the root is its construction, {names}"
    ref = RootRef(row.name, row.file, row.line)
    return Root(ref, graph, constructors, imported_before(graph, constructors), (*definition.notes, note))


def _held(graph: CallGraph, states: Sequence[Definition]) -> tuple[int, ...]:
    """The function that is meant by the name of a state, or of some that all mean the same one."""
    if len(states) > _HINTED:
        return ()
    from deepgrep.questions.held import held_functions  # late: as with code

    held = {held_functions(graph, definition.name) for definition in states}
    return held.pop() if len(held) == 1 else ()


def _constructors(graph: CallGraph, functions: Sequence[int]) -> tuple[int, ...]:
    """What has made the objects that some methods are called on; nothing for a function, or a constructor itself."""
    found: list[int] = []
    for function in functions:
        row = graph.function(function)
        if row.parameters[:1] == (Parameter("self"),):
            owner = row.name.rpartition(".")[0]
            for cls in graph.classes_named(owner):
                found += Definition(owner, class_row=cls).constructors(graph, inherited=True)
    return tuple(dict.fromkeys(found)) if set(found).isdisjoint(functions) else ()


def _functions_called(graph: CallGraph, name: str) -> str:
    """What to type instead of the name of a state: the functions that are called so, as the end of a sentence."""
    names = sorted(definition.name for definition in find(graph, name, states=False) if definition.functions)
    names.sort(key=lambda full: full.count("."))
    if not names:
        return ""
    more = f" or {len(names) - _HINTED} more" if len(names) > _HINTED else ""
    return f", such as {', '.join(names[:_HINTED])}{more}"


def _code_root(graph: CallGraph, typed: str) -> Root:
    from deepgrep.questions.code import CODE, link_file, link_typed  # late: most roots are names

    code, label = (link_file(graph, typed), typed) if is_script(typed) else (link_typed(graph, typed), CODE)
    return Root(RootRef(label, label, 1), code.graph, (code.body,), code.imported, code.notes, is_code=True)


def _ref(graph: CallGraph, index: int) -> RootRef:
    function = graph.function(index)
    return RootRef(function.name, function.file, function.line)
