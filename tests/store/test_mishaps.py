"""Whatever happens to the cache: no wrong answer, no lock-out, and one line that says what happened."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from deepgrep.facts import Pieces
from deepgrep.store import Store
from deepgrep.store import store as module
from deepgrep.store.store import FILE_NAME


@pytest.fixture
def warnings() -> list[str]:
    return []


PIECES = {f"p{number}".encode(): bytes(10_000) for number in range(50)}
FACTS = {f"d{number}": Pieces((f"p{number}".encode(),), (), 1) for number in range(50)}


def assert_nothing_wrong(store: Store) -> None:
    """What is stored of the facts is as it was."""
    assert all(store.facts("v1", digest) in (None, pieces) for digest, pieces in FACTS.items())
    assert all(store.piece("v1", key) in (None, content) for key, content in PIECES.items())


def fill(folder: Path) -> Path:
    with Store(folder, pytest.fail) as store:
        store.add_facts("v1", FACTS, PIECES)
        store.add_graph("key", {"edges": b"x" * 100_000}, "v1", [f"d{number}" for number in range(50)])
    return folder / FILE_NAME


def assert_works(folder: Path) -> None:
    """A later run stores and finds, without a word."""
    with Store(folder, pytest.fail) as store:
        store.add_graph("again", {"edges": b"new"}, "v1", [])
    with Store(folder, pytest.fail) as store:
        assert store.section("again", "edges") == b"new"


def alter(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


# damaged files


@pytest.mark.parametrize("contents", [b"\x00" * 5000, bytes(range(256)) * 64, b"SQLite format 3\x00" + b"\xff" * 9000])
def test_file_that_is_no_database_is_replaced(tmp_path: Path, warnings: list[str], contents: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(contents)
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
        store.add_graph("key", {"edges": b"x"}, "v1", [])
        assert store.section("key", "edges") == b"x"
    assert warnings == [
        f"cache {tmp_path / FILE_NAME}: was damaged: it starts empty, and the work is done again",
    ]
    assert_works(tmp_path)


def test_empty_file_is_an_empty_cache(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    assert_works(tmp_path)


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
def test_file_that_was_cut_off_gives_nothing_wrong(tmp_path: Path, warnings: list[str], keep: float) -> None:
    path = fill(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    with Store(tmp_path, warnings.append) as store:
        assert store.section("key", "edges") in (None, b"x" * 100_000)
        assert_nothing_wrong(store)
    assert len(warnings) == 1
    assert_works(tmp_path)


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_anywhere_give_nothing_wrong(tmp_path: Path, warnings: list[str], seed: int) -> None:
    import random

    path = fill(tmp_path)
    data = bytearray(path.read_bytes())
    choose = random.Random(seed)
    for _ in range(40):
        start = choose.randrange(len(data))
        data[start : start + 50] = choose.randbytes(len(data[start : start + 50]))
    path.write_bytes(data)
    with Store(tmp_path, warnings.append) as store:
        assert store.section("key", "edges") in (None, b"x" * 100_000)
        assert_nothing_wrong(store)
        store.add_graph("other", {"edges": b"y"}, "v1", [])
        assert store.section("other", "edges") in (None, b"y")
    assert len(warnings) == 1
    with Store(tmp_path, warnings.append) as store:
        assert store.section("other", "edges") in (None, b"y")


def test_changed_blob_is_a_miss_with_a_warning(tmp_path: Path, warnings: list[str]) -> None:
    alter(fill(tmp_path), "UPDATE sections SET data = x'00'")
    with Store(tmp_path, warnings.append) as store:
        assert store.section("key", "edges") is None
    assert warnings == [f"cache {tmp_path / FILE_NAME}: holds damaged data: that part of the work is done again"]


def test_blob_under_a_wrong_key_is_a_miss(tmp_path: Path, warnings: list[str]) -> None:
    alter(fill(tmp_path), "UPDATE facts SET digest = 'other' WHERE digest = 'd1'")
    with Store(tmp_path, warnings.append) as store:
        assert store.facts("v1", "other") is None
    assert len(warnings) == 1


def test_damage_found_in_the_middle_replaces_the_file(tmp_path: Path, warnings: list[str]) -> None:
    path = fill(tmp_path)
    data = bytearray(path.read_bytes())
    data[3 * 16384 :] = b"\xff" * (len(data) - 3 * 16384)
    path.write_bytes(data)
    with Store(tmp_path, warnings.append) as store:
        assert store.piece("v1", b"p1") is None
        store.add_facts("v1", {"d1": FACTS["d2"]}, {})
        assert store.facts("v1", "d1") == FACTS["d2"]
    assert len(warnings) == 1


# files and folders that cannot be used


def test_cache_of_a_newer_version_is_left_alone(tmp_path: Path, warnings: list[str]) -> None:
    path = fill(tmp_path)
    alter(path, "PRAGMA user_version = 99")
    alter(path, f"PRAGMA application_id = {0x44470000 + 99}")
    before = path.read_bytes()
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
        store.add_graph("key", {"edges": b"x"}, "v1", [])
    assert path.read_bytes() == before
    assert len(warnings) == 1
    assert "was made by a newer version of deepgrep and is not used; --cache-dir DIR" in warnings[0]


@pytest.mark.parametrize("version", [99, -1, 2**31 - 1])
def test_version_that_was_damaged_is_not_taken_for_a_newer_one(
    tmp_path: Path, warnings: list[str], version: int
) -> None:
    alter(fill(tmp_path), f"PRAGMA user_version = {version}")
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
    assert warnings == [f"cache {tmp_path / FILE_NAME}: was damaged: it starts empty, and the work is done again"]
    assert_works(tmp_path)


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER t AFTER INSERT ON stats BEGIN DELETE FROM graphs; END",
        "CREATE VIEW v AS SELECT load_extension('evil')",
        "CREATE TABLE more (x)",
        "ALTER TABLE facts ADD COLUMN x AS (zeroblob(1000000000))",
        "DROP TABLE facts",
    ],
)
def test_file_with_other_tables_than_deepgreps_is_replaced(tmp_path: Path, warnings: list[str], planted: str) -> None:
    alter(fill(tmp_path), planted)
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
    assert warnings == [f"cache {tmp_path / FILE_NAME}: was damaged: it starts empty, and the work is done again"]
    assert_works(tmp_path)


def test_view_in_the_place_of_a_table_computes_nothing(tmp_path: Path, warnings: list[str]) -> None:
    path = fill(tmp_path)
    alter(path, "DROP TABLE graphs")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i AS used FROM n"
    alter(path, f"CREATE VIEW graphs AS {endless}")
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
    assert len(warnings) == 1


@pytest.mark.skipif(os.name == "nt", reason="rights are otherwise there")
@pytest.mark.parametrize("place", [".", FILE_NAME])
def test_cache_that_every_user_can_write_is_warned_of(tmp_path: Path, warnings: list[str], place: str) -> None:
    path = fill(tmp_path)
    (tmp_path / place).chmod(0o777)
    with Store(tmp_path, warnings.append) as store:
        assert store.has_graph("key")
    assert warnings == [f"cache {path}: can be written by every user, who can make its answers wrong: see SECURITY.md"]


@pytest.mark.skipif(os.name == "nt", reason="users are otherwise there")
def test_cache_of_another_user_is_warned_of(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fill(tmp_path)
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr("os.geteuid", lambda: 12345)
    with Store(tmp_path, warnings.append) as store:
        assert store.has_graph("key")
    assert len(warnings) == 1
    assert "belongs to another user (" in warnings[0]


@pytest.mark.skipif(os.name == "nt", reason="rights are otherwise there")
def test_folder_that_is_made_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "cache", pytest.fail):
        assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_cache_of_an_older_version_is_replaced(tmp_path: Path, warnings: list[str]) -> None:
    alter(fill(tmp_path), "PRAGMA user_version = 1")
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
    made = "was made by an older version of deepgrep: it starts empty, and the work is done again"
    assert warnings == [f"cache {tmp_path / FILE_NAME}: {made}"]
    assert_works(tmp_path)


def test_folder_that_cannot_be_made(tmp_path: Path, warnings: list[str]) -> None:
    (tmp_path / "file").touch()
    with Store(tmp_path / "file" / "cache", warnings.append) as store:
        store.add_graph("key", {"edges": b"x"}, "v1", [])
        assert not store.has_graph("key")
    assert len(warnings) == 1
    assert "cannot be opened (Not a directory): the work is done without it" in warnings[0]


def test_folder_in_the_place_of_the_file(tmp_path: Path, warnings: list[str]) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with Store(tmp_path, warnings.append) as store:
        assert not store.has_graph("key")
    assert len(warnings) == 1


class _ReadOnly(sqlite3.Connection):
    """A connection as in a folder that this user may not write; the rights themselves do not bind an administrator."""

    def __init__(self, path: Path, **options: object) -> None:
        super().__init__(f"{path.as_uri()}?mode=ro", uri=True, **options)


def test_folder_that_may_only_be_read_is_read(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path)
    monkeypatch.setattr(sqlite3, "connect", _ReadOnly)
    with Store(tmp_path, warnings.append) as store:
        assert store.has_graph("key")
        assert store.section("key", "edges") == b"x" * 100_000
        assert warnings == []
        store.add_facts("v1", {"new": FACTS["d1"]}, {b"x": b"x"})
        store.add_facts("v1", {"newer": FACTS["d1"]}, {b"x": b"x"})
        assert store.facts("v1", "new") is None
    assert len(warnings) == 1
    assert "cannot be written (attempt to write a readonly database): the next run does this work again" in warnings[0]


def test_noting_use_in_a_read_only_folder_is_no_reason_to_warn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(sqlite3, "connect", _ReadOnly)
    monkeypatch.setattr(module, "_NOTE_USE_SECONDS", -1.0)
    with Store(tmp_path, pytest.fail) as store:
        assert store.has_graph("key")


class _SmallDisk(sqlite3.Connection):
    """A connection to a file that cannot grow beyond 64 pages: SQLite then reports a full disk."""

    def execute(self, statement: str, *parameters: object) -> sqlite3.Cursor:
        super().execute("PRAGMA max_page_count = 64")
        return super().execute(statement, *parameters)


def test_full_disk_loses_only_what_did_not_fit(
    tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **options: real(path, factory=_SmallDisk, **options))
    with Store(tmp_path, warnings.append) as store:
        store.add_graph("small", {"edges": b"x"}, "v1", [])
        store.add_graph("big", {"edges": bytes(100), "more": bytes(2_000_000)}, "v1", [])
        assert not store.has_graph("big")
        assert store.section("big", "edges") is None
        assert store.section("small", "edges") == b"x"
    assert len(warnings) == 1
    assert "cannot be written (database or disk is full): the next run does this work again" in warnings[0]
    monkeypatch.undo()
    assert_works(tmp_path)


# several processes


def _store_many(folder: Path, name: str) -> None:
    with Store(folder, sys.exit) as store:
        for number in range(10):
            store.add_facts("v1", {f"{name}{number}": FACTS["d1"]}, {name.encode(): name.encode() * 1000})
            store.add_graph("shared", {"a": b"a" * 100_000, "b": b"b" * 100_000}, "v1", [])
            store.add_graph(name, {"a": name.encode()}, "v1", [f"{name}{number}" for number in range(10)])


def test_two_processes_at_once(tmp_path: Path) -> None:
    workers = [multiprocessing.Process(target=_store_many, args=(tmp_path, name)) for name in ("x", "y")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Store(tmp_path, pytest.fail) as store:
        assert store.section("x", "a") == b"x"
        assert store.section("y", "a") == b"y"
        assert store.section("shared", "a") == b"a" * 100_000
        assert store.section("shared", "b") == b"b" * 100_000


def test_reader_is_served_while_another_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fill(tmp_path)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM graphs")
    monkeypatch.setattr(module, "_NOTE_USE_SECONDS", -1.0)
    with Store(tmp_path, pytest.fail) as store:
        assert store.has_graph("key")
        assert store.section("key", "edges") == b"x" * 100_000
    writer.close()


_KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from deepgrep.store import Store

class Killed(sqlite3.Connection):
    def executemany(self, *arguments):
        cursor = super().executemany(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

real = sqlite3.connect
sqlite3.connect = lambda path, **options: real(path, factory=Killed, **options)
Store(Path(sys.argv[1]), print).add_graph("killed", {"a": bytes(5_000_000), "b": b"b"}, "v1", [])
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL here")
def test_kill_while_a_graph_is_stored_leaves_nothing_of_it(tmp_path: Path) -> None:
    fill(tmp_path)
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    with Store(tmp_path, pytest.fail) as store:
        assert not store.has_graph("killed")
        assert store.section("killed", "a") is None
        assert store.section("key", "edges") == b"x" * 100_000
    assert_works(tmp_path)


def test_file_that_another_process_put_in_place_of_a_damaged_one_is_kept(tmp_path: Path) -> None:
    from deepgrep.store.database import discard, inode

    damaged = tmp_path / "damaged"
    damaged.touch()
    found = inode(damaged)
    (tmp_path / "fresh").write_bytes(b"fresh")
    (tmp_path / "fresh").rename(damaged)
    discard(damaged, found)
    assert damaged.read_bytes() == b"fresh"
