"""On real code, facts agree with Python's own compiler about functions, classes and local names."""

import ast
import symtable
from collections import Counter
from pathlib import Path

import pytest
from standard_library import SAMPLE, name

from deepgrep.facts import ModuleFacts, extract
from deepgrep.facts import operations as op


def python_definitions(source: bytes) -> Counter[tuple[str, int]]:
    """(qualname, line) of all functions, lambdas and classes, found with `ast`."""
    found: Counter[tuple[str, int]] = Counter()

    def visit(node: ast.AST, prefix: str) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found[prefix + node.name, node.lineno] += 1
                for part in (*node.decorator_list, node.args, *filter(None, [node.returns])):
                    visit(part, prefix)
                for part in node.body:
                    visit(part, f"{prefix}{node.name}.<locals>.")
            case ast.Lambda():
                found[f"{prefix}<lambda>", node.lineno] += 1
                visit(node.args, prefix)
                visit(node.body, f"{prefix}<lambda>.<locals>.")
            case ast.ClassDef():
                found[prefix + node.name, node.lineno] += 1
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    visit(part, prefix)
                for part in node.body:
                    visit(part, f"{prefix}{node.name}.")
            case _:
                for part in ast.iter_child_nodes(node):
                    visit(part, prefix)

    visit(ast.parse(source), "")
    return found


def definitions(facts: ModuleFacts) -> Counter[tuple[str, int]]:
    return Counter(
        [(unit.qualname, unit.line) for unit in facts.units[1:]] + [(c.qualname, c.line) for c in facts.classes]
    )


def python_locals(source: str, path: str) -> Counter[tuple[str, int, frozenset[str]]]:
    """(name, line, local names) of all functions, found with `symtable`; comprehensions belong to what is around."""
    found: Counter[tuple[str, int, frozenset[str]]] = Counter()

    def visit(table: symtable.SymbolTable, around: set[str]) -> None:
        names = around
        if table.get_type() == "function":
            own = {s.get_name() for s in table.get_symbols() if s.is_local() and not s.is_free()} - {".0"}
            if table.get_name() in ("listcomp", "setcomp", "dictcomp", "genexpr"):
                around |= own
            else:
                names = own
        for child in table.get_children():
            visit(child, names)
        if names is not around:
            found[table.get_name(), table.get_lineno(), frozenset(names)] += 1

    visit(symtable.symtable(source, path, "exec"), set())
    return found


def local_names(facts: ModuleFacts) -> Counter[tuple[str, int, frozenset[str]]]:
    return Counter(
        (
            unit.qualname.rpartition(".")[2].replace("<lambda>", "lambda"),
            unit.line,
            frozenset(variable.name for variable in unit.variables[1:] if variable.unit == -1),
        )
        for unit in facts.units[1:]
    )


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_functions_and_classes_are_those_of_ast(path: Path) -> None:
    source = path.read_bytes()

    assert definitions(extract(source)) == python_definitions(source)


def python_lines(source: bytes) -> Counter[tuple[str, int]]:
    """(what, line) of expressions and statements, found with `ast`: of an attribute or call, where it is named."""
    found: Counter[tuple[str, int]] = Counter()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.List(elts=[], ctx=ast.Load()):
                found["[]", node.lineno] += 1
            case ast.Dict(keys=[]):
                found["{}", node.lineno] += 1
            case ast.Attribute():
                found[f".{node.attr}", node.end_lineno or 0] += 1
            case ast.Call():
                found["call", node.func.end_lineno or 0] += 1
            case ast.Return(value=ast.expr()):
                found["return", node.lineno] += 1
            case ast.Yield() | ast.YieldFrom():
                found["yield", node.lineno] += 1
            case ast.Raise(exc=ast.expr()):
                found["raise", node.lineno] += 1
    return found


def operation_lines(facts: ModuleFacts) -> Counter[tuple[str, int]]:
    """The same of what facts hold and is executed."""
    found: Counter[tuple[str, int]] = Counter()
    units = [(unit.qualname.endswith("<lambda>"), unit) for unit in facts.units]
    for in_lambda, operation in ((is_lambda, o) for is_lambda, unit in units for o in unit.operations if o.line):
        match operation:
            case op.Collection(kind="list", elements=()):
                found["[]", operation.line] += 1
            case op.Collection(kind="dict", elements=(), merged=()):
                found["{}", operation.line] += 1
            case op.Attribute():
                private = operation.name.rpartition("__")[2]  # as it is written, not as Python calls it
                is_private = operation.name.startswith("_") and "__" in operation.name[1:] and private
                found[f".__{private}" if is_private else f".{operation.name}", operation.line] += 1
            case op.Call(decorator=False):
                found["call", operation.line] += 1
            case op.Return() if in_lambda:
                pass  # no statement
            case op.Return() | op.Yield() | op.Raise():
                found[type(operation).__name__.lower(), operation.line] += 1
    return found


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_lines_are_those_of_ast(path: Path) -> None:
    source = path.read_bytes()

    assert operation_lines(extract(source)) - python_lines(source) == Counter()


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_local_names_are_those_of_symtable(path: Path) -> None:
    source = path.read_bytes()

    assert local_names(extract(source)) == python_locals(source.decode(), name(path))
