import pytest
from sketch import Sketch

from deepgrep.questions.guards import conditions, is_lock, locks


def test_conditions_are_outermost_first_and_leave_out_with() -> None:
    sketch = Sketch()
    outer = sketch.guard("a")
    inner = sketch.guard("not b", kind="return", parent=sketch.guard("self._lock", kind="with", parent=outer))
    graph = sketch.graph()
    assert conditions(graph, inner) == ["a", "not b"]
    assert conditions(graph, -1) == []


def test_locks_are_the_with_guards_that_seem_to_be_locks() -> None:
    sketch = Sketch()
    outer = sketch.guard("_cache_lock", kind="with")
    inner = sketch.guard("no_grad()", kind="with", parent=sketch.guard("lock is None", parent=outer))
    assert locks(sketch.graph(), inner) == ["_cache_lock"]


@pytest.mark.parametrize(
    "text",
    [
        "lock",
        "self._lock",
        "threading.RLock()",
        "FileLock(path)",
        "cls.mutex",
        "cond.condition",
        "sem_Semaphore",
        "LOCK",
    ],
)
def test_a_lock_is_known_by_a_word_in_its_name(text: str) -> None:
    assert is_lock(text)


@pytest.mark.parametrize(
    "text", ["block_mask", "no_grad()", "torch.clock()", "unconditional", "open(path)", "timed('lock')"]
)
def test_part_of_another_word_is_no_lock(text: str) -> None:
    assert not is_lock(text)
