from __future__ import annotations

import pytest
from linked import link_sources
from sketch import Sketch

from deepgrep.errors import DeepgrepError
from deepgrep.graph.restriction import Assumptions, Restriction
from deepgrep.questions.answers import RootRef
from deepgrep.questions.held import held_functions
from deepgrep.questions.roots import resolve_root


@pytest.fixture
def sketch() -> Sketch:
    sketch = Sketch()
    sketch.function("a:f", line=4)
    sketch.state("a._flag")
    sketch.state("a._C.set", kind="function")
    return sketch


def test_a_function_is_a_root() -> None:
    sketch = Sketch()
    sketch.function("a:f", line=4)
    root = resolve_root(sketch.graph(), "f")
    assert (root.ref, root.functions, root.imported) == (RootRef("a.f", "a.py", 4), (0,), ("a",))


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
    ("code", "message"),
    [
        ("  ", "the root is empty: give a function"),
        ("nope", "nothing is named 'nope'"),
        ("_flag", r"a\._flag is a module global: it can be the target, but the root must be analyzed code"),
        ("_C.set", r"a\._C\.set is a function whose source is not analyzed: it can be the target"),
    ],
)
def test_what_cannot_be_a_root_says_what_to_do(sketch: Sketch, code: str, message: str) -> None:
    with pytest.raises(DeepgrepError, match=message):
        resolve_root(sketch.graph(), code)


def test_instead_of_a_state_the_functions_that_are_called_so_are_named() -> None:
    sketch = Sketch()
    sketch.function("m.random:seed")
    sketch.access("m:f", "m.seed")
    with pytest.raises(DeepgrepError, match=r"the root must be analyzed code, such as m\.random\.seed$"):
        resolve_root(sketch.graph(), "m.seed")


def test_a_name_that_other_code_binds_anew_means_the_function_that_its_module_imported() -> None:
    graph = link_sources(
        {
            "lib": "from lib.random import seed",
            "lib.random": "def seed(): pass",
            "lib.patch": """
                import lib

                def wrapped(function):
                    def inner(): function()
                    return inner

                lib.seed = wrapped(lib.seed)
            """,
        }
    ).graph()
    root = resolve_root(graph, "lib.seed")
    assert root.ref.name == "lib.random.seed"
    assert root.notes == ("lib.seed can hold several functions: the root is lib.random.seed, which it was defined as",)


def test_a_class_attribute_that_holds_a_method_means_that_method() -> None:
    graph = link_sources(
        {
            "lib": """
                from typing import Callable

                class C:
                    def _call_impl(self): pass
                    __call__: Callable = _call_impl

                class D(C): pass

                def patch(function):
                    C.__call__ = function
            """
        }
    ).graph()
    assert resolve_root(graph, "C.__call__").ref.name == "lib.C._call_impl"
    assert held_functions(graph, "lib.D.__call__") == tuple(graph.functions_named("lib.C._call_impl"))


def test_a_state_that_holds_no_function_is_no_root() -> None:
    graph = link_sources({"lib": "flag = False\n\ndef f():\n    global flag\n    flag = True"}).graph()
    with pytest.raises(DeepgrepError, match=r"lib\.flag is a module global: it can be the target"):
        resolve_root(graph, "lib.flag")


_DECORATED = """
    import functools
    FLAG = False
    def logged(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            note()
            return fn(*args)
        return wrapper
    def counted(fn):
        def count(*args): return fn(*args)
        return count
    def note():
        global FLAG
        FLAG = True
    @counted
    @logged
    def f(): pass
    @logged
    def g(): pass
    def plain(): pass
"""


def test_the_root_is_what_the_decorators_make_of_a_function_too() -> None:
    graph = link_sources(_DECORATED).graph()
    root = resolve_root(graph, "f")
    reached = {graph.function_names[f] for f in root.slice().order}
    assert {"m.f", "m.logged.<locals>.wrapper", "m.counted.<locals>.count", "m.note"} <= reached
    assert root.notes[-1].startswith("m.f is decorated: the root is also what is called under its name, m.")
    assert resolve_root(graph, "plain").wrappers == ()


def test_where_something_is_assumed_of_a_decorated_root_its_own_call_is_meant() -> None:
    graph = link_sources(_DECORATED).graph()
    reached = resolve_root(graph, "g").slice(Restriction(assumptions=Assumptions()))
    assert {graph.function_names[f] for f in reached.order} == {"m.g"}


OBJECT = """
    class Tool:
        def run(self): pass
    class Holder:
        def __init__(self): self.tool = Tool()
        def go(self): self.tool.run()
        @staticmethod
        def help(): HELD.run()
    HELD: Tool
"""


def test_what_the_constructor_of_its_object_makes_exists_for_a_method() -> None:
    root = resolve_root(link_sources(OBJECT).graph(), "Holder.go")
    assert {root.graph.function_names[f] for f in root.slice().order} == {"m.Holder.go", "m.Tool.run"}


def test_a_function_that_is_called_on_no_object_shows_nothing_of_its_constructor() -> None:
    root = resolve_root(link_sources(OBJECT).graph(), "Holder.help")
    assert {root.graph.function_names[f] for f in root.slice().order} == {"m.Holder.help"}


_HANDED = """
    import abc
    class Tool:
        def run(self): pass
    class Saw(Tool):
        def run(self): pass
    class Task(abc.ABC):
        @abc.abstractmethod
        def do(self): pass
    class Cut(Task):
        def do(self): cut()
    def cut(): pass
    TOOLS: list[Tool]
    def texts(): "".join(TOOLS).x = Tool()
    def make_tool(): Tool()
    def make_saw(): Saw()
    def make_cut(): Cut()
    def f({parameters}): {statement}
"""


@pytest.mark.parametrize(
    ("parameters", "statement", "reached"),
    [
        ("tool: Tool", "tool.run()", {"Tool.run"}),
        ("tool: 'Tool | None' = None", "tool.run()", {"Tool.run"}),
        ("tools: list[Tool]", "[tool.run() for tool in tools]", {"Tool.run"}),
        ("saw: Saw", "Tool.run(saw)", {"Tool.run"}),
        ("name: str", "[tool.run() for tool in TOOLS]", set()),
        ("tool", "isinstance(tool, Tool) and tool.run()", {"Tool.run"}),
        ("tool", "isinstance(tool, Saw) and cut()", {"cut"}),
        ("task: Task", "task.do()", {"Cut.do", "Task.do", "cut"}),
    ],
)
def test_what_a_function_is_declared_to_be_handed_exists(parameters: str, statement: str, reached: set[str]) -> None:
    root = resolve_root(link_sources(_HANDED.format(parameters=parameters, statement=statement)).graph(), "m.f")
    names = {root.graph.function_names[f].removeprefix("m.") for f in root.slice().order}
    assert names == {"f", *reached}


def test_what_is_assumed_to_be_a_constant_is_no_object() -> None:
    graph = link_sources(_HANDED.format(parameters="tool: Tool = None", statement="tool.run()")).graph()
    reached = resolve_root(graph, "m.f").slice(Restriction(assumptions=Assumptions({"tool": None})))
    assert {graph.function_names[f] for f in reached.order} == {"m.f"}
