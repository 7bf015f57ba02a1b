"""`match` patterns -> the bindings that they make."""

from __future__ import annotations

import libcst as cst

from deepgrep.facts.expressions import expression
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.operations import NOTHING, Attribute, InstanceOf, Iterate, Narrow, Subscript, Unpack


def bind_pattern(cx: Lowering, pattern: cst.MatchPattern, subject: int) -> int:
    """Bind the names of a pattern that `subject` is matched against; return the operand of a subject that matches."""
    match pattern:
        case cst.MatchAs():
            if pattern.pattern is not None:
                subject = bind_pattern(cx, pattern.pattern, subject)
            _bind(cx, pattern.name, subject)
        case cst.MatchOr():
            for alternative in pattern.patterns:
                bind_pattern(cx, alternative.pattern, subject)
        case cst.MatchClass():
            return _class(cx, pattern, subject)
        case cst.MatchList() | cst.MatchTuple():
            _sequence(cx, pattern, subject)
        case cst.MatchMapping():
            for item in pattern.elements:
                key = expression(cx, item.key)
                bind_pattern(cx, item.pattern, _part(cx, subject, Subscript(*cx.place(), subject, key)))
            _bind(cx, pattern.rest, NOTHING)
        case cst.MatchValue():
            expression(cx, pattern.value)
    return subject


def _class(cx: Lowering, pattern: cst.MatchClass, subject: int) -> int:
    kind = expression(cx, pattern.cls)
    if subject == NOTHING:
        value = cx.emit(InstanceOf(*cx.place(), kind))
    else:
        value = cx.emit(Narrow(*cx.place(), subject, kind))
    for element in pattern.patterns:
        bind_pattern(cx, element.value, value)
    for keyword in pattern.kwds:
        cx.at(keyword.key)
        part = cx.emit(Attribute(*cx.place(), value, keyword.key.value))
        bind_pattern(cx, keyword.pattern, part)
    return value


def _sequence(cx: Lowering, pattern: cst.MatchList | cst.MatchTuple, subject: int) -> None:
    starred = False
    for index, element in enumerate(pattern.patterns):
        if isinstance(element, cst.MatchStar):
            starred = True
            _bind(cx, element.name, _part(cx, subject, Iterate(*cx.place(), subject, False)))
        elif isinstance(element, cst.MatchSequenceElement):
            part = Unpack(*cx.place(), subject, -1 if starred else index)
            bind_pattern(cx, element.value, _part(cx, subject, part))


def _part(cx: Lowering, subject: int, operation: Iterate | Subscript | Unpack) -> int:
    return NOTHING if subject == NOTHING else cx.emit(operation)


def _bind(cx: Lowering, name: cst.Name | None, value: int) -> None:
    if name is not None:
        cx.at(name)
        cx.store(name.value, value, "match")
