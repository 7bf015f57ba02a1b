"""What stands under `isinstance(x, C)` requires an instance of C."""

import pytest
from linked import link_sources

from deepgrep.questions.roots import resolve_root

_SOURCE = """
    class Tool: pass
    class Saw(Tool): pass
    class Native(m._native.Base): pass
    def make(): return Tool()
    def make_saw(): return Saw()
    def make_native(): return Native()
    def held(): return KEPT.value
    def step():
        x = held()
        {statements}
    def cut(): pass
    def root():
        {before}
        step()
"""


def reached(statements: str, before: str = "pass") -> bool:
    """Return whether `root` reaches `cut`, which `step` calls under some condition."""
    graph = link_sources(_SOURCE.format(statements=statements, before=before)).graph()
    return "m.cut" in {graph.function_names[f] for f in resolve_root(graph, "m.root").slice().order}


CONDITIONS = [
    "if isinstance(x, Saw): cut()",
    "if not isinstance(x, Saw): return\n        cut()",
    "isinstance(x, Saw) and cut()",
    "if isinstance(x.tool, Saw): cut()",
    "if isinstance(x, Saw) and x.good:\n            for y in x: cut()",
]


@pytest.mark.parametrize("statements", CONDITIONS)
def test_what_needs_an_instance_is_not_reached_without_one(statements: str) -> None:
    assert not reached(statements)


@pytest.mark.parametrize("statements", CONDITIONS)
@pytest.mark.parametrize("before", ["make_saw()", "x = Saw()"])
def test_it_is_where_one_is_made(statements: str, before: str) -> None:
    assert reached(statements, before)


@pytest.mark.parametrize(
    "statements",
    [
        "if not isinstance(x, Saw): cut()",
        "if isinstance(x, (Saw, dict)): cut()",
        "if isinstance(x, kinds()): cut()",
        "if isinstance(x, Saw) or x.good: cut()",
        "if isinstance(x, Saw): pass\n        cut()",
        "assert isinstance(x, Saw)\n        cut()",
        "if isinstance(x, Native): cut()",
    ],
)
def test_other_conditions_need_none(statements: str) -> None:
    assert reached(statements)


def test_one_of_several_classes_is_enough() -> None:
    assert reached("if isinstance(x, (Saw, Tool)): cut()", "make()")
    assert reached("if isinstance(x, (Saw, Tool)): cut()", "make_saw()")


def test_that_one_is_made_where_there_is_one_shows_nothing() -> None:
    source = """
        class Tool: pass
        class Wrapped(Tool):
            def __init__(self, tool): self.tool = tool
            def run(self): cut()
        def cut(): pass
        def make(): return Tool()
        def wrap(x):
            if isinstance(x, Tool): x = Wrapped(x)
            return x
        def use(x):
            if isinstance(x, Tool): cut()
        def run(x: Wrapped): x.run()
        def none(): wrap(HELD); use(HELD)
        def one(): make(); use(HELD)
        def wrapped(): make(); wrap(HELD); run(HELD)
        def not_wrapped(): wrap(HELD); run(HELD)
    """
    graph = link_sources(source).graph()

    def reaches(root: str) -> bool:
        return "m.cut" in {graph.function_names[f] for f in resolve_root(graph, root).slice().order}

    assert [reaches(root) for root in ("m.none", "m.one", "m.wrapped", "m.not_wrapped")] == [False, True, True, False]


def test_what_needs_an_imported_module_is_not_reached_before_it_is_imported() -> None:
    sources = {
        "pkg": "",
        "pkg.late": "def cut(): pass\ncut()\n",
        "pkg.user": """
import sys

def use():
    if "pkg.late" in sys.modules:
        import pkg.late
        pkg.late.cut()

def imports():
    import pkg.late
    use()
""",
    }
    graph = link_sources(sources).graph()

    def reaches(root: str) -> bool:
        return "pkg.late.cut" in {graph.function_names[f] for f in resolve_root(graph, root).slice().order}

    assert not reaches("pkg.user.use")
    assert reaches("pkg.user.imports")


def test_a_class_that_nothing_known_makes_may_have_an_instance() -> None:
    graph = link_sources("""
        class Tool: pass
        def cut(): pass
        def root():
            if isinstance(KEPT.value, Tool): cut()
    """).graph()
    assert "m.cut" in {graph.function_names[f] for f in resolve_root(graph, "m.root").slice().order}
