"""In what facts and Python's own compiler differ."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import python_view as view

from deepgrep.facts import ModuleFacts

# What Python keeps in a cell; and what decides what only type checkers see: it is not looked up.
_LEFT_OUT = frozenset({"__class__", "TYPE_CHECKING"})


def disagreements(text: str, facts: ModuleFacts) -> Iterator[str]:
    """Yield a line on each difference about definitions, scopes and calls of a file.

    Args:
        text: the file, which Python must be able to compile.
        facts: those of it.

    Raises:
        SyntaxError: Python cannot.
        ValueError: it has null bytes.
    """
    compile(text, "file", "exec", dont_inherit=True)  # `ast` alone takes more
    tree = ast.parse(text)
    yield from _definitions(tree, facts)
    yield from _names(text, facts)
    yield from _calls(tree, facts)


def _definitions(tree: ast.Module, facts: ModuleFacts) -> Iterator[str]:
    python, ours = view.python_definitions(tree), view.definitions(facts)
    yield from (f"definition missing: {place}" for place in python - ours)
    yield from (f"definition not of Python: {place}" for place in ours - python)


def _names(text: str, facts: ModuleFacts) -> Iterator[str]:
    found = defaultdict(list)
    for place, run, all_ in view.names(facts):
        found[place].append((run, all_))
    for place, names in view.python_names(text):
        if place[0] == "top":  # `symtable` takes a function of this name for the module
            continue
        candidates = found[place]
        agreeing = [one for one in candidates if not list(_differing(names, *one))]
        if agreeing:
            candidates.remove(agreeing[0])
        elif candidates:
            yield from (f"{place}: {said}" for said in _differing(names, *candidates[0]))
        else:
            yield f"{place}: no such function"


def _differing(python: view.Names, run: view.Names, all_: view.Names) -> Iterator[str]:
    if different := (python.own ^ run.own) - python.unsure - _LEFT_OUT:
        yield f"own names differ: {sorted(different)}"
    for kind in ("free", "globals"):
        most, least, theirs = getattr(all_, kind), getattr(run, kind), getattr(python, kind)
        if missing := theirs - most - (python.unsure & run.own) - _LEFT_OUT:
            yield f"{kind} missing: {sorted(missing)}"
        if more := least - theirs - (python.unsure & run.own) - _LEFT_OUT:
            yield f"{kind} not of Python: {sorted(more)}"


def _calls(tree: ast.Module, facts: ModuleFacts) -> Iterator[str]:
    python, ours = view.python_calls(tree), view.calls(facts)
    nothing = view.Calls()
    for place in sorted(python.keys() | ours.keys()):
        wanted, found = python.get(place, nothing), ours.get(place, nothing)
        if wanted.count != found.count or wanted.decorators != found.decorators:
            yield f"{place}: {wanted.count}+{wanted.decorators} calls, found {found.count}+{found.decorators}"
        elif missing := wanted.lines - found.lines:
            yield f"{place}: calls on lines {sorted(missing)}, found on {sorted(found.lines - wanted.lines)}"
