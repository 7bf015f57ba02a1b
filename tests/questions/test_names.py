from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.questions.names import find, the_one


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.function("torch.fx._trace:Tracer.trace")
    sketch.function("torch.fx._trace:Tracer.__init__")
    sketch.function("torch.fx._trace:symbolic_trace")
    sketch.function("torch.jit:trace")
    sketch.function("torch.eval:Context.__call__.<locals>.compile_wrapper")
    sketch.function("torch.nn.module:Module.__call__")
    sketch.function("torch.fx:<module>")
    sketch.function("torch.fx._trace:<module>")
    sketch.class_row("torch.fx._trace.Tracer")
    sketch.class_row("torch.nn.linear.Linear", "torch.nn.module.Module")
    sketch.class_row("torch.nn.module.Module")
    sketch.alias("torch.fx.symbolic_trace", "torch.fx._trace.symbolic_trace")
    sketch.alias("torch.nn.Linear", "torch.nn.linear.Linear")
    sketch.alias("torch.fx.go", "torch.fx._trace.symbolic_trace")
    sketch.state("torch.fx._trace._flag")
    sketch.state("os.environ[OMP_NUM_THREADS]", "environment variable")
    sketch.state("torch._C._set_grad_enabled", "function")
    return sketch


def found(sketch: Sketch, typed: str, *, states: bool = False) -> list[str]:
    return [definition.name for definition in find(sketch.graph(), typed, states=states)]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("torch.jit.trace", "torch.jit.trace"),
        ("Tracer.trace", "torch.fx._trace.Tracer.trace"),
        ("symbolic_trace", "torch.fx._trace.symbolic_trace"),
        ("Tracer", "torch.fx._trace.Tracer"),
        ("torch.fx.symbolic_trace", "torch.fx._trace.symbolic_trace"),
        ("fx.go", "torch.fx._trace.symbolic_trace"),
        ("torch.nn.Linear.__call__", "torch.nn.module.Module.__call__"),
        ("nn.Linear.__call__", "torch.nn.module.Module.__call__"),
        ("Linear.__call__", "torch.nn.module.Module.__call__"),
        ("torch.fx", "torch.fx.<module>"),
        ("_trace", "torch.fx._trace.<module>"),
        ("torch.fx.<module>", "torch.fx.<module>"),
    ],
)
def test_a_name_is_found_by_any_of_its_forms(sketch: Sketch, typed: str, name: str) -> None:
    assert found(sketch, typed) == [name]


@pytest.mark.parametrize("typed", ["torch.nn.Linear.training", "Linear.training", "torch.nn.linear.Linear.training"])
def test_an_attribute_is_found_by_any_name_of_its_class_and_of_those_that_inherit_it(sketch: Sketch, typed: str):
    sketch.state("torch.nn.module.Module.training", "instance attribute")
    assert found(sketch, typed, states=True) == ["torch.nn.module.Module.training"]
    assert found(sketch, typed) == []


@pytest.mark.parametrize("typed", ["", " "])
def test_an_empty_name_means_nothing(sketch: Sketch, typed: str) -> None:
    assert found(sketch, typed) == []
    with pytest.raises(DeepgrepError, match="a name is empty: give a function or a state"):
        the_one(sketch.graph(), typed, [], states=True)


@pytest.mark.parametrize("typed", ["compile_wrapper", "__call__.compile_wrapper", "__call__.<locals>.compile_wrapper"])
def test_locals_may_be_left_out(sketch: Sketch, typed: str) -> None:
    assert found(sketch, typed) == ["torch.eval.Context.__call__.<locals>.compile_wrapper"]


def test_a_match_starts_at_a_dot(sketch: Sketch) -> None:
    assert found(sketch, "wrapper") == []
    assert found(sketch, "trace") == ["torch.fx._trace.Tracer.trace", "torch.jit.trace"]


def test_a_whole_name_means_only_itself(sketch: Sketch) -> None:
    sketch.function("copy.torch.jit:trace")
    assert found(sketch, "torch.jit.trace") == ["torch.jit.trace"]


def test_a_whole_name_without_locals_means_only_itself(sketch: Sketch) -> None:
    sketch.function("a:f.<locals>.g")
    sketch.function("b.a:f.g")
    assert found(sketch, "a.f.g") == ["a.f.<locals>.g"]


@pytest.mark.parametrize(
    "typed", ["os.environ[OMP_NUM_THREADS]", 'os.environ["OMP_NUM_THREADS"]', "environ['OMP_NUM_THREADS']"]
)
def test_an_environment_variable_is_written_as_in_code(sketch: Sketch, typed: str) -> None:
    assert found(sketch, typed, states=True) == ["os.environ[OMP_NUM_THREADS]"]


def test_states_are_found_only_where_they_are_asked_for(sketch: Sketch) -> None:
    assert found(sketch, "_flag", states=True) == ["torch.fx._trace._flag"]
    assert found(sketch, "_flag") == []


def test_the_contexts_of_a_function_are_one_definition(sketch: Sketch) -> None:
    sketch.function("torch.jit:trace", context="other")
    (definition,) = find(sketch.graph(), "jit.trace", states=False)
    assert len(definition.functions) == 2


def message(sketch: Sketch, typed: str, *, states: bool = False) -> str:
    graph = sketch.graph()
    with pytest.raises(DeepgrepError) as raised:
        the_one(graph, typed, find(graph, typed, states=states), states=states)
    return str(raised.value)


def test_several_matches_are_all_listed(sketch: Sketch) -> None:
    assert message(sketch, "trace") == (
        "'trace' could mean 2 things: type more of the name of one of them"
        "\n  torch.fx._trace.Tracer.trace\n  torch.jit.trace"
    )


def test_of_several_matches_of_a_dotted_name_the_only_public_one_is_meant(sketch: Sketch) -> None:
    sketch.function("torch.nn.flex:flex")
    sketch.function("torch._inductor.flex:flex")
    graph = sketch.graph()
    meant = the_one(graph, "flex.flex", find(graph, "flex.flex", states=False), states=False)
    assert meant.name == "torch.nn.flex.flex"
    assert meant.notes == (
        "torch.nn.flex.flex is the only public name that fits; type more of the name to mean torch._inductor.flex.flex",
    )


def test_many_matches_are_listed_in_part_with_their_number(sketch: Sketch) -> None:
    for i in range(30):
        sketch.function(f"n{i}:same")
    lines = message(sketch, "same").splitlines()
    assert "could mean 30 things" in lines[0]
    assert lines[-1] == "  ... and 10 more"
    assert len(lines) == 22


def test_without_a_match_the_nearest_names_are_shown(sketch: Sketch) -> None:
    text = message(sketch, "symbolic_trase")
    assert text.startswith("nothing is named 'symbolic_trase' in m 1.0: the nearest names are")
    assert "\n  torch.fx._trace.symbolic_trace" in text
    assert "\n  torch.fx._trace._flag" in message(sketch, "_flug", states=True)


def test_a_right_name_in_a_wrong_place_is_near(sketch: Sketch) -> None:
    assert "\n  torch.fx._trace.symbolic_trace" in message(sketch, "torch.onnx.symbolic_trace")


def test_where_nothing_is_near_the_message_says_so(sketch: Sketch) -> None:
    assert message(sketch, "zzz") == "nothing is named 'zzz' in m 1.0: no name is near to it"
