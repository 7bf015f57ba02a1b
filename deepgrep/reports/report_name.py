"""What a report is called, and how one question is told from another."""

from __future__ import annotations

import hashlib
import re

import msgspec

from deepgrep.questions.filters import NO_FILTERS, Filters

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}", re.ASCII)
_SAYS_ALL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.]{0,59}", re.ASCII)
_READABLE = 40
_HASH_DIGITS = 8


def question_id(root: str, target: str, access: str | None, filters: Filters) -> str:
    """A text that only this question has, as it was typed."""
    asked = [root, target, access, {name: getattr(filters, name) for name in filters.__slots__}]
    return hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[: 2 * _HASH_DIGITS]


def report_name(root: str, target: str, access: str | None, filters: Filters) -> str:
    """A file name, without a suffix, that says what was asked.

    It holds letters, digits, `_`, `-` and dots, does not begin with a dot, and is at most about a hundred characters
    long. Where that does not say all of the question, some digits tell it from others.
    """
    name = f"{_slug(root)}--{_slug(target)}"
    says_all = _SAYS_ALL.fullmatch(root) and _SAYS_ALL.fullmatch(target)
    is_usual = access is None and filters == NO_FILTERS
    return name if says_all and is_usual else f"{name}-{question_id(root, target, access, filters)[:_HASH_DIGITS]}"


def safe_name(name: str) -> str:
    """The name of a stored query as a file name; some digits are added to one that is not one by itself."""
    if _SAFE.fullmatch(name):
        return name
    digits = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:_HASH_DIGITS]
    return f"{_slug(name)}-{digits}"


def _slug(text: str) -> str:
    if _SAFE.fullmatch(text):
        return text
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:_READABLE].rstrip("-.") or "code"
