"""What linking leaves behind for code that is linked on top of it later: for each module, what such code can see.

Values are stored as short lists: a number that says what kind it is, then where it is defined. Modules go by their
number in the index, what belongs to a module by its number in it. Sets of values stay encoded until they are read.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from deepgrep.facts.model import Parameter

INDEX = "interface"
"""The section that lists the names of all modules, by number."""


def section(module: int) -> str:
    """Return the name of the section of a module."""
    return f"{INDEX}/{module}"


class Kind(IntEnum):
    """What kind of value an encoded one is, and what follows."""

    TEXT = 0  # value
    FUNCTION = 1  # module, unit, frame that made it or -1
    CLASS = 2  # module, class, is_open
    INSTANCE = 3  # module, class, is_open, site, the state that holds it or ""
    MODULE = 4  # module
    EXTERNAL = 5  # name
    CONTAINER = 6  # module, container
    CONTENTS = 7  # module, class: what the instances of a class that extends a container hold; not what that is
    NAMESPACE = 8  # module: the dict of its globals, likewise
    PLAIN = 9  # class name, site: a container that stands for all of its kind
    BOUND = 10  # function, receiver
    PARTIAL = 11  # module, partial
    WRAPPED = 12  # kind, functions
    SUPER = 13  # module, class, receiver
    GENERATOR = 14  # module, frame
    FULL = 15  # no value: the place was cut at the limit
    ATTRIBUTE = 16  # name: no value, but the key of a container's attribute


class StoredModule(msgspec.Struct, frozen=True, array_like=True):
    """A module; `frames[0]` runs its body."""

    path: str
    is_package: bool
    stars: list[tuple[str, int]]
    names: dict[str, msgspec.Raw]
    replaced_class: msgspec.Raw
    classes: list[msgspec.Raw]
    units: dict[int, msgspec.Raw]
    frames: list[msgspec.Raw]
    containers: list[msgspec.Raw]
    partials: list[msgspec.Raw]


class StoredClass(msgspec.Struct, frozen=True, array_like=True):
    """A class; see `program.ClassInfo`. `subclasses` are the direct ones, each as (module, class)."""

    qualname: str
    line: int
    unit: int
    order: int
    bases: msgspec.Raw
    metaclass: msgspec.Raw
    attributes: dict[str, msgspec.Raw]
    fields: dict[str, msgspec.Raw]
    declared: list[str]
    subclasses: list[tuple[int, int]]


class StoredUnit(msgspec.Struct, frozen=True, array_like=True):
    """A function that some value names; see `program.UnitInfo`. `frames` are those that run it."""

    qualname: str
    line: int
    order: int
    cls: int
    binding: str
    states_result: bool
    is_generator: bool
    is_async: bool
    parameters: tuple[Parameter, ...]
    returned: tuple[int, ...]
    attributes: dict[str, msgspec.Raw]
    frames: list[int]


class StoredFrame(msgspec.Struct, frozen=True, array_like=True):
    """A frame; `parent` is one of the same module, or -1. `function` is its row in the graph."""

    unit: int
    parent: int
    context: msgspec.Raw
    result: msgspec.Raw
    yielded: msgspec.Raw
    function: int


class StoredContainer(msgspec.Struct, frozen=True, array_like=True):
    """A container; `state` is the state that holds it, or ""."""

    class_name: str
    state: str
    element: msgspec.Raw
    key: msgspec.Raw
    items: list[tuple[msgspec.Raw, msgspec.Raw]]


class StoredPartial(msgspec.Struct, frozen=True, array_like=True):
    """A partial; see `values.Partial`."""

    callee: msgspec.Raw
    star: msgspec.Raw
    double_star: msgspec.Raw
    args: list[tuple[int, msgspec.Raw]]
    keywords: list[tuple[str, msgspec.Raw]]
