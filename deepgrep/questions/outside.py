"""Names of the standard library and of native code that nothing in the analyzed sources mentions: still, they exist.

Nothing is imported to know them, as a file that lies in the current folder could take a module's place: what models
say, what this process has loaded anyway, and the text of the standard library's own modules do.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from deepgrep.graph.rows import AccessKind
from deepgrep.models.model import OUTWARD_BUILTINS

_FUNCTION, _CLASS, _STATE = "function", "class", "stdlib global"


@dataclass(frozen=True, slots=True)
class OutsideName:
    """Something outside the analyzed sources.

    Attributes:
        kind: `function`, `class`, or the kind of a state.
        scope: of a state, where it is known.
        is_read: whether it is noted what reads it.
    """

    name: str
    kind: str
    scope: str = ""
    is_read: bool = False

    @property
    def access(self) -> AccessKind:
        """How it is accessed unless told otherwise."""
        return AccessKind.CALL if self.kind in (_FUNCTION, _CLASS) else AccessKind.WRITE

    def can_be(self, access: AccessKind) -> bool:
        """Whether it is noted what accesses it so."""
        if access is AccessKind.READ:
            return self.is_read
        return access is AccessKind.WRITE or self.access is AccessKind.CALL


def outside_name(typed: str) -> OutsideName | None:
    """What a full name means outside the analyzed sources; None for nothing, and where calls of it are not noted."""
    owner, _, last = typed.rpartition(".")
    if not owner or hasattr(builtins, owner) or (owner == "builtins" and last not in OUTWARD_BUILTINS):
        return None  # `sorted`, `list.append`
    return _modelled(typed) or _of_standard_library(typed)


def _modelled(name: str) -> OutsideName | None:
    from deepgrep.models import load

    models = load()
    if name in models.states:
        state = models.states[name]
        return OutsideName(name, state.kind, state.scope, is_read=True)
    if name in models.classes:
        return OutsideName(name, _CLASS)
    return OutsideName(name, _FUNCTION) if name in models.functions else None


def _of_standard_library(name: str) -> OutsideName | None:
    module, _, rest = name.partition(".")
    if not rest or module not in sys.stdlib_module_names | {"builtins"}:
        return None
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        owner = ".".join(parts[:count])
        kind = _in_loaded(sys.modules[owner], parts[count:]) if owner in sys.modules else _in_text(owner, parts[count:])
        if kind:
            return OutsideName(name, kind)
    return None


def _in_loaded(found: object, path: list[str]) -> str:
    """The kind of what a path of attributes leads to in a module that is loaded, "" for nothing or a module."""
    for part in path:
        if part not in dir(found):
            return ""
        found = getattr(found, part)
    if isinstance(found, type):
        return _CLASS
    return "" if isinstance(found, ModuleType) else _FUNCTION if callable(found) else _STATE


def _in_text(module: str, path: list[str]) -> str:
    """The same, of a module of the standard library that is not loaded, by its text."""
    kind, body = "", _body(module)
    for part in path:
        kinds = {name: (kind, inner) for name, kind, inner in _bound(body)}
        if part not in kinds:
            return ""
        kind, body = kinds[part]
    return kind


def _body(module: str) -> list[ast.stmt]:
    import sysconfig
    from pathlib import Path

    place = Path(sysconfig.get_path("stdlib"), *module.split("."))
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        try:
            return ast.parse(file.read_bytes()).body
        except (OSError, SyntaxError, ValueError):
            continue
    return []


def _bound(body: list[ast.stmt]) -> Iterator[tuple[str, str, list[ast.stmt]]]:
    """Yield what statements bind: the name, its kind, and the statements in it where it is a class."""
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, _FUNCTION, []
            case ast.ClassDef(name=name, body=inner):
                yield name, _CLASS, inner
            case ast.ImportFrom(names=names):
                yield from ((alias.asname or alias.name, _FUNCTION, []) for alias in names)
            case ast.Assign(targets=targets):
                yield from ((target.id, _STATE, []) for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, _STATE, []
            case ast.If(body=inner, orelse=other):
                yield from _bound([*inner, *other])
            case ast.Try(body=inner, handlers=handlers, orelse=other):
                yield from _bound([*inner, *(s for handler in handlers for s in handler.body), *other])
