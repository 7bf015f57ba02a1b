"""Which names a block binds: what makes a name local (Python reference, "Naming and binding")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import libcst as cst

from deepgrep.facts.positions import push_children


@dataclass(slots=True)
class Bindings:
    """The names that a block binds, in order of first binding, and its `global` and `nonlocal` declarations."""

    names: dict[str, None] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)

    def own(self, mangled: Callable[[str], str]) -> list[str]:
        """Return the names that the block binds in its own scope, as Python stores them.

        Args:
            mangled: gives that of a name.
        """
        declared = {mangled(name) for name in self.globals | self.nonlocals}
        return [name for name in dict.fromkeys(map(mangled, self.names)) if name not in declared]


def block_bindings(body: cst.CSTNode, has_walrus: bool) -> Bindings:
    """Return what a function's or class's body binds; nested functions, classes and lambdas are not entered.

    Args:
        body: the block.
        has_walrus: whether the file has a `:=` at all; only then can an expression bind, and is looked into.
    """
    found = Bindings()
    stack = [body]
    while stack:
        node = stack.pop()
        bind = _BIND.get(type(node))
        if bind:
            bind(node, found)
        if type(node) in _SCOPES:
            if has_walrus:
                stack.extend(reversed(_evaluated_around(node)))
        elif has_walrus or type(node) in _HOLDS_STATEMENTS:
            push_children(node, stack)
    return found


def _evaluated_around(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Return the parts of a definition that are evaluated in the block around it; the rest is its own scope."""
    match node:
        case cst.FunctionDef():
            return [*(d.decorator for d in node.decorators), *_defaults(node.params)]
        case cst.ClassDef():
            return [*(d.decorator for d in node.decorators), *(a.value for a in (*node.bases, *node.keywords))]
        case cst.Lambda():
            return _defaults(node.params)
        case _:
            return []


def _defaults(params: cst.Parameters) -> list[cst.BaseExpression]:
    return [p.default for p in (*params.posonly_params, *params.params, *params.kwonly_params) if p.default]


def _bind_name(node: cst.FunctionDef | cst.ClassDef | cst.TypeAlias, found: Bindings) -> None:
    found.names[node.name.value] = None


def _bind_target(node: cst.AssignTarget | cst.AnnAssign | cst.AugAssign | cst.For, found: Bindings) -> None:
    found.names.update(dict.fromkeys(target_names(node.target)))


def _bind_alias(node: cst.AsName, found: Bindings) -> None:
    found.names.update(dict.fromkeys(target_names(node.name)))


def _bind_import(node: cst.Import | cst.ImportFrom | cst.LazyImport | cst.LazyImportFrom, found: Bindings) -> None:
    if not isinstance(node.names, cst.ImportStar):
        for alias in node.names:
            if alias.asname is None:
                found.names[dotted(alias.name).partition(".")[0]] = None


def _bind_capture(node: cst.MatchAs | cst.MatchStar, found: Bindings) -> None:
    if node.name is not None:
        found.names[node.name.value] = None


def _bind_rest(node: cst.MatchMapping, found: Bindings) -> None:
    if node.rest is not None:
        found.names[node.rest.value] = None


def _declare_global(node: cst.Global, found: Bindings) -> None:
    found.globals.update(item.name.value for item in node.names)


def _declare_nonlocal(node: cst.Nonlocal, found: Bindings) -> None:
    found.nonlocals.update(item.name.value for item in node.names)


_BIND: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.FunctionDef: _bind_name,
    cst.ClassDef: _bind_name,
    cst.TypeAlias: _bind_name,
    cst.AssignTarget: _bind_target,
    cst.AnnAssign: _bind_target,
    cst.AugAssign: _bind_target,
    cst.For: _bind_target,
    cst.NamedExpr: _bind_target,
    cst.Del: _bind_target,
    cst.AsName: _bind_alias,
    cst.Import: _bind_import,
    cst.ImportFrom: _bind_import,
    cst.LazyImport: _bind_import,
    cst.LazyImportFrom: _bind_import,
    cst.MatchAs: _bind_capture,
    cst.MatchStar: _bind_capture,
    cst.MatchMapping: _bind_rest,
    cst.Global: _declare_global,
    cst.Nonlocal: _declare_nonlocal,
}
_SCOPES = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})
_HOLDS_STATEMENTS = frozenset(
    {cst.Module, cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine, cst.If, cst.Else, cst.For,
     cst.While, cst.Try, cst.TryStar, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.With, cst.WithItem,
     cst.Assign, cst.Import, cst.ImportFrom, cst.LazyImport, cst.LazyImportFrom, cst.ImportAlias, cst.Match,
     cst.MatchCase, cst.MatchAs, cst.MatchOr, cst.MatchOrElement, cst.MatchClass, cst.MatchKeywordElement,
     cst.MatchList, cst.MatchTuple, cst.MatchSequenceElement, cst.MatchMapping, cst.MatchMappingElement}
)  # fmt: skip


def target_names(target: cst.CSTNode) -> list[str]:
    """Return the plain names that an assignment target binds."""
    match target:
        case cst.Name():
            return [target.value]
        case cst.Tuple() | cst.List():
            return [name for element in target.elements for name in target_names(element.value)]
        case _:
            return []


def dotted(node: cst.CSTNode | None) -> str:
    """Return `a.b.c` for nested attributes of names, "" for none."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))
