"""What linking leaves behind for code that is linked on top of it later: for each module, what such code can see.

Values are stored as short lists: a number that says what kind it is, then where it is defined. Modules go by their
number in the index, what belongs to a module by its number in it. Sets of values stay encoded until they are read.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from deepgrep.facts.model import Parameter

INDEX = "interface"
"""The section of what concerns all modules."""


MANY = "interface/many"
"""The section of what places were given beyond what they keep: a list of lists of values."""


def section(module: int) -> str:
    """Return the name of the section of a module."""
    return f"{INDEX}/{module}"


class Kind(IntEnum):
    """What kind of value an encoded one is, and what follows."""

    TEXT = 0  # value
    FUNCTION = 1  # module, unit, frame that made it or -1
    CLASS = 2  # module, class, is_open
    INSTANCE = 3  # module, class, is_open, site, the states that hold it
    MODULE = 4  # module
    EXTERNAL = 5  # name
    CONTAINER = 6  # module, container
    CONTENTS = 7  # module, class: what the instances of a class that extends a container hold
    NAMESPACE = 8  # owner: the dict of its attributes; not what that holds
    PLAIN = 9  # class name, site: a container that stands for all of its kind
    BOUND = 10  # function, receiver
    PARTIAL = 11  # module, partial
    WRAPPED = 12  # kind, functions
    SUPER = 13  # module, class, receiver
    GENERATOR = 14  # module, frame
    FULL = 15  # no value: the place was cut at the limit
    ATTRIBUTE = 16  # name: no value, but the key of a container's attribute
    CUT = 17
    METHODS = 18  # owner, pattern
    MANY = 19  # number


class StoredIndex(msgspec.Struct, frozen=True, array_like=True):
    """The names of all modules, by number.

    Attributes:
        relays: the row in the graph of each relay that the library leads to.
        higher_order: the last names of functions that call what they are handed.
    """

    modules: list[str]
    relays: dict[str, int]
    higher_order: list[str]


class StoredModule(msgspec.Struct, frozen=True, array_like=True):
    """A module; see `program.ModuleInfo`. `frames[0]` runs its body.

    `generated` is what its namespace holds besides, by the pattern of the name.
    """

    path: str
    is_package: bool
    stars: list[tuple[str, int]]
    names: dict[str, msgspec.Raw]
    late: list[str]
    replaced_class: msgspec.Raw
    unnamed: msgspec.Raw
    deleted: msgspec.Raw
    generated: dict[str, msgspec.Raw]
    listed: tuple[list[str], bool]
    classes: list[msgspec.Raw]
    units: dict[int, msgspec.Raw]
    frames: list[msgspec.Raw]
    containers: list[msgspec.Raw]
    partials: list[msgspec.Raw]


class StoredClass(msgspec.Struct, frozen=True, array_like=True):
    """A class; see `program.ClassInfo`. `subclasses` are the direct ones; they and `makes` are (module, class).

    `unnamed` is what was assigned to attributes of it whose names are not known, by their pattern; `contents` the
    container that stands for what its instances hold, or -1.
    """

    qualname: str
    line: int
    unit: int
    order: int
    bases: msgspec.Raw
    metaclass: msgspec.Raw
    attributes: dict[str, msgspec.Raw]
    fields: dict[str, msgspec.Raw]
    factories: dict[str, msgspec.Raw]
    unnamed: dict[str, msgspec.Raw]
    contents: int
    declared: list[str]
    late_fields: list[str]
    makes: list[tuple[int, int]]
    subclasses: list[tuple[int, int]]


class StoredUnit(msgspec.Struct, frozen=True, array_like=True):
    """A function that some value names; see `program.UnitInfo`.

    Attributes:
        predicate: the classes that it tests for, as (module, class), and whether that is exact; None if it does not.
        called, naming: the parameters that are called, and that attributes are taken by (see `higher_order`).
        attributes: of the functions that frames make of it, by the frame or -1.
        frames: which frame runs it, by the frame that made it or -1, and the context.
    """

    qualname: str
    line: int
    order: int
    cls: int
    binding: str
    predicate: tuple[list[tuple[int, int]], bool] | None
    states_result: bool
    is_generator: bool
    is_async: bool
    is_inert: bool
    parameters: tuple[Parameter, ...]
    returned: tuple[int, ...]
    called: tuple[int, ...]
    naming: tuple[int, ...]
    attributes: dict[int, dict[str, msgspec.Raw]]
    frames: list[tuple[int, msgspec.Raw, int]]


class StoredFrame(msgspec.Struct, frozen=True, array_like=True):
    """A frame; `parent` is one of the same module, or -1. `function` is its row in the graph.

    A context is a list of parameters, each with what it was handed.
    """

    unit: int
    parent: int
    context: msgspec.Raw
    result: msgspec.Raw
    yielded: msgspec.Raw
    function: int


class StoredContainer(msgspec.Struct, frozen=True, array_like=True):
    """A container; `states` hold it. `frame` is the frame that made it, or -1 where that does not matter."""

    class_name: str
    frame: int
    states: list[str]
    element: msgspec.Raw
    key: msgspec.Raw
    items: list[tuple[msgspec.Raw, msgspec.Raw]]


class StoredPartial(msgspec.Struct, frozen=True, array_like=True):
    """A partial; see `values.Partial`."""

    frame: int
    callee: msgspec.Raw
    star: msgspec.Raw
    double_star: msgspec.Raw
    args: list[tuple[int, msgspec.Raw]]
    keywords: list[tuple[str, msgspec.Raw]]
