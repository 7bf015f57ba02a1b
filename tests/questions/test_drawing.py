from __future__ import annotations

from sketch import Sketch

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.drawing import drawing
from deepgrep.questions.reach import investigate


def draw(sketch: Sketch, root: str = "m.root", *, most: int | None = None) -> Drawing | None:
    return drawing(investigate(sketch.graph(), root, "_flag"), most=most)


def test_a_small_chop_is_drawn_whole() -> None:
    sketch = Sketch()
    sketch.edge("m:root", "p.n:C.set", line=4, certainty=Certainty.FLOW)
    sketch.edge("m:root", "p.n:C.set", line=2, via=Via.WITH)
    sketch.access("p.n:C.set", "m._flag", line=7)
    sketch.access("p.n:C.set", "m._flag", line=5)
    assert draw(sketch) == Drawing(
        root=0,
        targets=[1],
        functions=[
            DrawnFunction("m.root", "m", "root", "m.py", 1, chokepoint=False, accesses=[]),
            DrawnFunction("p.n.C.set", "p.n", "C.set", "p/n.py", 1, chokepoint=True, accesses=[5, 7]),
        ],
        edges=[ChopEdge(0, 1, [2, 4], Via.WITH, Certainty.CERTAIN)],
        left_out_functions=0,
        left_out_edges=0,
        best=[[0, 1]],
    )


def test_without_a_path_nothing_is_drawn() -> None:
    sketch = Sketch()
    sketch.function("m:root")
    sketch.access("m:set", "m._flag")
    assert draw(sketch) is None


def wide(count: int) -> Sketch:
    """A best path of three functions, and `count` detours that all end in one chokepoint."""
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:set")
    for i in range(count):
        sketch.chain("m:root", f"m:x{i}", f"m:y{i}", "m:set")
    sketch.access("m:set", "m._flag")
    return sketch


def test_a_large_chop_is_drawn_in_part_and_what_is_left_out_is_counted() -> None:
    picture = draw(wide(60))
    assert picture is not None
    assert [function.name for function in picture.functions] == ["m.root", "m.a", "m.set"]
    assert picture.left_out_functions == 123 - 3
    assert picture.left_out_edges == 182 - len(picture.edges)


def test_everything_is_drawn_if_asked_for() -> None:
    picture = draw(wide(60), most=10_000)
    assert picture is not None
    assert (len(picture.functions), len(picture.edges)) == (123, 182)
    assert (picture.left_out_functions, picture.left_out_edges) == (0, 0)


def test_the_best_path_is_drawn_whole_however_long() -> None:
    sketch = Sketch()
    sketch.chain("m:root", *(f"m:f{i}" for i in range(60)))
    sketch.access("m:f59", "m._flag")
    picture = draw(sketch)
    assert picture is not None
    assert (len(picture.functions), picture.left_out_functions) == (61, 0)


def bounded(sketch: Sketch, most: int) -> Drawing:
    picture = drawing(investigate(sketch.graph(), "m.root", "_flag"), most=most)
    assert picture is not None
    return picture


def test_up_to_a_number_of_functions_the_best_path_comes_first_and_then_the_shortest() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:a", "m:b", "m:c", "m:set")
    sketch.edge("m:root", "m:short", certainty=Certainty.FLOW)
    sketch.edge("m:short", "m:set", certainty=Certainty.FLOW)
    sketch.chain("m:root", "m:x", "m:y", "m:z", "m:z2", "m:set")
    sketch.access("m:set", "m._flag")
    picture = bounded(sketch, 6)
    assert {function.label for function in picture.functions} == {"root", "a", "b", "c", "set", "short"}
    assert (picture.left_out_functions, picture.left_out_edges) == (4, 5)
    assert [[picture.functions[i].label for i in path] for path in picture.best] == [["root", "a", "b", "c", "set"]]


def test_a_function_is_drawn_only_with_a_whole_path() -> None:
    sketch = Sketch()
    sketch.chain("m:root", "m:set")
    sketch.chain("m:root", "m:x", "m:y", "m:set")
    sketch.access("m:set", "m._flag")
    assert [function.label for function in bounded(sketch, 3).functions] == ["root", "set"]


def test_all_calls_between_the_functions_kept_are_drawn() -> None:
    sketch = wide(60)
    sketch.edge("m:x0", "m:a")
    picture = bounded(sketch, 7)
    labels = [function.label for function in picture.functions]
    assert len(labels) == 7
    assert (labels.index("x0"), labels.index("a")) in {(edge.caller, edge.callee) for edge in picture.edges}
    assert picture.left_out_functions == 123 - 7
    assert picture.left_out_edges == 183 - len(picture.edges)


def long_path(hops: int) -> Sketch:
    sketch = Sketch()
    sketch.chain("m:root", *(f"m:f{i}" for i in range(hops)))
    sketch.access(f"m:f{hops - 1}", "m._flag")
    return sketch


def test_of_a_very_long_path_one_node_stands_for_all_between_its_ends() -> None:
    picture = draw(long_path(500))
    assert picture is not None
    assert len(picture.functions) == 40
    assert [function.name for function in picture.functions[:2]] == ["m.root", "m.f0"]
    gap = len(picture.functions) - 1
    assert picture.functions[gap].label == "… 462 functions of this path …"
    assert [function.name for function in picture.functions[18:21]] == ["m.f17", "m.f18", "m.f481"]
    assert (picture.left_out_functions, picture.targets) == (501 - 39, [gap - 1])
    assert [(edge.caller, edge.callee) for edge in picture.edges if gap in (edge.caller, edge.callee)] == [
        (19, gap),
        (gap, 20),
    ]
    assert picture.best == [[*range(20), gap, *range(20, gap)]]
    assert not picture.is_too_long


def test_where_more_is_asked_for_a_longer_path_is_drawn_whole() -> None:
    picture = draw(long_path(500), most=1_000)
    assert picture is not None
    assert (len(picture.functions), picture.left_out_functions) == (501, 0)


def test_no_drawing_shows_all_of_a_path_of_thousands() -> None:
    picture = draw(long_path(2_100), most=10_000)
    assert picture is not None
    assert len(picture.functions) == 40
    assert picture.is_too_long
