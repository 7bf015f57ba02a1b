"""A root that is code: linked on top of the graph, which then holds its functions too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.overlay import lay_over
from deepgrep.graph.rows import Via

if TYPE_CHECKING:
    from deepgrep.facts.model import ModuleFacts

CODE = "<root>"
"""The name and file of code that was typed."""

_NAMES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class LinkedCode:
    """Code with the graph that holds it.

    Attributes:
        body: the function that is its module body.
        imported: what counts as imported before it runs: the modules that it names or imports; none where it does
            nothing but import.
        notes: what the user should know of how it was understood.
    """

    graph: CallGraph
    body: int
    imported: tuple[str, ...]
    notes: tuple[str, ...]


def link_typed(graph: CallGraph, code: str) -> LinkedCode:
    """Link code that was typed.

    Raises:
        DeepgrepError: it is no Python code, or imports what there is not.
    """
    facts, wrong = _extracted(code.encode(errors="surrogateescape"))
    if facts is None:
        raise DeepgrepError(f"{code!r} is neither a name nor Python code ({wrong}): name a function")
    return _link(graph, facts, CODE, CODE)


def link_file(graph: CallGraph, path: str) -> LinkedCode:
    """Link a script.

    Raises:
        DeepgrepError: it cannot be read, is no Python code, or imports what there is not.
    """
    try:
        file = Path(path)
        if file.exists() and not (file.is_file() or file.is_dir()):  # a pipe would be waited for
            raise DeepgrepError(f"{path}: not a regular file: a root that ends in .py is a script")
        data = file.read_bytes()
    except OSError as error:
        raise DeepgrepError(f"{path}: cannot be read ({error.strerror}): a root that ends in .py is a file") from error
    except ValueError:  # a null byte
        raise DeepgrepError(f"{path!r} is no name that a file can have: a root that ends in .py is a file") from None
    facts, wrong = _extracted(data)
    if facts is None:
        raise DeepgrepError(f"{path}: no Python code ({wrong}): the root must be some")
    return _link(graph, facts, path, "__main__")


def _extracted(data: bytes) -> tuple[ModuleFacts | None, str]:
    """The facts of code; None where it is no Python, with what is wrong, in Python's own words where it says some."""
    from deepgrep.facts import ExtractError, extract

    try:
        return extract(data), ""
    except ExtractError as error:
        import ast

        try:
            ast.parse(data)
        except SyntaxError as said:
            return None, f"line {said.lineno}: {said.msg}" if said.lineno else said.msg
        except ValueError:  # it holds a NUL
            return None, str(error)
        return None, str(error)


def _link(graph: CallGraph, facts: ModuleFacts, file: str, module: str) -> LinkedCode:
    from deepgrep.linking import LinkModule
    from deepgrep.linking.library import Library
    from deepgrep.linking.on_top import Code
    from deepgrep.models import load
    from deepgrep.sources.tree import SourceFile

    outside, missing = _imported_outside(graph, facts, file)
    if missing and file == CODE:
        raise DeepgrepError(f"{file}: there is no module {missing[0]} in the analyzed sources: check its name")
    code = Code(LinkModule(SourceFile(file, module, "", False), facts), Library(graph.load), load())
    meanings = {name: found[0] for name in code.unbound if len(found := _meanings(graph, name)) == 1}
    rows = code.link(meanings, graph.function_count)
    extended = lay_over(graph, rows)
    imported: tuple[str, ...] = ()
    if not _only_imports(facts):
        imported = tuple(dict.fromkeys([*code.named_modules(), *_imports(graph, extended)]))
    return LinkedCode(
        graph=extended,
        body=rows.body,
        imported=imported,
        notes=tuple(_notes(graph, code.unbound, meanings, outside, missing)),
    )


def _meanings(graph: CallGraph, name: str) -> list[str]:
    """The full names of what a name that the code does not bind could mean: a package, or else things in modules."""
    if graph.module_body(name) is not None:
        return [name]
    found = set()
    for names in (graph.function_names, graph.class_names):
        for index in names.ending_with(f".{name}"):
            full = names[index]
            if graph.module_body(full[: -len(name) - 1]) is not None:
                found.add(full)
    return sorted(found)


def _notes(
    graph: CallGraph, unbound: list[str], meanings: dict[str, str], outside: list[str], missing: list[str]
) -> Iterator[str]:
    unknown = []
    for name in unbound:
        if name not in meanings:
            unknown.append(name)
            if could := _meanings(graph, name):
                yield f"{name} could mean {_listed(could)}: import the one that is meant"
        elif name != meanings[name]:
            yield f"{name} is taken to be {meanings[name]}"
    if unknown:
        yield f"{_listed(unknown)}: not bound by the code, so nothing is known of what that is"
    if outside:
        yield f"{_listed(outside)}: outside the analyzed sources, so nothing is known of what that does"
    if missing:
        yield f"{_listed(missing)}: no such module in the analyzed sources, so nothing is known of what that does"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more


def _only_imports(facts: ModuleFacts) -> bool:
    from deepgrep.facts.operations import Import, ImportFrom, SetGlobal

    body = facts.units[0].operations
    imports = [op for op in body if isinstance(op, Import | ImportFrom)]
    binds = [op for op in body if isinstance(op, SetGlobal) and op.form == "import"]
    return bool(imports) and len(facts.units) == 1 and len(imports) + len(binds) == len(body)


def _imports(graph: CallGraph, extended: CallGraph) -> Iterator[str]:
    """The modules that functions of the code import."""
    for function in range(graph.function_count, extended.function_count):
        for edge in extended.out_edges(function):
            if KINDS[extended.edge_kind[edge]][0] is Via.IMPORT:
                yield extended.module(extended.edge_callee[edge])


def _imported_outside(graph: CallGraph, facts: ModuleFacts, file: str) -> tuple[list[str], list[str]]:
    """The modules that are imported and not analyzed: of other packages than Python's own, and of those analyzed.

    Raises:
        DeepgrepError: an import is relative.
    """
    from deepgrep.facts.operations import Import, ImportFrom

    outside: dict[str, None] = {}
    missing: dict[str, None] = {}
    for op in (op for unit in facts.units for op in unit.operations if isinstance(op, Import | ImportFrom)):
        if isinstance(op, ImportFrom) and op.level:
            raise DeepgrepError(f"{file}:{op.line}: a relative import has no meaning in a root: write its full name")
        top = op.module.partition(".")[0]
        if graph.module_body(top) is None:
            if top not in sys.stdlib_module_names:
                outside[op.module] = None
        elif graph.module_body(op.module) is None and not _is_native(graph, op.module):
            missing[op.module] = None
    return list(outside), list(missing)


def _is_native(graph: CallGraph, module: str) -> bool:
    """Whether a module without source is known by what the analyzed code uses of it."""
    from bisect import bisect_left

    place = bisect_left(graph.state_order, f"{module}.", key=graph.state_names.__getitem__)
    return place < len(graph.state_order) and graph.state_names[graph.state_order[place]].startswith(f"{module}.")
