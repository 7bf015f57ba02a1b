"""Targets outside the analyzed sources that nothing in them mentions."""

from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.accesses import accesses
from deepgrep.questions.answers import Verdict
from deepgrep.questions.outside import outside_name
from deepgrep.questions.reach import reach


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.edge("m:f", "m:g")
    return sketch


@pytest.mark.parametrize(
    ("name", "kind", "access"),
    [
        ("os.fork", "function", AccessKind.CALL),
        ("os.path.join", "function", AccessKind.CALL),
        ("threading.Thread.start", "function", AccessKind.CALL),
        ("wave.open", "function", AccessKind.CALL),
        ("wave.Wave_read", "class", AccessKind.CALL),
        ("wave.Wave_read.readframes", "function", AccessKind.CALL),
        ("builtins.open", "function", AccessKind.CALL),
        ("gc.freeze", "function", AccessKind.CALL),
        ("logging.root", "stdlib global", AccessKind.WRITE),
        ("sys.platform", "stdlib global", AccessKind.WRITE),
        ("wave.WAVE_FORMAT_PCM", "stdlib global", AccessKind.WRITE),
        ("torch._C._set_deterministic_algorithms", "function", AccessKind.CALL),
    ],
)
def test_a_name_that_exists_can_be_asked_for(sketch: Sketch, name: str, kind: str, access: AccessKind) -> None:
    answer = accesses(sketch.graph(), name)
    assert (answer.target.name, answer.target.kind, answer.target.access) == (name, kind, access)
    assert answer.accesses == []
    assert [note for note in answer.notes if note.startswith("nothing in the analyzed sources")]


@pytest.mark.parametrize("name", ["os.frok", "os.path", "os", "wave.opne", "wave.Wave_read.x", "m2.f", "this.s.x", ""])
def test_what_does_not_exist_is_an_error_as_before(sketch: Sketch, name: str) -> None:
    with pytest.raises(DeepgrepError, match=r"nothing is named|a name is empty"):
        accesses(sketch.graph(), name)


@pytest.mark.parametrize("name", ["sorted", "list.append", "builtins.sorted", "str.join"])
def test_what_is_called_everywhere_is_not_noted(name: str) -> None:
    assert outside_name(name) is None


def test_a_function_that_nothing_calls_is_not_reached(sketch: Sketch) -> None:
    assert reach(sketch.graph(), "m.f", "os.fork").verdict is Verdict.EXCLUDED


def test_a_value_without_a_name_could_be_that_function(sketch: Sketch) -> None:
    sketch.blind_spot("m:g", "x[0]", "")
    answer = reach(sketch.graph(), "m.f", "os.fork")
    assert (answer.verdict, answer.open_calls) == (Verdict.NO_PATH, 1)


def test_reads_count_only_of_states_that_models_know(sketch: Sketch) -> None:
    graph = sketch.graph()
    assert accesses(graph, "sys.executable", AccessKind.READ).accesses == []
    with pytest.raises(DeepgrepError, match=r"it is not noted what reads sys\.platform: ask what writes it"):
        accesses(graph, "sys.platform", AccessKind.READ)


def test_names_of_the_sources_come_first(sketch: Sketch) -> None:
    sketch.edge("m:f", "lib.os:fork", line=3)
    answer = accesses(sketch.graph(), "os.fork")
    assert answer.target.name == "lib.os.fork"
