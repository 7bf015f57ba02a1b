"""Answers as JSON, in the formats that the README describes."""

from __future__ import annotations

import msgspec


def encode(answer: msgspec.Struct | dict[str, list[str]]) -> bytes:
    """Write any answer as one line of JSON."""
    return msgspec.json.encode(answer) + b"\n"
