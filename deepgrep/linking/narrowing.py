"""What a test says of the value that it is made of: `isinstance`, `type(x) is T`, and predicates annotated `TypeIs`.

Of what may flow to the tested place, only what passes the test is there where it holds; where it does not, the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from deepgrep.facts.operations import InstanceOf, Narrow, Subscript
from deepgrep.linking.closed_types import closed, fitting
from deepgrep.linking.evaluation import Evaluation, Handler
from deepgrep.linking.functions import are_functions
from deepgrep.linking.program import ClassInfo, Predicate
from deepgrep.linking.stated_types import possible_types
from deepgrep.linking.values import (
    NOTHING,
    Bound,
    ClassValue,
    Container,
    Cut,
    External,
    FunctionValue,
    InstanceValue,
    Partial,
    Text,
    Value,
    Values,
    function_of,
)

_BUILTIN_TYPES = ("str", "int", "float", "bool", "bytes", "complex", "dict", "list", "tuple", "set", "frozenset")
# What is an instance of a type of the language.
_KINDS: dict[str, tuple[type, ...]] = {
    "type": (ClassValue,),
    "types.FunctionType": (FunctionValue,),
    "types.MethodType": (Bound,),
    "functools.partial": (Partial,),
    **dict.fromkeys(_BUILTIN_TYPES, (Container, Text, External)),
}
# What its types mean, such as `Callable` or `Sized`, an object need not say by its bases.
_LANGUAGE = sys.stdlib_module_names | {"typing_extensions"}
_PREDICATES = {"TypeIs": True, "TypeGuard": False}


@dataclass(frozen=True, slots=True)
class _Types:
    """What a value is tested for: analyzed classes, types of the language, and those of other packages, by name."""

    classes: tuple[ClassInfo, ...]
    kinds: tuple[str, ...]
    foreign: tuple[str, ...] = ()


def predicate(ev: Evaluation, operand: int) -> Predicate | None:
    """Return what a function tests its first argument for, if its annotation says so (PEP 647, PEP 742).

    Args:
        ev: the evaluation of what defines it.
        operand: what its annotation describes.
    """
    operations = ev.frame.unit.facts.operations
    described = operations[operand] if operand >= 0 else None
    kind = operations[described.cls] if isinstance(described, InstanceOf) and described.cls >= 0 else None
    if not isinstance(kind, Subscript):
        return None
    names = {base.name.rpartition(".")[2] for base in ev.get(kind.base) if isinstance(base, External)}
    if len(names) != 1 or not names <= _PREDICATES.keys():
        return None
    classes = closed(ev, kind.index)
    return None if classes is None else Predicate(classes, _PREDICATES[names.pop()])


def _narrow(ev: Evaluation, op: Narrow) -> Values:
    values = ev.get(op.value)
    if op.test == "predicate":
        return _by_predicate(ev, op, values)
    return _instances(ev, op, values) if op.holds else _others(ev, op, values)


def _by_predicate(ev: Evaluation, op: Narrow, values: Values) -> Values:
    functions = [function_of(callee) for callee in ev.get(op.types)]
    said = [f.unit.predicate for f in functions if isinstance(f, FunctionValue) and f.unit.predicate is not None]
    if len(said) != 1 or len(functions) != 1:
        return values
    hierarchy, classes = ev.solver.hierarchy, said[0].classes
    if not op.holds:
        return _without(ev, values, _Types(classes, ())) if said[0].is_exact else values
    _note(ev, op, classes)
    kept = fitting(hierarchy, classes, values)
    return kept | _meant(ev, values, kept, classes)


def _instances(ev: Evaluation, op: Narrow, values: Values) -> Values:
    """Keep what may be an instance of the types; what is unknown is an instance of them."""
    given = possible_types(ev, ev.get(op.types))
    types = _known(given)
    if types is None:
        return values
    if not (types.kinds or types.foreign):
        _note(ev, op, types.classes)
    hierarchy = ev.solver.hierarchy
    kept: list[Value] = []
    narrowed: set[ClassInfo] = set()
    for value in values:
        if not isinstance(value, InstanceValue):
            is_kind = any(isinstance(value, _KINDS[kind]) for kind in types.kinds)
            if is_kind or types.foreign:
                kept.append(value)
            continue
        if any(kind in hierarchy.mro(value.cls) for kind in types.kinds):
            kept.append(value)
        if any(_may_extend(ev, value, name) for name in types.foreign):
            kept.append(value)
        for cls in types.classes:
            if hierarchy.is_subclass(value.cls, cls):
                kept.append(value)
                # Who asks for more than an annotation says has other objects in mind too.
                if value.is_open and value.cls is not cls:
                    narrowed.add(cls)
            elif value.is_open and hierarchy.is_subclass(cls, value.cls):
                narrowed.add(cls)
    interner = ev.solver.interner
    found = frozenset(kept)
    asked = frozenset(interner.instance(c, True) for c in types.classes if c in narrowed)
    return found | asked | (NOTHING if types.foreign else _meant(ev, values, found, types.classes))


def _may_extend(ev: Evaluation, value: InstanceValue, name: str) -> bool:
    """Whether an object may be of a type that another package has: if its class has a base there."""
    hierarchy, package = ev.solver.hierarchy, name.partition(".")[0]
    classes = (value.cls, *(hierarchy.subclasses(value.cls) if value.is_open else ()))
    return any(package in hierarchy.outside_packages(cls) for cls in classes if isinstance(cls, ClassInfo))


def _note(ev: Evaluation, op: Narrow, classes: tuple[ClassInfo, ...]) -> None:
    if ev.recorder is not None and classes:
        ev.recorder.tested.test(ev.frame, op, classes)


def _meant(ev: Evaluation, values: Values, kept: Values, classes: Iterable[ClassInfo]) -> Values:
    """Return instances of what is asked for, where no known object is one: then it is an unknown one."""
    if any(isinstance(v, InstanceValue) for v in kept) or _is_handed_function(ev, values):
        return NOTHING
    return frozenset(ev.solver.interner.instance(cls, True) for cls in classes)


def _is_handed_function(ev: Evaluation, values: Values) -> bool:
    """Whether a value is just the functions that this context is for: they are instances of no analyzed class."""
    return ev.frame.own is not None and (are_functions(ev.solver, values) or _waits(ev, values))


def _waits(ev: Evaluation, values: Values) -> bool:
    """Whether it should be awaited what a clone is handed before it is taken for unknown, as when it is handed on."""
    if ev.recorder is not None or ev.number in ev.solver.settled or not all(isinstance(v, Cut) for v in values):
        return False
    ev.solver.deferred[ev.number] = ev.frame, ev.index
    return True


def _others(ev: Evaluation, op: Narrow, values: Values) -> Values:
    """Keep what need not be an instance of the types, if these are certain."""
    given = ev.get(op.types)
    if len(given) != 1:
        return values
    (only,) = given
    if isinstance(only, Container):
        if only.class_name != "tuple" or ev.read(only.element):
            return values
        cells = [ev.read(cell) for cell in only.items.values()]
        types = [value for held in cells if len(held) == 1 for value in held]
    else:
        types = [only]
    classes = tuple(t.cls for t in types if isinstance(t, ClassValue) and not t.is_open)
    kinds = tuple(t.name for t in types if isinstance(t, External) and t.name in _KINDS)
    return _without(ev, values, _Types(classes, kinds))


def _without(ev: Evaluation, values: Values, types: _Types) -> Values:
    hierarchy = ev.solver.hierarchy

    def is_one(value: Value) -> bool:
        match value:
            case InstanceValue():
                return any(hierarchy.is_subclass(value.cls, cls) for cls in types.classes)
            case Container():
                return value.class_name in types.kinds
            case Text():
                return type(value.value).__name__ in types.kinds
            case External():
                return False
            case _:
                return any(isinstance(value, _KINDS[kind]) for kind in types.kinds)

    left = [value for value in values if not is_one(value)]
    return values if len(left) == len(values) else frozenset(left)


def _known(types: list[Value]) -> _Types | None:
    """Return what is asked for; None if anything may be that, as what is callable, or not known."""
    classes = tuple(t.cls for t in types if isinstance(t, ClassValue))
    outside = [t.name for t in types if isinstance(t, External)]
    kinds = tuple(name for name in outside if name in _KINDS)
    foreign = tuple(name for name in outside if name.partition(".")[0] not in _LANGUAGE and "." in name)
    return _Types(classes, kinds, foreign) if types and len((*classes, *kinds, *foreign)) == len(types) else None


OPERATIONS: dict[type, Handler] = {Narrow: _narrow}
