from itertools import pairwise

import pytest
from sketch import Sketch

from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.kinds import KINDS
from deepgrep.graph.own_call import with_own_calls
from deepgrep.graph.rows import Certainty, Via


def walked(graph: CallGraph, function: int) -> list[tuple[int, Via, Certainty]]:
    edges = range(graph.walk_start[function], graph.walk_start[function + 1])
    return [(graph.walk_callee[edge], *KINDS[graph.walk_kind[edge]]) for edge in edges]


def test_of_edges_to_the_same_function_the_first_and_least_doubtful_is_walked() -> None:
    sketch = Sketch()
    sketch.edge("m:a", "m:b", line=3)
    sketch.edge("m:a", "m:b", line=5)
    sketch.edge("m:a", "m:b", line=7, certainty=Certainty.FLOW)
    sketch.edge("m:a", "m:c", certainty=Certainty.FLOW)
    b, c = sketch.function("m:b"), sketch.function("m:c")
    assert walked(sketch.graph(), sketch.function("m:a")) == [
        (b, Via.CALL, Certainty.CERTAIN),
        (c, Via.CALL, Certainty.FLOW),
    ]


def test_a_later_edge_that_costs_less_is_walked_too() -> None:
    sketch = Sketch()
    sketch.edge("m:a", "m:b", via=Via.PROCESS)
    sketch.edge("m:a", "m:b", certainty=Certainty.FLOW)
    assert [via for _, via, _ in walked(sketch.graph(), sketch.function("m:a"))] == [Via.PROCESS, Via.CALL]


def tangle() -> Sketch:
    """Functions that lead to each other over plain edges and call sites, some of both, and one site that two share."""
    sketch = Sketch()
    sketch.chain("m:a", "m:b", "m:c", "m:a")
    sketch.edge("m:a", "m:c", certainty=Certainty.FLOW)
    for caller in ("m:a", "m:b"):
        for callee in ("m:c", "m:d", "m:e"):
            sketch.edge(caller, callee, line=9, certainty=Certainty.DISPATCH, requires=("m:made",))
    sketch.edge("m:b", "m:d", line=11, requires=("m:made",))
    sketch.edge("m:d", "m:a")
    sketch.imports("m:<module>", "n")
    return sketch


@pytest.mark.parametrize("has_own_calls", [False, True])
def test_what_leads_back_is_what_leads_there(has_own_calls: bool) -> None:
    sketch = tangle()
    graph = sketch.graph()
    if has_own_calls:
        graph, _ = with_own_calls(graph, [sketch.function("m:a"), sketch.function("m:b")])
    back = zip(pairwise(graph.back_start), range(graph.function_count), strict=True)
    found = {(caller, f) for (start, end), f in back for caller in graph.back_caller[start:end]}
    for callee, (start, end) in enumerate(pairwise(graph.led_start)):
        for fan in graph.led_fan[start:end]:
            having = graph.having_function[graph.having_start[fan] : graph.having_start[fan + 1]]
            found |= {(caller, callee) for caller in having}
    every = {(f, graph.edge_callee[edge]) for f in range(graph.function_count) for edge in graph.out_edges(f)}
    assert found == every


@pytest.mark.parametrize("has_own_calls", [False, True])
def test_functions_that_come_to_something_in_two_ways_are_marked(has_own_calls: bool) -> None:
    sketch = tangle()
    a, b = sketch.function("m:a"), sketch.function("m:b")
    graph = sketch.graph()
    marked = {a, b}
    if has_own_calls:
        graph, own = with_own_calls(graph, [a, b])
        marked |= {*own}
    assert {function for function, is_marked in enumerate(graph.walk_overlaps) if is_marked} == marked
