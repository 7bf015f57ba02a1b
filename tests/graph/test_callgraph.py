from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph, pack
from deepgrep.graph.rows import AccessKind, BlindSpot, Certainty, Edge, Function, NativeExit, State, Via


def test_a_function_comes_back_whole() -> None:
    sketch = Sketch()
    sketch.function("p.m:C.f.<locals>.g", line=7, context="of C")
    expected = Function("p.m.C.f.<locals>.g", "p/m.py", "C.f.<locals>.g", 7, "of C")
    assert sketch.graph().function(0) == expected


def test_a_name_that_does_not_end_with_its_qualname_is_refused() -> None:
    sketch = Sketch()
    sketch.rows.functions.append(Function("m.f", "m.py", "g", 1))
    with pytest.raises(ValueError, match=r"'m\.f' does not end with its qualname 'g'"):
        pack(sketch.rows)


@pytest.mark.parametrize("edge", [Edge(0, 5, 1, Via.CALL, Certainty.CERTAIN), Edge(5, 0, 1, Via.CALL, Certainty.FLOW)])
def test_an_edge_of_a_function_that_is_not_there_is_refused(edge: Edge) -> None:
    sketch = Sketch()
    sketch.function("m:f")
    sketch.rows.edges.append(edge)
    with pytest.raises(ValueError, match="5 is out of range: there are 1"):
        pack(sketch.rows)


def test_edges_come_back_by_caller_and_by_callee() -> None:
    sketch = Sketch()
    sketch.edge(
        "m:a", "m:b", line=3, via=Via.WITH, certainty=Certainty.FLOW, guard=sketch.guard("x"), requires=("m:c",)
    )
    sketch.edge("m:c", "m:b", line=4)
    sketch.edge("m:a", "m:c", line=5, certainty=Certainty.DISPATCH)
    graph = sketch.graph()
    a, b, c = (sketch.index(name) for name in ("m:a", "m:b", "m:c"))
    certain = Edge(c, b, 4, Via.CALL, Certainty.CERTAIN)
    required = Edge(a, b, 3, Via.WITH, Certainty.FLOW, 0, (c,))
    assert [graph.edge(e) for e in graph.out_edges(a)] == [Edge(a, c, 5, Via.CALL, Certainty.DISPATCH), required]
    assert [graph.edge(e) for e in graph.in_edges(b)] == [certain, required]


def test_the_same_edge_given_twice_is_one() -> None:
    sketch = Sketch()
    sketch.edge("m:a", "m:b")
    sketch.edge("m:a", "m:b")
    assert sketch.graph().edge_count == 1


def test_the_order_of_the_rows_of_edges_does_not_matter() -> None:
    sketch = Sketch()
    for line in (3, 1, 2):
        sketch.edge("m:a", "m:b", line=line)
    packed = pack(sketch.rows)
    sketch.rows.edges.reverse()
    assert pack(sketch.rows) == packed


def test_a_guard_has_its_chain_outermost_first() -> None:
    sketch = Sketch()
    outer = sketch.guard("a")
    inner = sketch.guard("self.lock", kind="with", parent=outer)
    graph = sketch.graph()
    assert [(row.kind, row.text) for row in graph.guard_chain(inner)] == [("if", "a"), ("with", "self.lock")]
    assert graph.guard_chain(-1) == []


def test_accesses_are_found_by_state_and_by_function() -> None:
    sketch = Sketch()
    sketch.access("m:f", "m.A", line=2, access=AccessKind.READ, restore=False)
    sketch.access("m:f", "m.B", line=1, restore=True)
    graph = sketch.graph()
    assert graph.state(0) == State("m.A", "module global", "process")
    assert [(row.line, row.access) for row in graph.accesses_of(0)] == [(2, AccessKind.READ)]
    assert [(row.state, row.restore) for row in graph.accesses_in(0)] == [(1, True), (0, False)]


def test_blind_spots_and_native_exits_are_found_by_function() -> None:
    sketch = Sketch()
    sketch.function("m:a")
    sketch.blind_spot("m:f", "self.fn", "fn", line=5)
    sketch.native_exit("m:f", "torch._C.x", line=6)
    graph = sketch.graph()
    assert graph.blind_spots_in(1) == [BlindSpot(1, 5, "self.fn", "fn", "parameter")]
    assert graph.native_exits_in(1) == [NativeExit(1, 6, "torch._C.x")]
    assert graph.blind_spots_in(0) == []


def test_calls_of_builtins_are_found_by_function() -> None:
    sketch = Sketch()
    sketch.function("m:a")
    for callee in ("len", "dict.items", "len"):
        sketch.builtin_call("m:f", callee)
    assert sketch.graph().builtins_in(0) == []
    assert sketch.graph().builtins_in(1) == ["dict.items", "len"]


def test_a_row_is_found_by_its_exact_name() -> None:
    sketch = Sketch()
    sketch.function("m:f", context="one")
    sketch.function("m:f", context="two")
    sketch.function("m:<module>")
    sketch.class_row("m.C", "m.B")
    sketch.alias("n.f", "m.f")
    graph = sketch.graph()
    assert graph.functions_named("m.f") == [0, 1]
    assert graph.functions_named("f") == []
    assert graph.module_body("m") == 2
    assert [row.mro for row in graph.classes_named("m.C")] == [("m.C", "m.B")]
    assert (graph.alias("n.f"), graph.alias("n.g")) == ("m.f", None)


def test_only_the_sections_that_are_looked_at_are_loaded() -> None:
    sketch = Sketch()
    sketch.edge("m:a", "m:b")
    sections, loaded = pack(sketch.rows), []
    graph = CallGraph(lambda name: loaded.append(name) or sections[name])  # type: ignore[func-returns-value]
    assert list(graph.out_edges(0)) == [0]
    assert list(graph.out_edges(1)) == []
    assert loaded == ["out_start"]


def test_malformed_rest_is_refused() -> None:
    with pytest.raises(DeepgrepError, match="'meta' is malformed"):
        _ = CallGraph(lambda _: b"\xff\x00").sources


def test_what_many_call_sites_lead_to_is_kept_once() -> None:
    sketch = Sketch()
    for caller in range(20):
        for line in (1, 2):
            for callee in range(30):
                sketch.edge(f"m:f{caller}", f"m:C{callee}.g", line, requires=(f"m:C{callee}.__init__",))
    graph = sketch.graph()
    assert graph.edge_count == 20 * 2 * 30
    assert (len(graph.fan_callee), len(graph.fan_kind), len(graph.site_fan)) == (30, 1, 20)


def test_call_sites_of_other_callees_kinds_and_requirements_have_fans_of_their_own() -> None:
    sketch = Sketch()
    for caller, callee, certainty, needed in (
        ("m:a", "m:f", Certainty.FLOW, "m:x"),
        ("m:b", "m:f", Certainty.DISPATCH, "m:x"),
        ("m:c", "m:f", Certainty.FLOW, "m:y"),
        ("m:d", "m:g", Certainty.FLOW, "m:x"),
        ("m:e", "m:f", Certainty.FLOW, "m:x"),
    ):
        sketch.edge(caller, callee, certainty=certainty, requires=(needed,))
    graph = sketch.graph()
    fan_of = {
        name: list(graph.site_fan[graph.site_start[i] : graph.site_start[i + 1]])
        for name in "abcde"
        for i in [sketch.index(f"m:{name}")]
    }
    assert fan_of["e"] == fan_of["a"]
    assert len({tuple(fans) for fans in fan_of.values()}) == 4
