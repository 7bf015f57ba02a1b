from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sketch import Sketch

from deepgrep.graph.backward import backward_slice, could_reach
from deepgrep.graph.history import History, imported_before
from deepgrep.graph.rows import Certainty, Via
from deepgrep.graph.slices import ForwardSlice, forward_slice


def forward(sketch: Sketch, root: str) -> ForwardSlice:
    graph = sketch.graph()
    starts = (sketch.index(root),)
    return forward_slice(graph, starts, History(graph, imported_before(graph, starts)))


def reached(sketch: Sketch, root: str) -> set[str]:
    return set(sketch.names(forward(sketch, root).order))


def test_everything_called_is_reached_nearest_first() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b")
    sketch.chain("m:other", "m:root")
    assert sketch.names(forward(sketch, "m:root").order) == ["m.root", "m.a", "m.b"]


def test_an_edge_is_not_taken_while_nothing_it_requires_is_reached() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:C.f", requires=("m:make",))
    assert reached(sketch, "m:root") == {"m.root"}


def test_an_edge_is_taken_once_one_of_what_it_requires_is_reached_before_or_after() -> None:
    for first, second in (("m:C.f", "m:make"), ("m:make", "m:C.f")):
        sketch = Sketch()
        for callee in (first, second):
            sketch.edge("m:root", callee, requires=("m:make", "m:never") if callee == "m:C.f" else ())
        assert reached(sketch, "m:root") == {"m.root", "m.make", "m.C.f"}


def test_what_a_required_edge_leads_to_can_meet_another_requirement() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:last", requires=("m:second",))
    sketch.edge("m:root", "m:second", requires=("m:first",))
    sketch.edge("m:root", "m:first")
    assert "m.last" in reached(sketch, "m:root")


def test_two_edges_cannot_meet_each_others_requirement() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:a", requires=("m:b",))
    sketch.edge("m:root", "m:b", requires=("m:a",))
    assert reached(sketch, "m:root") == {"m.root"}


def test_the_modules_that_importing_the_roots_module_ran_do_not_run_again() -> None:
    sketch = Sketch()
    sketch.function("p:<module>")
    sketch.imports("p.m:<module>", "n")
    sketch.imports("p.m:root", "p.m", "n", "p", "q")
    assert reached(sketch, "p.m:root") == {"p.m.root", "q.<module>"}


def test_a_module_imported_under_a_condition_or_in_a_function_may_not_have_run() -> None:
    sketch = Sketch()
    sketch.imports("m:<module>", "n", guard=sketch.guard("FLAG"))
    sketch.imports("m:root", "n", "q")
    sketch.imports("m:other", "q")
    assert reached(sketch, "m:root") == {"m.root", "n.<module>", "q.<module>"}


def test_a_module_imported_after_a_check_that_may_raise_has_run() -> None:
    sketch = Sketch()
    sketch.imports("m:<module>", "n", guard=sketch.guard("not (BROKEN)", kind="return"))
    sketch.imports("m:root", "n", "q")
    assert reached(sketch, "m:root") == {"m.root", "q.<module>"}


def test_before_a_module_body_nothing_has_run() -> None:
    sketch = Sketch()
    sketch.imports("m:<module>", "n")
    sketch.imports("n:<module>", "m")
    assert reached(sketch, "m:<module>") == {"m.<module>", "n.<module>"}


def test_what_the_import_of_the_roots_module_certainly_made_meets_requirements() -> None:
    for certainty, expected in ((Certainty.CERTAIN, True), (Certainty.FLOW, False)):
        sketch = Sketch()
        sketch.edge("m:<module>", "m:C.__init__", via=Via.CONSTRUCT, certainty=certainty)
        sketch.edge("m:root", "m:C.f", requires=("m:C.__init__",))
        assert ("m.C.f" in reached(sketch, "m:root")) is expected


def test_what_the_import_made_only_in_some_case_meets_no_requirement() -> None:
    for kind, expected in (("if", False), ("else", False), ("except", False), ("for", True), ("with", True)):
        sketch = Sketch()
        guard = sketch.guard("FLAG", kind=kind)
        sketch.edge("m:<module>", "m:C.__init__", via=Via.CONSTRUCT, guard=guard)
        sketch.edge("m:root", "m:C.f", requires=("m:C.__init__",))
        assert ("m.C.f" in reached(sketch, "m:root")) is expected, kind


def test_what_a_module_makes_that_is_imported_under_an_if_exists() -> None:
    sketch = Sketch()
    sketch.imports("m:<module>", "n", guard=sketch.guard("is_available()"))
    sketch.edge("n:<module>", "n:C.__init__", via=Via.CONSTRUCT)
    sketch.edge("m:root", "n:C.f", requires=("n:C.__init__",))
    assert "n.C.f" in reached(sketch, "m:root")


def test_the_backward_slice_holds_only_what_can_be_taken() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:goal")
    sketch.edge("m:root", "m:b")
    sketch.edge("m:b", "m:goal", requires=("m:never",))
    sketch.edge("m:unreached", "m:goal")
    inside = backward_slice(sketch.graph(), [sketch.index("m:goal")], forward(sketch, "m:root"))
    assert sketch.names(i for i, is_in in enumerate(inside) if is_in) == ["m.root", "m.a", "m.goal"]


def could(sketch: Sketch, root: str, goal: str) -> set[str]:
    inside = could_reach(sketch.graph(), [sketch.index(goal)], forward(sketch, root))
    return set(sketch.names(i for i, is_in in enumerate(inside) if is_in))


def test_beyond_the_root_requirements_count_as_met() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.edge("m:f", "m:goal", requires=("m:never",))
    assert could(sketch, "m:root", "m:goal") == {"m.goal", "m.f"}


def test_what_would_meet_the_requirement_that_stops_the_root_could_reach_too() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "m:goal", requires=("m:make",))
    sketch.edge("m:f", "m:make")
    assert could(sketch, "m:root", "m:goal") == {"m.goal", "m.root", "m.make", "m.f"}


def test_beyond_the_root_a_module_that_has_run_is_still_not_run_again() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.edge("m:<module>", "m:goal")
    sketch.imports("n:f", "m")
    assert could(sketch, "m:root", "m:goal") == {"m.goal", "m.<module>"}


class Counted(Sequence[int]):
    """A column that counts the numbers that are taken out of it."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.taken = 0

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        found = self.numbers[index]
        self.taken += len(found) if isinstance(index, slice) else 1
        return found


def test_what_many_call_sites_lead_to_is_looked_at_once() -> None:
    sketch = Sketch()
    functions = [f"m:f{i}" for i in range(50)]
    sketch.chain("m:root", "m:make", *functions)
    methods = [f"m:C{i}.g" for i in range(40)]
    for function in functions:
        for method in methods:
            sketch.edge(function, method, requires=("m:make",))
    graph = sketch.graph()
    graph.__dict__["fan_callee"] = column = Counted(graph.fan_callee)
    graph.__dict__["walk_callee"] = edges = Counted(graph.walk_callee)
    root = (sketch.index("m:root"),)
    found = forward_slice(graph, root, History(graph, ()))
    assert set(sketch.names(found.order)) >= {method.replace(":", ".") for method in methods}
    assert column.taken == len(methods)
    assert edges.taken == len(functions) + 1
    inside = backward_slice(graph, [sketch.index("m:C7.g")], found)
    assert sum(inside) == len(functions) + 3
    assert column.taken == 2 * len(methods)
