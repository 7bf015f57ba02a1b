"""Shared state: which code writes it, which reads it, and under which name.

A state is named by where it lives. An object that is made where it is stored (`registry = {}` in a module body) is
known by that place, so that a change through another name (`from m import registry; registry.add(x)`) counts as a
write of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from deepgrep.facts.operations import Assign, Join, Operation, SetGlobal
from deepgrep.graph.rows import AccessKind
from deepgrep.linking.evaluation import Evaluation
from deepgrep.linking.hierarchy import Found
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, UnitInfo
from deepgrep.linking.restores import restores, restores_setting
from deepgrep.linking.values import (
    CODE,
    ClassValue,
    Container,
    External,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    Text,
    Value,
    Values,
)

if TYPE_CHECKING:
    from deepgrep.linking.library import Library
    from deepgrep.linking.solver import Solver

GLOBAL = "module global"
CLASS = "class attribute"
INSTANCE = "instance attribute"
OBJECT = "object attribute"
OUTSIDE = "stdlib global"
_MUTABLE = frozenset({"dict", "list", "set"})

# What a module's own body does when it first binds a name is its definition, not a change.
# Attributes of a function that say what it is, and change nothing of what it does.
_DESCRIBING = frozenset(
    {"__annotations__", "__doc__", "__module__", "__name__", "__qualname__", "__signature__", "__wrapped__"}
)
_DEFINING_FORMS = frozenset({"definition", "import", "annotation"})

# A container is known under so many names at most, besides those of the places that it was made for.
_MOST_NAMES = 8


def write_global(ev: Evaluation, op: Any, module: ModuleInfo, name: str, form: str, operand: int | None) -> None:
    """Note that a module global is bound or deleted."""
    if operand is not None:
        name_objects(ev, f"{module.name}.{name}", operand)
    if ev.recorder is None or not op.line:
        return
    own_body = ev.frame.unit.is_module and ev.frame.unit.module is module
    if own_body and (form in _DEFINING_FORMS or _is_first(ev, op, name)):
        return
    shown = "attribute" if form == "assign" and ev.frame.unit.module is not module else form
    shown = "global" if shown == "assign" else shown
    restore = restores(ev, op, operand)
    ev.recorder.access(ev.site(op), f"{module.name}.{name}", GLOBAL, AccessKind.WRITE, shown, restore)


def write_option(ev: Evaluation, op: Operation, name: str) -> None:
    """Note that a call sets an option of a config module that it names."""
    if ev.recorder is not None and op.line:
        ev.recorder.access(ev.site(op), name, GLOBAL, AccessKind.WRITE, "call", False)


def read_global(ev: Evaluation, op: Operation, module: ModuleInfo, name: str) -> None:
    """Note that a module global is read; functions, classes and modules are no states to read."""
    if ev.recorder is None or is_definition(module.names[name].values):
        return
    ev.recorder.access(ev.site(op), f"{module.name}.{name}", GLOBAL, AccessKind.READ, "global", False)


def is_definition(values: Values) -> bool:
    """Whether a global of these values is no state: a function, class or module."""
    return bool(values) and all(isinstance(v, (*CODE, ModuleValue, External)) for v in values)


def _is_first(ev: Evaluation, op: Any, name: str) -> bool:
    """Whether an operation is the first in a module body that binds a global."""
    for other in ev.frame.unit.facts.operations:
        if type(other) is type(op) and getattr(other, "name", None) == name:
            return other is op or other == op
    return False


def write_class(ev: Evaluation, op: Any, base: ClassValue, name: str, form: str, operand: int | None) -> None:
    """Note that an attribute of a class is bound or deleted from outside its body."""
    owner = _owner(ev, base.cls, name)
    full = f"{owner.name}.{name}"
    if operand is not None:
        name_objects(ev, full, operand)
    if ev.recorder is not None and op.line:
        restore = restores(ev, op, operand)
        shown = "class attribute" if form == "assign" else form
        ev.recorder.access(ev.site(op), full, CLASS, AccessKind.WRITE, shown, restore)


def read_class(ev: Evaluation, op: Operation, base: ClassValue, name: str, found: Found) -> None:
    """Note that a class attribute that is no method is read."""
    if ev.recorder is None or not op.line or found.inherited is None:
        return
    owner, cell = found.inherited
    if cell.values and not is_definition(cell.values):
        ev.recorder.access(ev.site(op), f"{owner.name}.{name}", CLASS, AccessKind.READ, "class attribute", False)


def write_instance(ev: Evaluation, op: Any, base: InstanceValue, name: str, form: str, operand: int | None) -> None:
    """Note that an attribute of an instance is bound or deleted; of a module-level object, it is a state of its own."""
    owner = _owner(ev, base.cls, name)
    if operand is not None:
        name_objects(ev, f"{owner.name}.{name}", operand)
    if ev.recorder is None or not op.line:
        return
    restore = restores(ev, op, operand)
    shown = "attribute" if form == "assign" else form
    site = ev.site(op)
    ev.recorder.access(site, f"{owner.name}.{name}", INSTANCE, AccessKind.WRITE, shown, restore)
    for place in _places(ev, base):
        ev.recorder.access(site, f"{place}.{name}", OBJECT, AccessKind.WRITE, shown, restore)
        ev.recorder.access(site, place, GLOBAL, AccessKind.WRITE, f"{shown} {name}", restore)


def read_instance(ev: Evaluation, op: Operation, base: InstanceValue, name: str, found: Found) -> None:
    """Note that an attribute of an instance that is no method is read."""
    if ev.recorder is None or not op.line:
        return
    if found.inherited is not None and (not found.fields or is_definition(found.inherited[1].values)):
        if not is_definition(found.inherited[1].values) and found.inherited[1].values:
            full = f"{found.inherited[0].name}.{name}"
            ev.recorder.access(ev.site(op), full, CLASS, AccessKind.READ, "attribute", False)
        return
    if not found.fields:
        return
    owner = _owner(ev, base.cls, name)
    ev.recorder.access(ev.site(op), f"{owner.name}.{name}", INSTANCE, AccessKind.READ, "attribute", False)
    for place in _places(ev, base):
        ev.recorder.access(ev.site(op), f"{place}.{name}", OBJECT, AccessKind.READ, "attribute", False)


def _owner(ev: Evaluation, cls: ClassInfo, name: str) -> ClassInfo:
    """Return the class after which an attribute is named: the topmost that declares or assigns it."""
    owner = cls
    for base in ev.solver.hierarchy.mro(cls):
        if isinstance(base, ClassInfo) and (name in base.attributes or name in base.fields):
            owner = base
    return owner


def write_external(ev: Evaluation, op: Any, name: str, form: str, operand: int | None) -> None:
    """Note that an attribute of something outside the analyzed sources is bound: `sys.excepthook = ...`."""
    if ev.recorder is None or not op.line:
        return
    restore = restores(ev, op, operand)
    shown = "attribute" if form == "assign" else form
    ev.recorder.access(ev.site(op), name, OUTSIDE, AccessKind.WRITE, shown, restore)
    owner, _, attribute = name.rpartition(".")
    if ev.solver.models.state(owner) is not None:
        ev.recorder.access(ev.site(op), owner, OUTSIDE, AccessKind.WRITE, f"{shown} {attribute}", restore)


def read_external(ev: Evaluation, op: Operation, name: str) -> None:
    """Note that an attribute outside the analyzed sources is read, where it is known to be a state."""
    if ev.recorder is not None and op.line and ev.solver.models.state(name) is not None:
        ev.recorder.access(ev.site(op), name, OUTSIDE, AccessKind.READ, "attribute", False)


def write_external_item(
    ev: Evaluation, op: Operation, name: str, index: Values, form: str, operand: int | None
) -> None:
    """Note that an item of something outside is bound or deleted: `os.environ["X"] = ...`, `sys.modules[x] = ...`."""
    if ev.recorder is None or not op.line:
        return
    site = ev.site(op)
    for key in _keys(index):
        restore = restores(ev, op, operand)
        ev.recorder.access(site, f"{name}[{key}]", OUTSIDE, AccessKind.WRITE, form, restore)
    ev.recorder.access(site, name, OUTSIDE, AccessKind.WRITE, form, False)


def read_external_item(ev: Evaluation, op: Operation, name: str, index: Values) -> None:
    """Note that an item of a state outside is read."""
    if ev.recorder is not None and op.line and ev.solver.models.state(name) is not None:
        for key in _keys(index):
            ev.recorder.access(ev.site(op), f"{name}[{key}]", OUTSIDE, AccessKind.READ, "subscript", False)


def _keys(index: Values) -> list[str]:
    """Return the constant keys that an index may be, `*` for one that is not known."""
    keys = sorted(v.value for v in index if isinstance(v, Text) and isinstance(v.value, str))
    return keys if keys and len(keys) == len(index) else [*keys, "*"]


def use_modelled(ev: Evaluation, op: Operation, state: str, key: str | None, write: bool, restore: bool) -> None:
    """Note that a model says a state is changed or looked at; `key` is the part of it, `*` if that is not known."""
    if ev.recorder is None or not op.line:
        return
    if not state and key == "*":
        return
    name = (key or "") if not state else state if key is None else f"{state}[{key}]"
    kind = AccessKind.WRITE if write else AccessKind.READ
    restore = restore or (write and restores_setting(ev, op, state))
    ev.recorder.access(ev.site(op), name, OUTSIDE, kind, "call", restore)
    if key is not None and state:
        ev.recorder.access(ev.site(op), state, OUTSIDE, kind, "call", restore)


def write_contents(
    ev: Evaluation, op: Any, value: Value, form: str, operand: int | None, restore: bool = False
) -> None:
    """Note that what an object holds is changed: an item, an element, the value of a context variable."""
    if ev.recorder is None or not op.line:
        return
    restore = restore or restores(ev, op, operand)
    if isinstance(value, External) and ev.solver.models.state(value.name) is not None:
        ev.recorder.access(ev.site(op), value.name, OUTSIDE, AccessKind.WRITE, form, restore)
    for place in _places(ev, value):
        ev.recorder.access(ev.site(op), place, GLOBAL, AccessKind.WRITE, form, restore)


def read_contents(ev: Evaluation, op: Operation, value: Value) -> None:
    """Note that what an object holds is looked at."""
    if ev.recorder is None or not op.line:
        return
    for place in _places(ev, value):
        ev.recorder.access(ev.site(op), place, GLOBAL, AccessKind.READ, "contents", False)


def _places(ev: Evaluation, value: Value) -> Iterable[str]:
    """Return the states that hold an object."""
    return ev.solver.objects.get(value, ())


def write_container_attribute(
    ev: Evaluation, op: Any, base: Container, name: str, form: str, operand: int | None
) -> None:
    """Note that an attribute of an object of an outside class is bound: of a thread-local, above all."""
    if ev.recorder is None or not op.line:
        return
    shown = "attribute" if form == "assign" else form
    for place in _places(ev, base):
        restore = restores(ev, op, operand)
        ev.recorder.access(ev.site(op), f"{place}.{name}", OBJECT, AccessKind.WRITE, shown, restore)
        ev.recorder.access(ev.site(op), place, GLOBAL, AccessKind.WRITE, f"{shown} {name}", restore)


def read_container_attribute(ev: Evaluation, op: Operation, base: Container, name: str) -> None:
    """Note that an attribute of a stored object of an outside class is read; its methods are none."""
    if ev.recorder is None or not op.line or ("attribute", name) not in base.items:
        return
    for place in _places(ev, base):
        ev.recorder.access(ev.site(op), f"{place}.{name}", OBJECT, AccessKind.READ, "attribute", False)


def write_function(ev: Evaluation, op: Any, base: FunctionValue, name: str, form: str, operand: int | None) -> None:
    """Note that an attribute of a function is bound or deleted."""
    unit = ev.frame.unit
    if ev.recorder is None or not op.line or name in _DESCRIBING:
        return
    if unit.is_module and unit.module is base.unit.module and _is_first(ev, op, name):
        return
    shown = "attribute" if form == "assign" else form
    ev.recorder.access(
        ev.site(op), f"{base.unit.name}.{name}", OBJECT, AccessKind.WRITE, shown, restores(ev, op, operand)
    )


def read_function(ev: Evaluation, op: Operation, base: FunctionValue, name: str) -> None:
    """Note that an attribute that was put on a function is read."""
    values = ev.solver.function_attribute(base, name).values
    if ev.recorder is not None and op.line and values and not is_definition(values):
        ev.recorder.access(ev.site(op), f"{base.unit.name}.{name}", OBJECT, AccessKind.READ, "attribute", False)


def write_unknown_attribute(ev: Evaluation, op: Operation, base: Value, form: str = "setattr") -> None:
    """Note that some attribute of an object is bound or deleted, its name not being known."""
    if ev.recorder is None or not op.line:
        return
    match base:
        case ModuleValue():
            ev.recorder.access(ev.site(op), f"{base.module.name}.*", GLOBAL, AccessKind.WRITE, form, False)
        case ClassValue():
            ev.recorder.access(ev.site(op), f"{base.cls.name}.*", CLASS, AccessKind.WRITE, form, False)
        case InstanceValue():
            ev.recorder.access(ev.site(op), f"{base.cls.name}.*", INSTANCE, AccessKind.WRITE, form, False)
        case External():
            ev.recorder.access(ev.site(op), f"{base.name}.*", OUTSIDE, AccessKind.WRITE, form, False)
        case _:
            pass
    for place in _places(ev, base):
        ev.recorder.access(ev.site(op), place, GLOBAL, AccessKind.WRITE, form, False)
        ev.recorder.access(ev.site(op), f"{place}.*", OBJECT, AccessKind.WRITE, form, False)


def name_objects(ev: Evaluation, name: str, operand: int) -> None:
    """Know an object by the place that it is stored in, if it is made right there."""
    values = [v for v in ev.get(operand) if isinstance(v, Container | InstanceValue)]
    if not values:
        return
    objects = ev.solver.objects
    made = _made_at(ev, operand)
    unit = ev.frame.unit
    for value in values:
        match value:
            case Container(site=(frame, index, *_)) if frame is ev.frame and index in made:
                objects.setdefault(value, {})[name] = None
            case Container(site=("annotation", frame, *_)) if frame is ev.frame and unit.is_module and _changes(value):
                objects.setdefault(value, {})[name] = None
            case InstanceValue() if value.site and value.site in {object_site(unit, index) for index in made}:
                objects.setdefault(value, {})[name] = None
            case _:
                pass


def _changes(container: Container) -> bool:
    """Whether it is a container whose contents are changed in place."""
    return container.class_name in _MUTABLE or container.class_name.startswith(("collections.", "weakref."))


def object_site(unit: UnitInfo, index: int) -> str:
    """Return what tells the objects apart that an operation of a unit makes, if it runs at most a few times.

    Each object that a module body makes, or that is made for a global, is a state of its own.
    """
    if unit.is_module:
        return f"{unit.module.name}:{index}"
    return f"{unit.name}:{index}" if index in unit.made_for_globals else ""


def name_held(solver: Solver) -> None:
    """Know a container that is held by one of a module under its name too: `registry["a"].append(x)`.

    What instances hold is not told apart by instance, so that a name of theirs would be given to nearly everything; and
    a container with very many names is none of them in particular.
    """
    library = solver.program.library  # what its containers hold has its names already
    queue = [
        value
        for value in solver.objects
        if isinstance(value, Container) and _changes(value) and _is_of_module(value) and not _is_stored(library, value)
    ]
    while queue:
        holder = queue.pop()
        names = solver.objects[holder]
        for cell in (holder.element, *holder.items.values()):
            for held in cell.values:
                if isinstance(held, Container) and _changes(held):
                    known = solver.objects.setdefault(held, {})
                    if not names.keys() <= known.keys() and len(known) + len(names) <= _MOST_NAMES:
                        known.update(names)
                        if not _is_stored(library, held):
                            queue.append(held)


def _is_of_module(container: Container) -> bool:
    match container.site:
        case (Frame() as frame, *_) | ("annotation", Frame() as frame, *_):
            return frame.unit.is_module
        case _:
            return False


def _is_stored(library: Library | None, container: Container) -> bool:
    return library is not None and library.holds(container)


def _made_at(ev: Evaluation, operand: int) -> set[int]:
    """Return the operations that may make a value: those behind a conditional or an annotation."""
    op = ev.frame.unit.facts.operations[operand] if operand >= 0 else None
    if isinstance(op, Join):
        return {made for value in op.values for made in _made_at(ev, value)}
    if isinstance(op, Assign | SetGlobal):
        return _made_at(ev, op.value)
    return {operand}
