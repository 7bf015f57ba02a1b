"""The small language of model data: signatures, values, calls and stores, written as Python expressions."""

from __future__ import annotations

import ast
from typing import cast, get_args

from deepgrep.models.model import (
    Argument,
    Attribute,
    Bound,
    Call,
    CallVia,
    External,
    First,
    Instance,
    Items,
    Lacking,
    MethodCall,
    Number,
    OnResult,
    Part,
    PartKind,
    Passed,
    Receiver,
    StateUse,
    Store,
    Value,
)

PARTS = get_args(PartKind)
CONTAINERS = ("list", "tuple", "set", "frozenset", "iterator")


class Unreadable(ValueError):  # noqa: N818 - never leaves this package; the loader adds file and entry
    """A text that is not in the language, with the reason."""


class Signature:
    """The parameters of one entry, by name; reads the texts that refer to them.

    Attributes:
        method: whether the first parameter is `self`.
    """

    def __init__(self, text: str) -> None:
        arguments = _signature(text)
        positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        self.method = positional[:1] == ["self"]
        by_position_only = {a.arg for a in arguments.posonlyargs}
        self._parameters: dict[str, Argument] = {}
        positional = positional[1:] if self.method else positional
        for position, name in enumerate(positional):
            self._parameters[name] = Argument(name, position, None if name in by_position_only else name)
        for keyword_only in arguments.kwonlyargs:
            self._parameters[keyword_only.arg] = Argument(keyword_only.arg, None, keyword_only.arg)
        if arguments.vararg:
            self._parameters[arguments.vararg.arg] = Argument(arguments.vararg.arg, len(positional), None, "*")
        if arguments.kwarg:
            self._parameters[arguments.kwarg.arg] = Argument(arguments.kwarg.arg, None, None, "**")

    def value(self, text: str) -> Value:
        """Reads a value: `self`, a parameter, `element(iterable)`, `instance("logging.Logger")`, ..."""
        return self._value(_expression(text))

    def call(self, text: str, via: CallVia) -> Call:
        """Reads a call that the function makes: `target(*args, **kwargs)`, `self.run()`."""
        node = _expression(text)
        if not isinstance(node, ast.Call):
            raise Unreadable(f"`{text}` is not a call; write `{text}()`")
        return Call(self._value(node.func), self._passes(node.args, node.keywords), via)

    def store(self, text: str) -> Store:
        """Reads what is put where: `element(self) = item`."""
        into, equals, value = text.partition(" = ")
        place = self._place(_expression(into))
        if not equals or not isinstance(place, Attribute | Part | Items):
            raise Unreadable(f"`{text}` is not a store; write `element(self) = item` or `self.name = item`")
        return Store(place, self.value(value))

    def _place(self, node: ast.expr) -> Value | Items:
        match node:
            case ast.Call(ast.Name("items"), [of], []):
                return Items(self._value(of))
            case _:
                return self._value(node)

    def state(self, text: str) -> StateUse:
        """Reads a state: `warnings.filters`, or one part of it, named by an argument: `os.environ[key]`."""
        name, bracket, key = text.partition("[")
        if not bracket:
            return StateUse(name)
        parameter = self._parameters.get(key.removesuffix("]"))
        if parameter is None:
            raise Unreadable(f"`{text}`: `{key.removesuffix(']')}` is not a parameter in `signature`")
        return StateUse(name, parameter)

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name("self") if self.method:
                return Receiver()
            case ast.Name(name):
                if name not in self._parameters:
                    raise Unreadable(f"`{name}` is not a parameter in `signature`")
                return self._parameters[name]
            case ast.Attribute(of, name):
                return Attribute(self._value(of), name)
            case ast.Call(ast.Name(part), [of], []) if part in PARTS:
                return Part(cast(PartKind, part), self._value(of))
            case ast.Call(ast.Name("item"), [of, key], []):
                return Part("item", self._value(of), self._value(key))
            case ast.Call(ast.Name("lacking"), [of, ast.Constant(str(name))], []):
                return Lacking(self._value(of), name)
            case ast.Constant(int(position)):
                return Number(position)
            case ast.Call(ast.Name("dict"), [key, value], []):
                return Instance("dict", (self._value(value),), (self._value(key),))
            case ast.Call(ast.Name("dict"), [], keywords) if all(keyword.arg is None for keyword in keywords):
                return Instance("dict", merged=self._values([keyword.value for keyword in keywords]))
            case ast.Call(ast.Name(container), elements, []) if container in CONTAINERS:
                return Instance(container, self._values(elements))
            case ast.Call(ast.Name("instance"), [ast.Constant(str(name)), *elements], []):
                return Instance(name, self._values(elements))
            case ast.Call(ast.Name("mapping"), [ast.Constant(str(name)), key, value], []):
                return Instance(name, (self._value(value),), (self._value(key),))
            case ast.Call(ast.Name("external"), [ast.Constant(str(name))], []):
                return External(name)
            case ast.Call(ast.Name("first"), values, []):
                return First(self._values(values))
            case ast.Call(ast.Name("bound"), [callee, *passes], keywords):
                return Bound(self._value(callee), self._passes(passes, keywords))
        raise Unreadable(f"`{ast.unparse(node)}` is not a value of the model language")

    def _values(self, nodes: list[ast.expr]) -> tuple[Value, ...]:
        return tuple(self._value(node) for node in nodes)

    def _passes(self, positional: list[ast.expr], keywords: list[ast.keyword]) -> tuple[Passed, ...]:
        passes = [
            Passed(self._value(node.value), "*") if isinstance(node, ast.Starred) else Passed(self._known(node))
            for node in positional
        ]
        passes += [
            Passed(self._known(keyword.value), keyword=keyword.arg)
            if keyword.arg
            else Passed(self._value(keyword.value), "**")
            for keyword in keywords
        ]
        return tuple(passes)

    def _known(self, node: ast.expr) -> Value | None:
        return None if isinstance(node, ast.Constant) and node.value is ... else self._value(node)


def method_call(text: str) -> MethodCall:
    """Reads a method that a relay calls: `__getstate__`, `visit_*`, `__torch_function__(external('m.f'), ...)`."""
    name, opening, arguments = text.partition("(")
    if not opening:
        return MethodCall(name)
    call = Signature("method").call(f"method({arguments}", "native")
    values = [passed.value for passed in call.passes]
    known = tuple(value for value in values if value is None or isinstance(value, External | Instance))
    if len(known) < len(values) or any(passed.spread or passed.keyword for passed in call.passes):
        raise Unreadable(f"`{text}`: a relay passes only external(...), instance(...) and `...`, by position")
    return MethodCall(name, known)


def on_result(method: str, text: str) -> OnResult:
    """Reads what a relay calls of what a method returns: `item(returned, 0)(...)`."""
    return OnResult(method, Signature("returned").call(text, "native"))


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise Unreadable(f"`{text}` is not a Python expression") from error


def _signature(text: str) -> ast.arguments:
    try:
        function = ast.parse(f"lambda {text}: 0", mode="eval").body
    except SyntaxError as error:
        raise Unreadable(f"signature `{text}` is not a Python parameter list") from error
    return cast(ast.Lambda, function).args
