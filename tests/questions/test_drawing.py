from __future__ import annotations

from sketch import Sketch

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.drawing import drawing
from deepgrep.questions.reach import investigate


def draw(sketch: Sketch, root: str = "m.root", *, everything: bool = False) -> Drawing | None:
    return drawing(investigate(sketch.graph(), root, "_flag"), everything=everything)


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
    picture = draw(wide(60), everything=True)
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
