"""The code of functions, as it is compared between versions: without indentation, comments and blank lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.blocks import blocks

_DEFINITION = re.compile(r"^((?:async\s+)?def\s+)\w+")
_CLOSING = (")", "]", "}")
_NAMELESS = r"\1_"


class Line(NamedTuple):
    """A line of code: where it is, and its text without indentation."""

    number: int
    text: str


class Bodies:
    """The code of the functions of a version, read file by file when it is asked for."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._files: dict[str, _File] = {}

    def line(self, file: str, number: int) -> str:
        """The text of a line; "" where it cannot be shown."""
        lines = self._file(file).lines
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def code(self, graph: CallGraph, function: int) -> list[Line]:
        """The lines of a function, those of functions within it among them; none where they cannot be told."""
        number = graph.function_line[function]
        if not number:  # a relay
            return []
        file = self._file(graph.texts[graph.function_file[function]])
        if graph.texts[graph.function_last[function]] == "<module>":
            return file.outside
        last = file.extents.get(number, 0)
        return file.between(number, last)

    def normal(self, graph: CallGraph, function: int) -> tuple[str, ...]:
        """A function's code without its name; () where it cannot be told, or is that of a module."""
        if graph.texts[graph.function_last[function]] == "<module>":
            return ()
        number = graph.function_line[function]
        code = self._file(graph.texts[graph.function_file[function]]).indented(number) if number else []
        return (_DEFINITION.sub(_NAMELESS, code[0]), *code[1:]) if code else ()

    def _file(self, path: str) -> _File:
        if path not in self._files:
            self._files[path] = _File(self._read(path) or b"")
        return self._files[path]


class _File:
    def __init__(self, source: bytes) -> None:
        self._source = source

    @cached_property
    def lines(self) -> list[str]:
        return self._source.decode(errors="replace").splitlines()

    @cached_property
    def extents(self) -> dict[int, int]:
        """The last line of each function, by the line of its definition."""
        found = blocks(self._source)
        if found is None:
            return _parsed(self._source)
        functions, lambdas = found
        return {extent.key[1]: extent.last for extent in (*lambdas, *functions)}

    @cached_property
    def outside(self) -> list[Line]:
        """What belongs to no function."""
        inside: set[int] = set()
        for first, last in self.extents.items():
            inside.update(range(first + 1, last + 1))
        return [line for line in self.between(1, len(self.lines)) if line.number not in inside]

    def indented(self, first: int) -> list[str]:
        """What is indented below a line, with it, told from that alone: several times as fast as `extents`.

        Of a function with text in it that is indented less, this may be only the beginning.
        """
        lines = self.lines
        if not 0 < first <= len(lines):
            return []
        head = lines[first - 1]
        indentation = len(head) - len(head.lstrip())
        found = [head.strip()]
        in_text = head.count('"""') % 2
        for line in lines[first:]:
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if not in_text and len(line) - len(line.lstrip()) <= indentation and not text.startswith(_CLOSING):
                break
            in_text ^= text.count('"""') % 2
            found.append(text)
        return found

    def between(self, first: int, last: int) -> list[Line]:
        texts = ((number, self.lines[number - 1].strip()) for number in range(first, min(last, len(self.lines)) + 1))
        return [Line(number, text) for number, text in texts if text and not text.startswith("#")]


def _parsed(source: bytes) -> dict[int, int]:
    """The same for a file whose functions cannot be told without parsing it; nothing where this Python cannot."""
    import ast

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return {node.lineno: node.end_lineno or node.lineno for node in ast.walk(tree) if isinstance(node, kinds)}


def counterpart(code: Sequence[Line], number: int, other: Sequence[Line]) -> tuple[Line | None, bool]:
    """The line of another version of a function that stands in the place of one of its lines.

    Args:
        code: the function's code.
        number: the line.
        other: the code of the other version.

    Returns:
        The line, and whether it says the same; None where there is none in its place.
    """
    position = next((i for i, line in enumerate(code) if line.number == number), None)
    if position is None:
        return None, False
    text = code[position].text
    same = [line for line in other if line.text == text]
    if len(same) == 1:  # most
        return same[0], True
    start, end = _block(code, position, other)
    if same:
        return min(same, key=lambda line: abs(line.number - other[min(start, len(other) - 1)].number)), True
    likely = [(_likeness(text, line.text), -i, line) for i, line in enumerate(other[start:end])]
    best = max(likely, default=None)
    return (best[2], False) if best is not None and best[0] >= _ALIKE else (None, False)


def _block(code: Sequence[Line], position: int, other: Sequence[Line]) -> tuple[int, int]:
    """The part of the other code that stands where a line of this code is, or that it became."""
    import difflib  # late: 5 ms

    texts, others = [line.text for line in code], [line.text for line in other]
    # Of very long code, lines that come often are left out of the comparison: it would take too long.
    matcher = difflib.SequenceMatcher(None, texts, others, autojunk=len(texts) > _LONG)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if start <= position < end:
            offset = position - start if kind == "equal" else 0
            return other_start + offset, other_end
    return len(other), len(other)


_LONG = 2000
_ALIKE = 0.5
# `return`, `with`, `if`: what replaces a statement is mostly of the same sort.
_BEGINS_ALIKE = 0.25


def _likeness(text: str, other: str) -> float:
    import difflib

    begins_alike = text.split(maxsplit=1)[0] == other.split(maxsplit=1)[0]
    return difflib.SequenceMatcher(None, text, other, autojunk=False).ratio() + begins_alike * _BEGINS_ALIKE
