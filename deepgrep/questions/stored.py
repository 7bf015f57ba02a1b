"""Stored queries: questions in TOML files, one in each, those that ship with deepgrep among them.

A query's name is its file's stem. The keys of a file are the fields of `StoredQuery`, and those of its table
`[filters]` the fields of `Filters`; the README describes them.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind, Certainty
from deepgrep.questions.answers import Verdict
from deepgrep.questions.filters import NO_FILTERS, Filters
from deepgrep.questions.toml_files import TomlFile
from deepgrep.sources.read import is_text

_SUFFIX = ".toml"
_PACKAGE = Path(__file__).parents[1]
_SHIPPED = "deepgrep/queries/"


class StoredQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is kept in a file.

    Attributes:
        name: its name, which is the file's stem.
        file: the file: `deepgrep/queries/NAME.toml` of one that ships and was named, otherwise the path from the
            folder that deepgrep runs in, or of one that is elsewhere the file's name alone.
        question: what is asked, in one sentence.
        root, target, access: what is asked, as `reach` takes it.
        expect: the verdict on the versions that it was checked with; None where nobody said.
        reports: the addresses of the public reports that it comes from.
        note: what the answer means, and what to look at.
        filters: what is left out and what is assumed.
    """

    name: str
    file: str
    question: str
    root: str
    target: str
    access: AccessKind | None = None
    expect: Verdict | None = None
    reports: tuple[str, ...] = ()
    note: str = ""
    filters: Filters = NO_FILTERS

    @property
    def typed(self) -> str:
        """What to type to name it."""
        return self.name if self.file.startswith(_SHIPPED) else self.file


# The largest that every TOML parser takes.
_LARGEST_NUMBER = 2**63 - 1
_KEYS = [name for name in StoredQuery.__struct_fields__ if name not in {"name", "file"}]
_FILTERS = [field.name for field in fields(Filters)]


def typed_query(root: str, target: str) -> StoredQuery:
    """A question that is asked as if it were stored; it goes by its two ends."""
    name = f"{root} {target}"
    return StoredQuery(name=name, file="", question=f"Can {root} reach {target}?", root=root, target=target)


def shipped_queries() -> list[StoredQuery]:
    """All that ship with deepgrep, by name.

    Raises:
        DeepgrepError: they are not there, or one is not a query.
    """
    return [_load(path, _SHIPPED + path.name) for path in _files(_shipped_folder())]


def load_query(path: Path) -> StoredQuery:
    """Read one file.

    Raises:
        DeepgrepError: it cannot be read, or is not a query: the file, the line, what is wrong, and what may be there.
    """
    return _load(path, _shown(path))


def _load(path: Path, file: str) -> StoredQuery:
    if not is_text(file):
        raise DeepgrepError(f"{ascii(file)[1:-1]}: its name is not valid text: rename it, as a query goes by its name")
    read = TomlFile(path)
    _check_tables(read)
    read.check_keys((), _KEYS, required=("question", "root", "target"))
    read.check_keys(("filters",), _FILTERS)
    for key, kind in (("access",), AccessKind), (("expect",), Verdict), (("filters", "certainty"), Certainty):
        _check_choice(read, key, [one.value for one in kind])
    query = read.convert(StoredQuery, name=path.stem, file=file)
    _check_texts(read, query)
    return query


def _check_tables(read: TomlFile) -> None:
    """Refuse keys that stand on the wrong side of `[filters]`."""
    for key in read.table:
        if key in _FILTERS:
            raise read.error((key,), "belongs under [filters]")
    filters = read.table.get("filters")
    for key in filters if isinstance(filters, dict) else ():
        if key in _KEYS:
            raise read.error(("filters", key), f"is no filter: {key} belongs above [filters]")


def _check_choice(read: TomlFile, key: tuple[str, ...], choices: list[str]) -> None:
    """Refuse a word that is none of those that there are; what is no word is left to the conversion."""
    found: object = read.table
    for name in key:
        found = found.get(name) if isinstance(found, dict) else None
    if isinstance(found, str) and found not in choices:
        raise read.error(key, f"is {found!r}: it is one of {', '.join(choices)}")


