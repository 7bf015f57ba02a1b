"""What single statements of the analyzed source say: the value that one writes, what one hands on.

The graph has the place of every access, and not what is written. That is read from the source when it is asked for:
it costs a few lines, and storing it would cost all of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from textwrap import dedent

SourceLine = Callable[[str, int], str | None]

_MOST_LINES = 30
_MOST_ABOVE = 6
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete)
_LONGEST_VALUE = 60
# Methods of context variables and the like, which are given just the value.
_SETTING = ("set", "swap", "push", "enable", "disable")
_SETTERS = frozenset({"set", "reset"})


class Statements:
    """Gives statements of the analyzed source, parsed; None where the source cannot be read any more."""

    def __init__(self, source_line: SourceLine) -> None:
        self._line = source_line
        self._known: dict[tuple[str, int], ast.stmt | None] = {}

    def at(self, file: str, line: int) -> ast.stmt | None:
        """The statement that a line is part of: a simple one, or the head of a compound one that begins there."""
        for above in range(_MOST_ABOVE, 0, -1):
            if _depth(self._line(file, line - above) or "") <= 0:
                continue  # it does not go on in the next line
            statement = self._beginning(file, line - above)
            if isinstance(statement, _SIMPLE) and (statement.end_lineno or 1) > above:
                return statement
        return self._beginning(file, line)

    def _beginning(self, file: str, line: int) -> ast.stmt | None:
        """The statement that begins at a line."""
        place = file, line
        if place not in self._known:
            self._known[place] = self._parsed(file, line)
        return self._known[place]

    def written(self, file: str, line: int, state: str) -> str:
        """The value that a statement writes to a state, as the code says it; "" where it does not say it plainly."""
        statement = self.at(file, line)
        if statement is None:
            return ""
        name = last_name(state)
        for node in ast.walk(statement):
            match node:
                case ast.Assign(targets=targets, value=value):
                    if found := next((part for part in _parts(targets, value) if _mentions(part[0], name)), None):
                        return _short(found[1])
                case ast.AnnAssign(target=target, value=value) if value is not None and _mentions(target, name):
                    return _short(value)
                case ast.AugAssign(target=target) if _mentions(target, name):
                    return _cut(ast.unparse(node).partition(" ")[2])
                case ast.Delete(targets=targets) if any(_mentions(target, name) for target in targets):
                    return "nothing: it is deleted"
                case ast.NamedExpr(target=target, value=value) if _mentions(target, name):
                    return _short(value)
                case ast.keyword(arg=keyword, value=value) if keyword == name:
                    return _short(value)
                case _:
                    pass
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        whole = statement.value if isinstance(statement, ast.Expr) else None
        written = (_given(call, name, sets=call is whole or (len(calls) == 1 and _is_setter(call))) for call in calls)
        return next(filter(None, written), "")

    def save_line(self, file: str, line: int, first_line: int, last_line: int) -> int:
        """Where what a statement puts back was saved: the last of some lines that assigns or pushes it, or 0.

        Args:
            file: the file.
            line: of the statement that puts it back.
            first_line: where to look from.
            last_line: where to look to.
        """
        statement = self.at(file, line)
        names = {name for value in _values(statement) for name in _names(value)} if statement else set()
        for before in range(last_line, first_line - 1, -1):
            text = self._line(file, before) or ""
            if any(name in text for name in names) and names & set(_kept_in(self._beginning(file, before))):
                return before
        return 0

    def rewrites(self, file: str, line: int) -> bool:
        """Whether a statement assigns to something a value made from itself: `x = x or y`."""
        statement = self.at(file, line)
        if not isinstance(statement, ast.Assign):
            return False
        parts = {ast.unparse(node) for node in ast.walk(statement.value) if isinstance(node, ast.expr)}
        return any(ast.unparse(target) in parts for target in statement.targets)

    def popped(self, file: str, line: int) -> str:
        """What a statement pops the assigned value from: `self.saved` of `flag = self.saved.pop()`."""
        match self.at(file, line):
            case ast.Assign(value=ast.Call(func=ast.Attribute(value=stack, attr="pop"), args=[])):
                return ast.unparse(stack)
            case _:
                return ""

    def gives_back(self, file: str, line: int, save_line: int) -> bool:
        """Whether a statement calls the function again whose result another one kept: `old = swap(x)`, `swap(old)`."""
        match self.at(file, save_line), self.at(file, line):
            case ast.Assign(value=ast.Call(func=first)), ast.Expr(value=ast.Call(func=second)):
                return ast.unparse(first) == ast.unparse(second)
            case _:
                return False

    def pushes(self, file: str, line: int, stack: str) -> bool:
        """Whether a statement pushes something: `self.saved.append(flag)`."""
        statement = self.at(file, line)
        return isinstance(statement, ast.Expr) and stack in _kept_in(statement)

    def hands_on(self, file: str, line: int, name: str) -> bool:
        """Whether a statement returns what `name` gives, itself or as part of a condition: `return not flag`."""
        statement = self.at(file, line)
        if not isinstance(statement, ast.Return) or statement.value is None:
            return False
        return any(_last_of(node) == name for node in _tested(statement.value))

    def item(self, file: str, line: int, name: str) -> str:
        """The key of the only item of a container that a statement accesses; "" where it may access others too.

        A variable that the lines above give a constant stands for that; `*` for a key that is not known.
        """
        statement = self.at(file, line)
        if statement is None:
            return ""
        parents = {child: node for node in ast.walk(statement) for child in ast.iter_child_nodes(node)}
        named = [node for node in parents if isinstance(node, ast.Name | ast.Attribute) and _last_of(node) == name]
        keys = [key for node in named if (key := _key_of(node, parents)) is not None]
        found = {self._constant(file, line, key) for key in keys}
        return found.pop() if len(found) == 1 and len(keys) == len(named) else ""

    def _constant(self, file: str, line: int, key: ast.expr) -> str:
        if isinstance(key, ast.Constant):
            return ast.unparse(key)
        if isinstance(key, ast.Name):
            for above in range(line - 1, max(0, line - _MOST_LINES), -1):
                if re.match(rf"\s*{key.id}\s*=[^=]", self._line(file, above) or ""):
                    match self._beginning(file, above):
                        case ast.Assign(value=ast.Constant() as value):
                            return ast.unparse(value)
                    break
        return "*"

    def yields(self, file: str, first_line: int, last_line: int) -> bool:
        """Whether there is a `yield` between two lines."""
        lines = (self._line(file, line) or "" for line in range(first_line, last_line + 1))
        return any(re.search(r"\byield\b", text.partition("#")[0]) for text in lines)

    def yields_under(self, file: str, line: int) -> bool:
        """Whether there is a `yield` in the block of a `with` that enters something at a line."""
        while line > 1 and not re.match(r"\s*(async\s+)?with\b", self._line(file, line) or ""):
            line -= 1  # one of several that it enters, each on a line of its own
        head = self._line(file, line)
        if head is None:
            return False
        indent, below = _indent(head), line + 1
        # The head's own last line may begin with a bracket: `with (`, ..., `):`.
        while (text := self._line(file, below)) is not None and (
            not text.strip() or _indent(text) > indent or text.lstrip().startswith(")")
        ):
            if re.search(r"\byield\b", text.partition("#")[0]):
                return True
            below += 1
        return False

    def initial(self, file: str, first_line: int, name: str, *, indented: bool) -> tuple[str, int]:
        """The first assignment to a name from a line on: its value and line; "" and 0 if there is none.

        Args:
            file: the file.
            first_line: where to begin: at a module's first line, or at a class.
            name: what is assigned.
            indented: whether it is in a class rather than in a module.
        """
        indent = r"[ \t]+" if indented else ""
        begins = re.compile(rf"{indent}{re.escape(name)}\s*(:|=(?!=))")
        line = first_line
        while (text := self._line(file, line)) is not None:
            if begins.match(text) and (value := self.written(file, line, name)):
                return value, line
            line += 1
        return "", 0

    def _parsed(self, file: str, line: int) -> ast.stmt | None:
        text, depth = "", 0
        for offset in range(_MOST_LINES):
            more = self._line(file, line + offset)
            if more is None:
                return None
            text += more + "\n"
            depth += _depth(more)
            if depth > 0:
                continue  # it goes on in the next line
            head = dedent(text)
            for attempt in (head, f"{head.rstrip()} pass") if head.rstrip().endswith(":") else (head,):
                try:
                    return ast.parse(re.sub(r"^elif\b", "if", attempt)).body[0]
                except (SyntaxError, ValueError, IndexError):
                    continue
        return None


def _is_setter(call: ast.Call) -> bool:
    """Whether a call is one that sets what it is given, by its name; one that gives something may only use it."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return any(word in last.lower() for word in _SETTING)


