from __future__ import annotations

import msgspec
import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind, Via
from deepgrep.questions.accesses import accesses
from deepgrep.questions.answers import AccessRef, TargetRef, Verdict
from deepgrep.questions.filters import Filters
from deepgrep.questions.reach import reach


def places(sketch: Sketch, target: str, access: AccessKind | None = None) -> list[tuple[str, int, str]]:
    return [(row.function, row.line, row.form) for row in accesses(sketch.graph(), target, access).accesses]


def test_a_state_is_asked_for_its_writes_unless_told_otherwise() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m._flag", line=3)
    sketch.access("m:g", "m._flag", line=5, access=AccessKind.READ, form="name")
    assert places(sketch, "_flag") == [("m.f", 3, "global")]
    assert places(sketch, "_flag", AccessKind.READ) == [("m.g", 5, "name")]


def test_an_access_says_all_that_is_known_of_it() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m._flag", line=3, restore=True, guard=sketch.guard("debug"))
    answer = accesses(sketch.graph(), "_flag")
    assert answer.target == TargetRef("m._flag", "module global", "process", AccessKind.WRITE)
    expected = AccessRef("m.f", "m.py", 3, AccessKind.WRITE, "global", restore=True, reached=None, conditions=["debug"])
    assert answer.accesses == [expected]


def test_a_function_is_asked_for_its_calls() -> None:
    sketch = Sketch()
    sketch.edge("m:f", "m:target", line=3)
    sketch.edge("m:g", "m:target", line=4, via=Via.WITH)
    assert places(sketch, "target") == [("m.f", 3, "call"), ("m.g", 4, "with")]
    assert accesses(sketch.graph(), "target").target == TargetRef("m.target", "function", "", AccessKind.CALL)


def test_a_function_that_is_replaced_is_a_state_too() -> None:
    sketch = Sketch()
    sketch.edge("m:f", "m:C.run", line=3)
    sketch.access("m:patch", "m.C.run", line=8, form="attribute")
    assert places(sketch, "C.run") == [("m.f", 3, "call")]
    assert places(sketch, "C.run", AccessKind.WRITE) == [("m.patch", 8, "attribute")]


def test_a_native_function_is_asked_for_its_calls() -> None:
    sketch = Sketch()
    sketch.state("torch._C._set", kind="function")
    sketch.access("m:f", "torch._C._set", access=AccessKind.CALL, form="call")
    assert places(sketch, "torch._C._set") == [("m.f", 9, "call")]


def test_a_class_is_asked_for_its_construction() -> None:
    sketch = Sketch()
    sketch.class_row("m.C")
    sketch.edge("m:f", "m:C.__init__", line=3, via=Via.CONSTRUCT)
    sketch.edge("m:f", "m:C.__new__", line=3, via=Via.CONSTRUCT)
    assert places(sketch, "C") == [("m.f", 3, "construct")]
    assert accesses(sketch.graph(), "C").target.kind == "class"


def test_the_construction_of_a_class_without_a_constructor_of_its_own_cannot_be_told() -> None:
    sketch = Sketch()
    sketch.function("m:Base.__init__")
    sketch.class_row("m.C", "m.Base")
    with pytest.raises(DeepgrepError, match=r"class m\.C has no __init__ of its own"):
        accesses(sketch.graph(), "C")


def test_the_access_decides_between_a_state_and_a_function_of_one_name() -> None:
    sketch = Sketch()
    sketch.edge("m:f", "m:reset", line=3)
    sketch.access("m:g", "n.reset", line=4)
    assert places(sketch, "reset", AccessKind.CALL) == [("m.f", 3, "call")]
    assert places(sketch, "reset", AccessKind.WRITE) == [("m.g", 4, "global")]
    with pytest.raises(DeepgrepError, match=r"could mean 2 things.*\n  m\.reset\n  n\.reset"):
        accesses(sketch.graph(), "reset")


def test_accesses_are_sorted_by_file_and_line() -> None:
    sketch = Sketch()
    sketch.access("n:f", "m._flag", line=1)
    sketch.access("m:g", "m._flag", line=8)
    sketch.access("m:f", "m._flag", line=4)
    assert [name for name, *_ in places(sketch, "_flag")] == ["m.f", "m.g", "n.f"]


