from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.states import states


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.function("m:<module>")
    sketch.function("m.n:<module>")
    return sketch


def names(sketch: Sketch, pattern: str = "", **options: object) -> list[str]:
    return [row.name for row in states(sketch.graph(), pattern, **options).states]  # type: ignore[arg-type]


def test_writers_and_readers_are_counted_by_function(sketch: Sketch) -> None:
    for line in (1, 2):
        sketch.access("m:f", "m._flag", line=line)
    sketch.access("m:g", "m._flag", access=AccessKind.READ)
    sketch.access("m:h", "m._flag", access=AccessKind.READ)
    (row,) = states(sketch.graph()).states
    assert (row.name, row.kind, row.scope, row.package) == ("m._flag", "module global", "process", "m")
    assert (row.writers, row.readers) == (1, 2)


def test_the_contexts_of_a_function_are_one_writer(sketch: Sketch) -> None:
    sketch.access("m:f", "m._flag")
    other = sketch.function("m:f", context="g")
    sketch.rows.accesses.append(type(sketch.rows.accesses[0])(0, other, 3, AccessKind.WRITE, "global"))
    assert states(sketch.graph()).states[0].writers == 1


def test_what_nothing_can_change_is_no_state(sketch: Sketch) -> None:
    sketch.access("m:f", "sys.path")
    for name in ("NotImplemented", "hasattr", "m.dtype.target", "m.dtype.node.meta[key]"):
        sketch.state(name, "stdlib global")
        sketch.access("m:f", name, form="attribute")
    for name in ("os.environ[]", "m."):
        sketch.access("m:f", name, form="subscript")
    sketch.state("sys.path", "stdlib global")
    sketch.state("m.replaced", "stdlib global")
    sketch.access("m:f", "m.replaced")
    assert names(sketch) == ["m.replaced", "sys.path"]


def test_what_nothing_writes_is_not_mutable(sketch: Sketch) -> None:
    sketch.access("m:f", "m.CONSTANT", access=AccessKind.READ)
    assert names(sketch) == []
    assert names(sketch, everything=True) == ["m.CONSTANT"]


def test_what_the_body_of_its_own_module_does_is_definition(sketch: Sketch) -> None:
    sketch.access("m:<module>", "m.table[a]")
    sketch.access("m:<module>", "m.n.patched")
    assert names(sketch) == ["m.n.patched"]


def test_what_a_constructor_does_to_its_object_is_definition(sketch: Sketch) -> None:
    sketch.class_row("m.C")
    sketch.object("m.shared", "m.C")
    sketch.state("m.shared.x", "object attribute")
    sketch.access("m:C.__init__", "m.shared.x", form="attribute")
    assert names(sketch) == []


@pytest.mark.parametrize("kind", ["config option", "native setting", "environment variable"])
def test_what_is_there_to_be_set_is_mutable_though_nothing_sets_it(sketch: Sketch, kind: str) -> None:
    sketch.state("m.option", kind)
    sketch.access("m:f", "m.option", access=AccessKind.READ)
    assert names(sketch) == ["m.option"]


def test_attributes_of_instances_are_given_if_asked_for(sketch: Sketch) -> None:
    sketch.state("m.C.x", "instance attribute")
    sketch.access("m:f", "m.C.x")
    assert names(sketch) == []
    assert names(sketch, kind="instance attribute") == ["m.C.x"]


def test_a_native_function_is_no_state(sketch: Sketch) -> None:
    sketch.state("torch._C.set", kind="function")
    sketch.access("m:f", "torch._C.set", access=AccessKind.CALL)
    assert names(sketch, everything=True) == []


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("flag", ["m._flag", "m.n.flags[a]"]),
        ("_fl*", ["m._flag"]),
        ("m.*", ["m._flag", "m.n.flags[a]", "m.other"]),
        ("n.flag?[a]", ["m.n.flags[a]"]),
        ("lag*", []),
    ],
)
def test_a_pattern_is_part_of_a_name_or_a_glob_of_an_end_of_it(sketch: Sketch, pattern: str, found: list[str]) -> None:
    for state in ("m._flag", "m.n.flags[a]", "m.other"):
        sketch.access("m:f", state)
    assert names(sketch, pattern) == found


def test_states_can_be_of_a_kind_a_scope_or_a_package(sketch: Sketch) -> None:
    sketch.state("m.local", "thread-local", "thread")
    for state in ("m.local", "m.n.x", "m.nothing"):
        sketch.access("m:f", state)
    assert names(sketch, kind="thread-local") == ["m.local"]
    assert names(sketch, scope="process") == ["m.n.x", "m.nothing"]
    assert names(sketch, package="m.n") == ["m.n.x"]


def test_states_are_given_by_kind_then_name(sketch: Sketch) -> None:
    sketch.state("z.setting", "native setting")
    for state in ("m.b", "m.a", "z.setting"):
        sketch.access("m:f", state)
    assert names(sketch) == ["z.setting", "m.a", "m.b"]


def test_a_package_that_is_not_there_is_an_error(sketch: Sketch) -> None:
    with pytest.raises(DeepgrepError, match=r"is in a package 'q': give the start of a name, such as m"):
        states(sketch.graph(), package="q")
