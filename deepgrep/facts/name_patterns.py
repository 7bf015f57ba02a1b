"""F-strings that may be names."""

from __future__ import annotations

import re

import libcst as cst

# What a part of a dotted name may be; a text with anything else is a message.
_NAME_PART = re.compile(r"[A-Za-z0-9_.]+")


def may_be_name(node: cst.FormattedString | cst.TemplatedString) -> bool:
    """Whether an f-string can be a name of which something is known."""
    texts = [part.value for part in node.parts if isinstance(part, cst.FormattedStringText)]
    return bool(texts) and all(map(_NAME_PART.fullmatch, texts))
