"""What a report says of itself, so that someone else can repeat it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import msgspec

from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.sources.released import Released


class Provenance(msgspec.Struct, frozen=True):
    """Where a report comes from.

    Attributes:
        command: what was typed, without paths of the machine: typing it again gives the same report.
        deepgrep: its version.
        python: the version of Python that it ran on.
        released: the analyzed sources in the answer's order, each compared with its release.
    """

    command: str
    deepgrep: str
    python: str
    released: list[Released]


def repeating_command(
    question: Sequence[str], access: str | None, paths: int | None, filters: Filters, sources: Sequence[str]
) -> str:
    """The command that gives a report again.

    Args:
        question: root and target, or `--query` and the name of a stored query.
        access: as it was given.
        paths: how many paths were asked for; None where nobody said.
        filters: as they were given.
        sources: the options that name what was analyzed, without the folders that it lies in.

    Returns:
        It, quoted for a shell, without what only this machine has: its cache, and where the report was written to.
    """
    options = [] if access is None else ["--access", access]
    options += [] if paths is None else ["--paths", str(paths)]
    options += _filter_options(filters)
    options += sources
    # What looks like an option is one, except after `--`.
    end = ["--"] if question[0].startswith("-") and question[0] != "--query" else []
    words = ["deepgrep", "report", *options, *end, *question] if end else ["deepgrep", "report", *question, *options]
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """A word quoted for a shell; what cannot be seen, or turns text around, as an escape that shells read.

    What is pasted into a terminal must be what is shown.
    """
    if word.replace("\n", "").isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(char: str) -> str:
    if char == "\n":
        return r"\n"
    if char in "\\'":
        return f"\\{char}"
    return char if char.isprintable() else "".join(f"\\x{byte:02x}" for byte in char.encode(errors="surrogateescape"))


def _filter_options(filters: Filters) -> Iterator[str]:
    for name in filters.__slots__:
        value = getattr(filters, name)
        option = f"--{name.replace('_', '-')}"
        if value == getattr(NO_FILTERS, name):
            continue
        if value is True:
            yield option
        else:
            for text in value if isinstance(value, tuple) else (value,):
                yield option
                yield str(text)
