from __future__ import annotations

import msgspec
from sketch import Sketch

from deepgrep.graph.rows import AccessKind, Certainty, Via
from deepgrep.questions.export import export_graph
from deepgrep.questions.pycg import export_pycg


def test_the_graph_is_exported_in_the_documented_format() -> None:
    sketch = Sketch()
    sketch.function("m:a", line=3)
    sketch.function("m:b", line=5, context="of C")
    sketch.edge("m:a", "m:c", line=4, via=Via.WITH, certainty=Certainty.DISPATCH, requires=("m:a",))
    sketch.edge("m:c", "m:a", line=8)
    sketch.blind_spot("m:a", "self.fn", "fn", line=6)
    assert msgspec.to_builtins(export_graph(sketch.graph())) == {
        "schema": "deepgrep-callgraph/1",
        "sources": [{"name": "m", "version": "1.0", "commit": "", "digest": "d1"}],
        "functions": [
            {"name": "m.a", "file": "m.py", "qualname": "a", "line": 3},
            {"name": "m.b", "file": "m.py", "qualname": "b", "line": 5, "context": "of C"},
            {"name": "m.c", "file": "m.py", "qualname": "c", "line": 1},
        ],
        "edges": [
            {"caller": 0, "callee": 2, "line": 4, "via": "with", "certainty": "dispatch", "requires": (0,)},
            {"caller": 2, "callee": 0, "line": 8, "via": "call", "certainty": "certain"},
        ],
        "blind_spots": [{"caller": 0, "line": 6, "expression": "self.fn", "reason": "parameter"}],
    }


def test_what_comes_through_relays_is_exported_besides_once_for_each_function() -> None:
    sketch = Sketch()
    sketch.function("n:<operation>", line=0)
    sketch.function("n:<number>", line=0)
    sketch.function("m:a", line=3)
    sketch.edge("m:a", "n:<operation>", line=4, via=Via.NATIVE)
    sketch.edge("m:a", "n:<operation>", line=5, via=Via.NATIVE)
    sketch.edge("n:<operation>", "m:b", line=0, via=Via.NATIVE, certainty=Certainty.FLOW, requires=("m:a",))
    sketch.edge("n:<operation>", "n:<number>", line=0, via=Via.NATIVE)
    sketch.edge("n:<number>", "m:c", line=0, via=Via.NATIVE, certainty=Certainty.FLOW)
    exported = msgspec.to_builtins(export_graph(sketch.graph()))
    names = [f["name"] for f in exported["functions"]]
    through = {"caller": names.index("m.a"), "line": 4, "via": "native", "certainty": "flow"}
    assert {"n.<operation>", "n.<number>"} <= set(names)
    assert {**through, "callee": names.index("m.b"), "requires": (names.index("m.a"),)} in exported["edges"]
    assert exported["edges"].count({**through, "callee": names.index("m.c")}) == 1
    assert export_pycg(sketch.graph()) == {"m.a": ["m.b", "m.c"], "m.b": [], "m.c": []}


def test_pycg_names_are_modules_functions_and_builtins_without_imports() -> None:
    sketch = Sketch()
    sketch.edge("main:<module>", "main:C.run")
    sketch.edge("main:C.run", "main:C.run.<locals>.inner")
    sketch.imports("main:<module>", "other")
    sketch.builtin_call("main:C.run", "print")
    sketch.builtin_call("main:C.run", "dict.items")
    sketch.access("main:C.run", "os.getcwd", access=AccessKind.CALL)
    sketch.access("main:C.run", "main.FLAG", access=AccessKind.WRITE)
    sketch.native_exit("main:C.run", "torch._C.x")
    assert export_pycg(sketch.graph()) == {
        "main": ["main.C.run"],
        "main.C.run": ["<builtin>.print", "<dict>.items", "main.C.run.inner", "os.getcwd", "torch._C.x"],
        "main.C.run.inner": [],
        "other": [],
    }


def test_pycg_numbers_lambdas_in_their_scope_in_source_order() -> None:
    sketch = Sketch()
    sketch.function("main:<lambda>", line=9)
    sketch.again("main:<lambda>", line=2)
    sketch.function("main:f.<locals>.<lambda>", line=5)
    sketch.function("main:<lambda>.<locals>.<lambda>", line=9)
    graph = sketch.graph()
    assert sorted(export_pycg(graph)) == [
        "main.<lambda1>",
        "main.<lambda2>",
        "main.<lambda2>.<lambda1>",
        "main.f.<lambda1>",
    ]


def test_pycg_has_one_name_for_all_contexts_of_a_lambda() -> None:
    sketch = Sketch()
    sketch.edge("main:f", "main:<lambda>")
    sketch.function("main:<lambda>", context="other")
    sketch.function("main:<lambda>", line=3, context="third")
    assert sorted(export_pycg(sketch.graph())) == ["main.<lambda1>", "main.<lambda2>", "main.f"]
