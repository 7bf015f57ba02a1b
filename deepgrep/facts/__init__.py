"""libcst -> the facts of one file. Never looks at a second file; needs neither its path nor its module name.

Facts are made, and kept, in pieces: one for each top-level function and method, and one for the rest of the file. A
piece is a function of its own text, so what two versions of a file have in common is read once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

import msgspec

from deepgrep.facts.model import ModuleFacts, Piece, Pieces

__all__ = [
    "ExtractError",
    "ModuleFacts",
    "Piece",
    "Pieces",
    "decode",
    "extract",
    "extract_pieces",
    "possible_keys",
    "quicken",
]


class ExtractError(Exception):
    """A file that cannot be decoded or parsed; the text is the reason, in one line."""


def extract(data: bytes) -> ModuleFacts:
    """Return the facts of a Python file.

    Args:
        data: the file's bytes.

    Raises:
        ExtractError: the bytes are not Python that libcst can read.
    """
    pieces, made = extract_pieces(data)
    return decode(pieces, [made[key] for key in pieces.keys])


def extract_pieces(data: bytes, known: Collection[bytes] = frozenset()) -> tuple[Pieces, dict[bytes, bytes]]:
    """Return what the facts of a Python file are made of.

    Args:
        data: the file's bytes.
        known: keys of the pieces that there are already; what they stand for is not parsed.

    Returns:
        The keys of its pieces; and those pieces that were not known, as bytes for the store.

    Raises:
        ExtractError: the bytes are not Python that libcst can read.
    """
    from deepgrep.facts.module import module_pieces  # libcst: 150 ms to import, and only extraction needs it

    pieces, made = module_pieces(data, known)
    return pieces, {key: msgspec.msgpack.encode(piece) for key, piece in made.items()}


def possible_keys(data: bytes) -> frozenset[bytes]:
    """Return the keys of all pieces that the facts of a file may be made of; none where it has none."""
    from deepgrep.facts.division import decoded, divided, undivided

    try:
        text = decoded(data)
        division = divided(text)
    except ExtractError:
        return frozenset()
    return frozenset(undivided(text).keys + (division.pieces.keys if division is not None else ()))


def decode(pieces: Pieces, contents: Sequence[bytes]) -> ModuleFacts:
    """Return the facts of a file.

    Args:
        pieces: what they are made of.
        contents: each piece, as `extract_pieces` gave it.

    Raises:
        msgspec.DecodeError: the bytes are something else.
    """
    from deepgrep.facts.assembly import assemble
    from deepgrep.facts.sharing import share

    rest, *definitions = map(_decoder().decode, contents)
    facts = assemble(pieces, rest, definitions)
    share(facts)
    return facts


def quicken() -> None:
    """Make extraction faster in this process, which must do nothing else with libcst."""
    from deepgrep.facts import quick_nodes

    quick_nodes.quicken()


@cache
def _decoder() -> msgspec.msgpack.Decoder[Piece]:
    return msgspec.msgpack.Decoder(Piece)
