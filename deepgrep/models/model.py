"""What a model says: plain data about code that cannot be read (native and stdlib functions and classes).

A model sees one call from outside: its arguments, its receiver, and what those hold. `README.md` shows how each of
these is written in TOML.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

PartKind = Literal["element", "key", "value", "item", "result", "entered", "awaited", "instance_of"]
CallVia = Literal["callback", "native", "thread", "process", "construct", "operator", "iterate", "with"]
StateKind = Literal["stdlib global", "environment variable", "native setting", "context variable", "thread-local"]
StateScope = Literal["process", "thread", "context", "environment", ""]

# Builtins that act on more than their arguments: it is noted where they are called.
OUTWARD_BUILTINS = frozenset({"__import__", "breakpoint", "eval", "exec", "exit", "input", "open", "print", "quit"})


class Argument(msgspec.Struct, frozen=True):
    """What the caller hands over for one parameter.

    Attributes:
        name: the parameter's name.
        position: where it stands among the positional arguments (the receiver not counted), or None if it can only be
            given by keyword.
        keyword: the keyword that gives it, or None if it can only be given by position.
        rest: "*" for the tuple of all positional arguments from `position` on, "**" for the dict of all keyword
            arguments that no other parameter takes, "" for an ordinary parameter.
    """

    name: str
    position: int | None
    keyword: str | None
    rest: Literal["", "*", "**"] = ""


class Receiver(msgspec.Struct, frozen=True):
    """The object that a method is called on (for a class method, the class); for a class, the new instance."""


class Attribute(msgspec.Struct, frozen=True):
    """An attribute of a value: `self.run`, `obj.__deepcopy__`; one that the value does not have says nothing.

    Special methods (`__len__`) are looked up on the value's type, as Python does.
    """

    of: Value
    name: str


class Part(msgspec.Struct, frozen=True):
    """Something a value holds or gives.

    Attributes:
        part: `element` (what iterating over it gives: for a mapping its keys), `key` and `value` (of a mapping; of
            anything else, nothing), `item` (what `x[...]` gives: a mapping's values, a sequence's elements), `result`
            (what the calls of it that this model makes return), `entered` (what `with` binds), `awaited` (what `await`
            gives), `instance_of` (a new instance of the class that it is, made without calling it).
        key: of an `item`, the key or position, if it is known to be one.
    """

    part: PartKind
    of: Value
    key: Value | None = None


class Instance(msgspec.Struct, frozen=True):
    """A new instance of a class, with what it holds.

    Attributes:
        class_name: dotted name; a builtin by its bare name. `iterator` stands for any iterator.
        elements: for a `tuple`, one by one; for a mapping, its values; else anything that may be among its elements.
        keys: of a mapping.
        merged: of a mapping, others whose items it holds, under the same keys.
    """

    class_name: str
    elements: tuple[Value, ...] = ()
    keys: tuple[Value, ...] = ()
    merged: tuple[Value, ...] = ()


class Lacking(msgspec.Struct, frozen=True):
    """Those of some values whose class does not have an attribute."""

    of: Value
    name: str


class Number(msgspec.Struct, frozen=True):
    """A position: of the first element, 0."""

    value: int


class External(msgspec.Struct, frozen=True):
    """The function, class or object of this dotted name; `functools.wraps()` is the callable that it returns."""

    name: str


class Bound(msgspec.Struct, frozen=True):
    """A callable that, when called, calls `callee` with `passes` and then with its own arguments."""

    callee: Value
    passes: tuple[Passed, ...]


class First(msgspec.Struct, frozen=True):
    """The first of some values that is given."""

    values: tuple[Value, ...]


Value: TypeAlias = Argument | Receiver | Attribute | Part | Instance | Lacking | Number | External | Bound | First


class Passed(msgspec.Struct, frozen=True):
    """One argument of a call that a model makes.

    Attributes:
        value: None where nothing is known of it (`...` in TOML): the position is taken by an unknown value.
        spread: "*" or "**" where the value's elements (or items) are passed.
        keyword: for `keyword=value`, else "".
    """

    value: Value | None
    spread: Literal["", "*", "**"] = ""
    keyword: str = ""


class Call(msgspec.Struct, frozen=True):
    """The function calls this, now or later."""

    callee: Value
    passes: tuple[Passed, ...]
    via: CallVia


class Registered(msgspec.Struct, frozen=True):
    """From this call of the function on, a relay may make a call.

    Attributes:
        relay: name of the relay.
        call: what it calls.
    """

    relay: str
    call: Call


class Items(msgspec.Struct, frozen=True):
    """All that a mapping holds, by key."""

    of: Value


class Store(msgspec.Struct, frozen=True):
    """The function makes `into` (an attribute, element, key, value or item of something) hold `value`.

    Where `into` is the `Items` of a mapping, it takes over those of `value`: a mapping, or pairs of a key and a value.
    """

    into: Attribute | Part | Items
    value: Value


class StateUse(msgspec.Struct, frozen=True):
    """A state that the function changes or looks at.

    Attributes:
        state: its name: `warnings.filters`; with a `key`, of the whole: `os.environ`; "" where the key is the name.
        key: the argument that says which part: `os.environ[<key>]`. None: all of it.
    """

    state: str
    key: Argument | None = None


class FunctionModel(msgspec.Struct, frozen=True):
    """What a call of one function, method or class does. What it does not say, the function does not do.

    Attributes:
        name: full dotted name; a builtin by its bare name: `len`, `list.append`.
        method: whether `Receiver` has a meaning: the instance (for a class method, the class) that it is called on; for
            a constructor, the new instance.
        writes, reads: named states.
        mutates, inspects: objects whose contents it changes or looks at; where such an object is a state, that is a
            write or a read of it.
        restore: its writes put back a value saved before.
        is_property: it is read as an attribute of an object, not called.
        enters: names of relays that it leads to.
        registers: what relays call from now on.
        iterates: objects that it iterates over, as a `for` would.
        hashes: keys that it hashes and compares.
        calls: what it calls, now or later.
        stores: what it puts where.
        returns: all that may come back; empty for nothing of interest (None, numbers, text), None for unknown. For a
            class, the new instance, unless the model says otherwise.
    """

    name: str
    evidence: str
    method: bool = False
    writes: tuple[StateUse, ...] = ()
    reads: tuple[StateUse, ...] = ()
    mutates: tuple[Value, ...] = ()
    inspects: tuple[Value, ...] = ()
    restore: bool = False
    is_property: bool = False
    enters: tuple[str, ...] = ()
    registers: tuple[Registered, ...] = ()
    iterates: tuple[Value, ...] = ()
    hashes: tuple[Value, ...] = ()
    calls: tuple[Call, ...] = ()
    stores: tuple[Store, ...] = ()
    returns: tuple[Value, ...] | None = None


class ClassModel(msgspec.Struct, frozen=True):
    """A class whose source is not read. What constructing it does is the `FunctionModel` of the same name.

    Attributes:
        name: full dotted name; a builtin by its bare name.
        bases: whose methods it inherits.
        state_kind, state_scope: where a module-level instance (or its attributes) is a state of a kind of its own
            (`contextvars.ContextVar`, `threading.local`), else "".
    """

    name: str
    evidence: str
    bases: tuple[str, ...] = ()
    state_kind: StateKind | Literal[""] = ""
    state_scope: StateScope = ""


class StateModel(msgspec.Struct, frozen=True):
    """A state outside the analyzed source.

    Attributes:
        scope: "" where there is no evidence for one.
        holds: the class whose methods change it: `list`, `dict`, `logging.Logger`; "" for none.
        called: whether what is put there is called later: a hook.
    """

    name: str
    kind: StateKind
    scope: StateScope
    evidence: str
    holds: str = ""
    called: bool = False


class MethodCall(msgspec.Struct, frozen=True):
    """A call of a method by its name, whatever class has it.

    Attributes:
        name: of the method; `visit_*` for all that begin so.
        passes: what it is given after the receiver: what is known by name, or an instance; None for an unknown value.
    """

    name: str
    passes: tuple[External | Instance | None, ...] = ()


class OnResult(msgspec.Struct, frozen=True):
    """A call of something that a method returned, in whatever class defines it; the method itself is not called.

    Attributes:
        method: its name.
        call: what is called; `returned` is what the method returns.
    """

    method: str
    call: Call


class RelayModel(msgspec.Struct, frozen=True):
    """Native code that many functions lead to, and that calls back what is defined for it or was registered with it.

    Attributes:
        name: what it is called in a graph: `torch._C.<tensor operation>`.
        file: where it is implemented.
        methods: methods that it calls: of every class that defines one, if an instance can exist.
        bases: only of classes that inherit from one of these, by dotted name (`sympy.*`); empty for any class.
        calls: what it calls by name: the module or class that has it, and its name there; `name()` is what `name` gives
            when it is called.
        needs: a class of which there must be an instance, or a native function that must be called, before it calls
            anything; or "".
        enters: names of relays that it leads to.
        results: what it calls of what methods return.
        is_elsewhere: whether what is registered with it requires nothing: that may have been done in another process.
        of_native: whether the methods are those of objects that native code makes, too.
        instead: the one of them that is called instead of the others where a class has it; or "".
    """

    name: str
    file: str
    evidence: str
    methods: tuple[MethodCall, ...] = ()
    bases: tuple[str, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    needs: str = ""
    enters: tuple[str, ...] = ()
    results: tuple[OnResult, ...] = ()
    is_elsewhere: bool = False
    of_native: bool = False
    instead: str = ""
