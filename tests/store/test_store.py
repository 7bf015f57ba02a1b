"""The cache keeps what it is given, and forgets what nobody needs any more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deepgrep.facts import Pieces
from deepgrep.store import Store
from deepgrep.store import store as module

HERE = Path("/somewhere")
ONE = Pieces((b"rest", b"f"), ((2, 3),), 4)
OTHER = Pieces((b"rest", b"g"), ((2, 3),), 4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "cache", pytest.fail) as store:
        yield store


def test_what_was_stored_is_there_for_the_next_process(tmp_path: Path) -> None:
    with Store(tmp_path, pytest.fail) as store:
        store.set_stats(HERE, b"stats")
        store.add_facts("v1", {"d1": ONE}, {b"rest": b"1", b"f": b"2"})
        store.add_graph("key", {"edges": b"sections"}, "v1", ["d1"])
    with Store(tmp_path, pytest.fail) as store:
        assert store.stats(HERE) == b"stats"
        assert store.facts("v1", "d1") == ONE
        assert store.piece("v1", b"f") == b"2"
        assert store.piece_keys("v1") == {b"rest", b"f"}
        assert store.has_graph("key")
        assert store.section("key", "edges") == b"sections"


def test_what_was_never_stored_is_a_miss(store: Store) -> None:
    assert store.stats(HERE) == b""
    assert store.facts("v1", "d1") is None
    assert store.piece("v1", b"f") is None
    assert store.piece_keys("v1") == frozenset()
    assert not store.has_graph("key")
    assert store.section("key", "edges") is None


def test_facts_of_another_extractor_are_a_miss(store: Store) -> None:
    store.add_facts("v1", {"d1": ONE}, {b"rest": b"1", b"f": b"2"})
    assert store.facts("v2", "d1") is None
    assert store.piece("v2", b"f") is None
    assert store.piece_keys("v2") == frozenset()


def test_stats_are_kept_for_each_place_and_replaced(store: Store) -> None:
    store.set_stats(HERE, b"old")
    store.set_stats(Path("/elsewhere"), b"other")
    store.set_stats(HERE, b"new")
    assert store.stats(HERE) == b"new"
    assert store.stats(Path("/elsewhere")) == b"other"


def test_graph_that_others_may_be_reading_is_not_replaced(store: Store) -> None:
    store.add_graph("key", {"edges": b"first"}, "v1", [])
    store.add_graph("key", {"edges": b"second"}, "v1", [])
    assert store.section("key", "edges") == b"first"


def test_dropped_graph_can_be_stored_again(store: Store) -> None:
    store.add_graph("key", {"edges": b"first"}, "v1", [])
    store.drop_graph("key")
    assert not store.has_graph("key")
    assert store.section("key", "edges") is None
    store.add_graph("key", {"edges": b"second"}, "v1", [])
    assert store.section("key", "edges") == b"second"


def test_graphs_beyond_the_bound_are_dropped_least_recently_used_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 1_000_000, 10_000))
    monkeypatch.setattr(module.time, "time", lambda: float(next(clock)))
    for number in range(module.KEPT_GRAPHS):
        store.add_graph(f"key{number}", {"edges": b"x"}, "v1", [])
    assert store.has_graph("key0")  # used
    store.add_graph("one more", {"edges": b"x"}, "v1", [])
    assert store.has_graph("key0")
    assert store.has_graph("one more")
    assert not store.has_graph("key1")
    assert store.section("key1", "edges") is None


def test_facts_that_no_kept_graph_was_made_of_are_dropped_with_the_pieces_that_are_in_no_others(store: Store) -> None:
    store.add_facts("v1", {"used": ONE, "unused": OTHER}, {b"rest": b"1", b"f": b"2", b"g": b"3"})
    store.add_graph("key", {}, "v1", ["used"])
    assert store.facts("v1", "used") == ONE
    assert store.facts("v1", "unused") is None
    assert store.piece_keys("v1") == {b"rest", b"f"}


def test_facts_of_an_older_extractor_are_dropped(store: Store) -> None:
    store.add_facts("v1", {"d1": ONE}, {b"rest": b"1", b"f": b"2"})
    store.add_facts("v2", {"d1": OTHER}, {b"rest": b"1", b"g": b"3"})
    store.add_graph("key", {}, "v2", ["d1"])
    assert store.facts("v1", "d1") is None
    assert store.piece_keys("v1") == frozenset()
    assert store.facts("v2", "d1") == OTHER
    assert store.piece_keys("v2") == {b"rest", b"g"}


def test_asking_for_a_graph_does_not_write(tmp_path: Path) -> None:
    with Store(tmp_path, pytest.fail) as store:
        store.add_graph("key", {"edges": b"x"}, "v1", [])
        before = store.path.stat().st_mtime_ns
        assert store.has_graph("key")
        assert store.section("key", "edges") == b"x"
        assert store.path.stat().st_mtime_ns == before
