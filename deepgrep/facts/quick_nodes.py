"""Makes libcst's parser faster, in a process that does nothing else but read files.

The nodes of a syntax tree are frozen dataclasses: their constructors set each field by a call around the freezing, and
then validate what the parser has just made of valid source. Constructors that assign save a quarter of the time of
parsing. Nodes can be changed from then on, and wrong ones be made: so it is for processes of our own alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any


def quicken() -> None:
    """Give all node classes of libcst, in this process, constructors that do nothing but assign."""
    from libcst import CSTNode

    for cls in (CSTNode, *_subclasses(CSTNode)):
        parameters = cls.__dict__.get("__dataclass_params__")
        if parameters is None or not parameters.frozen or not parameters.init:
            continue
        for method in ("__setattr__", "__delattr__"):
            if method in cls.__dict__:
                delattr(cls, method)
        cls.__init__ = _constructor(cls)


def _subclasses(cls: Any) -> Iterator[Any]:
    for subclass in cls.__subclasses__():
        yield subclass
        yield from _subclasses(subclass)


def _constructor(cls: Any) -> Any:
    """Write a constructor, as `dataclasses` does for a class that is not frozen."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    parameters, body = ["self"], ["pass"]
    for field in fields(cls):
        name = field.name
        if not field.init:
            continue
        value = name
        if field.default is not MISSING:
            scope[f"default_{name}"] = field.default
            parameters.append(f"{name}=default_{name}")
        elif field.default_factory is not MISSING:
            scope[f"make_{name}"] = field.default_factory
            parameters.append(f"{name}=MISSING")
            value = f"make_{name}() if {name} is MISSING else {name}"
        else:
            parameters.append(name)
        body.append(f"self.{name} = {value}")
    lines = "\n    ".join(body)
    exec(f"def __init__({', '.join(parameters)}):\n    {lines}", scope)
    return scope["__init__"]
