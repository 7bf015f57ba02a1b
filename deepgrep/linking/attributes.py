"""Attribute access: modules, classes, instances, descriptors, `__getattr__`, and what is outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deepgrep.facts.operations import Attribute, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import computed_attributes, module_objects, names, states
from deepgrep.linking.cells import Cell
from deepgrep.linking.constructors import is_constructor
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.hierarchy import Found
from deepgrep.linking.invocation import Arguments, invoke
from deepgrep.linking.program import ClassInfo, ModuleInfo
from deepgrep.linking.values import (
    NOTHING,
    Bound,
    ClassValue,
    Container,
    Cut,
    External,
    FunctionValue,
    Generator,
    InstanceValue,
    Many,
    ManyMethods,
    ModuleValue,
    Partial,
    Super,
    Text,
    Value,
    Values,
    Wrapped,
)

# A name of more parts than this stands for data that is walked, not for a function: `node.next.next.next`.
_LONGEST_EXTERNAL_NAME = 7
_BUILTIN_TYPES: dict[str, type] = {
    kind.__name__: kind
    for kind in (str, int, float, bool, bytes, complex, type(None), list, tuple, dict, set, frozenset)
}
# What classes outside the analyzed sources have from `object`.
_OF_OBJECT = frozenset({"__getattribute__", "__setattr__", "__delattr__"})
_RESUMES = frozenset({"__next__", "send", "throw", "close", "__anext__", "asend", "athrow", "aclose"})
_PROPERTY_DECORATORS = frozenset({"setter", "getter", "deleter"})


def _attribute(ev: Evaluation, op: Attribute) -> Values:
    values = ev.get(op.base)
    is_had = len(values) > 1 and any(_is_had_by(ev, v, op.name) for v in values)
    return union([attribute(ev, op, value, op.name, is_had) for value in values])


def _is_had_by(ev: Evaluation, value: Value, name: str) -> bool:
    """Whether an object is known to have an attribute."""
    match value:
        case InstanceValue():
            return find(ev, value.cls, name, value.is_open).is_anywhere
        case Container() if value.class_name in _BUILTIN_TYPES:
            return hasattr(_BUILTIN_TYPES[value.class_name], name)
        case _:
            return False


def attribute(ev: Evaluation, op: Operation, value: Value, name: str, is_had: bool = False) -> Values:
    """Return what `value.name` may be; note what it runs and which state it reads.

    Args:
        ev: the evaluation in which it happens.
        op: the operation that takes it.
        value: what it is taken of.
        name: of the attribute.
        is_had: whether something else that the value may be has it, so that it is no attribute of unknown name.
    """
    interner = ev.solver.interner
    if name == "__dict__":
        from deepgrep.linking.namespaces import namespace

        return namespace(ev, value)
    match value:
        case InstanceValue():
            return instance_attribute(ev, op, value, name, is_had)
        case ModuleValue():
            return module_attribute(ev, op, value.module, name)
        case ClassValue():
            return class_attribute(ev, op, value, name)
        case External():
            if value.name.count(".") >= _LONGEST_EXTERNAL_NAME:
                return NOTHING
            states.read_external(ev, op, f"{value.name}.{name}")
            return ev.one(interner.external(f"{value.name}.{name}"))
        case Container():
            states.read_container_attribute(ev, op, value, name)
            cell = value.items.get(("attribute", name))
            method = _builtin_method(ev, value.class_name, name, value)
            return method if cell is None else union((ev.read(cell), method))
        case Super():
            return _super_attribute(ev, op, value, name)
        case Text():
            return _builtin_method(ev, type(value.value).__name__, name, value)
        case Wrapped(kind="property") if name in _PROPERTY_DECORATORS:
            return ev.one(interner.wrapped(name, value))
        case Bound():
            if name == "__self__":
                return ev.one(value.receiver)
            return ev.one(value.function) if name == "__func__" else attribute(ev, op, value.function, name)
        case Generator():
            return ev.one(interner.bound(interner.external(f"generator.{name}"), value))
        case Partial() if name == "func":
            return ev.read(value.callee)
        case FunctionValue():
            states.read_function(ev, op, value, name)
            return ev.read(ev.solver.function_attribute(value, name))
        case Cut():
            return ev.one(value)
        case Many():
            return ev.one(interner.cut)
        case Generator() if name in _RESUMES:
            return ev.one(value)  # calling it resumes the generator
        case _:
            return NOTHING


def _builtin_method(ev: Evaluation, class_name: str, name: str, receiver: Value) -> Values:
    """Return the method of an object of an outside class; a builtin type has no others than it has."""
    builtin = _BUILTIN_TYPES.get(class_name)
    if builtin is not None and not hasattr(builtin, name):
        return NOTHING
    interner = ev.solver.interner
    return ev.one(interner.bound(interner.external(f"{class_name}.{name}"), receiver))


def find(ev: Evaluation, cls: ClassInfo, name: str, is_open: bool) -> Found:
    """Look an attribute up in a class; the frame is evaluated again should the class change."""
    ev.solver.watch(cls, name, ev)
    return ev.solver.hierarchy.find(cls, name, is_open)


def found_values(ev: Evaluation, found: Found) -> Values:
    """Return all that an attribute may be, unbound."""
    return union([*(ev.read(cell) for cell in found.in_classes), *_fields(ev, found)])


def on_type(ev: Evaluation, found: Found) -> Values:
    """Return what a special method may be, unbound: those are looked up on the type alone."""
    return union([ev.read(cell) for cell in found.in_classes])


def unnamed(ev: Evaluation, cls: ClassInfo, name: str | None) -> Values:
    """Return what was assigned to attributes of a class under names that are not known, and may be `name`; None: any.

    One may be any attribute that is missing, unless a base outside the analyzed sources is the likelier place.
    """
    return union([ev.read(cell) for cell in ev.solver.hierarchy.unnamed(cls, name)])


def bound_functions(ev: Evaluation, values: Values, receiver: Value) -> Values:
    """Return the functions among some values, each bound to a receiver."""
    interner = ev.solver.interner
    return frozenset(interner.bound(f, receiver) for f in values if isinstance(f, FunctionValue | ManyMethods))


def instance_attribute(ev: Evaluation, op: Operation, value: InstanceValue, name: str, is_had: bool = False) -> Values:
    """Return what an attribute of an instance may be, bound to it; `is_had` as of `attribute`."""
    found = find(ev, value.cls, name, value.is_open)
    computed_attributes.ask_getattribute(ev, op, value, name)
    results = described(ev, op, found, value)
    states.read_instance(ev, op, value, name, found)
    if name in ("__enter__", "__aenter__") and ev.recorder is not None:
        ev.recorder.entering(value.cls)
    if found.is_anywhere:
        if found.is_late:  # `__getattr__` may set what it was asked for
            return union((results, computed_attributes.computed(ev, op, value, name)))
        if not found.in_classes:
            computed_attributes.ask_where_kept(ev, op, value, name, results)
        modelled = [base for base in found.external if ev.solver.model(f"{base}.{name}") is not None]
        return union((results, _external_methods(ev, op, modelled, name, value))) if modelled else results
    if name == "__class__":
        return ev.one(ev.solver.interner.cls(value.cls, value.is_open))
    if not found.external and not is_had:
        results = union((results, bound_functions(ev, unnamed(ev, value.cls, name), value)))
    if not name.startswith("__") and not is_had:
        results = union((results, computed_attributes.computed(ev, op, value, name, found.external)))
    return union((results, _external_methods(ev, op, found.external, name, value)))


def _external_methods(ev: Evaluation, op: Operation, bases: Iterable[str], name: str, receiver: Value) -> Values:
    """Return methods of bases outside the analyzed sources, bound; of native properties, their values."""
    from deepgrep.linking.externals import call_external

    solver = ev.solver
    methods: list[Values] = []
    for base in tuple(bases) or (("object",) if name in _OF_OBJECT else ()):
        full = f"{base}.{name}"
        model = solver.model(full)
        if model is not None and model.is_property:
            methods.append(call_external(ev, full, receiver, Arguments(), ev.site(op), Via.PROPERTY))
        else:
            methods.append(ev.one(solver.interner.bound(solver.interner.external(full), receiver)))
    return union(methods)


def described(ev: Evaluation, op: Operation, found: Found, receiver: InstanceValue) -> Values:
    """Return what an attribute of an instance may be: its fields, and what its class makes of it."""
    return _bound(ev, op, found, receiver, ev.one(ev.solver.interner.cls(receiver.cls, receiver.is_open)))


def _bound(ev: Evaluation, op: Operation, found: Found, receiver: Value, owner: Values) -> Values:
    """Apply the descriptor protocol to what an attribute of a receiver may be."""
    fields = _fields(ev, found)
    results: list[Values] = []
    certainty = found.certainty
    for cell, on in called_on(ev, found, receiver, each=not isinstance(receiver, InstanceValue)):
        results += [_descriptor(ev, op, value, on, owner, certainty) for value in ev.read(cell)]
    if found.many_overrides is not None and isinstance(receiver, InstanceValue):
        seen = ev.read(found.many_overrides.pool) if ev.recorder is None else ev.recorder
        methods, others = found.many_overrides.bound(seen, ev.solver.interner)
        results.append(methods)
        instance = ev.solver.interner.instance
        results += [_descriptor(ev, op, value, instance(cls, True), owner, certainty) for value, cls in others]
    if ev.recorder is not None and found.fields:
        ev.recorder.provenance.read(ev.index, found.fields, union(results))
    return union((*fields, *results))


def _fields(ev: Evaluation, found: Found) -> list[Values]:
    """Return what objects hold as an attribute."""
    if found.pool is not None and ev.recorder is None:
        return [ev.read(found.pool)]
    return [ev.read(cell) for cell in found.fields]


def called_on(ev: Evaluation, found: Found, receiver: Value, *, each: bool = True) -> Iterator[tuple[Cell, Value]]:
    """Yield each cell of the classes that have an attribute, with what that is called on; many overrides if `each`.

    What a subclass has instead is called on an instance of that.
    """
    if found.inherited is not None:
        yield found.inherited[1], receiver
    if found.many_overrides is not None and not each:
        return
    for cls, cell in found.overrides:
        yield cell, ev.solver.interner.instance(cls, True) if isinstance(receiver, InstanceValue) else receiver


def _descriptor(
    ev: Evaluation, op: Operation, value: Value, receiver: Value, owner: Values, certainty: Certainty
) -> Values:
    interner = ev.solver.interner
    match value:
        case FunctionValue():
            return ev.one(bound_method(ev, value, receiver))
        case Many() if isinstance(receiver, InstanceValue):
            return ev.one(interner.bound(value, receiver))
        case Wrapped(kind="staticmethod"):
            return ev.one(value.functions[0]) if value.functions[0] else NOTHING
        case Wrapped(kind="classmethod"):
            function = value.functions[0]
            return frozenset(interner.bound(function, cls) for cls in owner) if function else NOTHING
        case Wrapped(kind="property"):
            getter = value.functions[0]
            if getter is None:
                return NOTHING
            bound = ev.one(interner.bound(getter, receiver))
            return invoke(ev, bound, Arguments(), ev.site(op), Via.PROPERTY, certainty)
        case InstanceValue():
            return _descriptor_object(ev, op, value, receiver, owner)
        case _:
            return ev.one(value)


def bound_method(ev: Evaluation, function: FunctionValue, receiver: Value) -> Value:
    """Return a function bound to a receiver.

    What `self` is inside a method is answered by the class hierarchy, so one bound method stands for all receivers;
    but a constructor belongs to a class.
    """
    unit = function.unit
    if unit.cls is not None and unit.binding == "instance":
        cls = receiver.cls if isinstance(receiver, InstanceValue) and is_constructor(unit) else unit.cls
        receiver = ev.solver.interner.instance(cls, True)
    return ev.solver.interner.bound(function, receiver)


def _descriptor_object(ev: Evaluation, op: Operation, value: InstanceValue, receiver: Value, owner: Values) -> Values:
    """A class attribute that is an instance: its `__get__` runs, if its class has one."""
    getter = find(ev, value.cls, "__get__", value.is_open)
    if getter.inherited is None:
        return ev.one(value)
    bound = bound_functions(ev, on_type(ev, getter), value)
    arguments = Arguments((ev.one(receiver), owner))
    return invoke(ev, bound, arguments, ev.site(op), Via.PROPERTY, Certainty.CERTAIN)


def class_attribute(ev: Evaluation, op: Operation, value: ClassValue, name: str) -> Values:
    """Return what an attribute of a class may be."""
    found = find(ev, value.cls, name, value.is_open)
    states.read_class(ev, op, value, name, found)
    interner = ev.solver.interner
    results: list[Values] = []
    for attribute_value in found_values(ev, found):
        match attribute_value:
            case Wrapped(kind="staticmethod"):
                results += [ev.one(f) for f in attribute_value.functions if f]
            case Wrapped(kind="classmethod"):
                results += [ev.one(interner.bound(f, value)) for f in attribute_value.functions if f]
            case InstanceValue():
                none = interner.text(None)
                results.append(_descriptor_object(ev, op, attribute_value, none, ev.one(value)))
            case _:
                results.append(ev.one(attribute_value))
    if _is_enum(ev, value.cls) and found.inherited and not name.startswith("__"):
        results.append(ev.one(interner.instance(value.cls)))
    if found.is_anywhere:
        return union(results)
    for metaclass in metaclasses(ev, value.cls):
        meta = find(ev, metaclass.cls, name, False)
        if meta.inherited:
            return _bound(ev, op, meta, value, ev.one(metaclass))
    if not found.external:
        results.append(unnamed(ev, value.cls, name))
    return union((*results, frozenset(interner.external(f"{base}.{name}") for base in found.external)))


def metaclasses(ev: Evaluation, cls: ClassInfo) -> list[ClassValue]:
    """Return the metaclasses that a class has or inherits, and those that theirs may make it have instead."""
    for base in ev.solver.hierarchy.mro(cls):
        if isinstance(base, ClassInfo) and base.metaclass:
            stated = [v for v in base.metaclass if isinstance(v, ClassValue)]
            made = [ev.solver.interner.cls(other) for v in stated for other in v.cls.makes]
            return stated + [v for v in made if isinstance(v, ClassValue)]
    return []


def _is_enum(ev: Evaluation, cls: ClassInfo) -> bool:
    return any(isinstance(base, str) and base.startswith("enum.") for base in ev.solver.hierarchy.mro(cls))


def _super_attribute(ev: Evaluation, op: Operation, value: Super, name: str) -> Values:
    receiver = value.receiver
    cls = receiver.cls if isinstance(receiver, InstanceValue | ClassValue) else value.cls
    is_open = isinstance(receiver, InstanceValue | ClassValue) and receiver.is_open
    ev.solver.watch(cls, name, ev)
    hierarchy = ev.solver.hierarchy
    first = hierarchy.find_after(cls, value.cls, name)
    unique = {first.inherited[0]: first} if first.inherited else {}
    if is_open:
        unique |= hierarchy.find_beside(value.cls, name)
    interner = ev.solver.interner
    owner = ev.one(receiver) if isinstance(receiver, ClassValue) else ev.one(interner.cls(cls, is_open))
    results = [_bound(ev, op, Found(f.inherited, (), (), ()), receiver, owner) for f in unique.values()]
    if not unique:
        bases = ("object",) if name in _OF_OBJECT else first.external
        results.append(_external_methods(ev, op, bases, name, receiver))
    return union(results)


def module_attribute(ev: Evaluation, op: Operation, module: ModuleInfo, name: str) -> Values:
    """Return what an attribute of a module may be."""
    found = names.module_name(ev, module, name)
    if names.binds(module, name):
        if ev.recorder is not None and op.line:
            states.read_global(ev, op, module, name)
        found = union((found, module_objects.computed(ev, op, module, name, found)))
    if module.defines(name) or (found and not names.binds(module, name)):
        return found  # even if nothing is known of it, or not yet: what is defined hides a submodule of that name
    return union((found, _not_defined(ev, op, module, name)))


def _not_defined(ev: Evaluation, op: Operation, module: ModuleInfo, name: str) -> Values:
    """Return what an attribute of a module may be that no statement in it binds."""
    solver = ev.solver
    interner = solver.interner
    submodule = solver.program.module(f"{module.name}.{name}")
    if submodule is not None:
        return ev.one(interner.module(submodule))
    objects = module_objects.module_objects(ev, module)
    if objects:
        found = union([ev.read(module.unnamed), *(instance_attribute(ev, op, value, name) for value in objects)])
        if solver.model(f"{module.name}.{name}") is None:  # what native code it gives, a model may say
            return found
    is_outside = bool(names.external_stars(ev, module))
    if not is_outside and names.binds(module, "__getattr__"):
        getter = ev.read(module.names["__getattr__"])
        arguments = Arguments((ev.one(interner.text(name)),))
        return invoke(ev, getter, arguments, ev.site(op), Via.PROPERTY, Certainty.CERTAIN)
    if name.startswith("__"):
        return _external_methods(ev, op, (), name, interner.module(module))
    generated = names.generated(ev, module, name)
    if generated or (names.binds(module, name) and not is_outside):
        return generated
    return ev.one(interner.external(f"{module.name}.{name}"))


OPERATIONS: dict[type[Operation], Handler] = {Attribute: _attribute}
