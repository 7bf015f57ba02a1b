"""Code that is handed to a library, which was linked before without it: the library may call it.

It is an edge from where it is handed over: as an argument, as part of an object, or put where the library looks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, cast

from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking.evaluation import Evaluation, Site
from deepgrep.linking.program import ClassInfo, Frame
from deepgrep.linking.values import (
    Bound,
    ClassValue,
    Container,
    FunctionValue,
    Generator,
    InstanceValue,
    ModuleValue,
    Partial,
    Value,
    Values,
    Wrapped,
)

if TYPE_CHECKING:
    from deepgrep.facts.operations import Operation
    from deepgrep.linking.invocation import Arguments
    from deepgrep.linking.library import Library

_CONSTRUCTORS = ("__new__", "__init__")


def passed(ev: Evaluation, site: Site, frame: Frame, arguments: Arguments, receiver: Value | None) -> None:
    """Note what a call of a function hands over, if the function is of the library."""
    library = ev.solver.program.library
    if library is not None and library.has(frame):
        values = [*arguments.positional, *arguments.keywords.values(), arguments.star, arguments.double_star]
        handed = [value for some in values for value in some]
        _note(ev, site, library, handed if receiver is None else [receiver, *handed])


def stored(ev: Evaluation, site: Site | Operation, place: Value, values: Values) -> None:
    """Note what is put into an object, if the object is the library's, or of a class that extends one of it."""
    library = ev.solver.program.library
    if library is not None and values and _is_of(ev, library, place):
        _note(ev, site, library, values)


def made(ev: Evaluation, site: Site, instance: Value) -> None:
    """Note that an object is made: if its class extends one of the library, that may call the methods it overrides."""
    library = ev.solver.program.library
    if library is not None and _is_of(ev, library, instance):
        _note(ev, site, library, [instance])


def _is_of(ev: Evaluation, library: Library, value: Value) -> bool:
    match value:
        case ModuleValue():
            return library.has(value.module)
        case ClassValue() | InstanceValue():
            order = ev.solver.hierarchy.mro(value.cls)
            return any(isinstance(base, ClassInfo) and library.has(base) for base in order)
        case FunctionValue():
            return library.has(value.unit)
        case Container(class_name="namespace", site=owner):
            return _is_of(ev, library, cast("Value", owner))
        case Container():
            return library.holds(value)
        case _:
            return False


def _note(ev: Evaluation, site: Site | Operation, library: Library, values: Iterable[Value]) -> None:
    if ev.recorder is None or not site.line:
        return
    for frame, certainty in _code(ev, library, values):
        if frame is not ev.frame:
            ev.recorder.edge(Site(site.line, site.guard, None), frame, Via.CALLBACK, certainty)


def _code(ev: Evaluation, library: Library, values: Iterable[Value]) -> Iterator[tuple[Frame, Certainty]]:
    """Yield what can be called of some values, and of what they hold, that is not of the library itself."""
    queue = list(values)
    seen = set(queue)
    while queue:
        value = queue.pop()
        held: Iterable[Value | None] = ()
        match value:
            case FunctionValue():
                if not library.has(value.unit):
                    yield ev.solver.base_frame(value), Certainty.FLOW
            case Generator():
                if not library.has(value.frame):
                    yield value.frame, Certainty.FLOW
            case ClassValue():
                yield from _methods(ev, library, value.cls, ())
            case InstanceValue():
                yield from _methods(ev, library, value.cls, _CONSTRUCTORS)
            case Bound():
                held = (value.function, value.receiver)
            case Wrapped():
                held = value.functions
            case Partial():
                cells = [value.callee, value.star, value.double_star, *value.args.values(), *value.keywords.values()]
                held = [v for cell in cells for v in cell.values]
            case Container() if not library.holds(value):
                cells = [value.element, value.key, *value.items.values()]
                held = [v for cell in cells for v in cell.values]
        for inner in held:
            if inner is not None and inner not in seen:
                seen.add(inner)
                queue.append(inner)


def _methods(
    ev: Evaluation, library: Library, cls: ClassInfo, but: Collection[str]
) -> Iterator[tuple[Frame, Certainty]]:
    """Yield the methods of a class that are not the library's; those that override one of it are the likely ones."""
    order = [base for base in ev.solver.hierarchy.mro(cls) if isinstance(base, ClassInfo)]
    of_library = [base for base in order if library.has(base)]
    for base in order:
        if library.has(base):
            continue
        for name, cell in base.attributes.items():
            if name in but:
                continue
            overrides = any(name in above.attributes for above in of_library)
            for frame in functions(ev, library, cell.values):
                yield frame, Certainty.DISPATCH if overrides else Certainty.FLOW


def functions(ev: Evaluation, library: Library, values: Values) -> Iterator[Frame]:
    """Yield what runs the functions among some values, and behind descriptors, that are not the library's."""
    for value in values:
        for function in value.functions if isinstance(value, Wrapped) else (value,):
            if isinstance(function, FunctionValue) and not library.has(function.unit):
                yield ev.solver.base_frame(function)
