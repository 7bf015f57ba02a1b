"""Equal texts in facts, each kept once: decoding makes millions of them anew."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from sys import intern
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from deepgrep.facts.model import ModuleFacts


def share(facts: ModuleFacts) -> None:
    """Replace texts of facts by equal ones that are kept already; nobody else has the facts yet."""
    for unit in facts.units:
        _share(unit.operations)
        _share(unit.variables)
        _share(unit.parameters)
    _share(facts.guards)


def _share(structs: Iterable[Any]) -> None:
    for struct in structs:
        texts, has_keywords = _fields(struct.__class__)
        for name in texts:
            text = getattr(struct, name)
            if text.__class__ is str:
                force_setattr(struct, name, intern(text))
        if has_keywords and struct.keywords:
            force_setattr(struct, "keywords", tuple((intern(name), operand) for name, operand in struct.keywords))


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], bool]:
    """Return which fields of a struct may hold a text, and whether it has keywords."""
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    texts = tuple(name for name, type_ in fields.items() if type_ is str or str in getattr(type_, "__args__", ()))
    return texts, "keywords" in fields
