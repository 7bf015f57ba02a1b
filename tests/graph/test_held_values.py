"""The slice under assumptions: constants along edges, joined where several lead in."""

from __future__ import annotations

from sketch import Sketch

from deepgrep.graph.backward import could_reach
from deepgrep.graph.chop import chop
from deepgrep.graph.history import History
from deepgrep.graph.restriction import Assumptions, Restriction
from deepgrep.graph.rows import Certainty, Edge, Parameter, Via
from deepgrep.graph.slices import ForwardSlice, forward_slice


def reached(sketch: Sketch, **parameters: bool) -> ForwardSlice:
    graph = sketch.graph()
    assumed = Restriction(assumptions=Assumptions(parameters))
    return forward_slice(graph, [sketch.index("m:root")], History(graph, ()), assumed)


def guarded() -> Sketch:
    """root(a) -> f(b), which calls g under `b`."""
    sketch = Sketch()
    sketch.parameters("m:root", Parameter("a"))
    sketch.parameters("m:f", Parameter("b"))
    sketch.edge("m:f", "m:g", guard=sketch.guard("b", parameters=("b",)))
    return sketch


def test_what_an_edge_passes_decides() -> None:
    sketch = guarded()
    sketch.edge("m:root", "m:f", passes=((0, 0),))
    assert sketch.names(reached(sketch, a=False).order) == ["m.root", "m.f"]
    assert sketch.names(reached(sketch, a=True).order) == ["m.root", "m.f", "m.g"]
    assert sketch.names(reached(sketch).order) == ["m.root", "m.f", "m.g"]


def test_an_edge_that_passes_nothing_known_leaves_it_open() -> None:
    sketch = guarded()
    sketch.edge("m:root", "m:f", line=1, passes=((0, "False"),))
    sketch.edge("m:root", "m:f", line=2)
    assert "m.g" in sketch.names(reached(sketch).order)


def test_an_edge_that_waits_for_a_requirement_passes_nothing_until_then() -> None:
    sketch = guarded()
    sketch.edge("m:root", "m:f", line=1, passes=((0, "False"),))
    sketch.edge("m:root", "m:f", line=2, requires=("m:make",), passes=((0, "True"),))
    assert "m.g" not in sketch.names(reached(sketch).order)
    sketch.edge("m:root", "m:make")
    assert "m.g" in sketch.names(reached(sketch).order)


def test_a_context_goes_on_with_what_it_was_passed() -> None:
    sketch = guarded()
    clone = sketch.function("m:f", context="fn")
    sketch.rows.edges += [
        Edge(sketch.index("m:root"), clone, 1, Via.CALL, Certainty.CERTAIN, passes=((0, "False"),)),
        Edge(clone, sketch.index("m:f"), 1, Via.SAME, Certainty.CERTAIN),
    ]
    assert "m.g" not in sketch.names(reached(sketch).order)


def test_what_could_lead_on_is_open_to_other_calls() -> None:
    sketch = guarded()
    sketch.edge("m:root", "m:f", passes=((0, "False"),))
    graph = sketch.graph()
    could = could_reach(graph, [sketch.index("m:g")], reached(sketch))
    assert could[sketch.index("m:f")]


def test_impossible_edges_are_told_with_their_guard() -> None:
    sketch = guarded()
    sketch.edge("m:root", "m:f", passes=((0, "False"),))
    found = reached(sketch)
    graph = sketch.graph()
    assert [(graph.edge(edge).callee, guard) for edge, guard in found.impossible.items()] == [(sketch.index("m:g"), 0)]
    assert not any(found.takes(graph, sketch.index("m:f"), edge) for edge in found.impossible)


def test_a_conditional_call_that_cannot_happen_is_on_no_path_though_others_like_it_are() -> None:
    sketch = Sketch()
    sketch.parameters("m:root", Parameter("a"))
    for callee in ("m:make", "m:f"):
        sketch.edge("m:root", callee)
    sketch.edge("m:root", "m:g", guard=sketch.guard("a", parameters=("a",)), requires=("m:make",))
    sketch.edge("m:f", "m:g", requires=("m:make",))
    root, f, g = map(sketch.index, ("m:root", "m:f", "m:g"))
    for value, expected in ((True, {root: [f, g], f: [g], g: []}), (False, {root: [f], f: [g], g: []})):
        between = chop(sketch.graph(), reached(sketch, a=value), [g])
        assert {caller: sorted(callees) for caller, callees in between.successors.items()} == expected


def test_of_the_conditional_calls_of_a_function_those_that_cannot_happen_are_left_out() -> None:
    sketch = Sketch()
    sketch.parameters("m:root", Parameter("a"))
    under = sketch.guard("a", parameters=("a",))
    sketch.edge("m:root", "m:make")
    for line, (callee, guard) in enumerate((("m:f", -1), ("m:g", under), ("m:h", -1)), 2):
        sketch.edge("m:root", callee, line=line, guard=guard, requires=("m:make",))
    found = reached(sketch, a=False)
    assert sketch.names(found.conditional_callees(sketch.index("m:root"))) == ["m.f", "m.h"]
