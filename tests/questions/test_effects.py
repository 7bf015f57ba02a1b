from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.questions.effects import Effect, EffectCount, effects
from deepgrep.questions.filters import Filters
from deepgrep.questions.neighbours import callees


def found(sketch: Sketch, access: AccessKind = AccessKind.WRITE) -> dict[str, Effect]:
    return {effect.name: effect for effect in effects(sketch.graph(), "m.root", access).effects}


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.chain("m:root", "m:near", "m:far")
    return sketch


def test_every_state_that_a_reached_function_writes_is_an_effect(sketch: Sketch) -> None:
    sketch.access("m:far", "m._flag", line=7)
    sketch.access("m:elsewhere", "m._other")
    effect = found(sketch)["m._flag"]
    assert found(sketch).keys() == {"m._flag"}
    assert (effect.kind, effect.scope, effect.package) == ("module global", "process", "m")
    assert (effect.certainty, effect.distance) == (Certainty.CERTAIN, 2)
    assert [(place.function, place.line) for place in effect.places] == [("m.far", 7)]
    assert [(hop.function, hop.call_line) for hop in effect.path.hops] == [("m.root", 1), ("m.near", 1), ("m.far", 7)]


def test_the_path_is_the_surest_one(sketch: Sketch) -> None:
    sketch.edge("m:root", "m:far", certainty=Certainty.FLOW)
    sketch.access("m:far", "m._flag")
    effect = found(sketch)["m._flag"]
    assert (effect.certainty, effect.distance) == (Certainty.CERTAIN, 2)


def test_the_conditions_of_a_path_are_given(sketch: Sketch) -> None:
    sketch.access("m:near", "m._flag", guard=sketch.guard("_compile"))
    assert found(sketch)["m._flag"].path.hops[-1].conditions == ["_compile"]


def test_what_is_read_is_a_dependency_if_something_can_change_it(sketch: Sketch) -> None:
    for state in ("m._flag", "m.CONSTANT", "m.config.option"):
        sketch.state(state, kind="config option" if "config" in state else "module global")
        sketch.access("m:near", state, access=AccessKind.READ)
    sketch.access("m:elsewhere", "m._flag")
    assert found(sketch, AccessKind.READ).keys() == {"m._flag", "m.config.option"}
    assert found(sketch) == {}


def test_a_native_setter_is_an_effect_and_a_native_function_is_none(sketch: Sketch) -> None:
    sketch.state("torch._C.set_it", kind="function")
    sketch.access("m:near", "torch._C.set_it", access=AccessKind.CALL, form="call")
    sketch.access("m:near", "torch._C.set_it", form="call")
    sketch.state("torch._C.it", kind="native setting", scope="thread")
    sketch.access("m:near", "torch._C.it", form="call")
    assert [(effect.name, effect.scope) for effect in found(sketch).values()] == [("torch._C.it", "thread")]


def test_the_whole_is_left_out_where_a_part_of_it_is_written(sketch: Sketch) -> None:
    sketch.access("m:near", "os.environ[A]", form="subscript")
    sketch.access("m:near", "os.environ", form="subscript")
    sketch.access("m:near", "m.obj.x", form="attribute")
    sketch.access("m:near", "m.obj", form="attribute x")
    assert found(sketch).keys() == {"os.environ[A]", "m.obj.x"}


def test_the_whole_is_an_effect_where_it_is_written_elsewhere(sketch: Sketch) -> None:
    sketch.access("m:near", "os.environ[A]", line=3)
    sketch.access("m:near", "os.environ", line=3)
    sketch.access("m:near", "os.environ", line=4)
    assert [place.line for place in found(sketch)["os.environ"].places] == [4]


def test_a_write_to_one_of_several_objects_is_not_certain(sketch: Sketch) -> None:
    sketch.access("m:near", "m.f.mark", line=3, form="attribute")
    sketch.access("m:near", "m.g.mark", line=3, form="attribute")
    sketch.access("m:near", "m.h.mark", line=4, form="attribute")
    certainties = {name: effect.certainty for name, effect in found(sketch).items()}
    assert certainties == {"m.f.mark": Certainty.FLOW, "m.g.mark": Certainty.FLOW, "m.h.mark": Certainty.CERTAIN}
    assert found(sketch)["m.f.mark"].path.hops[-1].certainty is Certainty.FLOW


def test_two_settings_that_one_call_changes_are_both_certain(sketch: Sketch) -> None:
    sketch.access("m:near", "torch._C.dtype", form="call")
    sketch.access("m:near", "torch._C.device", form="call")
    assert {effect.certainty for effect in found(sketch).values()} == {Certainty.CERTAIN}


