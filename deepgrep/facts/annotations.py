"""Annotations: looked at, never run. String annotations are parsed; `X | Y` is one of two types."""

from __future__ import annotations

import libcst as cst

from deepgrep.facts.effort import check
from deepgrep.facts.expressions import expression, plain_text
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.narrowing import join
from deepgrep.facts.operations import NOTHING, Collection, InstanceOf, Subscript
from deepgrep.facts.scopes import Scope
from deepgrep.facts.splitting import scan

_LITERAL = "Literal"


def instance_of(cx: Lowering, annotation: cst.Annotation | None) -> int:
    """Return the operand of a value that an annotation describes, NOTHING without one."""
    if annotation is None:
        return NOTHING
    with cx.unexecuted():
        kind = _type(cx, annotation.annotation)
        return cx.emit(InstanceOf(*cx.place(), kind)) if kind != NOTHING else NOTHING


def type_operand(cx: Lowering, node: cst.BaseExpression) -> int:
    """Return the operand of a type expression."""
    with cx.unexecuted():
        return _type(cx, node)


def type_scope(cx: Lowering, params: cst.TypeParameters | None, class_name: str = "") -> Scope:
    """Return the scope in which a definition's type parameters are known, its annotations and bases are looked up.

    Args:
        cx: the piece.
        params: the type parameters, if there are any.
        class_name: where it is a class, its name: private names belong to it.
    """
    around = cx.scope
    if params is None:
        return around
    # It sees the names of a class that it is directly in, as that class's body does.
    scope = Scope("comprehension", around.unit, around, around.prefix, cls=around.cls, globals=around.globals)
    scope.class_name = class_name
    bind_type_parameters(cx, scope, params)
    scope.names = around.names.difference(scope.variables)
    return scope


def bind_type_parameters(cx: Lowering, scope: Scope, params: cst.TypeParameters) -> None:
    """Make type parameters variables of a scope that has no others of their names; one with a bound is that type."""
    bound = []
    for param in (item.param for item in params.params):
        name = scope.mangled(param.name.value)
        if name in scope.variables:  # a parameter
            continue
        scope.variables[name] = scope.unit.own(name)
        if isinstance(param, cst.TypeVar) and param.bound is not None:
            bound.append((param.name.value, param.bound))
    with cx.within(scope), cx.unexecuted():
        for name, kind in bound:
            cx.store(name, _type(cx, kind), "annotation")


def _type(cx: Lowering, node: cst.BaseExpression) -> int:
    match node:
        case cst.SimpleString():
            return _quoted(cx, node)
        case cst.BinaryOperation(operator=cst.BitOr()):
            return join(cx, (_type(cx, node.left), _type(cx, node.right)))
        case cst.Subscript():
            return _parametrized(cx, node)
        case cst.Name() | cst.Attribute():
            return expression(cx, node)
        case _:
            return NOTHING  # the parameters of a Callable, the values of a Literal under another name


def _quoted(cx: Lowering, node: cst.SimpleString) -> int:
    text = plain_text(node)
    if text is None:
        return NOTHING
    check(scan(text))
    try:
        parsed = cst.parse_expression(text.strip())
    except cst.ParserSyntaxError:
        return NOTHING  # a string in a type that is no type: `Literal["a b"]` under another name
    return _type(cx, parsed)


def _parametrized(cx: Lowering, node: cst.Subscript) -> int:
    base = expression(cx, node.value)
    named = node.value.attr if isinstance(node.value, cst.Attribute) else node.value
    if isinstance(named, cst.Name) and named.value == _LITERAL:
        return base
    values = tuple(_type(cx, e.slice.value) for e in node.slice if isinstance(e.slice, cst.Index))
    index = values[0] if len(values) == 1 else cx.emit(Collection(*cx.place(), "tuple", values, (), True))
    return cx.emit(Subscript(*cx.place(), base, index))
