"""libcst -> the facts of one file. Never looks at a second file; needs neither its path nor its module name."""

from __future__ import annotations

from functools import cache

import msgspec

from deepgrep.facts.model import ModuleFacts

__all__ = ["ExtractError", "ModuleFacts", "decode", "encode", "extract", "quicken"]


class ExtractError(Exception):
    """A file that cannot be decoded or parsed; the text is the reason, in one line."""


def extract(data: bytes) -> ModuleFacts:
    """Return the facts of a Python file.

    Args:
        data: the file's bytes.

    Raises:
        ExtractError: the bytes are not Python that libcst can read.
    """
    from deepgrep.facts.module import module_facts  # libcst: 150 ms to import, and only extraction needs it

    return module_facts(data)


def quicken() -> None:
    """Make extraction faster in this process, which must do nothing else with libcst."""
    from deepgrep.facts import quick_nodes

    quick_nodes.quicken()


def encode(facts: ModuleFacts) -> bytes:
    """Return facts as bytes for the store."""
    return msgspec.msgpack.encode(facts)


@cache
def _decoder() -> msgspec.msgpack.Decoder[ModuleFacts]:
    return msgspec.msgpack.Decoder(ModuleFacts)


def decode(data: bytes) -> ModuleFacts:
    """Return the facts that `encode` wrote.

    Raises:
        msgspec.DecodeError: the bytes are something else.
    """
    from deepgrep.facts.sharing import share

    facts = _decoder().decode(data)
    share(facts)
    return facts
