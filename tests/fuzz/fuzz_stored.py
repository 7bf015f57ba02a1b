"""The bytes of stored facts and of a stored graph's sections: read, or refused as what they are said to be."""

import contextlib

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.facts import Piece, Pieces
from deepgrep.graph.columns import BYTE, SIGNED, UNSIGNED, Strings, pack_strings, unpack_numbers
from deepgrep.graph.layout import Meta, parameters_of, signature
from deepgrep.graph.pages import SIZES, PagedSections, whole


def one_input(data: bytes) -> None:
    for struct in (Piece, Pieces, Meta):
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
            msgspec.msgpack.decode(data, type=struct)
    for code in (BYTE, SIGNED, UNSIGNED):
        with contextlib.suppress(DeepgrepError):
            unpack_numbers(code, data, "section")
    with contextlib.suppress(DeepgrepError):
        strings = Strings(data, "section")
        len(strings)
    with contextlib.suppress(DeepgrepError):
        sections = PagedSections({SIZES: data, "large#0": data}.get)  # type: ignore[arg-type]
        whole(sections.blob("large") or b"")
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    assert list(Strings(pack_strings(lines), "section")) == lines
    parameters = parameters_of(text)
    assert parameters_of(signature(parameters)) == parameters