def test_the_accesses_of_a_functions_contexts_are_one() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m._flag", line=3)
    context = sketch.function("m:f", context="other")
    sketch.rows.accesses.append(msgspec.structs.replace(sketch.rows.accesses[0], function=context))
    assert places(sketch, "_flag") == [("m.f", 3, "global")]


def test_a_write_of_an_unknown_attribute_may_be_of_this_one() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m.flag", line=3)
    sketch.access("m:g", "m.*", line=4, form="setattr")
    sketch.access("m:h", "other.*", line=5, form="setattr")
    assert places(sketch, "m.flag") == [("m.f", 3, "global"), ("m.g", 4, "setattr of an unknown name")]


def test_an_option_and_its_other_names_are_one_target() -> None:
    sketch = Sketch()
    sketch.alias("m.config.old", "m.config.new")
    for line, name in enumerate(("m.config.old", "m.config.new"), start=3):
        sketch.state(name, "config option")
        sketch.access("m:f", name, line=line)
    for typed in ("m.config.old", "old", "new", "m.config.new"):
        assert sorted(places(sketch, typed)) == [("m.f", 3, "global"), ("m.f", 4, "global")]
        answer = accesses(sketch.graph(), typed)
        assert answer.target.name == "m.config.new"
        assert answer.notes == ([f"{typed} is another name of m.config.new"] if typed.endswith("old") else [])


def test_a_function_that_goes_on_in_any_context_calls_nothing() -> None:
    sketch = Sketch()
    sketch.edge("m:caller", "m:f", line=3)
    sketch.edge("m:other", "m:f", via=Via.SAME)
    assert places(sketch, "m.f") == [("m.caller", 3, "call")]


@pytest.mark.parametrize("name", ["os.environ[]", "m.Module."])
def test_what_has_no_name_is_no_target(name: str) -> None:
    sketch = Sketch()
    sketch.access("m:f", name, form="subscript")
    with pytest.raises(DeepgrepError, match="nothing is named"):
        accesses(sketch.graph(), name)


def test_a_write_of_an_unknown_item_and_of_all_items_may_be_of_this_one() -> None:
    sketch = Sketch()
    for line, key in enumerate(["A", "B", "*"], start=3):
        sketch.access("m:f", f"os.environ[{key}]", line=line, form="subscript")
        sketch.access("m:f", "os.environ", line=line, form="subscript")
    sketch.access("m:g", "os.environ", line=9, form="attribute")
    assert places(sketch, "os.environ[A]") == [
        ("m.f", 3, "subscript"),
        ("m.f", 5, "subscript of an unknown name"),
        ("m.g", 9, "attribute of an unknown name"),
    ]


def test_what_only_an_unknown_name_may_write_may_be_reached() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:g")
    sketch.access("m:reader", "m.flag", access=AccessKind.READ)
    sketch.access("m:g", "m.*", form="setattr")
    answer = reach(sketch.graph(), "m.root", "m.flag")
    assert answer.verdict is Verdict.MAY_REACH
    certain = reach(sketch.graph(), "m.root", "m.flag", filters=Filters(certainty="certain"))
    assert (certain.paths, [row.reached for row in certain.accesses]) == ([], [False])


def test_a_write_of_an_attribute_of_some_instance_may_be_of_this_object() -> None:
    sketch = Sketch()
    sketch.class_row("m.C", "m.Base")
    sketch.object("m.config", "m.C")
    sketch.access("m:f", "m.config.size", line=3, form="attribute")
    sketch.access("m:f", "m.C.size", line=3, form="attribute")
    sketch.access("m:C.grow", "m.C.size", line=4, form="attribute")
    sketch.access("m:C.__init__", "m.C.size", line=5, form="attribute")
    sketch.access("m:Base.set", "m.Base.size", line=6, form="setattr")
    sketch.state("m.Base.*", kind="instance attribute")
    sketch.access("m:Base.any", "m.Base.*", line=8, form="setattr")
    sketch.access("m:g", "m.D.size", line=7, form="attribute")
    assert sorted(places(sketch, "m.config.size")) == [
        ("m.Base.set", 6, "setattr of an instance"),
        ("m.C.grow", 4, "attribute of an instance"),
        ("m.f", 3, "attribute"),
    ]
