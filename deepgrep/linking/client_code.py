"""Client code: modules of the analyzed packages that use all the rest, and that none of the rest uses.

That is the test code which a package installs. It hands functions and classes of its own to nearly all that there is:
taken as part of the package, they would be what the package calls, in every answer. So client code is solved last, and
nothing of it flows into what was solved before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from deepgrep.linking.cells import Cell
from deepgrep.linking.values import Container, Partial

if TYPE_CHECKING:
    from deepgrep.linking.program import ModuleInfo
    from deepgrep.linking.solver import Solver

_PACKAGES = ("torch.testing._internal",)


def is_client(module: ModuleInfo) -> bool:
    """Whether a module is client code."""
    return any(module.name == package or module.name.startswith(f"{package}.") for package in _PACKAGES)


def close(solver: Solver) -> list[Cell]:
    """Let all cells that there are take no more; return those that would have, for `reopen`."""
    closed = [cell for cell in _cells(solver) if not cell.is_full]
    for cell in closed:
        cell.is_full = True
    return closed


def reopen(cells: list[Cell]) -> None:
    """Let some cells take values again."""
    for cell in cells:
        cell.is_full = False


def _cells(solver: Solver) -> Iterator[Cell]:
    for frame in solver.frames.values():
        yield from (*frame.cells.values(), frame.result, frame.yielded)
    for module in solver.program.modules.values():
        if not is_client(module):
            yield from (*module.names.values(), module.replaced_class, module.unnamed)
            for cls in module.classes:
                yield from (*cls.attributes.values(), *cls.fields.values())
    yield from solver.function_attributes.values()
    for value in solver.interner.values():
        if isinstance(value, Container):
            yield from (value.element, value.key, *value.items.values())
        elif isinstance(value, Partial):
            cells = (value.callee, value.star, value.double_star)
            yield from (*cells, *value.args.values(), *value.keywords.values())
