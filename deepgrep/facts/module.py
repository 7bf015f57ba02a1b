"""A file's text -> the pieces that its facts are put together from: divide, parse, number, lower."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence

import libcst as cst

from deepgrep.facts import ExtractError
from deepgrep.facts.definitions import function_apart
from deepgrep.facts.division import Division, declared, decoded, divided, normalized, undivided, with_stubs
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.model import Piece, Pieces
from deepgrep.facts.operations import AnyOperation, Class, operands
from deepgrep.facts.positions import MismatchError, matched_lines, node_lines, push_children
from deepgrep.facts.splitting import Definition
from deepgrep.facts.statements import block
from deepgrep.interpreter import allow_deep_recursion

# What a value comes from is followed by recursion, as deep as this.
_DEEPEST = 5_000

_Made = dict[bytes, Piece]


def module_pieces(data: bytes, known: Collection[bytes]) -> tuple[Pieces, _Made]:
    """Return the pieces of a Python file; see `deepgrep.facts.extract_pieces`."""
    allow_deep_recursion()
    text = decoded(data)
    division = divided(text)
    try:
        made = None if division is None else _made_of_parts(division, known)
        if division is not None and made is not None:
            return division.pieces, made
        whole = undivided(text)
        return whole, {} if whole.keys[0] in known else {whole.keys[0]: _whole(text)}
    except RecursionError:
        raise ExtractError("nested too deeply") from None


def _parsed(text: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        said = " ".join(error.message.split())
        where = "" if " error at " in said else _line_by_python(text)
        raise ExtractError(f"syntax error: {said}{where}") from None
    except (cst.CSTValidationError, cst.CSTLogicError) as error:  # what its grammar takes, and its nodes do not
        raise ExtractError(f"syntax error: {' '.join(str(error).split())}{_line_by_python(text)}") from None
    except UnicodeError as error:  # half of a surrogate pair, as some encodings give
        raise ExtractError(f"cannot be decoded: {error}") from None


def _line_by_python(text: str) -> str:
    """Say which line Python finds wrong, in words; libcst knows that of its parser's errors only."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return f" (line {error.lineno})" if error.lineno else ""
    except (ValueError, RecursionError, MemoryError):  # null bytes, and what is nested too deeply
        pass
    return ""


def _whole(text: str) -> Piece:
    module = _parsed(text)
    lines = node_lines(module, text)
    _normalize_names(module, text)
    cx = Lowering(module, lines, ":=" in text, declared(text))
    block(cx, module)
    return _piece(cx, 0)


def _made_of_parts(division: Division, known: Collection[bytes]) -> _Made | None:
    """Make the pieces that are not known; None where the text turns out not to be what it seems."""
    lines, found = division.lines, division.definitions
    rest, *keys = division.pieces.keys
    missing = {at for at, key in enumerate(keys) if key not in known}
    if not missing and rest in known:
        return {}
    text = "\n".join(with_stubs(lines, [definition for at, definition in enumerate(found) if at not in missing]))
    try:
        module = _parsed(text)
        placed = matched_lines(module, text)
    except (ExtractError, MismatchError):
        return None
    nodes = list(_function_nodes(module))
    if [(owner, node.name.value) for owner, node in nodes] != [(item.owner, item.name) for item in found]:
        return None
    if not _lie_apart(module, dict(zip((id(node) for _, node in nodes), _spans(found, missing), strict=True)), placed):
        return None
    _normalize_names(module, text)
    numbers = _numbers(found, missing, len(lines))
    placed = {node: numbers[line] for node, line in placed.items()}
    made: _Made = {}
    for at in missing:
        definition = found[at]
        body = "\n".join(lines[definition.line - 1 : definition.last])
        cx = Lowering(module, placed, ":=" in body, declared(body))
        function_apart(cx, nodes[at][1], normalized(definition.owner))
        made[keys[at]] = _piece(cx, 1)
    if rest not in known:
        apart = frozenset(id(node) for _, node in nodes)
        cx = Lowering(module, placed, ":=" in division.rest, division.declared, apart)
        block(cx, module)
        made[rest] = _piece(cx, 0)
    return made


def _normalize_names(module: cst.Module, text: str) -> None:
    """Write names as Python stores them: `ｆ` is `f`."""
    if unicodedata.is_normalized("NFKC", text):
        return
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Name):
            object.__setattr__(node, "value", normalized(node.value))
        push_children(node, stack)


