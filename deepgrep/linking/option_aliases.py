"""Options of a config module that stand for another option: `old = Config(alias="pkg.config.new")`."""

from __future__ import annotations

from collections.abc import Iterator

from deepgrep.facts.operations import Call, Constant, Join, Operation, SetGlobal
from deepgrep.linking.program import Program


def option_aliases(program: Program) -> Iterator[tuple[str, str]]:
    """Give the full names of options, each with that of the option that it stands for.

    An option is one if its definition says so by a keyword `alias` that names a global of an analyzed module.
    """
    for module in program.modules.values():
        if not module.replaced_class.values:
            continue
        operations = module.units[0].facts.operations
        for op in operations:
            if isinstance(op, SetGlobal) and op.value >= 0:
                stands_for = _stated(operations, op.value)
                owner, _, name = stands_for.rpartition(".")
                other = program.module(owner)
                if other is not None and name in other.names:
                    yield f"{module.name}.{op.name}", stands_for


def _stated(operations: tuple[Operation, ...], value: int) -> str:
    """What a definition names as its alias; "" for none."""
    definition = operations[value]
    if isinstance(definition, Join):  # with what an annotation says
        return next(filter(None, (_stated(operations, part) for part in definition.values)), "")
    for keyword, operand in definition.keywords if isinstance(definition, Call) else ():
        stated = operations[operand]
        if keyword == "alias" and isinstance(stated, Constant) and isinstance(stated.value, str):
            return stated.value
    return ""
