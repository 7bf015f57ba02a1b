"""A file's bytes -> its facts: parse, number, lower."""

from __future__ import annotations

import sys

import libcst as cst

from deepgrep.facts import ExtractError
from deepgrep.facts.lowering import Lowering
from deepgrep.facts.model import ModuleFacts
from deepgrep.facts.positions import name_lines
from deepgrep.facts.statements import block

# Python code nests deeper than the interpreter's default allows: a long chain of `+` is a tree of that depth.
_RECURSION_LIMIT = 20_000


def module_facts(data: bytes) -> ModuleFacts:
    """Return the facts of a Python file; see `deepgrep.facts.extract`."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    try:
        module = cst.parse_module(data)
        text = data.decode(module.encoding)
    except cst.ParserSyntaxError as error:
        raise ExtractError(f"syntax error at line {error.raw_line}") from None
    except (UnicodeDecodeError, LookupError) as error:
        raise ExtractError(f"cannot be decoded: {error}") from None
    except RecursionError:
        raise ExtractError("nested too deeply") from None
    cx = Lowering(module, name_lines(module, text), ":=" in text)
    try:
        block(cx, module)
    except RecursionError:
        raise ExtractError("nested too deeply") from None
    return ModuleFacts(tuple(u.finish() for u in cx.units), tuple(cx.classes), tuple(cx.guards.table))
