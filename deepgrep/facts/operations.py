"""The small vocabulary that a function's body is lowered to.

A body is a sequence of operations in three-address form. An *operand* is an int: `n >= 0` is the result of the unit's
operation n, `n < 0` is the unit's variable `~n`. Variable 0 is `NOTHING`: a value that does not matter (a number, the
result of a statement). Operations stand in source order; an analysis that ignores order may treat them as a set.

Each operation has the `line` it is written at, 0 for what is never executed (annotations, `if TYPE_CHECKING`), and the
`guard` (index into the module's guards, -1 for none) that it stands under.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

NOTHING = -1

Operands = tuple[int, ...]


class Operation(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=True):
    """What all operations have."""

    line: int
    guard: int


class Constant(Operation, frozen=True, tag=0):
    """A constant that the analysis follows: a string, a small int, True, False or None."""

    value: str | int | bool | None


class Global(Operation, frozen=True, tag=1):
    """A load of a name that no enclosing function binds: a module global or a builtin."""

    name: str


class ClassName(Operation, frozen=True, tag=2):
    """A load, directly in a class body, of a name that the body binds (else it is looked up as a global)."""

    cls: int
    name: str


class Attribute(Operation, frozen=True, tag=3):
    """`base.name`."""

    base: int
    name: str


class Subscript(Operation, frozen=True, tag=4):
    """`base[index]`."""

    base: int
    index: int


class Call(Operation, frozen=True, tag=5):
    """`func(args, *star, name=value, **double_star)`.

    Positional arguments that follow a `*` are part of `star`: their position is unknown. `decorator` marks the call
    that applies a decorator.
    """

    func: int
    args: Operands
    keywords: tuple[tuple[str, int], ...]
    star: Operands
    double_star: Operands
    decorator: bool


class Function(Operation, frozen=True, tag=6):
    """A `def` or `lambda`: makes the function of `unit`.

    Attributes:
        defaults, annotations: (index of the parameter, operand); index -1 is the return annotation.
    """

    unit: int
    defaults: tuple[tuple[int, int], ...]
    annotations: tuple[tuple[int, int], ...]


class Class(Operation, frozen=True, tag=7):
    """A `class` statement: makes the class `cls`. Its body follows as operations of the same unit."""

    cls: int
    bases: Operands
    keywords: tuple[tuple[str, int], ...]


class Collection(Operation, frozen=True, tag=8):
    """A display or comprehension.

    Attributes:
        kind: `list`, `tuple`, `set`, `dict`, `generator`; `slice`, whose elements are its bounds and step.
        elements: of a dict, its values.
        keys: of a dict with as many keys as elements; else empty.
        positional: whether element i stands at index i (a display without `*`).
        merged: of a dict, the mappings whose items it takes over: `{**base}`.
    """

    kind: str
    elements: Operands
    keys: Operands
    positional: bool
    merged: Operands = ()


class Join(Operation, frozen=True, tag=9):
    """One of several values: `a or b`, `a if c else b`."""

    values: Operands


class Operator(Operation, frozen=True, tag=10):
    """An operator by its special method: `__add__`, `__iadd__`, `__eq__`, `__contains__`, `__neg__`, ..."""

    name: str
    left: int
    right: int


class Iterate(Operation, frozen=True, tag=11):
    """An element of `base`: `for`, comprehensions, `*base`, `yield from`."""

    base: int
    is_async: bool


class Unpack(Operation, frozen=True, tag=12):
    """Element `index` of `base` in a tuple assignment; index -1: unknown position (after a `*`)."""

    base: int
    index: int


class Truth(Operation, frozen=True, tag=13):
    """`base` used as a condition."""

    base: int


class Format(Operation, frozen=True, tag=14):
    """`base` in an f-string."""

    base: int


class NamePattern(Operation, frozen=True, tag=32):
    """An f-string that may be a name (`f"visit_{kind}"`): texts, and the operands of what stands between them."""

    parts: tuple[str | int, ...]


class Await(Operation, frozen=True, tag=15):
    """`await base`."""

    base: int


class Yield(Operation, frozen=True, tag=16):
    """`yield value`."""

    value: int


class With(Operation, frozen=True, tag=17):
    """A context manager is entered and later left; the result is what `as` binds."""

    context: int
    is_async: bool


class Import(Operation, frozen=True, tag=18):
    """`import module`: the result is the top package, or the module itself if `as` renames it."""

    module: str
    renamed: bool


class ImportFrom(Operation, frozen=True, tag=19):
    """`from {dots}module import name`; `*` for all names (the result is nothing)."""

    module: str
    level: int
    name: str


class InstanceOf(Operation, frozen=True, tag=20):
    """A value that an annotation or an `except` clause says is an instance of `cls`."""

    cls: int


class Narrow(Operation, frozen=True, tag=21):
    """`value` where a test of it holds, or where it does not.

    Attributes:
        value: what is tested.
        types: the types that it is tested for; of a predicate, the function that is called with it.
        test: `isinstance`, `type` (`type(value) is types`), `predicate` (`is_tensor(value)`).
        holds: whether the test holds.
        is_condition: whether the guard that it stands under holds only where the test does (not so after `assert`).
    """

    value: int
    types: int
    test: str = "isinstance"
    holds: bool = True
    is_condition: bool = True


class Assign(Operation, frozen=True, tag=22):
    """A local variable (or one of an enclosing function, after `nonlocal`) is bound; `variable` is its operand.

    The result is what it is bound to: what follows in the block reads this instead of the variable.
    """

    variable: int
    value: int
    form: str


class SetGlobal(Operation, frozen=True, tag=23):
    """A module global is bound: in the module's own body, or after `global`; the result as of `Assign`."""

    name: str
    value: int
    form: str


