"""Answers as JSON, in the formats that the README describes."""

from __future__ import annotations

import re

import msgspec

_NOT_PLAIN = re.compile(r"[^\n\x20-\x7e]")


def encode(answer: msgspec.Struct | dict[str, list[str]]) -> bytes:
    """Write any answer as one line of JSON; what a terminal would not print, but act on, is escaped in it."""
    data = msgspec.json.encode(answer)
    if not data.isascii() or b"\x7f" in data:
        data = _NOT_PLAIN.sub(_escaped, data.decode()).encode()
    return data + b"\n"


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable():
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))
