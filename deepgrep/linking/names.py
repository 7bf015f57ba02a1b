"""Names: constants, globals, builtins, and names bound in a class body."""

from __future__ import annotations

import builtins

from deepgrep.facts.operations import ClassName, Constant, DeleteGlobal, Global, Operation, SetClassName, SetGlobal
from deepgrep.linking import class_hooks, states
from deepgrep.linking.closed_types import declared
from deepgrep.linking.dataclass_fields import keep_factory
from deepgrep.linking.evaluation import Evaluation, Handler, union
from deepgrep.linking.name_patterns import matches
from deepgrep.linking.program import ModuleInfo
from deepgrep.linking.values import NOTHING, InstanceValue, Values

_BUILTINS = frozenset(dir(builtins))


def module_name(ev: Evaluation, module: ModuleInfo, name: str) -> Values:
    """Return what a name bound in a module, also by its `import *`, holds; NOTHING if it binds no such name."""
    return _binding(ev, module, name, set()) or NOTHING


def _binding(ev: Evaluation, module: ModuleInfo, name: str, seen: set[str]) -> Values | None:
    cell = module.names.get(name)
    own = None if cell is None else ev.read(cell)
    if own is not None and module.defines(name):
        return own
    if own is None:
        ev.solver.missed(module, name, ev)
    if not module.stars:
        return own
    seen.add(module.name)
    for starred, level in reversed(module.stars):
        target = ev.solver.program.module(module.absolute(starred, level))
        if target is not None and target.name not in seen and target.exports(name):
            found = _binding(ev, target, name, seen)
            if found is not None:
                return found if own is None else union((own, found))
    return own


def binds(module: ModuleInfo, name: str) -> bool:
    """Whether a module has a name of its own: by a statement, or as one was assigned to it from outside."""
    return name in module.names


def external_stars(ev: Evaluation, module: ModuleInfo) -> list[str]:
    """Return the modules outside the analyzed sources of which a module imports all names."""
    absolute = [module.absolute(name, level) for name, level in module.stars]
    return [name for name in absolute if ev.solver.program.module(name) is None]


def generated(ev: Evaluation, module: ModuleInfo, name: str) -> Values:
    """Return what is stored in a module's namespace under names that are not known and may be this one.

    It is written `globals()[name] = f`.
    """
    solver = ev.solver
    namespace = solver.interner.container("namespace", solver.interner.module(module))
    solver.watch_items(namespace, ev)
    fitting = [cell for known, cell in namespace.items.items() if isinstance(known, str) and matches(known, name)]
    return union([ev.read(cell) for cell in (namespace.element, *fitting)])


def _constant(ev: Evaluation, op: Constant) -> Values:
    return ev.one(ev.solver.interner.text(op.value))


def _global(ev: Evaluation, op: Global) -> Values:
    module = ev.frame.unit.module
    found = _binding(ev, module, op.name, set())
    if ev.recorder is not None and op.line and binds(module, op.name):
        states.read_global(ev, op, module, op.name)
    if found is not None:
        return found
    if op.name == "__name__":
        return ev.one(ev.solver.interner.text(module.name))
    if op.name == "__package__":
        return ev.one(ev.solver.interner.text(module.name if module.is_package else module.name.rpartition(".")[0]))
    if op.name in _BUILTINS:
        return ev.one(ev.solver.interner.external(op.name))
    # Bound in a way that no statement shows: `globals()[...] = ...`, or an `import *` from native code.
    made = generated(ev, module, op.name)
    if made:
        return made
    if external_stars(ev, module) or not op.name.startswith("__"):
        return ev.one(ev.solver.interner.external(f"{module.name}.{op.name}"))
    return NOTHING


def _set_global(ev: Evaluation, op: SetGlobal) -> Values:
    module = ev.frame.unit.module
    cell = module.names[op.name]
    values = ev.get(op.value)
    if values:
        ev.solver.add(cell, values)
    states.write_global(ev, op, module, op.name, op.form, op.value)
    return values


def _delete_global(ev: Evaluation, op: DeleteGlobal) -> Values:
    states.write_global(ev, op, ev.frame.unit.module, op.name, "delete", None)
    return NOTHING


def _class_name(ev: Evaluation, op: ClassName) -> Values:
    cls = ev.frame.unit.module.classes[op.cls]
    cell = cls.attributes.get(op.name) or cls.fields.get(op.name)
    found = ev.read(cell) if cell is not None else NOTHING
    # Before the class binds it, the name is the module's.
    return union((found, module_name(ev, ev.frame.unit.module, op.name)))


def _set_class_name(ev: Evaluation, op: SetClassName) -> Values:
    cls = ev.frame.unit.module.classes[op.cls]
    values = keep_factory(ev, cls, op.name, ev.get(op.value))
    types = declared(ev, op.value, op.form)
    if types is not None:
        ev.solver.hierarchy.close(cls, op.name, types)
    cell = cls.fields[op.name] if op.form == "annotation" else cls.attributes[op.name]
    states.name_objects(ev, f"{cls.name}.{op.name}", op.value)
    if values:
        (ev.solver.state if op.form == "annotation" else ev.solver.add)(cell, values)
        class_hooks.tell_name(ev, op, cls, values)
        if op.form == "annotated":
            instances = frozenset(v for v in values if isinstance(v, InstanceValue))
            if instances:
                ev.solver.add(ev.solver.hierarchy.add_field(cls, op.name), instances)
    return NOTHING


OPERATIONS: dict[type[Operation], Handler] = {
    Constant: _constant,
    Global: _global,
    SetGlobal: _set_global,
    DeleteGlobal: _delete_global,
    ClassName: _class_name,
    SetClassName: _set_class_name,
}