def _function_nodes(module: cst.Module) -> Iterator[tuple[str, cst.FunctionDef]]:
    """Yield what `definitions` should have found."""
    for statement in module.body:
        if isinstance(statement, cst.FunctionDef) and isinstance(statement.body, cst.IndentedBlock):
            yield "", statement
        elif isinstance(statement, cst.ClassDef) and isinstance(statement.body, cst.IndentedBlock):
            if statement.type_parameters is not None:
                continue
            for member in statement.body.body:
                if isinstance(member, cst.FunctionDef) and isinstance(member.body, cst.IndentedBlock):
                    yield statement.name.value, member


def _spans(found: Sequence[Definition], missing: Collection[int]) -> Iterator[tuple[int, int, int]]:
    """Yield the line of each `def`, and the first and last of its body, in the text that was parsed; see `_numbers`."""
    removed = 0
    for index, definition in enumerate(found):
        line, first, last = (number - removed for number in definition[2:])
        if index not in missing:
            removed += last - first
            last = first
        yield line, first, last


def _lie_apart(module: cst.Module, spans: Mapping[int, tuple[int, int, int]], placed: Mapping[int, int]) -> bool:
    """Return whether definitions have the lines that they seem to have in the text, and nothing else has.

    Args:
        module: what was parsed.
        spans: of each definition, by the `id` of its node, as `_spans` gives them.
        placed: the lines of nodes, by `id`.
    """
    end = 0
    for statement in _statements(module):
        start = _edge_line(statement, placed, 0)
        if start is not None and start <= end:
            return False
        if id(statement) in spans and isinstance(statement, cst.FunctionDef):
            line, first, end = spans[id(statement)]
            edges = (_edge_line(statement.body, placed, edge) for edge in (0, -1))
            if not line <= placed[id(statement.name)] < first or any(e and not first <= e <= end for e in edges):
                return False
    return True


def _statements(module: cst.Module) -> Iterator[cst.CSTNode]:
    """Yield the statements at the top level, and those directly in its classes, in order."""
    for statement in module.body:
        yield statement
        if isinstance(statement, cst.ClassDef):
            yield from statement.body.body


def _edge_line(node: cst.CSTNode, placed: Mapping[int, int], edge: int) -> int | None:
    """Return the line of the first (0) or the last (-1) node in `node` that has one."""
    if edge == 0 and id(node) in placed:
        return placed[id(node)]
    children: list[cst.CSTNode] = []
    push_children(node, children)
    # They come last child first.
    for child in children if edge else reversed(children):
        line = _edge_line(child, placed, edge)
        if line is not None:
            return line
    return placed.get(id(node))


def _numbers(found: Sequence[Definition], missing: Collection[int], count: int) -> list[int]:
    """Return, for each line of the text that was parsed, its number in the piece that it belongs to; see `Piece`.

    Args:
        found: all definitions of the file.
        missing: those whose bodies are in the text; those of the others are one line.
        count: of lines in the file.
    """
    numbers = [0]
    number, at = 0, 1
    for index, definition in enumerate(found):
        numbers += range(number + 1, number + 1 + definition.first - at)
        number += definition.first - at + 1  # the one line that stands for the body
        numbers += range(1, definition.last - definition.first + 2) if index in missing else [number]
        at = definition.last + 1
    return [*numbers, *range(number + 1, number + 1 + count + 1 - at)]


def _piece(cx: Lowering, start: int) -> Piece:
    """Return what was lowered, from unit `start` on."""
    units = tuple(unit.finish() for unit in cx.units[start:])
    if any(_is_deeper(unit.operations, _DEEPEST) for unit in units):
        raise ExtractError(f"nested too deeply: a value that is {_DEEPEST:,} assignments or operators old")
    return Piece(units, tuple(cx.classes), tuple(cx.guards.table), tuple(cx.stubs))


def _is_deeper(operations: Sequence[AnyOperation], most: int) -> bool:
    """Return whether some value goes through more operations than that, one after the other."""
    if len(operations) <= most:
        return False
    depths: list[int] = []
    for operation in operations:
        # What comes later is of a loop. What a class has of its bases is asked of the hierarchy, which may be deep.
        read = () if isinstance(operation, Class) else operands(operation)
        depths.append(1 + max((depths[o] for o in read if 0 <= o < len(depths)), default=0))
    return max(depths) > most
