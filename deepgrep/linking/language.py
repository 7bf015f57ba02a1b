"""Functions of the language and its library whose meaning is part of the analysis: look-ups, descriptors, imports."""

from __future__ import annotations

from collections.abc import Callable

from deepgrep.facts.operations import Call, Operation
from deepgrep.graph.rows import Certainty, Via
from deepgrep.linking import class_hooks, states, type_checks
from deepgrep.linking.evaluation import Evaluation, Site, union
from deepgrep.linking.invocation import Arguments, constant_text
from deepgrep.linking.name_patterns import pattern
from deepgrep.linking.values import (
    NOTHING,
    ClassValue,
    Cut,
    FunctionValue,
    InstanceValue,
    Many,
    ModuleValue,
    Text,
    Value,
    Values,
    Wrapped,
)

# The functions of the `operator` module that take both sides.
_OPERATORS = (
    "add", "and_", "eq", "floordiv", "ge", "gt", "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul",
    "ior", "ipow", "irshift", "isub", "itruediv", "ixor", "le", "lshift", "lt", "matmul", "mod", "mul", "ne", "or_",
    "pow", "rshift", "sub", "truediv", "xor",
)  # fmt: skip
Feature = Callable[[Evaluation, Value | None, Arguments, Site], Values]


def _operand(op: Operation, index: int) -> int | None:
    """Return the operand of a positional argument of the call that is evaluated, if it is there."""
    return op.args[index] if isinstance(op, Call) and 0 <= index < len(op.args) else None