def test_what_a_constructor_does_to_its_new_object_is_no_effect(sketch: Sketch) -> None:
    sketch.class_row("m.C", "m.B")
    sketch.object("m.shared", "m.C")
    sketch.edge("m:root", "m:C.__init__")
    for state, kind in (("m.B.x", "instance attribute"), ("m.shared.x", "object attribute")):
        sketch.state(state, kind)
        sketch.access("m:C.__init__", state, form="attribute")
    assert found(sketch) == {}
    sketch.access("m:near", "m.shared.x", form="attribute")
    assert found(sketch).keys() == {"m.shared.x"}


def test_an_object_that_a_constructor_is_given_is_an_effect(sketch: Sketch) -> None:
    sketch.class_row("m.C")
    sketch.class_row("m.Other")
    sketch.object("m.shared", "m.Other")
    sketch.edge("m:root", "m:C.__init__")
    sketch.state("m.shared.x", "object attribute")
    sketch.access("m:C.__init__", "m.shared.x", form="attribute")
    assert found(sketch).keys() == {"m.shared.x"}


def test_what_is_written_and_put_back_in_one_function_is_restored(sketch: Sketch) -> None:
    sketch.access("m:near", "m._flag", line=3)
    sketch.access("m:near", "m._flag", line=5, restore=True)
    assert found(sketch)["m._flag"].restored
    sketch.access("m:far", "m._flag")
    assert not found(sketch)["m._flag"].restored


def test_what_a_method_beside_it_puts_back_is_restored_if_that_is_reached(sketch: Sketch) -> None:
    sketch.edge("m:root", "m:C.__enter__", via=Via.WITH)
    sketch.access("m:C.__enter__", "m._flag")
    sketch.access("m:C.__exit__", "m._flag", restore=True)
    assert not found(sketch)["m._flag"].restored
    sketch.edge("m:root", "m:C.__exit__", via=Via.WITH)
    assert found(sketch)["m._flag"].restored


@pytest.mark.parametrize(("exits_at", "restored"), [(3, False), (9, True)])
def test_a_method_that_is_called_by_itself_is_restored_if_the_one_beside_it_is_called_after_it(
    sketch: Sketch, exits_at: int, restored: bool
) -> None:
    sketch.edge("m:root", "m:C.__enter__", line=5)
    sketch.edge("m:root", "m:C.__exit__", line=exits_at)
    sketch.edge("m:C.__enter__", "m:Base.__enter__", line=20)
    sketch.access("m:Base.__enter__", "m._flag")
    sketch.access("m:C.__enter__", "m._other")
    for state in ("m._flag", "m._other"):
        sketch.access("m:C.__exit__", state, restore=True)
    sketch.access("m:Base.__exit__", "m._flag", restore=True)
    sketch.edge("m:C.__exit__", "m:Base.__exit__")
    assert {name: effect.restored for name, effect in found(sketch).items()} == {"m._flag": True, "m._other": restored}


def test_what_is_only_put_back_is_changed(sketch: Sketch) -> None:
    sketch.access("m:near", "m._flag", restore=True)
    assert not found(sketch)["m._flag"].restored


def test_a_function_of_the_same_module_is_not_beside_another(sketch: Sketch) -> None:
    sketch.access("m:near", "m._flag")
    sketch.access("m:far", "m._flag", restore=True)
    assert not found(sketch)["m._flag"].restored


def test_one_of_several_objects_is_left_out_where_only_certain_calls_are_followed(sketch: Sketch) -> None:
    for state in ("m.one.x", "m.other.x"):
        sketch.access("m:near", state, line=3, form="attribute")
    sketch.access("m:near", "m._flag", line=4)
    assert {name: effect.certainty for name, effect in found(sketch).items()} == {
        "m._flag": Certainty.CERTAIN,
        "m.one.x": Certainty.FLOW,
        "m.other.x": Certainty.FLOW,
    }
    answer = effects(sketch.graph(), "m.root", filters=Filters(certainty="certain"))
    assert [effect.name for effect in answer.effects] == ["m._flag"]


def test_what_only_another_process_changes_is_not_counted_as_changed_by_this_one(sketch: Sketch) -> None:
    sketch.edge("m:root", "m:worker", via=Via.PROCESS)
    sketch.chain("m:worker", "m:deep")
    for function, state in (("m:deep", "m.theirs"), ("m:deep", "m.both"), ("m:far", "m.both"), ("m:far", "m.ours")):
        sketch.access(function, state)
    answer = effects(sketch.graph(), "m.root")
    rows = [(effect.name, effect.elsewhere, [place.function for place in effect.places]) for effect in answer.effects]
    assert rows == [
        ("m.both", False, ["m.far"]),
        ("m.ours", False, ["m.far"]),
        ("m.theirs", True, ["m.deep"]),
    ]
    assert ([count.states for count in answer.counts], answer.elsewhere) == ([2], 1)


