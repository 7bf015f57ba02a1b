"""What one file says by itself. A pure function of the file's bytes: it knows neither its path nor its module name."""

from __future__ import annotations

import msgspec

from deepgrep.facts.operations import AnyOperation


class Guard(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A condition or `with` that operations stand under; fields as of `deepgrep.graph.rows.Guard`, and one more.

    Attributes:
        never: where what stands under it does not run, whatever else holds: `imported` if it runs only in the script of
            a run (`if __name__ == "__main__"`), `script` if not there; else "".
    """

    parent: int
    kind: str
    text: str
    line: int
    parameters: tuple[str, ...] = ()
    never: str = ""


class Parameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter.

    Attributes:
        kind: `positional`, `positional-only`, `keyword-only`, `*` or `**`.
        constant: its default, if that is a constant, as `repr` writes it; else "".
        is_rebound: whether the function, or one inside it, binds it anew: then it need not hold what was passed.
    """

    name: str
    kind: str
    has_default: bool
    constant: str = ""
    is_rebound: bool = False


class Variable(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variable that a unit uses: its own (`unit` is -1), or `variable` of an enclosing `unit`.

    The parameters are the unit's first variables after NOTHING, in order.
    """

    name: str
    unit: int
    variable: int


class Unit(msgspec.Struct, frozen=True, array_like=True):
    """A function, lambda or module body: what becomes a function of the call graph.

    Comprehensions, generator expressions and class bodies are part of the unit around them.

    Attributes:
        qualname: Python's `__qualname__`; `<module>` for the module's own code.
        line: of the `def` or `lambda`; 1 for a module body.
        parent: the unit around it, -1 for the module body.
        cls: the class in whose body it is defined, -1 for none.
        is_generator, is_async: how a call of it behaves.
        reads_ahead: whether an operation reads a variable that a later one assigns (in a loop, or never): then one
            pass over the operations is too few for an analysis that follows their order.
    """

    qualname: str
    line: int
    parent: int
    cls: int
    is_generator: bool
    is_async: bool
    reads_ahead: bool
    parameters: tuple[Parameter, ...]
    variables: tuple[Variable, ...]
    operations: tuple[AnyOperation, ...]


class ClassFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A class statement.

    Attributes:
        unit: the unit that runs it.
    """

    qualname: str
    line: int
    unit: int


class ModuleFacts(msgspec.Struct, frozen=True, array_like=True):
    """The facts of one file; unit 0 is the module body."""

    units: tuple[Unit, ...]
    classes: tuple[ClassFacts, ...]
    guards: tuple[Guard, ...]


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """The facts of a part of a file: of one definition in it, or of what is left without those.

    Units, classes and guards are numbered from 0 in each piece, lines from 1: in a definition, those of its body; in
    what is left, as if each body were one line. A definition's unit 0 is the module body, which is not its own.

    Attributes:
        units: without unit 0, in a definition.
        stubs: of what is left: the unit of each definition, in order, and the number of classes before it.
    """

    units: tuple[Unit, ...]
    classes: tuple[ClassFacts, ...]
    guards: tuple[Guard, ...]
    stubs: tuple[tuple[int, int], ...] = ()


class Pieces(msgspec.Struct, frozen=True, array_like=True):
    """What the facts of a file are put together from.

    Attributes:
        keys: of the pieces, which say their contents: what is left, then each definition, in order.
        bodies: the first and the last line of each definition's body.
        lines: how many there are.
    """

    keys: tuple[bytes, ...]
    bodies: tuple[tuple[int, int], ...]
    lines: int
