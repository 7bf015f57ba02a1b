from __future__ import annotations

import pytest
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import RootRef
from deepgrep.questions.roots import Root, resolve_root


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    for module in ("a", "a.b", "a.b.c", "d"):
        sketch.function(f"{module}:<module>")
    sketch.function("a:f", line=4)
    sketch.state("a._flag")
    sketch.state("a._C.set", kind="function")
    return sketch


def imports(sketch: Sketch, root: Root) -> list[tuple[str, int]]:
    return [(sketch.rows.functions[body].name, line) for body, line in root.imports]


def test_a_function_is_a_root() -> None:
    sketch = Sketch()
    sketch.function("a:f", line=4)
    assert resolve_root(sketch.graph(), "f") == Root(RootRef("a.f", "a.py", 4), (0,))


def test_a_class_as_root_means_its_construction_and_says_so() -> None:
    sketch = Sketch()
    sketch.function("a:Base.__init__")
    sketch.class_row("a.C", "a.Base")
    root = resolve_root(sketch.graph(), "C")
    assert (root.ref, root.functions) == (RootRef("a.C", "a.py", 2), (0,))
    assert root.notes == ("a.C is a class: the root is its construction, a.Base.__init__",)


def test_a_class_that_runs_nothing_when_constructed_is_no_root() -> None:
    sketch = Sketch()
    sketch.class_row("a.C")
    with pytest.raises(DeepgrepError, match=r"class a\.C has no __init__ .*name one of its methods"):
        resolve_root(sketch.graph(), "C")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import a", [("a.<module>", 1)]),
        ("import a.b", [("a.<module>", 1), ("a.b.<module>", 1)]),
        ("import a.b as x\nimport d", [("a.<module>", 1), ("a.b.<module>", 1), ("d.<module>", 2)]),
        ("from a import f", [("a.<module>", 1)]),
        ("import d; from a.b import c", [(f"{m}.<module>", 1) for m in ("d", "a", "a.b", "a", "a.b", "a.b.c")]),
    ],
)
def test_an_import_runs_packages_and_modules_in_order(
    sketch: Sketch, code: str, expected: list[tuple[str, int]]
) -> None:
    root = resolve_root(sketch.graph(), code)
    assert imports(sketch, root) == expected
    assert root.ref == RootRef("<root>", "<root>", 1)


def test_before_imports_nothing_has_run(sketch: Sketch) -> None:
    sketch.imports("a:<module>", "d")
    graph = sketch.graph()
    assert sketch.names(resolve_root(graph, "import a").slice(graph).order) == ["a.<module>", "d.<module>"]


def test_an_import_from_outside_the_sources_is_noted(sketch: Sketch) -> None:
    root = resolve_root(sketch.graph(), "import os, a")
    assert imports(sketch, root) == [("a.<module>", 1)]
    assert root.notes == ("os is outside the analyzed sources: what its import runs is not known",)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import a.x", "there is no module a.x in the analyzed sources"),
        ("import os", "imports nothing of the analyzed sources: add theirs with --source DIR"),
        ("from . import a", "a relative import has no meaning in a root"),
        ("a.f(1)", "code other than imports is not supported as a root yet: name the function that it calls"),
        ("import a\na.f(1)", "code other than imports is not supported as a root yet"),
        ("a f", r"'a f' is neither a name nor Python code \(invalid syntax\): name a function"),
        ("train.py", "a file as the root is not supported yet: name the function that it calls"),
        ("nope", "nothing is named 'nope'"),
        ("_flag", r"a\._flag is a module global: it can be the target, but the root must be analyzed code"),
        ("_C.set", r"a\._C\.set is a function whose source is not analyzed: it can be the target"),
    ],
)
def test_what_cannot_be_a_root_says_what_to_do(sketch: Sketch, code: str, message: str) -> None:
    with pytest.raises(DeepgrepError, match=message):
        resolve_root(sketch.graph(), code)
