"""The cache's SQLite file: its tables, and how it is opened and thrown away."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from pathlib import Path

SCHEMA = 2

# Beside the version, so that a damaged number is not taken for a newer version, whose file is left alone for ever.
_APPLICATION = 0x44470000

# Seconds to wait for another process that is writing.
PATIENCE = 10.0

# What can happen while a database is read or written; damaged contents can give any of these, or no error at all.
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)

# Errors for which the file's contents are not to blame.
_CIRCUMSTANCES = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_TOOBIG,
    }
)

# As SQLite keeps them: a file with others is not used. Whoever changes them changes `SCHEMA`.
_TABLES = """
CREATE TABLE facts (
    digest TEXT, extractor TEXT, crc INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (digest, extractor));
CREATE TABLE pieces (
    key BLOB, extractor TEXT, crc INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (key, extractor));
CREATE TABLE graphs (key TEXT PRIMARY KEY, used REAL NOT NULL, digests TEXT NOT NULL);
CREATE TABLE sections (
    graph TEXT, name TEXT, crc INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (graph, name));
CREATE TABLE stats (place TEXT PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL);
"""


class OlderVersionError(Exception):
    """The file was made by an older version of deepgrep, which stored things differently."""


class NewerVersionError(Exception):
    """The file was made by a newer version of deepgrep, which stores things differently."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the cache's file, made where it does not exist.

    Args:
        path: the file.

    Returns:
        A connection in which transactions are begun explicitly.

    Raises:
        OlderVersionError, NewerVersionError: it has tables of another version.
        sqlite3.Error, UnicodeDecodeError: it cannot be opened, or is no database (`is_damage` tells).
        OSError: its folder cannot be made.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        # Whoever can write the file could have put tables, views or triggers into it that do more than hold data.
        database.execute("PRAGMA trusted_schema = OFF")
        if _number(database, "user_version") == 0:
            _create(database)
        if (schema := _number(database, "user_version")) != SCHEMA:
            if 0 < schema < SCHEMA:
                raise OlderVersionError
            if schema == _number(database, "application_id") - _APPLICATION:
                raise NewerVersionError
            raise sqlite3.DatabaseError("no version of deepgrep writes such a file")
        made_by = {sql for (sql,) in database.execute("SELECT sql FROM sqlite_master") if sql is not None}
        if made_by != _statements() or _text(database, "journal_mode") != "delete":
            raise sqlite3.DatabaseError("its tables are not those of deepgrep")
        # Written pages stay in memory until the commit: a big transaction does not shut out those who read.
        database.execute("PRAGMA cache_spill = OFF")
    except BaseException:
        database.close()
        raise
    return database


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file's contents are broken, rather than its disk, rights or locks."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in _CIRCUMSTANCES


def is_busy(error: Exception) -> bool:
    """Whether an error says that another process has the file for itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def inode(path: Path) -> int:
    """What tells a file from the one that another process puts in its place; 0 where there is none."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def discard(path: Path, unusable: int) -> None:
    """Delete a file that cannot be used, with its journal.

    Args:
        path: the file.
        unusable: the inode of that file; one that has taken its place since is kept.

    Raises:
        OSError: it cannot be deleted.
    """
    if unusable and inode(path) == unusable:
        path.unlink()
        path.with_name(path.name + "-journal").unlink(missing_ok=True)


def others_can_change(path: Path) -> str:
    """Say who else can change a file, and with it answers: "" if that is nobody but the administrator."""
    if not hasattr(os, "geteuid"):  # Windows
        return ""
    for place in (path.parent, path):
        with contextlib.suppress(OSError):  # gone by now
            status = place.stat()
            if status.st_uid not in {0, os.geteuid()}:
                return f"belongs to another user ({status.st_uid})"
            if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
                return "can be written by every user"
    return ""


def _number(database: sqlite3.Connection, pragma: str) -> int:
    number: int = database.execute(f"PRAGMA {pragma}").fetchone()[0]
    return number


def _text(database: sqlite3.Connection, pragma: str) -> str:
    return str(database.execute(f"PRAGMA {pragma}").fetchone()[0])


def _statements() -> set[str]:
    return {statement.strip() for statement in _TABLES.split(";") if statement.strip()}


def _create(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA page_size = 16384")  # blobs of megabytes: fewer pages to chain
    with database:
        database.execute("BEGIN IMMEDIATE")
        if _number(database, "user_version") != 0:  # another process was first
            return
        for statement in sorted(_statements()):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {SCHEMA}")
        database.execute(f"PRAGMA application_id = {_APPLICATION + SCHEMA}")