class SetClassName(Operation, frozen=True, tag=24):
    """A name is bound directly in a class body."""

    cls: int
    name: str
    value: int
    form: str


class SetAttribute(Operation, frozen=True, tag=25):
    """`base.name = value`."""

    base: int
    name: str
    value: int
    form: str


class SetSubscript(Operation, frozen=True, tag=26):
    """`base[index] = value`."""

    base: int
    index: int
    value: int
    form: str


class DeleteGlobal(Operation, frozen=True, tag=27):
    """`del name` of a module global."""

    name: str


class DeleteAttribute(Operation, frozen=True, tag=28):
    """`del base.name`."""

    base: int
    name: str


class DeleteSubscript(Operation, frozen=True, tag=29):
    """`del base[index]`."""

    base: int
    index: int


class Return(Operation, frozen=True, tag=30):
    """`return value`."""

    value: int


class Raise(Operation, frozen=True, tag=31):
    """`raise value`."""

    value: int


AnyOperation = (
    Constant | Global | ClassName | Attribute | Subscript | Call | Function | Class | Collection | Join | Operator
    | Iterate | Unpack | Truth | Format | NamePattern | Await | Yield | With | Import | ImportFrom | InstanceOf | Narrow
    | Assign | SetGlobal | SetClassName | SetAttribute | SetSubscript | DeleteGlobal | DeleteAttribute | DeleteSubscript
    | Return | Raise
)  # fmt: skip

# What an operation reads, for those that read anything.
_OPERANDS: dict[type, Callable[[Any], Operands]] = {
    Attribute: lambda op: (op.base,),
    Subscript: lambda op: (op.base, op.index),
    Call: lambda op: (op.func, *op.args, *op.star, *op.double_star, *_values(op.keywords)),
    Function: lambda op: (*_values(op.defaults), *_values(op.annotations)),
    Class: lambda op: (*op.bases, *_values(op.keywords)),
    Collection: lambda op: op.elements + op.keys + op.merged,
    Join: lambda op: op.values,
    Operator: lambda op: (op.left, op.right),
    Iterate: lambda op: (op.base,),
    Unpack: lambda op: (op.base,),
    Truth: lambda op: (op.base,),
    Format: lambda op: (op.base,),
    NamePattern: lambda op: tuple(part for part in op.parts if isinstance(part, int)),
    Await: lambda op: (op.base,),
    Yield: lambda op: (op.value,),
    With: lambda op: (op.context,),
    InstanceOf: lambda op: (op.cls,),
    Narrow: lambda op: (op.value, op.types),
    Assign: lambda op: (op.value,),
    SetGlobal: lambda op: (op.value,),
    SetClassName: lambda op: (op.value,),
    SetAttribute: lambda op: (op.base, op.value),
    SetSubscript: lambda op: (op.base, op.index, op.value),
    DeleteAttribute: lambda op: (op.base,),
    DeleteSubscript: lambda op: (op.base, op.index),
    Return: lambda op: (op.value,),
    Raise: lambda op: (op.value,),
}


def _values(pairs: tuple[tuple[Any, int], ...]) -> Operands:
    return tuple(value for _, value in pairs)


def operands(operation: AnyOperation) -> Operands:
    """Return the operands that an operation reads."""
    read = _OPERANDS.get(type(operation))
    return read(operation) if read else ()
