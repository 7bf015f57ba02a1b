"""Assignment and deletion targets -> operations."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from deepgrep.facts.expressions import expression, subscript_index
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.operations import (
    Attribute,
    DeleteAttribute,
    DeleteGlobal,
    DeleteSubscript,
    Iterate,
    SetAttribute,
    SetSubscript,
    Subscript,
    Unpack,
)


def assign(cx: Lowering, target: cst.BaseExpression, value: int, form: str) -> None:
    """Bind `value` to a target.

    Args:
        cx: the file that is lowered.
        target: a name, attribute, subscript, or a tuple or list of targets.
        value: the operand that is bound.
        form: how the binding is written: `assign`, `for`, `with`, ...
    """
    match target:
        case cst.Name():
            cx.at(target)
            cx.store(target.value, value, form)
        case cst.Attribute():
            base = expression(cx, target.value)
            cx.at(target.attr)
            cx.emit(SetAttribute(*cx.place(), base, cx.scope.mangled(target.attr.value), value, form))
        case cst.Subscript():
            base = expression(cx, target.value)
            line = cx.at(target.value)
            index = subscript_index(cx, target)
            cx.emit(SetSubscript(*cx.place(line), base, index, value, form))
        case cst.Tuple() | cst.List():
            _unpack(cx, target.elements, value, form)


def augment(cx: Lowering, target: cst.BaseExpression, result: Callable[[int], int]) -> None:
    """Bind a target anew; what stands in it is evaluated once.

    Args:
        cx: the file that is lowered.
        target: a name, attribute or subscript.
        result: gives what is bound, for the operand of the old value.
    """
    match target:
        case cst.Attribute():
            base = expression(cx, target.value)
            line, name = cx.at(target.attr), cx.scope.mangled(target.attr.value)
            value = result(cx.emit(Attribute(*cx.place(line), base, name)))
            cx.emit(SetAttribute(*cx.place(line), base, name, value, "augmented"))
        case cst.Subscript():
            base = expression(cx, target.value)
            line = cx.at(target.value)
            index = subscript_index(cx, target)
            value = result(cx.emit(Subscript(*cx.place(line), base, index)))
            cx.emit(SetSubscript(*cx.place(line), base, index, value, "augmented"))
        case _:
            assign(cx, target, result(expression(cx, target)), "augmented")


def _unpack(cx: Lowering, targets: object, value: int, form: str) -> None:
    known = True
    for index, element in enumerate(targets):  # type: ignore[arg-type, var-annotated]
        if isinstance(element, cst.StarredElement):
            known = False
            part = cx.emit(Iterate(*cx.place(), value, False))
        else:
            part = cx.emit(Unpack(*cx.place(), value, index if known else -1))
        assign(cx, element.value, part, "unpack" if form == "assign" else form)


def delete(cx: Lowering, target: cst.BaseExpression) -> None:
    """Lower `del target`."""
    match target:
        case cst.Name():
            cx.at(target)
            name = cx.scope.mangled(target.value)
            if cx.scope.lookup(name).kind == "global":
                cx.emit(DeleteGlobal(*cx.place(), name))
        case cst.Attribute():
            base = expression(cx, target.value)
            cx.at(target.attr)
            cx.emit(DeleteAttribute(*cx.place(), base, cx.scope.mangled(target.attr.value)))
        case cst.Subscript():
            base = expression(cx, target.value)
            line = cx.at(target.value)
            cx.emit(DeleteSubscript(*cx.place(line), base, subscript_index(cx, target)))
        case cst.Tuple() | cst.List():
            for element in target.elements:
                delete(cx, element.value)
