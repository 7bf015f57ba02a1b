"""A file's bytes -> its facts: parse, number, lower."""

from __future__ import annotations

import re
import sys

import libcst as cst

from deepgrep.facts import ExtractError
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.model import ModuleFacts
from deepgrep.facts.positions import node_lines
from deepgrep.facts.statements import block

# Python code nests deeper than the interpreter's default allows: a long chain of `+` is a tree of that depth.
_RECURSION_LIMIT = 20_000
_DECLARATION = re.compile(r"\b(?:global|nonlocal)\s+([\w\s,]+?)\s*(?:[;#\n]|$)")


def module_facts(data: bytes) -> ModuleFacts:
    """Return the facts of a Python file; see `deepgrep.facts.extract`."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    try:
        module, text = _parse(data)
        cx = Lowering(module, node_lines(module, text), ":=" in text, _declared_elsewhere(text))
        block(cx, module)
    except RecursionError:
        raise ExtractError("nested too deeply") from None
    return ModuleFacts(tuple(u.finish() for u in cx.units), tuple(cx.classes), tuple(cx.guards.table))


def _declared_elsewhere(text: str) -> frozenset[str]:
    """Return the names in `global` and `nonlocal` statements: several functions may bind them."""
    return frozenset(name.strip() for names in _DECLARATION.findall(text) for name in names.split(","))


def _parse(data: bytes) -> tuple[cst.Module, str]:
    try:
        module = cst.parse_module(data)
        return module, data.decode(module.encoding)
    except cst.ParserSyntaxError as error:
        raise ExtractError(f"syntax error: {' '.join(error.message.split())}") from None
    except (SyntaxError, UnicodeError, LookupError) as error:  # SyntaxError: of the line that declares the encoding
        raise ExtractError(f"cannot be decoded: {error}") from None
