from sketch import Sketch

from deepgrep.graph.rows import Certainty, Guard
from deepgrep.graph.sure_calls import always_run


def test_what_stands_under_a_loop_or_a_with_is_always_run_and_under_an_if_is_not() -> None:
    is_run = always_run([-1, 0, -1, 2], ["for", "with", "if", "with"])
    assert [is_run(guard) for guard in (-1, 0, 1, 2, 3)] == [True, True, True, False, False]


def test_certain_calls_that_are_always_made_are_sure_each_once() -> None:
    sketch = Sketch()
    sketch.rows.guards.append(Guard(-1, "if", "x", 1))
    sketch.edge("m:f", "m:once", line=1)
    sketch.edge("m:f", "m:once", line=2)
    sketch.edge("m:f", "m:perhaps", guard=0)
    sketch.edge("m:f", "m:doubtful", certainty=Certainty.FLOW)
    sketch.edge("m:f", "m:needy", requires=("m:made",))
    graph, f = sketch.graph(), sketch.function("m:f")
    sure = range(graph.sure_start[f], graph.sure_start[f + 1])
    assert [(graph.sure_callee[i], bool(graph.sure_requires[i])) for i in sure] == [
        (sketch.function("m:once"), False),
        (sketch.function("m:needy"), True),
    ]


def test_importing_a_module_imports_its_packages_and_what_it_imports() -> None:
    sketch = Sketch()
    sketch.rows.guards.append(Guard(-1, "if", "x", 1))
    sketch.function("a:<module>")
    sketch.imports("a.b:<module>", "c")
    sketch.imports("a.b:<module>", "d", guard=0)
    graph = sketch.graph()
    place = list(graph.body_function).index(sketch.function("a.b:<module>"))
    imported = range(graph.body_start[place], graph.body_start[place + 1])
    assert {(graph.body_import[i], bool(graph.body_always[i])) for i in imported} == {
        (sketch.function("a:<module>"), True),
        (sketch.function("c:<module>"), True),
        (sketch.function("d:<module>"), False),
    }