def _check_texts(read: TomlFile, query: StoredQuery) -> None:
    """Refuse texts that say nothing, addresses that are none, and a length that leaves no path."""
    for key in ("question", "root", "target"):
        if not getattr(query, key).strip():
            raise read.error((key,), "is empty")
    if len(query.question.splitlines()) > 1:
        raise read.error(("question",), "is longer than a line: it is one sentence, and what explains it is the note")
    for address in query.reports:
        if not _is_address(address):
            raise read.error(("reports",), f"holds {address!r}: each is the whole address of a page, https://…")
    for key in _FILTERS:
        value = getattr(query.filters, key)
        if isinstance(value, tuple) and not all(text.strip() for text in value):
            raise read.error(("filters", key), "holds an empty text: drop it")
    if query.filters.max_length is not None and not 1 <= query.filters.max_length <= _LARGEST_NUMBER:
        raise read.error(("filters", "max_length"), f"is no number from 1 to {_LARGEST_NUMBER}")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_clean = text.isprintable() and not any(char in text for char in ' <>"`\\')
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and is_clean


def find_query(typed: str) -> StoredQuery:
    """The one query that a name or path means.

    Raises:
        DeepgrepError: there is none, it is a folder with several, or its file is not a query.
    """
    found = find_queries([typed])
    if len(found) > 1:
        raise DeepgrepError(
            f"{typed} holds {len(found)} queries: name one of them, such as {typed}/{found[0].name}.toml"
        )
    return found[0]


def find_queries(typed: Iterable[str]) -> list[StoredQuery]:
    """The queries that names, files and folders mean, in this order, each once.

    A name is that of a query that ships with deepgrep; a folder means every query file in it.

    Raises:
        DeepgrepError: one of them means nothing, two files have the same name, or one is not a query.
    """
    meant: dict[Path, tuple[Path, str]] = {}
    for text in typed:
        for path, file in _meant(text):
            meant.setdefault(_real(path), (path, file))
    by_name: dict[str, Path] = {}
    for path, _ in meant.values():
        if (other := by_name.setdefault(path.stem, path)) is not path:
            raise DeepgrepError(
                f"{other} and {path} are both called {path.stem}: rename one, as a query goes by its name"
            )
    return [_load(*place) for place in meant.values()]


def _meant(typed: str) -> Iterator[tuple[Path, str]]:
    """The files that a name, a file or a folder means, and what a report calls each."""
    shipped = {path.stem: path for path in _files(_shipped_folder())}
    if typed in shipped:
        yield shipped[typed], _SHIPPED + shipped[typed].name
        return
    path = Path(typed)
    # Not by the methods of `Path`, which raise for what is too long or not to be looked at: reading it says that.
    if typed and os.path.isdir(path):
        if not (files := _files(path)):
            raise DeepgrepError(f"{typed}: there is no query in this folder: a query is a file NAME{_SUFFIX}")
        yield from ((file, _shown(file)) for file in files)
    elif typed.endswith(_SUFFIX) or os.path.isfile(path):
        yield path, _shown(path)
    else:
        if "/" in typed:
            raise DeepgrepError(f"there is no file or folder {typed!r}: a query is a file NAME{_SUFFIX}")
        near = difflib.get_close_matches(typed, shipped, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise DeepgrepError(
            f"there is no query {typed!r}: {hint}`deepgrep queries` lists them; a file ends in {_SUFFIX}"
        )


def _files(folder: Path) -> list[Path]:
    """The query files in a folder; what is called like one and cannot be read is among them, so that it is told."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise DeepgrepError(f"cannot read the folder {folder}: {error.strerror}") from error
    return [folder / name for name in names if name.endswith(_SUFFIX) and not os.path.isdir(folder / name)]


def _shipped_folder() -> Path:
    """Where those that ship are: in the installed package, or beside the package of a checkout."""
    installed, checkout = _PACKAGE / "queries", _PACKAGE.parent / "queries"
    for folder in (installed, checkout):
        if folder.is_dir():
            return folder
    raise DeepgrepError(f"there are no stored queries in {installed}: install deepgrep again")


def _shown(path: Path) -> str:
    """What a report calls a file: without folders of the machine."""
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return path.name
    path = _real(path)
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else path.name


def _real(path: Path) -> Path:
    """The file that a path leads to; a loop of links, at which `Path.resolve` raises, leads to itself."""
    try:
        return Path(os.path.realpath(path))
    except OSError:  # the current folder was removed, so that nothing is in it
        return path