def _given(call: ast.Call, name: str, *, sets: bool) -> str:
    """What a call that changes a state gives it: `append(x)` of `flags.append(x)`, `x` of `set_flag(x)`.

    Args:
        call: the call.
        name: what the code calls the state.
        sets: whether it is a call that sets something, and the only one of a statement that changes the state.
    """
    given = ", ".join(map(ast.unparse, (*call.args, *(keyword.value for keyword in call.keywords))))
    if isinstance(call.func, ast.Name) and call.func.id == "setattr" and call.args:
        return _cut(ast.unparse(call.args[-1]))
    if isinstance(call.func, ast.Attribute) and _mentions(call.func.value, name):
        return _cut(given if call.func.attr in _SETTERS else f"{call.func.attr}({given})")
    return _cut(given) if sets else ""


def _depth(text: str) -> int:
    """How many more brackets a line opens than it closes; roughly, as strings are not told from code."""
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _parts(targets: Sequence[ast.expr], value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is assigned to what: `a, b = c, d` assigns to each its own."""
    for target in targets:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
        else:
            yield target, value


def _values(statement: ast.stmt) -> list[ast.expr]:
    """What a statement writes: the value of an assignment, the arguments of a call."""
    match statement:
        case ast.Assign(value=value):
            return [value]
        case ast.Expr(value=ast.Call(args=args)):
            return args
        case _:
            return []


def _names(value: ast.expr) -> Iterator[str]:
    """The variables and attributes in an expression, as the code writes them."""
    return (ast.unparse(node) for node in ast.walk(value) if isinstance(node, ast.Name | ast.Attribute))


def _kept_in(statement: ast.stmt | None) -> list[str]:
    """Where a statement keeps something: what it assigns to, or the list that it appends to."""
    match statement:
        case ast.Assign(targets=targets):
            parts = [p for target in targets for p in (target.elts if isinstance(target, ast.Tuple) else [target])]
            return [ast.unparse(part) for part in parts]
        case ast.AnnAssign(target=target):
            return [ast.unparse(target)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=stack, attr="append"))):
            return [ast.unparse(stack)]
        case _:
            return []


def _key_of(container: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.expr | None:
    """The key by which an expression accesses a container: `a['k']`, `a.get('k')`, `'k' in a`; None for no item."""
    match parents[container]:
        case ast.Subscript(value=value, slice=key) if value is container:
            return key
        case ast.Attribute(attr="get" | "pop" | "setdefault") as method:
            match parents[method]:
                case ast.Call(args=[key, *_]):
                    return key
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()]):
            return key
    return None


def is_constant(value: str) -> bool:
    """Whether a value, as code says it, is the same whoever writes it: `True`, `None`, `"cpu"`."""
    try:
        ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return False
    return True


def last_name(state: str) -> str:
    """What code calls a state: its last name, or the key of an item."""
    return state.rpartition("[")[2].rstrip("]").rpartition(".")[2] if "[" in state else state.rpartition(".")[2]


def _mentions(target: ast.expr, name: str) -> bool:
    """Whether an assignment's target is, or is part of, what bears a name."""
    return any(_last_of(node) == name for node in ast.walk(target))


def _last_of(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str(name)):
            return name
        case ast.Call(func=func):
            return _last_of(func)
        case _:
            return ""


def _tested(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition whose truth it depends on, or the expression itself."""
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _tested(value)
        case ast.UnaryOp(operand=operand):
            yield from _tested(operand)
        case ast.Compare(left=left, comparators=others):
            for part in (left, *others):
                yield from _tested(part)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            for part in (test, body, orelse):
                yield from _tested(part)
        case ast.Subscript(value=value):
            yield from _tested(value)
        case _:
            yield node


def _short(value: ast.expr) -> str:
    return _cut(ast.unparse(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
