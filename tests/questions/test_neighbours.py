from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.questions.answers import Neighbour, NeighboursAnswer, RootRef
from deepgrep.questions.neighbours import callees, callers


def near(answer: NeighboursAnswer) -> list[tuple[str, int]]:
    return [(row.name.removeprefix("m."), row.distance) for row in answer.functions]


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:c")
    sketch.edge("m:root", "m:b", requires=("m:c",))
    sketch.edge("m:root", "m:never", requires=("m:nothing",))
    return sketch


def test_callees_are_given_to_a_depth(sketch: Sketch) -> None:
    assert near(callees(sketch.graph(), "root")) == [("a", 1), ("b", 1)]
    assert near(callees(sketch.graph(), "root", 2)) == [("a", 1), ("b", 1), ("c", 2)]


def test_all_callees_are_given_with_requirements_applied(sketch: Sketch) -> None:
    answer = callees(sketch.graph(), "root", None)
    assert (answer.schema, answer.depth) == ("deepgrep-callees/1", None)
    assert near(answer) == [("a", 1), ("b", 1), ("c", 2)]


def test_a_callee_says_how_it_was_come_to_by_the_surest_call() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:C.f", line=3, certainty=Certainty.FLOW)
    sketch.edge("m:root", "m:C.f", line=5, via=Via.PROPERTY, certainty=Certainty.DISPATCH)
    expected = Neighbour("m.C.f", "m.py", "C.f", 1, 1, Certainty.DISPATCH, Via.PROPERTY, "m.root", 5)
    assert callees(sketch.graph(), "root").functions == [expected]


def test_the_root_is_not_its_own_callee_and_contexts_are_one() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:root")
    sketch.function("m:a", context="other")
    sketch.edge("m:a", "m:b")
    assert near(callees(sketch.graph(), "root", None)) == [("a", 1), ("b", 2)]


def test_the_blind_spots_of_callees_are_those_of_all_that_is_reached(sketch: Sketch) -> None:
    for function in ("m:c", "m:never"):
        sketch.blind_spot(function, "x", "x")
    assert callees(sketch.graph(), "root").blind_spots == 1


def test_callers_are_given_to_a_depth_whatever_they_require(sketch: Sketch) -> None:
    assert near(callers(sketch.graph(), "m.b")) == [("root", 1), ("a", 1)]
    assert near(callers(sketch.graph(), "m.c", None)) == [("b", 1), ("root", 2), ("a", 2)]


def test_a_caller_says_what_it_calls_and_where() -> None:
    sketch = Sketch()
    sketch.edge("m:f", "m:g", line=3)
    sketch.edge("m:g", "m:h", line=4)
    answer = callers(sketch.graph(), "h", None)
    assert answer.root == RootRef("m.h", "m.py", 1)
    assert [(row.name, row.through, row.call_line) for row in answer.functions] == [
        ("m.g", "m.h", 4),
        ("m.f", "m.g", 3),
    ]


def test_a_native_function_has_callers() -> None:
    sketch = Sketch()
    sketch.state("torch._C.set", kind="function")
    sketch.access("m:f", "torch._C.set", access=AccessKind.CALL)
    sketch.edge("m:g", "m:f")
    assert near(callers(sketch.graph(), "torch._C.set", None)) == [("f", 1), ("g", 2)]


def test_the_blind_spots_of_callers_are_those_of_its_name() -> None:
    sketch = Sketch()
    sketch.function("m:f")
    sketch.blind_spot("m:g", "x.f", "f")
    sketch.blind_spot("m:g", "x.h", "h")
    assert callers(sketch.graph(), "m.f").blind_spots == 1


def test_a_state_has_no_callers() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m._flag")
    with pytest.raises(DeepgrepError, match=r"m\._flag is a module global, which nothing calls"):
        callers(sketch.graph(), "_flag")
