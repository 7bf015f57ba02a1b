"""The locks that are held on every path."""

from sketch import Sketch

from deepgrep.graph.rows import AccessKind
from deepgrep.questions.lock_sets import Locks


def held(sketch: Sketch, function: str, *starts: str) -> set[str]:
    graph = sketch.graph()
    begins = {sketch.index(name) for name in starts}
    found = Locks(graph).on_every_path([sketch.index(function)], begins.__contains__, lambda caller, edge: True)
    return {lock.name for lock in found[sketch.index(function)]}


def lock(sketch: Sketch, name: str, parent: int = -1) -> int:
    sketch.state(f"m.{name}")
    return sketch.guard(name, kind="with", parent=parent)


def test_a_lock_around_the_only_call_is_held() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    assert held(sketch, "m:f", "m:start") == {"m.a_lock"}


def test_what_is_held_further_up_is_held_too() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    sketch.edge("m:f", "m:g", guard=lock(sketch, "b_lock"))
    assert held(sketch, "m:g", "m:start") == {"m.a_lock", "m.b_lock"}


def test_of_two_paths_only_what_both_hold_is_held() -> None:
    sketch = Sketch()
    a = lock(sketch, "a_lock")
    sketch.edge("m:start", "m:f", guard=lock(sketch, "b_lock", parent=a))
    sketch.edge("m:other", "m:f", guard=a)
    assert held(sketch, "m:f", "m:start", "m:other") == {"m.a_lock"}


def test_one_path_without_a_lock_is_enough_to_hold_none() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    sketch.chain("m:start", "m:g", "m:f")
    assert held(sketch, "m:f", "m:start") == set()


def test_a_start_holds_none_although_a_caller_of_it_does() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    assert held(sketch, "m:f", "m:start", "m:f") == set()


def test_what_nothing_calls_counts_as_a_start() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    sketch.edge("m:nobody", "m:f")
    assert held(sketch, "m:f", "m:start") == set()


def test_functions_that_call_each_other_keep_what_is_held_at_their_entry() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    sketch.chain("m:f", "m:g", "m:f")
    assert held(sketch, "m:g", "m:start") == {"m.a_lock"}


def test_edges_that_cannot_be_taken_do_not_count() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    sketch.chain("m:start", "m:f")
    graph = sketch.graph()
    starts = {sketch.index("m:start")}
    found = Locks(graph).on_every_path(
        [sketch.index("m:f")], starts.__contains__, lambda caller, edge: graph.edge_guard[edge] >= 0
    )
    assert [lock.name for lock in found[sketch.index("m:f")]] == ["m.a_lock"]


def test_a_lock_that_is_imported_is_the_one_where_it_is_defined() -> None:
    sketch = Sketch()
    sketch.state("n.the_lock")
    sketch.alias("m.the_lock", "n.the_lock")
    sketch.edge("m:start", "m:f", guard=sketch.guard("the_lock", kind="with"))
    assert held(sketch, "m:f", "m:start") == {"n.the_lock"}


def test_a_lock_is_known_by_what_entering_it_calls_whatever_its_name() -> None:
    sketch = Sketch()
    guard = sketch.guard("gate", kind="with")
    sketch.access("m:start", "m.gate", line=1, access=AccessKind.READ)
    sketch.state("threading.Lock.__enter__", "function", "")
    sketch.access("m:start", "threading.Lock.__enter__", line=1, access=AccessKind.CALL)
    sketch.edge("m:start", "m:f", guard=guard)
    assert held(sketch, "m:f", "m:start") == {"m.gate"}


def test_locks_that_are_not_known_are_those_of_their_function() -> None:
    sketch = Sketch()
    sketch.edge("m:start", "m:f", guard=sketch.guard("make_lock()", kind="with"))
    assert held(sketch, "m:f", "m:start") == {"make_lock() in m.start"}


def test_a_lock_that_a_function_replaces_is_not_known_to_be_one() -> None:
    sketch = Sketch()
    sketch.access("m:make", "m.a_lock")
    sketch.edge("m:start", "m:f", guard=lock(sketch, "a_lock"))
    graph = sketch.graph()
    found = Locks(graph).at(sketch.index("m:start"), 0)
    assert [(lock.name, lock.may_differ) for lock in found] == [("m.a_lock", True)]
