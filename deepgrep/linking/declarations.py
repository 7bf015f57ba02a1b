"""What the text of a module says of its names and methods, before anything is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.facts.model import ModuleFacts, Unit
from deepgrep.facts.operations import (
    Attribute,
    Call,
    Collection,
    Constant,
    Function,
    Global,
    ImportFrom,
    Operator,
    SetAttribute,
    SetClassName,
    SetGlobal,
)
from deepgrep.linking.cells import Cell

if TYPE_CHECKING:
    from deepgrep.linking.program import ModuleInfo


def listed_names(body: Unit) -> tuple[frozenset[str], bool]:
    """Return the names that a module body puts into `__all__`, and whether they are all that it holds."""
    names: set[str] = set()
    is_known = False
    for op in body.operations:
        if isinstance(op, SetGlobal) and op.name == "__all__":
            value = body.operations[op.value] if op.value >= 0 else None
            added = body.operations[value.right] if isinstance(value, Operator) and value.right >= 0 else value
            constants = [body.operations[e] for e in added.elements if e >= 0] if isinstance(added, Collection) else []
            texts = [c.value for c in constants if isinstance(c, Constant) and isinstance(c.value, str)]
            if not isinstance(added, Collection) or len(texts) < len(added.elements):
                return frozenset(names), False
            names.update(texts)
            is_known = True
        elif isinstance(op, Attribute) and _is_all(body, op.base):
            return frozenset(names), False  # `__all__.extend(...)`
    return frozenset(names), is_known


def _is_all(body: Unit, operand: int) -> bool:
    op = body.operations[operand] if operand >= 0 else None
    return isinstance(op, Global | SetGlobal) and op.name == "__all__"


def declare(module: ModuleInfo, unit: Unit) -> None:
    """Note the names that a unit binds in its module and classes: look-ups know them before they hold anything."""
    for op in unit.operations:
        if isinstance(op, SetGlobal):
            module.names.setdefault(op.name, Cell())
        elif isinstance(op, SetClassName):
            cls = module.classes[op.cls]
            if op.form in ("annotation", "annotated"):
                cls.declared.append(op.name)
            if op.form != "annotation":
                cls.attributes.setdefault(op.name, Cell())
            else:
                cls.fields.setdefault(op.name, Cell())
        elif isinstance(op, ImportFrom) and op.name == "*":
            module.stars.append((op.module, op.level))
        elif isinstance(op, SetAttribute) and unit.cls >= 0 and op.base == ~1 and unit.parameters:
            module.classes[unit.cls].fields.setdefault(op.name, Cell())


def method_bindings(facts: ModuleFacts) -> dict[int, str]:
    """Return which units are under `@staticmethod` or `@classmethod`."""
    found: dict[int, str] = {}
    for unit in facts.units:
        made: dict[int, int] = {}
        for index, op in enumerate(unit.operations):
            if isinstance(op, Function):
                made[index] = op.unit
            elif isinstance(op, Call) and op.decorator and op.args[0] in made:
                function = made[index] = made[op.args[0]]
                decorator = unit.operations[op.func] if op.func >= 0 else None
                if isinstance(decorator, Global) and decorator.name in ("staticmethod", "classmethod"):
                    found[function] = decorator.name.removesuffix("method")
    return found