def test_what_another_process_does_by_certain_calls_this_one_may_do_by_others(sketch: Sketch) -> None:
    sketch.edge("m:root", "m:worker", via=Via.PROCESS)
    sketch.edge("m:near", "m:worker", certainty=Certainty.FLOW)
    sketch.access("m:worker", "m._flag")
    effect = found(sketch)["m._flag"]
    assert (effect.elsewhere, effect.certainty) == (False, Certainty.FLOW)


def test_what_another_process_reads_is_depended_on(sketch: Sketch) -> None:
    sketch.edge("m:root", "m:worker", via=Via.PROCESS)
    sketch.access("m:worker", "m._flag", access=AccessKind.READ)
    sketch.access("m:elsewhere", "m._flag")
    assert not found(sketch, AccessKind.READ)["m._flag"].elsewhere


def test_the_contexts_of_a_function_are_one_place(sketch: Sketch) -> None:
    sketch.access("m:near", "m._flag", line=3)
    other = sketch.function("m:near", context="f")
    sketch.rows.edges.append(type(sketch.rows.edges[0])(0, other, 1, sketch.rows.edges[0].via, Certainty.CERTAIN))
    sketch.rows.accesses.append(type(sketch.rows.accesses[0])(0, other, 3, AccessKind.WRITE, "global"))
    assert len(found(sketch)["m._flag"].places) == 1


def test_attributes_of_objects_among_many_are_instance_attributes(sketch: Sketch) -> None:
    for name, kind in (
        ("torch._C.Node.meta", "stdlib global"),
        ("dict.x", "stdlib global"),
        ("m.f.<locals>.g.mark", "object attribute"),
    ):
        sketch.state(name, kind)
        sketch.access("m:near", name, form="attribute")
    sketch.state("sys.excepthook", "stdlib global")
    sketch.access("m:near", "sys.excepthook", form="attribute")
    kinds = {name: effect.kind for name, effect in found(sketch).items()}
    assert kinds.pop("sys.excepthook") == "stdlib global"
    assert set(kinds.values()) == {"instance attribute"}


def test_an_effect_by_way_of_an_import_says_so(sketch: Sketch) -> None:
    sketch.imports("m:root", "n")
    sketch.access("n:<module>", "n.registry")
    answer = effects(sketch.graph(), "m.root")
    assert [(effect.name, effect.importing) for effect in answer.effects] == [("n.registry", True)]
    assert answer.imports == ["n"]


def test_what_counts_as_imported_before_is_said(sketch: Sketch) -> None:
    sketch.function("m:<module>")
    sketch.imports("m:<module>", "n")
    said = ["m has been imported: the 2 modules that this runs are not run again"]
    graph = sketch.graph()
    assert effects(graph, "m.root").assumptions == said
    assert callees(graph, "m.root").assumptions == said
    assert effects(graph, "m.<module>").assumptions == []


def test_all_are_counted_and_the_nearest_of_each_kind_given(sketch: Sketch) -> None:
    for function in ("m:far", "m:near", "m:root"):
        sketch.access(function, f"m._{function[2:]}")
    sketch.state("m.C.x", "instance attribute")
    sketch.access("m:near", "m.C.x")
    answer = effects(sketch.graph(), "m.root", nearest=2)
    assert [effect.name for effect in answer.effects] == ["m._root", "m._near"]
    assert answer.counts == [
        EffectCount("module global", "process", "m", states=3, certain=3, restored=0),
        EffectCount("instance attribute", "process", "m", states=1, certain=1, restored=0),
    ]


def test_a_package_is_the_first_two_parts_of_a_name_where_these_are_one(sketch: Sketch) -> None:
    sketch.imports("m:elsewhere", "t", "t.fx")
    sketch.class_row("t.Tensor")
    for state in ("t.fx._flag", "t._flag", "t.Tensor.x", "t._C.setting", "os.environ[t.fx]", "random state"):
        sketch.access("m:near", state, line=len(sketch.rows.accesses))
    packages = {name: effect.package for name, effect in found(sketch).items()}
    assert packages == {
        "t.fx._flag": "t.fx",
        "t._flag": "t",
        "t.Tensor.x": "t",
        "t._C.setting": "t._C",
        "os.environ[t.fx]": "os",
        "random state": "random state",
    }
