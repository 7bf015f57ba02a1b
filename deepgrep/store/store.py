"""The cache on disk: facts by contents, linked graphs by what they were made of, digests by place."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from deepgrep.errors import DeepgrepError
from deepgrep.store.database import (
    DATABASE_ERRORS,
    PATIENCE,
    NewerVersionError,
    OlderVersionError,
    connect,
    discard,
    inode,
    is_busy,
    is_damage,
    others_can_change,
)

if TYPE_CHECKING:
    from deepgrep.facts import Pieces

FILE_NAME = "deepgrep.sqlite3"
KEPT_GRAPHS = 24

# That a graph was used is noted at most this often: questions should only read.
_NOTE_USE_SECONDS = 3600.0

T = TypeVar("T")


class Store:
    """The cache, in one SQLite file.

    Nothing here can fail a question, once it is opened. What cannot be read is a miss, what cannot be written is
    dropped, and one line to `warn` says so. Every blob is checked against a checksum over its key and bytes.

    Attributes:
        path: the file.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None], *, must_open: bool = False) -> None:
        """Open the cache.

        Args:
            folder: where it is, or is made.
            warn: called with the line.
            must_open: somebody named the folder: one that cannot be used is an error, not work that is done again.

        Raises:
            DeepgrepError: it cannot be opened, and must be.
        """
        self.path = folder / FILE_NAME
        self._must_open = must_open
        self._warn = warn
        self._warned = False
        self._writable = True
        self._database: sqlite3.Connection | None = None
        self._inode = 0
        self._given: dict[str, int] = {}
        """The checksums of the blobs that were read."""
        self._open()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the store is empty from then on."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def stats(self, place: Path) -> bytes:
        """What `sources.read_tree` wanted remembered for a place, or b""."""
        key = _place_key(place)
        return self._blob(key, "SELECT crc, data FROM stats WHERE place = ?", (key,)) or b""

    def set_stats(self, place: Path, data: bytes) -> None:
        """Remember what `sources.read_tree` returned for a place."""
        key = _place_key(place)

        def insert(database: sqlite3.Connection) -> None:
            database.execute("INSERT OR REPLACE INTO stats VALUES (?, ?, ?)", (key, _crc(key, data), data))

        self._write(insert)

    def facts(self, extractor: str, digest: str) -> Pieces | None:
        """What the facts of a file are made of, or None.

        Args:
            extractor: the version of the extractor.
            digest: of the file's bytes.
        """
        query = "SELECT crc, data FROM facts WHERE digest = ? AND extractor = ?"
        data = self._blob(f"{digest} {extractor}", query, (digest, extractor))
        return None if data is None else _decode_pieces(data)

    def piece(self, extractor: str, key: bytes) -> bytes | None:
        """A stored piece of facts, or None."""
        query = "SELECT crc, data FROM pieces WHERE key = ? AND extractor = ?"
        return self._blob(f"{key.hex()} {extractor}", query, (key, extractor))

    def piece_keys(self, extractor: str) -> frozenset[bytes]:
        """The keys of all pieces that are stored."""
        query = "SELECT key FROM pieces WHERE extractor = ?"
        rows: list[tuple[bytes]] = self._try(lambda database: database.execute(query, (extractor,)).fetchall(), [])
        return frozenset(key for (key,) in rows)

    def add_facts(self, extractor: str, facts: Mapping[str, Pieces], pieces: Mapping[bytes, bytes]) -> None:
        """Store the facts of some files, by digest, and the pieces that are new in them, by key, in one transaction."""
        encoded = {digest: msgspec.msgpack.encode(made_of) for digest, made_of in facts.items()}
        rows = [(digest, extractor, _crc(f"{digest} {extractor}", data), data) for digest, data in encoded.items()]
        new = [(key, extractor, _crc(f"{key.hex()} {extractor}", data), data) for key, data in pieces.items()]

        def insert(database: sqlite3.Connection) -> None:
            database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", rows)
            database.executemany("INSERT OR REPLACE INTO pieces VALUES (?, ?, ?, ?)", new)

        self._write(insert)

    def has_graph(self, key: str) -> bool:
        """Whether a graph is stored; if so, it is noted as used."""
        query = "SELECT used < ? FROM graphs WHERE key = ?"
        parameters = (time.time() - _NOTE_USE_SECONDS, key)
        row = self._try(lambda database: database.execute(query, parameters).fetchone(), None)
        if row is not None and row[0]:
            self._note_use(key)
        return row is not None

    def section(self, key: str, name: str) -> bytes | None:
        """A section of a stored graph, or None."""
        query = "SELECT crc, data FROM sections WHERE graph = ? AND name = ?"
        return self._blob(f"{key} {name}", query, (key, name))

    def gave(self, key: str, sections: Mapping[str, bytes]) -> bool:
        """Whether every section of a graph that this store has given is as in `sections`."""
        return all(self._given.get(f"{key} {name}", crc) == crc for name, crc in _crcs(key, sections))

    def add_graph(self, key: str, sections: Mapping[str, bytes], extractor: str, digests: Iterable[str]) -> None:
        """Store a graph, whole or not at all; one that is there already is kept, since others may be reading it.

        The graphs that were not used for longest are dropped, and the facts that belong to no kept graph or are of
        another extractor's making.

        Args:
            key: what the graph was made of.
            sections: as `graph.callgraph.pack` gives them.
            extractor: the version of the extractor.
            digests: of the files whose facts went into it.
        """
        rows = [(key, name, crc, sections[name]) for name, crc in _crcs(key, sections)]
        files = " ".join(digests)

        def insert(database: sqlite3.Connection) -> None:
            added = database.execute("INSERT OR IGNORE INTO graphs VALUES (?, ?, ?)", (key, time.time(), files))
            if added.rowcount:
                database.executemany("INSERT OR REPLACE INTO sections VALUES (?, ?, ?, ?)", rows)
                _drop_old(database, extractor)

        self._write(insert)

    def drop_graph(self, key: str) -> None:
        """Forget a graph that turned out to be damaged."""

        def delete(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM sections WHERE graph = ?", (key,))
            database.execute("DELETE FROM graphs WHERE key = ?", (key,))

        self._write(delete)

    def _open(self) -> None:
        for attempt in range(2):
            try:
                self._inode = inode(self.path)
                self._database = connect(self.path)
                self._inode = inode(self.path)
                if others := others_can_change(self.path):
                    self._warn(f"cache {self.path}: {others}, who can make its answers wrong: see SECURITY.md")
                return
            except NewerVersionError:
                self._complain("was made by a newer version of deepgrep and is not used; --cache-dir DIR names another")
                return
            except OlderVersionError:
                if not self._discard("was made by an older version of deepgrep"):
                    return
            except DATABASE_ERRORS as error:
                if attempt or not is_damage(error):
                    self._without(str(error), is_busy(error))
                    return
                if not self._discard("was damaged"):
                    return
            except OSError as error:
                self._without(error.strerror or str(error))
                return

    def _without(self, reason: str, is_busy: bool = False) -> None:
        """Go on without the cache, and say so.

        Raises:
            DeepgrepError: it must be opened, and waiting would not help.
        """
        if self._must_open and not is_busy:
            raise DeepgrepError(
                f"cache {self.path}: cannot be opened ({reason}): name a folder that can be written, "
                f"by --cache-dir DIR or DEEPGREP_CACHE_DIR, or leave that out"
            )
        self._complain(f"cannot be opened ({reason}): the work is done without it")

    def _discard(self, why: str) -> bool:
        """Throw the file away, and say so; whether that could be done."""
        self.close()
        try:
            discard(self.path, self._inode)
        except OSError as error:
            self._complain(f"{why} and cannot be deleted ({error.strerror}): the work is done without it")
            return False
        self._complain(f"{why}: it starts empty, and the work is done again")
        return True

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do something with the database; where that fails, say so and give `otherwise`."""
        if self._database is None:
            return otherwise
        try:
            return work(self._database)
        except DATABASE_ERRORS as error:
            if is_damage(error):
                if self._discard("was damaged"):
                    self._open()
            else:
                self._complain(f"cannot be read ({error}): the work is done again")
            return otherwise

    def _blob(self, key: str, query: str, parameters: tuple[str | bytes, ...]) -> bytes | None:
        row = self._try(lambda database: database.execute(query, parameters).fetchone(), None)
        if row is None:
            return None
        crc, data = row
        if not isinstance(data, bytes) or _crc(key, data) != crc:
            self._complain("holds damaged data: that part of the work is done again")
            return None
        self._given[key] = crc
        return data

    def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do something in one transaction; where it cannot be written, say so and write no more."""
        if self._database is None or not self._writable:
            return
        try:
            with self._database:
                self._database.execute("BEGIN IMMEDIATE")
                work(self._database)
        except DATABASE_ERRORS as error:
            if is_damage(error):
                if self._discard("was damaged"):
                    self._open()
            else:
                self._writable = False
                self._complain(f"cannot be written ({error}): the next run does this work again")

    def _note_use(self, key: str) -> None:
        if self._database is None:
            return
        # Not worth waiting for a process that is writing, nor a warning: all that can follow is that the graph is
        # dropped before others. A cache that one may only read would warn each time.
        self._database.execute("PRAGMA busy_timeout = 0")
        with contextlib.suppress(*DATABASE_ERRORS):
            self._database.execute("UPDATE graphs SET used = ? WHERE key = ?", (time.time(), key))
        self._database.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")

    def _complain(self, what: str) -> None:
        """Say it, once: the first thing that went wrong is the cause of the rest."""
        if not self._warned:
            self._warned = True
            self._warn(f"cache {self.path}: {what}")


def _drop_old(database: sqlite3.Connection, extractor: str) -> None:
    kept = f"SELECT key FROM graphs ORDER BY used DESC LIMIT {KEPT_GRAPHS}"
    database.execute(f"DELETE FROM graphs WHERE key NOT IN ({kept})")
    database.execute("DELETE FROM sections WHERE graph NOT IN (SELECT key FROM graphs)")
    database.execute("DELETE FROM facts WHERE extractor <> ?", (extractor,))
    needed = {digest for (files,) in database.execute("SELECT digests FROM graphs") for digest in str(files).split()}
    stored = {digest for (digest,) in database.execute("SELECT digest FROM facts")}
    database.executemany("DELETE FROM facts WHERE digest = ?", [(digest,) for digest in stored - needed])
    database.execute("DELETE FROM pieces WHERE extractor <> ?", (extractor,))
    kept_pieces: set[bytes] = set()
    for digest, crc, data in database.execute("SELECT digest, crc, data FROM facts").fetchall():
        if _crc(f"{digest} {extractor}", data) == crc:
            kept_pieces.update(_decode_pieces(data).keys)
        else:  # damaged
            database.execute("DELETE FROM facts WHERE digest = ?", (digest,))
    stored_pieces = {key for (key,) in database.execute("SELECT key FROM pieces")}
    database.executemany("DELETE FROM pieces WHERE key = ?", [(key,) for key in stored_pieces - kept_pieces])


def _decode_pieces(data: bytes) -> Pieces:
    from deepgrep.facts import Pieces

    return msgspec.msgpack.decode(data, type=Pieces)


def _crc(key: str, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(key.encode()))


def _crcs(key: str, sections: Mapping[str, bytes]) -> Iterator[tuple[str, int]]:
    return ((name, _crc(f"{key} {name}", data)) for name, data in sections.items())


def _place_key(place: Path) -> str:
    # A digest: a path may hold bytes that are no text.
    return hashlib.sha256(bytes(place)).hexdigest()
