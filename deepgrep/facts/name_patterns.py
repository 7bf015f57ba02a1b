"""F-strings that may be names: what they begin and end with."""

from __future__ import annotations

import re

import libcst as cst

# What a part of a dotted name may be; a text with anything else is a message.
_NAME_PART = re.compile(r"[A-Za-z0-9_.]+")


def name_pattern(node: cst.FormattedString | cst.TemplatedString) -> tuple[str, str] | None:
    """Return what an f-string begins and ends with, if it can be a name and something is known of it."""
    texts = [part.value for part in node.parts if isinstance(part, cst.FormattedStringText)]
    if not texts or not all(map(_NAME_PART.fullmatch, texts)):
        return None
    first, last = node.parts[0], node.parts[-1]
    prefix = first.value if isinstance(first, cst.FormattedStringText) else ""
    suffix = last.value if isinstance(last, cst.FormattedStringText) and last is not first else ""
    return (prefix, suffix) if prefix or suffix else None
