"""`def`, `lambda` and `class` -> units, classes, and the operations that make them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst
from msgspec.structs import replace

from deepgrep.facts.annotations import bind_type_parameters, instance_of, type_scope
from deepgrep.facts.bindings import block_bindings
from deepgrep.facts.expressions import constant_text, expression
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.model import ClassFacts, Parameter
from deepgrep.facts.operations import NOTHING, Call, Class, Function, Iterate, Return
from deepgrep.facts.scopes import Scope, UnitBuilder


def function(cx: Lowering, node: cst.FunctionDef) -> None:
    """Lower a `def`."""
    decorators = [(expression(cx, d.decorator), cx.at(d.decorator)) for d in node.decorators]
    line = cx.at(node.name)
    unit = _function_unit(cx, node, line)
    with cx.within(type_scope(cx, node.type_parameters)):
        defaults, annotations = _signature(cx, node.params)
        returns = instance_of(cx, node.returns)
    if returns != NOTHING:
        annotations.append((-1, returns))
    made = cx.emit(Function(*cx.place(line), unit.index, tuple(defaults), tuple(annotations)))
    if id(node) in cx.apart:
        cx.stubs.append((unit.index, len(cx.classes)))
    else:
        _function_body(cx, unit, node)
    _bind(cx, node.name.value, made, decorators, line)


def function_apart(cx: Lowering, node: cst.FunctionDef, owner: str) -> None:
    """Lower the body of a `def` at the top level, or directly in a top-level class, as a piece of its own.

    Args:
        cx: the piece.
        node: the `def`.
        owner: the name of the class, or "".
    """
    scope = Scope("class", cx.unit, cx.scope, f"{owner}.", class_name=owner) if owner else cx.scope
    with cx.within(scope):
        _function_body(cx, _function_unit(cx, node, cx.line), node)


def _function_unit(cx: Lowering, node: cst.FunctionDef, line: int) -> UnitBuilder:
    unit = cx.new_unit(cx.scope.qualname(node.name.value), line, cx.scope.cls)
    unit.is_async = node.asynchronous is not None
    _add_parameters(cx, unit, node.params)
    return unit


def _function_body(cx: Lowering, unit: UnitBuilder, node: cst.FunctionDef) -> None:
    from deepgrep.facts.statements import block

    with cx.guards.fresh(), cx.fresh_unit(), cx.within(_function_scope(cx, unit, node.body, node.type_parameters)):
        block(cx, node.body)


def lambda_function(cx: Lowering, node: cst.Lambda) -> int:
    """Lower a `lambda`; return its operand."""
    line = cx.at(node)
    unit = cx.new_unit(cx.scope.prefix + "<lambda>", line, -1)
    _add_parameters(cx, unit, node.params)
    defaults, annotations = _signature(cx, node.params)
    made = cx.emit(Function(*cx.place(line), unit.index, tuple(defaults), tuple(annotations)))
    with cx.within(_function_scope(cx, unit, node.body)), cx.guards.fresh(), cx.fresh_unit():
        value = expression(cx, node.body)
        cx.emit(Return(*cx.place(), value))
    return made


def _function_scope(
    cx: Lowering, unit: UnitBuilder, body: cst.CSTNode, types: cst.TypeParameters | None = None
) -> Scope:
    """Return the scope of a function whose parameters are the unit's only variables so far; add those of its body."""
    scope = Scope("function", unit, cx.scope, unit.qualname + ".<locals>.")
    for index, parameter in enumerate(unit.parameters):
        scope.variables[scope.mangled(parameter.name)] = ~(index + 1)
    bindings = block_bindings(body, cx.has_walrus)
    scope.globals = frozenset(map(scope.mangled, bindings.globals))
    if types is not None:
        # Its own, though they are bound around it: what a body says is a function of its own text.
        bind_type_parameters(cx, scope, types)
    own = bindings.own(scope.mangled)
    rebound = cx.declared_elsewhere.union(own)
    unit.parameters = tuple(
        replace(p, is_rebound=True) if scope.mangled(p.name) in rebound or p.name in rebound else p
        for p in unit.parameters
    )
    for name in own:
        if name not in scope.variables:
            scope.variables[name] = unit.own(name)
    return scope


def _listed(params: cst.Parameters) -> Iterator[tuple[str, cst.Param]]:
    """Yield the parameters in order, with the kind of each."""
    groups: list[tuple[str, Sequence[cst.Param]]] = [
        ("positional-only", params.posonly_params),
        ("positional", params.params),
        ("*", [params.star_arg] if isinstance(params.star_arg, cst.Param) else []),
        ("keyword-only", params.kwonly_params),
        ("**", [params.star_kwarg] if params.star_kwarg else []),
    ]
    for kind, group in groups:
        for param in group:
            yield kind, param


def _add_parameters(cx: Lowering, unit: UnitBuilder, params: cst.Parameters) -> None:
    """Give a unit its parameters."""
    parameters = []
    for kind, param in _listed(params):
        default = constant_text(param.default) if param.default is not None else ""
        parameters.append(Parameter(param.name.value, kind, param.default is not None, default))
        unit.own(cx.scope.mangled(param.name.value))
    unit.parameters = tuple(parameters)


def _signature(cx: Lowering, params: cst.Parameters) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the operands of the parameters' defaults and annotations, by index."""
    defaults: list[tuple[int, int]] = []
    annotations: list[tuple[int, int]] = []
    for index, (_, param) in enumerate(_listed(params)):
        if param.default is not None:
            value = expression(cx, param.default)
            if value != NOTHING:
                defaults.append((index, value))
        annotated = instance_of(cx, param.annotation)
        if annotated != NOTHING:
            annotations.append((index, annotated))
    return defaults, annotations


def class_definition(cx: Lowering, node: cst.ClassDef) -> None:
    """Lower a `class`; its body becomes part of the unit around it."""
    from deepgrep.facts.statements import block

    decorators = [(expression(cx, d.decorator), cx.at(d.decorator)) for d in node.decorators]
    bases: list[int] = []
    keywords: list[tuple[str, int]] = []
    types = type_scope(cx, node.type_parameters, node.name.value)
    with cx.within(types):
        for arg in (*node.bases, *node.keywords):
            value = expression(cx, arg.value)
            if arg.star == "*":
                bases.append(cx.emit(Iterate(*cx.place(), value, False)))
            elif arg.keyword is not None:
                keywords.append((arg.keyword.value, value))
            elif not arg.star:
                bases.append(value)
    line = cx.at(node.name)
    name = node.name.value
    qualname = cx.scope.qualname(name)
    index = len(cx.classes)
    cx.classes.append(ClassFacts(qualname, line, cx.unit.index))
    made = cx.emit(Class(*cx.place(line), index, tuple(bases), tuple(keywords)))
    bindings = block_bindings(node.body, cx.has_walrus)
    scope = Scope("class", cx.unit, types, qualname + ".", cls=index, class_name=name)
    scope.names = frozenset(bindings.own(scope.mangled))
    scope.globals = frozenset(map(scope.mangled, bindings.globals))
    with cx.within(scope):
        block(cx, node.body)
    _bind(cx, name, made, decorators, line)


def _bind(cx: Lowering, name: str, made: int, decorators: list[tuple[int, int]], line: int) -> None:
    """Apply decorators, innermost first, and bind the result."""
    value = made
    for decorator, at in reversed(decorators):
        value = cx.emit(Call(*cx.place(at), decorator, (value,), (), (), (), True))
    cx.line = line
    cx.store(name, value, "definition")
