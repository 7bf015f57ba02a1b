"""A root that is code: linked on top of the graph, which then holds its functions too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.layout import KINDS
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
    from deepgrep.facts import ExtractError, extract

    try:
        facts = extract(code.encode(errors="surrogateescape"))
    except ExtractError as error:
        raise DeepgrepError(f"{code!r} is neither a name nor Python code ({error}): name a function") from None
    return _link(graph, facts, CODE, CODE)


def link_file(graph: CallGraph, path: str) -> LinkedCode:
    """Link a script.

    Raises:
        DeepgrepError: it cannot be read, is no Python code, or imports what there is not.
    """
    from deepgrep.facts import ExtractError, extract

    try:
        facts = extract(Path(path).read_bytes())
    except OSError as error:
        raise DeepgrepError(f"{path}: cannot be read ({error.strerror}): a root that ends in .py is a file") from error
    except ExtractError as error:
        raise DeepgrepError(f"{path}: {error}: as the root it must be Python code") from None
    return _link(graph, facts, path, "__main__")


def _link(graph: CallGraph, facts: ModuleFacts, file: str, module: str) -> LinkedCode:
    from deepgrep.linking import LinkModule
    from deepgrep.linking.library import Library
    from deepgrep.linking.on_top import Code
    from deepgrep.models import load
    from deepgrep.sources.tree import SourceFile

    outside = list(dict.fromkeys(_check_imports(graph, facts, file)))
    code = Code(LinkModule(SourceFile(file, module, "", False), facts), Library(graph.load), load())
    meanings = {name: meaning for name in code.unbound if (meaning := _meaning(graph, name))}
    extended = lay_over(graph, code.link(meanings, graph.function_count))
    imported: tuple[str, ...] = ()
    if not _only_imports(facts):
        imported = tuple(dict.fromkeys([*code.named_modules(), *_imports(graph, extended)]))
    return LinkedCode(
        graph=extended,
        body=graph.function_count,
        imported=imported,
        notes=tuple(_notes(code.unbound, meanings, outside)),
    )


def _meaning(graph: CallGraph, name: str) -> str | None:
    """The full name of what a name that the code does not bind can only mean: a package, or something in a module."""
    if graph.module_body(name) is not None:
        return name
    found: dict[str, None] = {}
    for names in (graph.function_names, graph.class_names):
        for index in names.ending_with(f".{name}"):
            full = names[index]
            if graph.module_body(full[: -len(name) - 1]) is not None:
                found[full] = None
    return next(iter(found)) if len(found) == 1 else None


def _notes(unbound: list[str], meanings: dict[str, str], outside: list[str]) -> Iterator[str]:
    for name, meaning in meanings.items():
        if name != meaning:
            yield f"{name} is taken to be {meaning}"
    unknown = [name for name in unbound if name not in meanings]
    if unknown:
        yield f"{_listed(unknown)}: not bound by the code, so nothing is known of what that is"
    if outside:
        yield f"{_listed(outside)}: outside the analyzed sources, so nothing is known of what that does"


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


def _check_imports(graph: CallGraph, facts: ModuleFacts, file: str) -> Iterator[str]:
    """Yield the modules that are imported from outside the sources, those of the standard library aside.

    Raises:
        DeepgrepError: an import can only fail.
    """
    from deepgrep.facts.operations import Import, ImportFrom

    for unit in facts.units:
        for op in unit.operations:
            if not isinstance(op, Import | ImportFrom):
                continue
            if isinstance(op, ImportFrom) and op.level:
                raise DeepgrepError(
                    f"{file}:{op.line}: a relative import has no meaning in a root: write its full name"
                )
            top = op.module.partition(".")[0]
            if graph.module_body(top) is None:
                if top not in sys.stdlib_module_names:
                    yield op.module
            elif graph.module_body(op.module) is None and not _is_native(graph, op.module):
                raise DeepgrepError(
                    f"{file}:{op.line}: there is no module {op.module} in the analyzed sources: check its name"
                )


def _is_native(graph: CallGraph, module: str) -> bool:
    """Whether a module without source is known by what the analyzed code uses of it."""
    from bisect import bisect_left

    place = bisect_left(graph.state_order, f"{module}.", key=graph.state_names.__getitem__)
    return place < len(graph.state_order) and graph.state_names[graph.state_order[place]].startswith(f"{module}.")