def _getattr(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking.any_method import methods

    results = [arguments.at(2)]
    named = _constant_names(arguments.at(1))
    if not named and ev.recorder is not None and site.line:
        ev.recorder.blind(site, "getattr(…)", "", "getattr with an unknown name")
    results += _read(ev, arguments.at(0), named)
    if not named:
        results.append(methods(ev, arguments.at(0), arguments.at(1)))
    return union(results)


def _hasattr(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`hasattr` reads the attribute: properties and `__getattr__` run."""
    _read(ev, arguments.at(0), _constant_names(arguments.at(1)))
    return NOTHING


def _read(ev: Evaluation, values: Values, named: list[str]) -> list[Values]:
    from deepgrep.linking import unknown_names
    from deepgrep.linking.attributes import attribute

    op = ev.operation
    if not named:
        return [unknown_names.read(ev, op, value) for value in values]
    return [attribute(ev, op, value, name) for value in values for name in named]


def _constant_names(values: Values) -> list[str]:
    """Return the names that a string may be, if all of them are known."""
    found = [v.value for v in values if isinstance(v, Text) and isinstance(v.value, str)]
    return sorted(found) if len(found) == len(values) else []


def _setattr(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking import unknown_names
    from deepgrep.linking.setting import assigned, set_attribute

    first = 0 if receiver is None else -1  # `object.__setattr__(x, ...)`; `super().__setattr__(...)` is bound
    values = arguments.at(first + 2)
    bases = arguments.at(0) if receiver is None else ev.one(receiver)
    op = ev.operation
    for name_value in arguments.at(first + 1) or (None,):
        name = constant_text(ev.one(name_value)) if name_value is not None else None
        for base in bases if name is None else assigned(ev, bases, name):
            if name is None:
                unknown_names.assign(ev, op, base, values, pattern(name_value))
            elif isinstance(base, ClassValue) and not _may_patch(ev, op, base, name, values):
                states.write_class(ev, op, base, name, "setattr", _operand(op, first + 2))
            else:
                meant = _meant_for(ev, op, base, name, values)
                set_attribute(ev, op, base, name, meant, "setattr", _operand(op, first + 2))
    return NOTHING


def _may_patch(ev: Evaluation, op: Operation, base: ClassValue, name: str, values: Values) -> bool:
    """Whether an assignment can be one of these values to this attribute of this class.

    Where an object says which class, attribute and value are meant, each may be any of those of other objects: what is
    patched is an attribute that the class has, and what is one of too many values is left out.
    """
    from deepgrep.linking import unknown_names
    from deepgrep.linking.attributes import find

    if not unknown_names.is_described(ev, op):
        return True
    return not any(isinstance(v, Cut | Many) for v in values) and find(ev, base.cls, name, False).inherited is not None


def _meant_for(ev: Evaluation, op: Operation, base: Value, name: str, values: Values) -> Values:
    """Return what may be assigned to an attribute, where an object says which: no method that has another name."""
    from deepgrep.linking import unknown_names

    if not isinstance(base, ClassValue) or not unknown_names.is_described(ev, op):
        return values

    def is_other(value: Value) -> bool:
        owner = value.unit.cls if isinstance(value, FunctionValue) else None
        if owner is None or not ev.solver.hierarchy.is_subclass(base.cls, owner):
            return False
        return name not in owner.attributes or value not in owner.attributes[name].values

    return frozenset(value for value in values if not is_other(value))


def _raw_setattr(form: str) -> Feature:
    """`object.__setattr__` and `type.__setattr__`: write, without running the class's own `__setattr__`."""

    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        from deepgrep.linking.assignment import run_any_setter
        from deepgrep.linking.namespaces import set_raw

        first = 0 if receiver is None else -1
        bases = arguments.at(0) if receiver is None else ev.one(receiver)
        op = ev.operation
        operand = _operand(op, first + 2)
        for name_value in arguments.at(first + 1) or (None,):
            name = constant_text(ev.one(name_value)) if name_value is not None else None
            for base in bases:
                if name is not None:
                    shown = form if receiver is None else "setattr"
                    set_raw(ev, op, base, name, arguments.at(first + 2), shown, operand)
                else:
                    states.write_unknown_attribute(ev, op, base)
                    if isinstance(base, InstanceValue):
                        run_any_setter(ev, base, arguments.at(first + 2), site)
        return NOTHING

    return feature


def _raw_getattribute(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`object.__getattribute__`: reads, without asking the class's own `__getattribute__` or `__getattr__`."""
    from deepgrep.linking import unknown_names
    from deepgrep.linking.attributes import described, find

    name = constant_text(arguments.at(0 if receiver is not None else 1))
    op = ev.operation
    results = []
    for base in arguments.at(0) if receiver is None else ev.one(receiver):
        if not isinstance(base, InstanceValue):
            continue
        if name is None:
            unknown_names.run_any_getter(ev, op, base)
        else:
            results.append(described(ev, op, find(ev, base.cls, name, base.is_open), base))
    return union(results)


def _delattr(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking import unknown_names
    from deepgrep.linking.setting import delete_attribute

    first = 0 if receiver is None else -1
    name = constant_text(arguments.at(first + 1))
    op = ev.operation
    for base in arguments.at(0) if receiver is None else ev.one(receiver):
        if name is not None:
            delete_attribute(ev, op, base, name)
        else:
            unknown_names.delete(ev, op, base)
    return NOTHING


def _raw_delattr(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`object.__delattr__`: deletes, without running the class's own `__delattr__`."""
    from deepgrep.linking.assignment import run_any_deleter
    from deepgrep.linking.setting import delete_attribute

    op = ev.operation
    name = constant_text(arguments.at(0 if receiver is not None else 1))
    for base in arguments.at(0) if receiver is None else ev.one(receiver):
        if name is None:
            states.write_unknown_attribute(ev, op, base)
            if isinstance(base, InstanceValue):
                run_any_deleter(ev, base, site)
        elif isinstance(base, InstanceValue):
            states.write_instance(ev, op, base, name, "object.__delattr__", None)
        else:
            delete_attribute(ev, op, base, name)
    return NOTHING


def _super(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    interner = ev.solver.interner
    if len(arguments.positional) >= 2:
        classes = [v.cls for v in arguments.positional[0] if isinstance(v, ClassValue)]
        return frozenset(interner.super(cls, value) for cls in classes for value in arguments.positional[1])
    frame = ev.frame
    while frame.unit.cls is None:
        if frame.parent is None:
            return NOTHING
        frame = frame.parent
    if not frame.unit.facts.parameters:
        return NOTHING
    cls = frame.unit.cls
    if frame.unit.binding == "static":  # `__new__`: its first parameter is the class
        return ev.one(interner.super(cls, interner.cls(cls, True)))
    return frozenset(interner.super(cls, value) for value in ev.read(frame.cell(1)))


def _type(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    if len(arguments.positional) != 1:
        return NOTHING  # `type(name, bases, namespace)`: a class that no statement defines
    interner = ev.solver.interner
    values = arguments.positional[0]
    return frozenset(interner.cls(v.cls, v.is_open) for v in values if isinstance(v, InstanceValue))


def _type_variable(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """A type variable stands for its bound, or one of its constraints."""
    from deepgrep.linking.stated_types import bounds

    return bounds(ev, (*arguments.positional[1:], arguments.keywords.get("bound", NOTHING)))


def _cast(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking.stated_types import stated

    op = ev.operation
    said = stated(ev, op.args[0]) if isinstance(op, Call) and op.args else NOTHING
    value = arguments.at(1)
    return union((said, ev.solver.passed(value, False))) if said else value


def _operate(name: str) -> Feature:
    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        from deepgrep.linking.operators import operate

        return operate(ev, name, arguments.at(0), arguments.at(1))

    return feature


def _items(kind: str) -> Feature:
    """`operator.getitem`, `setitem` and `delitem`."""

    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        from deepgrep.linking.containers import delete_subscript, set_subscript, subscript

        op = ev.operation
        index = arguments.at(1)
        results = []
        for base in arguments.at(0):
            if kind == "getitem":
                results.append(subscript(ev, op, base, index))
            elif kind == "setitem":
                set_subscript(ev, op, base, index, arguments.at(2), _operand(op, 2))
            else:
                delete_subscript(ev, op, base, index)
        return union(results)

    return feature


def _getter(kind: str) -> Feature:
    """What `operator.attrgetter`, `itemgetter` and `methodcaller` give: it is called with its own arguments first."""

    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        from deepgrep.linking.attributes import attribute
        from deepgrep.linking.containers import subscript
        from deepgrep.linking.invocation import invoke

        *given, objects = arguments.positional or (NOTHING,)
        op = ev.operation
        if kind == "itemgetter":
            return union([subscript(ev, op, value, key) for value in objects for key in given])
        results = []
        for path in given if kind == "attrgetter" else given[:1]:
            values = objects
            for name in (constant_text(path) or "").split("."):
                values = union([attribute(ev, op, value, name) for value in values])
            results.append(values)
        if kind == "attrgetter":
            return union(results)
        passed = Arguments(tuple(given[1:]), arguments.keywords)
        return invoke(ev, union(results), passed, site, Via.CALL, Certainty.FLOW)

    return feature


def _wraps(kind: str) -> Feature:
    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        interner = ev.solver.interner
        getters = arguments.keywords.get("fget") or arguments.at(0)
        if kind != "property":
            return frozenset(_once(ev, kind, value) for value in getters)
        setters: list[Value | None] = list(arguments.keywords.get("fset") or arguments.at(1)) or [None]
        return frozenset(interner.wrapped(kind, getter, setter, None) for getter in getters for setter in setters)

    return feature


def _once(ev: Evaluation, kind: str, value: Value) -> Value:
    same = isinstance(value, Wrapped) and value.kind == kind
    return value if same else ev.solver.interner.wrapped(kind, value)


def _namespace(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`globals()` and `vars(x)`."""
    from deepgrep.linking.namespaces import namespace

    if not arguments.positional:
        return namespace(ev, ev.solver.interner.module(ev.frame.unit.module))
    return union([namespace(ev, value) for value in arguments.positional[0]])


def _import_module(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking.imports import module_values, runs

    name = constant_text(arguments.at(0))
    if name is None:
        if ev.recorder is not None and site.line:
            ev.recorder.blind(site, "import_module(…)", "", "import of an unknown module")
        return NOTHING
    if name.startswith("."):
        package = constant_text(arguments.at(1)) or ev.frame.unit.module.name
        name = package + name
    runs(ev, ev.operation, name)
    return module_values(ev, name)


def _reload(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """Reloading a module runs its body again, which binds its globals anew."""
    from deepgrep.linking.imports import runs

    for module in arguments.at(0):
        if isinstance(module, ModuleValue):
            runs(ev, ev.operation, module.module.name)
        states.write_unknown_attribute(ev, ev.operation, module, "reload")
    return arguments.at(0)


def _code(name: str) -> Feature:
    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        if ev.recorder is not None and site.line:
            ev.recorder.blind(site, f"{name}(…)", "", name)
        return NOTHING

    return feature


def _patch(name: str) -> Feature:
    def feature(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
        from deepgrep.linking.modelled import apply
        from deepgrep.linking.patching import patch

        patch(ev, name, arguments)
        model = ev.solver.model(f"unittest.mock.{name}")
        assert model is not None
        return apply(ev, model, receiver, arguments, site)

    return feature


def _resume(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    """`send` and its kin run a generator's body on."""
    from deepgrep.linking.iteration import elements

    return elements(ev, receiver, site) if receiver is not None else NOTHING


def _hash(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    from deepgrep.linking.hashing import hash_function

    return hash_function(ev, receiver, arguments, site)


def _nothing(ev: Evaluation, receiver: Value | None, arguments: Arguments, site: Site) -> Values:
    return NOTHING


FEATURES: dict[str, Feature] = {
    "getattr": _getattr,
    "setattr": _setattr,
    "object.__getattribute__": _raw_getattribute,
    "object.__setattr__": _raw_setattr("object.__setattr__"),
    "type.__setattr__": _raw_setattr("setattr"),
    "types.ModuleType.__setattr__": _raw_setattr("setattr"),
    "object.__delattr__": _raw_delattr,
    "type.__delattr__": _raw_delattr,
    "delattr": _delattr,
    "super": _super,
    "type": _type,
    "type.__new__": class_hooks.type_new,
    **{f"{module}.TypeVar": _type_variable for module in ("typing", "typing_extensions")},
    **{f"{module}.cast": _cast for module in ("typing", "typing_extensions")},
    **{f"operator.{name}": _operate(f"__{name.rstrip('_')}__") for name in _OPERATORS},
    **{f"operator.{kind}": _items(kind) for kind in ("delitem", "getitem", "setitem")},
    **{f"operator.{kind}()": _getter(kind) for kind in ("attrgetter", "itemgetter", "methodcaller")},
    "property": _wraps("property"),
    "functools.cached_property": _wraps("property"),
    "abc.abstractproperty": _wraps("property"),
    "staticmethod": _wraps("staticmethod"),
    "classmethod": _wraps("classmethod"),
    "globals": _namespace,
    "vars": _namespace,
    "importlib.import_module": _import_module,
    "__import__": _import_module,
    "importlib.reload": _reload,
    **{f"unittest.mock.{name}": _patch(name) for name in ("patch", "patch.object", "patch.multiple", "patch.dict")},
    **{f"generator.{name}": _resume for name in ("__next__", "asend", "send", "throw")},
    "exec": _code("exec"),
    "eval": _code("eval"),
    "isinstance": type_checks.checks("__instancecheck__"),
    "issubclass": type_checks.checks("__subclasscheck__"),
    "hasattr": _hasattr,
    "callable": _nothing,
    "hash": _hash,
    "id": _nothing,
    "object": _nothing,
    "object.__init__": _nothing,
}
