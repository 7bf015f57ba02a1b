"""What Python itself says of a file: its definitions and calls by `ast`, its scopes by `symtable`; and what facts say.

The two are put into the same shape, so that they can be compared.
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from deepgrep.facts import ModuleFacts
from deepgrep.facts import operations as op
from deepgrep.facts.operations import operands

Place = tuple[str, int]
"""The qualified name and the line of a function, or of a class."""

_TYPE_PARAMETERS = "type parameters"
# What Python keeps in cells of its own.
_CELLS = frozenset(
    {"__class__", "__classdict__", "__conditional_annotations__", ".0", ".defaults", ".kwdefaults"}
    | {"__future_annotations__"}
)
# Does not change what is bound where; but what stands in annotations is then no use of a name.
_FUTURE = "from __future__ import annotations as __future_annotations__\n"


@dataclass(frozen=True)
class Names:
    """The names of a function: its own, those of functions around, and global ones.

    Attributes:
        unsure: those that may be of a comprehension: from 3.12 on, Python lists these with what is around.
    """

    own: frozenset[str]
    free: frozenset[str]
    globals: frozenset[str]
    unsure: frozenset[str] = frozenset()


@dataclass
class Calls:
    """The calls in a function: how many, how many by decorators, and the line of each that has one for sure."""

    count: int = 0
    decorators: int = 0
    lines: Counter[int] = field(default_factory=Counter)


def python_definitions(tree: ast.Module) -> Counter[Place]:
    """Return all functions, lambdas and classes."""
    found: Counter[Place] = Counter()

    def visit(node: ast.AST, prefix: str, declared: frozenset[str]) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                name = node.name if node.name in declared else prefix + node.name
                found[name, node.lineno] += 1
                inner = f"{name}." if isinstance(node, ast.ClassDef) else f"{name}.<locals>."
                own = frozenset(_declared_global(node))
                for part in [*node.decorator_list, *_evaluated(node)]:
                    visit(part, prefix, declared)
                for part in node.body:
                    visit(part, inner, own)
            case ast.Lambda():
                found[f"{prefix}<lambda>", node.lineno] += 1
                for part in _evaluated(node):
                    visit(part, prefix, declared)
                visit(node.body, f"{prefix}<lambda>.<locals>.", frozenset())
            case _:
                for part in _evaluated(node):
                    visit(part, prefix, declared)

    visit(tree, "", frozenset())
    return found


def _evaluated(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node that are evaluated around it: neither annotations nor the bodies of definitions."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            defaults = (*node.args.defaults, *node.args.kw_defaults)
            return [default for default in defaults if default is not None]
        case ast.ClassDef():
            return [*node.bases, *node.keywords]
        case ast.AnnAssign():
            return [node.target, *filter(None, [node.value])]
        case _ if type(node).__name__ == "TypeAlias":
            return []
        case _:
            return list(ast.iter_child_nodes(node))


def _declared_global(node: ast.AST) -> Iterator[str]:
    stack: list[ast.AST] = list(getattr(node, "body", []))
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Global):
            yield from part.names
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(part))


def definitions(facts: ModuleFacts) -> Counter[Place]:
    """Return the same, by the facts."""
    units = ((unit.qualname, unit.line) for unit in facts.units[1:])
    return Counter([*units, *((cls.qualname, cls.line) for cls in facts.classes)])


def python_names(text: str) -> list[tuple[Place, Names]]:
    """Return the names of each function and lambda, by its last name, and of the module, line 0.

    Comprehensions and class bodies belong to the function around, but for what a class body binds.
    """
    found: list[tuple[Place, Names]] = []

    def visit(
        table: symtable.SymbolTable, types: frozenset[str], unsure: set[str]
    ) -> tuple[set[str], set[str], set[str]]:
        own: set[str] = set()
        free: set[str] = set()
        globals_: set[str] = set()
        kind = _kind(table)
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if name in _CELLS or name.startswith("."):
                continue
            if kind in ("module", "class") and symbol.is_local() and sys.version_info >= (3, 12):
                unsure.add(name)
            is_used = symbol.is_referenced() or symbol.is_assigned() or symbol.is_imported()
            if kind == "module" or symbol.is_global():
                if is_used:
                    globals_.add(name)
            elif symbol.is_free():
                if is_used:
                    free.add(name)
            elif kind in ("function", _TYPE_PARAMETERS) and symbol.is_local():
                own.add(name)
        if kind == "function":
            own |= types  # of a function, facts take them for its own
        bound = frozenset(own)
        for child in table.get_children():
            if _kind(child) not in ("function", "class", _TYPE_PARAMETERS):
                continue  # what a type parameter or an alias stands for, and annotations: not run
            is_merged = _kind(child) in ("class", _TYPE_PARAMETERS) or _is_comprehension(child)
            is_generic = kind == _TYPE_PARAMETERS and child.get_name() == table.get_name()
            inner_types = bound if is_generic else frozenset()
            inner_own, inner_free, inner_globals = visit(child, inner_types, unsure if is_merged else set())
            if is_merged:
                own |= inner_own
                free |= inner_free - bound
                globals_ |= inner_globals
        names = Names(frozenset(own), frozenset(free - types), frozenset(globals_), frozenset(unsure))
        if kind == "module":
            found.append((("<module>", 0), names))
        elif kind == "function" and not _is_comprehension(table):
            found.append(((table.get_name(), table.get_lineno() - 1), names))
        return own, free, globals_

    visit(symtable.symtable(_FUTURE + text, "file", "exec"), frozenset(), set())
    return found


def _is_comprehension(table: symtable.SymbolTable) -> bool:
    return ".0" in table.get_identifiers()  # what it iterates over


def _kind(table: symtable.SymbolTable) -> str:
    kind = str(getattr(table.get_type(), "value", table.get_type()))
    return _TYPE_PARAMETERS if kind == "type parameter" else kind  # 3.12


def names(facts: ModuleFacts) -> list[tuple[Place, Names, Names]]:
    """Return the same, by the facts: what code uses that is run; and all, with what is only looked at."""
    found = []
    for index, unit in enumerate(facts.units):
        used: list[set[str]] = [set(), set()]
        free: list[set[str]] = [set(), {variable.name for variable in unit.variables[1:] if variable.unit >= 0}]
        for operation in unit.operations:
            if isinstance(operation, op.Global | op.SetGlobal | op.DeleteGlobal):
                used[1].add(operation.name)
                if operation.line:
                    used[0].add(operation.name)
            if operation.line:
                touched = [*operands(operation), *([operation.variable] if isinstance(operation, op.Assign) else [])]
                variables = [unit.variables[~operand] for operand in touched if operand < op.NOTHING]
                free[0].update(variable.name for variable in variables if variable.unit >= 0)
        own = frozenset(variable.name for variable in unit.variables[1:] if variable.unit == -1)
        name = unit.qualname.rpartition(".")[2].replace("<lambda>", "lambda")
        place = (name, unit.line) if index else ("<module>", 0)
        run, all_ = (Names(own, frozenset(f), frozenset(u)) for f, u in zip(free, used, strict=True))
        found.append((place, run, all_))
    return found


def python_calls(tree: ast.Module) -> dict[Place, Calls]:
    """Return the calls that each function makes; those in annotations, which may never be made, are left out."""
    return _CallFinder().found_in(tree)


class _CallFinder:
    def found_in(self, tree: ast.Module) -> dict[Place, Calls]:
        self.found: dict[Place, Calls] = {}
        self._statements(tree.body, ("<module>", 1), True)
        return self.found

    def _statements(self, nodes: Iterable[ast.AST], unit: Place, executed: bool) -> None:
        for node in nodes:
            self._visit(node, unit, executed)
            if isinstance(node, ast.If) and not node.orelse and _decided(node.test) and _leaves(node.body):
                executed = False

    def _calls(self, unit: Place) -> Calls:
        return self.found.setdefault(unit, Calls())

    def _visit(self, node: ast.AST, unit: Place, executed: bool) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._statements([*node.decorator_list, *_evaluated(node)], unit, executed)
                if node.decorator_list:
                    self._calls(unit).decorators += len(node.decorator_list)
                self._statements(node.body, (node.name, node.lineno), True)
            case ast.Lambda():
                self._statements(_evaluated(node), unit, executed)
                self._visit(node.body, ("<lambda>", node.lineno), True)
            case ast.ClassDef():
                self._statements([*node.decorator_list, *_evaluated(node), *node.body], unit, executed)
                if node.decorator_list:
                    self._calls(unit).decorators += len(node.decorator_list)
            case ast.AnnAssign():
                self._children(node, unit, executed and node.value is not None)
            case ast.BoolOp():
                for value in node.values:
                    self._visit(value, unit, executed)
                    executed = executed and _decided(value) is not isinstance(node.op, ast.Or)
            case ast.IfExp() if _decided(node.test) is not None:
                self._visit(node.test, unit, executed)
                self._visit(node.body, unit, executed and bool(_decided(node.test)))
                self._visit(node.orelse, unit, executed and not _decided(node.test))
            case ast.While() if _decided(node.test) is False:
                self._visit(node.test, unit, executed)
                self._statements(node.body, unit, False)
                self._statements(node.orelse, unit, executed)
            case ast.If() if _decided(node.test) is not None:
                self._visit(node.test, unit, executed)
                self._statements(node.body, unit, executed and bool(_decided(node.test)))
                self._statements(node.orelse, unit, executed and not _decided(node.test))
            case ast.Call():
                calls = self._calls(unit)
                calls.count += 1
                line = _line(node.func)
                if line is not None and executed:
                    calls.lines[line] += 1
                self._children(node, unit, executed)
            case _:
                self._children(node, unit, executed)

    def _children(self, node: ast.AST, unit: Place, executed: bool) -> None:
        parts = _evaluated(node)
        if not isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.If | ast.Try | ast.TryStar):
            self._statements(parts, unit, executed)
            return
        for _, part in ast.iter_fields(node):  # each block by itself
            if isinstance(part, ast.AST):
                self._visit(part, unit, executed)
            elif isinstance(part, list):
                self._statements(part, unit, executed)


def _decided(test: ast.expr) -> bool | None:
    """Return what a condition always is, as the extractor sees it."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            opposite = _decided(operand)
            return None if opposite is None else not opposite
        case ast.BoolOp():
            ends = isinstance(test.op, ast.Or)
            values = [_decided(value) for value in test.values]
            return ends if ends in values else None if None in values else not ends
        case ast.Constant(value=bool() | 0 | 1 | None):
            return bool(test.value)
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case _:
            return None


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether a block never runs to its end, as the extractor sees it."""
    match body[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.If(body=inner, orelse=other):
            return bool(other) and _leaves(inner) and _leaves(other)
        case _:
            return False


def _line(function: ast.expr) -> int | None:
    """Return the line that a function which is called is named on; None where it has no name."""
    match function:
        case ast.Name():
            return function.lineno
        case ast.Attribute():
            return function.end_lineno
        case ast.Call():
            return _line(function.func)
        case ast.Subscript() | ast.Await():
            return _line(function.value)
        case _:
            return None


def calls(facts: ModuleFacts) -> dict[Place, Calls]:
    """Return the same, by the facts."""
    found: dict[Place, Calls] = {}
    for unit in facts.units:
        place = (unit.qualname.rpartition(".")[2], unit.line)
        for operation in unit.operations:
            if isinstance(operation, op.Call):
                here = found.setdefault(place, Calls())
                if operation.decorator:
                    here.decorators += 1
                else:
                    here.count += 1
                    here.lines[operation.line] += 1
    return found
