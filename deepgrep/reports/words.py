"""What all forms of an answer share: safe text, names and places, the words for counts and certainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from deepgrep.graph.rows import AccessKind, Certainty, Source, Via
from deepgrep.questions.answers import Removed, RootRef

SourceLine = Callable[[str, int], str | None]
"""Gives the text of one line of an analyzed file, or None where the file cannot be read any more or has changed."""

DOES = {AccessKind.WRITE: "writes", AccessKind.READ: "reads", AccessKind.CALL: "calls"}
DO = {AccessKind.WRITE: "write", AccessKind.READ: "read", AccessKind.CALL: "call"}

SEVERAL = {
    Certainty.DISPATCH: "dispatch: one of several overrides",
    Certainty.FLOW: "flow: one of several values",
}

SCOPES = {
    "process": "one for the whole process",
    "thread": "one for each thread",
    "context": "one for each context",
    "environment": "inherited by child processes",
    "object": "one for each object",
}

CODE_FILE = "<root>"
"""The file of a root that is code."""

_DIGITS_SHOWN = 12


def clean(text: str) -> str:
    """Make text from analyzed code safe to print: no control, bidirectional or other invisible characters."""
    if text.isprintable():
        return text
    spaced = text.replace("\t", " ").replace("\r\n", " ").replace("\n", " ")
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in spaced)


def shorten(text: str, width: int) -> str:
    """Cut the middle out of text that is longer than `width`."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


def cut(text: str, width: int) -> str:
    """Cut the end off text that is longer than `width`."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def place(file: str, line: int) -> str:
    """`file:line`, which editors and terminals open; never shortened. A relay, which is native, has no line."""
    return f"{clean(file)}:{line}" if line else clean(file)


@cache
def local_name(function: str, file: str) -> str:
    """What to call a function beside its place: its qualname, as the file already says the module."""
    if function == file:  # the body of a script, or code that was typed
        return CODE_FILE if file == CODE_FILE else "<module>"
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return clean(function.removeprefix(f"{module}.").removeprefix("__main__."))


def plural(count: int, noun: str) -> str:
    """`1 path`, `2 paths`, `12,000 paths`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def count_of_queries(count: int) -> str:
    """`1 query`, `2 queries`."""
    return "1 query" if count == 1 else f"{count:,} queries"


def passing(via: Via, certainty: Certainty) -> str:
    """How control passes, where that is more than a plain call of the only callee; "" for that."""
    said = "" if via is Via.CALL and certainty is Certainty.CERTAIN else f"by {via}"
    if certainty is not Certainty.CERTAIN:
        said += f", {SEVERAL[certainty]}"
    return f"{said}: what follows is in another process" if via is Via.PROCESS else said


def source_title(source: Source) -> str:
    """One source in a few words: `torch 2.13.0, commit 0123456789ab, digest 0123456789ab`."""
    parts = [f"{source.name} {source.version}".strip()]
    if source.commit:
        parts.append(f"commit {source.commit[:_DIGITS_SHOWN]}")
    parts.append(f"digest {source.digest[:_DIGITS_SHOWN]}")
    return clean(", ".join(parts))


def state_title(kind: str, scope: str) -> str:
    """What a target is: `module global, one for the whole process`."""
    return ", ".join(filter(None, [kind, SCOPES.get(scope, scope)]))


def root_name(root: RootRef, name: Callable[[str], str] = clean) -> str:
    """What a sentence calls the root; `name` writes the name of a function or script."""
    return "the code" if root.file == CODE_FILE else name(root.name)


def skipped_sentence(count: int) -> str:
    """That files could not be read."""
    return f"{plural(count, 'file')} could not be read and may hide something"


def removed_sentence(removed: Sequence[Removed]) -> str:
    """How many conditions cannot hold, and how many of them mattered."""
    leading = sum(1 for row in removed if row.leads_on)
    on = f"; {leading:,} of them kept calls out that could have led to the target" if leading else ""
    return f"{plural(len(removed), 'condition')} cannot hold, by what is assumed{on}"


def not_there(missing: Sequence[str]) -> str:
    """That the root, the target, or both are not there."""
    return f"the {' and the '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there"
