"""Conditions decided from what is known of the values that they name: true, false, or open."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

Constant = str | bytes | int | float | complex | bool | None
"""A value that conditions are decided by."""


class _Open(Enum):
    """What an expression is of which nothing is known."""

    OPEN = "open"


OPEN = _Open.OPEN
_Value = Constant | tuple[Constant, ...] | _Open

_DECIDED_KINDS = {"if", "else", "return", "while"}
_BUILTIN_TYPES: dict[str, type] = {
    t.__name__: t for t in (bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple, type)
}


@dataclass(frozen=True, slots=True)
class Premise:
    """What is assumed of an expression: a variable or attribute, a call, or an environment variable.

    Attributes:
        kind: `value`, `call` or `environment`.
        name: the last name of the expression, or that of the environment variable.
        title: what the premise is called where it is shown.
        value: what it is.
    """

    kind: str
    name: str
    title: str
    value: Constant


def decide(kind: str, text: str, names: Mapping[str, Constant], premises: Iterable[Premise] = ()) -> bool | None:
    """Whether a condition holds; None where that is open.

    Args:
        kind: as of a guard.
        text: likewise.
        names: what some names in it certainly hold.
        premises: what is assumed of expressions that stand in it.
    """
    if kind not in _DECIDED_KINDS:
        return None
    tree = _parsed(text.removeprefix("while ") if kind == "while" else text)
    if tree is None:
        return None
    told = [premise for premise in premises if _only_one(tree, premise)]
    value = _Evaluation(names, told).value(tree)
    return None if value is OPEN else bool(value)


@cache
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):  # of a later Python, or nested too deeply: it stays open
        return None


def _only_one(tree: ast.expr, premise: Premise) -> bool:
    """Whether what a premise is about is the only expression of its name: `a.x and b.x` has two."""
    found = {ast.dump(node) for node in ast.walk(tree) if isinstance(node, ast.expr) and _is_about(node, premise)}
    return len(found) == 1 or premise.kind == "environment"


def _is_about(node: ast.expr, premise: Premise) -> bool:
    match premise.kind:
        case "value":
            return _last_name(node) == premise.name
        case "call":
            return isinstance(node, ast.Call) and _last_name(node.func) == premise.name
        case _:
            return _variable(node) == premise.name


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case _:
            return ""


def _variable(node: ast.expr) -> str | None:
    """The environment variable whose value, or None, an expression gives."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get", value=of), args=[ast.Constant(value=str(name)), *_]):
            return name if _last_name(of) == "environ" else None
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]):
            return name if _last_name(function) == "getenv" else None
        case ast.Subscript(value=of, slice=ast.Constant(value=str(name))):
            return name if _last_name(of) == "environ" else None
        case _:
            return None


_COMPARE: dict[type[ast.cmpop], Callable[..., bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
_SINGLETONS = (None, True, False)


class _Evaluation:
    """Evaluates expressions as far as they can be; nothing of the analyzed code is run."""

    def __init__(self, names: Mapping[str, Constant], premises: list[Premise]) -> None:
        self._names = names
        self._premises = premises

    def value(self, node: ast.expr) -> _Value:
        for premise in self._premises:
            if _is_about(node, premise):
                return premise.value
        match node:
            case ast.Constant(value=constant):
                return OPEN if constant is ... else constant
            case ast.Name(id=name):
                return self._names.get(name, OPEN)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return self._elements(elements)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                value = self.value(operand)
                return OPEN if value is OPEN else not value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.value(operand)
                return -value if isinstance(value, int | float) else OPEN
            case ast.BoolOp(op=op, values=operands):
                return self._boolean(isinstance(op, ast.And), operands)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                value = self.value(test)
                return OPEN if value is OPEN else self.value(body if value else orelse)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._compared(left, ops, comparators)
            case ast.Call(func=ast.Name(id=name), args=[subject, *others], keywords=[]) if name not in self._names:
                return self._builtin(name, subject, others)
            case _:
                return OPEN

    def _elements(self, elements: list[ast.expr]) -> _Value:
        values: list[Constant] = []
        for element in elements:
            value = self.value(element)
            if value is OPEN or isinstance(value, tuple):
                return OPEN
            values.append(value)
        return tuple(values)

    def _boolean(self, is_and: bool, operands: list[ast.expr]) -> _Value:
        is_open = False
        value: _Value = OPEN
        for operand in operands:
            value = self.value(operand)
            if value is OPEN:
                is_open = True
            elif bool(value) is not is_and:
                # Whatever those before are: the whole is as false, or as true. Its value is known if theirs are.
                return value if not is_open else not is_and
        return OPEN if is_open else value

    def _compared(self, left: ast.expr, ops: list[ast.cmpop], comparators: list[ast.expr]) -> _Value:
        is_open = False
        for op, right in zip(ops, comparators, strict=True):
            holds = self._one_comparison(left, op, right)
            if holds is False:
                return False
            is_open |= holds is None
            left = right
        return OPEN if is_open else True

    def _one_comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool | None:
        if isinstance(op, ast.In | ast.NotIn) and _last_name(right) == "environ":
            known = [p for p in self._premises if p.kind == "environment" and p.name == self.value(left)]
            return isinstance(op, ast.In) if known else None
        one, other = self.value(left), self.value(right)
        if one is OPEN or other is OPEN:
            return None
        if isinstance(op, ast.Is | ast.IsNot) and not (_is_singleton(one) or _is_singleton(other)):
            return None  # which equal objects are one is not for the language to say
        try:
            return bool(_COMPARE[type(op)](one, other))
        except TypeError:
            return None

    def _builtin(self, name: str, subject: ast.expr, others: list[ast.expr]) -> _Value:
        value = self.value(subject)
        if value is OPEN or isinstance(value, tuple):
            return OPEN
        match name, others:
            case "bool", []:
                return bool(value)
            case "callable", []:
                return False
            case "isinstance", [types]:
                elements = types.elts if isinstance(types, ast.Tuple) else [types]
                names = [_last_name(element) if isinstance(element, ast.Name) else "" for element in elements]
                known = [_BUILTIN_TYPES[n] for n in names if n in _BUILTIN_TYPES and n not in self._names]
                if isinstance(value, tuple(known)):
                    return True
                return False if len(known) == len(elements) else OPEN
            case _:
                return OPEN


def _is_singleton(value: _Value) -> bool:
    return any(value is singleton for singleton in _SINGLETONS)
