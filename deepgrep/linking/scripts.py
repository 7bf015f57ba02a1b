"""What a file does only as the script of a run, or only when it is imported: `if __name__ == "__main__"`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from deepgrep.facts.model import Guard, ModuleFacts
from deepgrep.facts.operations import (
    AnyOperation,
    Assign,
    Attribute,
    Class,
    ClassName,
    Constant,
    Function,
    Global,
    Import,
    ImportFrom,
    InstanceOf,
    Join,
    SetClassName,
    SetGlobal,
)

# Names of the modules that are scripts: of a file that is run, and of code that is typed.
SCRIPTS = frozenset({"__main__", "<root>"})
# What is kept of code that never runs: what it defines, so that one can ask about it, and by which names it does.
_NAMING = (Attribute, Class, ClassName, Constant, Function, Global, Import, ImportFrom, InstanceOf)
_BINDING = (Assign, SetClassName, SetGlobal)
_DEFINING = frozenset({"annotation", "definition", "import"})


def as_run(facts: ModuleFacts, module: str) -> ModuleFacts:
    """Return what a file does, without what never happens in a module of this name."""
    where = "script" if module in SCRIPTS else "imported"
    dead = set(_dead(facts.guards, where))
    if not dead:
        return facts
    units = (
        replace(unit, operations=tuple(_unexecuted(op) if op.guard in dead else op for op in unit.operations))
        for unit in facts.units
    )
    return replace(facts, units=tuple(units))


def _dead(guards: Sequence[Guard], where: str) -> Iterator[int]:
    dead = [False] * len(guards)
    for index, guard in enumerate(guards):  # a guard comes after those around it
        dead[index] = guard.never == where or (guard.parent >= 0 and dead[guard.parent])
        if dead[index]:
            yield index


def _unexecuted(operation: AnyOperation) -> AnyOperation:
    """Return what is left of an operation that never runs."""
    is_kept = isinstance(operation, _NAMING) or (isinstance(operation, _BINDING) and operation.form in _DEFINING)
    return replace(operation, line=0, guard=-1) if is_kept else Join(0, -1, ())
