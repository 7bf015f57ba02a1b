from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.graph.history import History
from deepgrep.graph.restriction import NONE, Restriction, kinds_up_to
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import forward_slice
from deepgrep.graph.ways import Ways, shortest_ways, surest_ways, ways_by_stops


def ways(
    sketch: Sketch, root: str, *, surest: bool, depth: int | None = None, restriction: Restriction = NONE
) -> tuple[Sketch, Ways]:
    graph = sketch.graph()
    reached = forward_slice(graph, [sketch.index(root)], History(graph, ()), restriction)
    if surest:
        return sketch, ways_by_stops(graph, reached, lambda part, before: surest_ways(graph, part, before))
    return sketch, ways_by_stops(graph, reached, lambda part, before: shortest_ways(graph, part, before, depth))


def route(sketch: Sketch, found: Ways, function: str) -> list[str]:
    graph = sketch.graph()
    rows = [graph.edge(edge) for edge in found.edges(graph, sketch.index(function))]
    return [name.removeprefix("m.") for name in sketch.names([row.caller for row in rows])]


@pytest.fixture
def two_ways() -> Sketch:
    """A short way over a value, and a long certain one."""
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", certainty=Certainty.FLOW)
    sketch.chain("m:root", "m:a", "m:b", "m:goal")
    sketch.edge("m:goal", "m:beyond", certainty=Certainty.DISPATCH)
    return sketch


def test_the_surest_way_is_certain_even_if_it_is_longer(two_ways: Sketch) -> None:
    sketch, found = ways(two_ways, "m:root", surest=True)
    goal = sketch.index("m:goal")
    assert route(sketch, found, "m:goal") == ["root", "a", "b"]
    assert (found.certainty(goal), found.distance[goal]) == (Certainty.CERTAIN, 3)


def test_a_way_is_as_sure_as_its_least_certain_call(two_ways: Sketch) -> None:
    sketch, found = ways(two_ways, "m:root", surest=True)
    assert found.certainty(sketch.index("m:beyond")) is Certainty.DISPATCH


def test_the_shortest_way_has_the_fewest_calls(two_ways: Sketch) -> None:
    sketch, found = ways(two_ways, "m:root", surest=False)
    assert route(sketch, found, "m:goal") == ["root"]
    assert found.certainty(sketch.index("m:goal")) is Certainty.FLOW


def test_of_the_shortest_ways_the_surest_is_given() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:goal", certainty=Certainty.FLOW)
    sketch.chain("m:root", "m:b", "m:goal")
    sketch, found = ways(sketch, "m:root", surest=False)
    assert route(sketch, found, "m:goal") == ["root", "b"]


def test_of_two_certain_ways_the_one_without_an_import_is_surer() -> None:
    sketch = Sketch()
    sketch.imports("m:root", "n")
    sketch.edge("n:<module>", "m:goal")
    sketch.chain("m:root", "m:a", "m:b", "m:goal")
    sketch, found = ways(sketch, "m:root", surest=True)
    assert route(sketch, found, "m:goal") == ["root", "a", "b"]
    assert (found.importing[sketch.index("m:goal")], found.importing[sketch.index("n:<module>")]) == (False, True)


def test_ways_end_at_the_depth_that_is_wanted(two_ways: Sketch) -> None:
    sketch, found = ways(two_ways, "m:root", surest=False, depth=1)
    assert sketch.names(sorted(found.entering)) == ["m.root", "m.goal", "m.a"]
    assert list(ways(two_ways, "m:root", surest=False, depth=0)[1].entering) == [sketch.index("m:root")]


@pytest.mark.parametrize("surest", [True, False])
def test_going_on_to_the_rest_of_a_function_is_no_call(surest: bool) -> None:
    sketch = Sketch()
    clone, rest = sketch.function("m:f", context="g"), sketch.function("m:f")
    sketch.edge("m:root", "m:f")
    sketch.rows.edges[0] = type(sketch.rows.edges[0])(sketch.index("m:root"), clone, 1, Via.CALL, Certainty.CERTAIN)
    sketch.rows.edges.append(type(sketch.rows.edges[0])(clone, rest, 0, Via.SAME, Certainty.CERTAIN))
    _, found = ways(sketch, "m:root", surest=surest)
    assert (found.distance[clone], found.distance[rest]) == (1, 1)


@pytest.mark.parametrize("surest", [True, False])
def test_a_way_does_not_use_an_edge_whose_requirement_is_not_met(surest: bool) -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", requires=("m:nothing",))
    sketch.chain("m:root", "m:a", "m:goal", certainty=Certainty.FLOW)
    sketch, found = ways(sketch, "m:root", surest=surest)
    assert route(sketch, found, "m:goal") == ["root", "a"]


@pytest.mark.parametrize("surest", [True, False])
def test_a_way_takes_no_call_that_the_question_leaves_out(two_ways: Sketch, surest: bool) -> None:
    only_certain = Restriction(kinds=kinds_up_to(Certainty.CERTAIN))
    sketch, found = ways(two_ways, "m:root", surest=surest, restriction=only_certain)
    assert route(sketch, found, "m:goal") == ["root", "a", "b"]
    assert sketch.index("m:beyond") not in found.entering


@pytest.mark.parametrize("surest", [True, False])
def test_a_way_goes_by_the_stops_of_the_question_though_others_are_better(two_ways: Sketch, surest: bool) -> None:
    two_ways.chain("m:root", "m:c", "m:d", "m:e", "m:f", "m:b", certainty=Certainty.DISPATCH)
    goal, stop = two_ways.index("m:goal"), (two_ways.index("m:e"),)
    sketch, found = ways(two_ways, "m:root", surest=surest, restriction=Restriction(through=(stop,)))
    assert route(sketch, found, "m:goal") == ["root", "c", "d", "e", "f", "b"]
    assert (found.certainty(goal), found.distance[goal]) == (Certainty.DISPATCH, 6)
    assert sketch.index("m:a") not in found.entering


def test_the_depth_counts_the_calls_before_a_stop_too(two_ways: Sketch) -> None:
    through_b = Restriction(through=((two_ways.index("m:b"),),))
    sketch, found = ways(two_ways, "m:root", surest=False, depth=3, restriction=through_b)
    assert sketch.names(sorted(found.entering)) == ["m.goal", "m.b"]
