"""Roots that are code: linked on top of a small library, then asked about."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from linked import link_sources

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.graph.rows import Via
from deepgrep.questions.answers import ReachAnswer, RootRef, Verdict
from deepgrep.questions.drawing import drawing
from deepgrep.questions.filters import Filters
from deepgrep.questions.grep import grep
from deepgrep.questions.neighbours import callees
from deepgrep.questions.patterns import patterns
from deepgrep.questions.reach import investigate, reach
from deepgrep.questions.roots import resolve_root

LIBRARY = {
    "lib": """
        from lib.core import Base, passes, run, wrap
        started = False
        def start():
            global started
            started = True
        start()
    """,
    "lib.core": """
        import contextlib
        flag = False
        def write(value):
            global flag
            flag = value
        def run(function):
            return function()
        def wrap(function):
            def inner(*args):
                write(True)
                return function(*args)
            return inner
        def passes(function):
            return function
        def plain(function):
            def call():
                return function()
            return call
        @plain
        def loud():
            write(True)
        @plain
        def silent():
            pass
        @contextlib.contextmanager
        def flagged():
            write(True)
            yield
        class Base:
            hook = None
            def __call__(self, value):
                return self.forward(value)
            def forward(self, value):
                pass
            def eval(self):
                return self.train()
            def train(self):
                return self
        class Writer(Base):
            def forward(self, value):
                write(value)
        def writer():
            return Writer()
    """,
    "lib.config": """
        import sys
        from lib.core import write
        limit = 1
        class Config:
            def __setattr__(self, name, value):
                write(value)
        sys.modules[__name__].__class__ = Config
    """,
    "lib.native": """
        import lib._C
        def use():
            lib._C.call()
    """,
    "lib.hooks": """
        from lib.core import write
        hooks = []
        def install():
            def hook():
                write(True)
            hooks.append(hook)
        def run_hooks():
            for hook in hooks:
                hook()
    """,
    "lib.quiet": """
        def nothing(): pass
        def start(): pass
    """,
}


@pytest.fixture(scope="module")
def graph() -> CallGraph:
    return link_sources(LIBRARY).graph()


def called(graph: CallGraph, code: str) -> set[str]:
    """What code calls itself, directly."""
    return {row.name for row in callees(graph, dedent(code)).functions}


def reached(graph: CallGraph, code: str) -> set[str]:
    return {row.name for row in callees(graph, dedent(code), None).functions}


def ask(graph: CallGraph, code: str, target: str = "lib.core.flag") -> ReachAnswer:
    return reach(graph, dedent(code), target)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("lib.core.write(1)", {"lib.core.write"}),
        ("import lib.core as c; c.write(1)", {"lib.core.write"}),
        ("with lib.core.flagged(): pass", {"lib.core.flagged"}),
        ("lib.config.limit = 8", {"lib.config.Config.__setattr__"}),
        ("lib.core.Writer()(1)", {"lib.core.Base.__call__"}),
        ("lib.core.Writer().eval()(1)", {"lib.core.Base.eval", "lib.core.Base.__call__"}),
        ("lib.wrap(f)(x)", {"lib.core.wrap", "lib.core.wrap.<locals>.inner"}),
        ("Writer()(1)", {"lib.core.Base.__call__"}),
        ("from lib import *\nrun(f)", {"lib.core.run"}),
    ],
)
def test_code_calls_what_it_would_in_a_module_of_its_own(graph: CallGraph, code: str, expected: set[str]) -> None:
    assert called(graph, code) == expected


def test_a_path_begins_with_the_code_and_its_line(graph: CallGraph) -> None:
    answer = ask(graph, "a = 1\nlib.core.write(a)")
    assert (answer.verdict, answer.root) == (Verdict.REACHES, RootRef("<root>", "<root>", 1))
    (path,) = answer.paths
    assert [(hop.function, hop.file, hop.call_line) for hop in path.hops] == [
        ("<root>", "<root>", 2),
        ("lib.core.write", "lib/core.py", 6),
    ]
    assert answer.chop.functions == ["<root>", "lib.core.write"]
    assert answer.chokepoints == ["lib.core.write"]


def test_functions_of_the_code_are_part_of_the_path(graph: CallGraph) -> None:
    answer = ask(graph, "def f():\n  if flag: lib.core.write(1)\nlib.run(f)")
    hops = answer.paths[0].hops
    assert [(hop.function, hop.call_line, hop.via) for hop in hops[:2]] == [
        ("<root>", 3, Via.CALLBACK),
        ("<root>.f", 2, Via.CALL),
    ]
    assert hops[1].conditions == ["flag"]


@pytest.mark.parametrize(
    "code",
    [
        "lib.run(f)",
        "lib.run(lambda: f())",
        "lib.core.Base.hook = f",
        "lib.core.Base().hook = f",
        "lib.core.anything = f",
        "lib.run([f])",
        "lib.run({'x': f})",
        "import functools\nlib.run(functools.partial(f, 1))",
        "class C:\n  def m(self): f()\nlib.run(C().m)",
        "class C:\n  def m(self): f()\nlib.run(C())",
        "@lib.wrap\ndef g(): f()",
    ],
)
def test_what_is_handed_to_the_library_may_be_called(graph: CallGraph, code: str) -> None:
    assert "lib.core.write" in reached(graph, f"def f(): lib.core.write(1)\n{code}")


def test_what_is_not_handed_over_nor_called_is_not_reached(graph: CallGraph) -> None:
    assert "lib.core.write" not in reached(graph, "def f(): lib.core.write(1)\nlib.run(g)\nh = f")


def test_a_method_that_overrides_one_of_the_library_may_be_called_once_an_instance_is_made(graph: CallGraph) -> None:
    code = """
        class Net(lib.core.Base):
            def forward(self, value): lib.core.write(value)
            def other(self): lib.quiet.nothing()
    """
    assert "lib.core.write" not in reached(graph, code)
    rows = {row.name: row.certainty for row in callees(graph, dedent(code) + "Net()").functions}
    assert rows["<root>.Net.forward"] == "dispatch"


def test_the_code_makes_instances_that_edges_of_the_library_require(graph: CallGraph) -> None:
    assert "lib.core.write" in reached(graph, "m = lib.core.Writer()\nm(1)")
    code = "class Net(lib.core.Base): pass\nNet()(1)"
    assert "lib.core.write" not in reached(graph, code)
    assert "lib.core.write" in reached(graph, code + "\nlib.core.Writer()")


@pytest.mark.parametrize("call", ["lib.hooks.run_hooks()", "for hook in lib.hooks.hooks: hook()"])
def test_a_nested_function_of_the_library_is_called_once_the_code_leads_to_what_makes_it(
    graph: CallGraph, call: str
) -> None:
    hook = "lib.hooks.install.<locals>.hook"
    assert hook not in reached(graph, call)
    assert hook in reached(graph, f"lib.hooks.install()\n{call}")


def test_a_function_that_is_given_back_is_the_one_that_was_passed(graph: CallGraph) -> None:
    assert called(graph, "@lib.passes\ndef f(): pass\nf()") == {"lib.core.passes", "<root>.f"}


def test_a_decorated_function_is_called_with_the_wrapper_that_was_made_for_it(graph: CallGraph) -> None:
    assert reached(graph, "lib.core.silent()") == {"lib.core.plain.<locals>.call", "lib.core.silent"}
    assert "lib.core.write" in reached(graph, "lib.core.loud()")


def test_what_the_code_writes_itself_counts(graph: CallGraph) -> None:
    answer = ask(graph, "lib.core.flag = True")
    assert answer.verdict is Verdict.REACHES
    assert [(row.file, row.line, row.reached) for row in answer.accesses] == [
        ("<root>", 1, True),
        ("lib/core.py", 6, False),
    ]


def test_a_state_that_only_the_code_touches_can_be_the_target(graph: CallGraph) -> None:
    assert ask(graph, "lib.core.brand_new = 1", "lib.core.brand_new").verdict is Verdict.REACHES


def test_imports_alone_run_the_modules(graph: CallGraph) -> None:
    answer = ask(graph, "import lib.quiet", "lib.started")
    assert answer.verdict is Verdict.REACHES
    assert [hop.function for hop in answer.paths[0].hops] == ["<root>", "lib.<module>", "lib.start"]
    assert "lib.core.<module>" in reached(graph, "import lib.quiet")


def test_the_imports_of_code_that_does_more_have_happened_before(graph: CallGraph) -> None:
    code = "import lib\nlib.quiet.nothing()"
    assert reached(graph, code) == {"lib.quiet.nothing"}
    assumptions = ask(graph, f"{code}\nlib.core.flag = True").assumptions
    assert any("have been imported: the " in said for said in assumptions)


def test_where_only_its_imports_lead_to_the_target_they_are_followed(graph: CallGraph) -> None:
    answer = ask(graph, "import lib\nlib.quiet.nothing()", "lib.started")
    assert answer.verdict is Verdict.REACHES
    assert [hop.function for hop in answer.paths[0].hops] == ["<root>", "lib.<module>", "lib.start"]


def test_names_that_nothing_binds_are_told(graph: CallGraph) -> None:
    notes = ask(graph, "lib.run(f)(x)").notes
    assert "f, x: not bound by the code, so nothing is known of what that is" in notes
    assert "Writer is taken to be lib.core.Writer" in ask(graph, "Writer()").notes


def test_a_name_that_could_mean_several_things_is_not_guessed(graph: CallGraph) -> None:
    notes = ask(graph, "start(1)").notes
    assert "start could mean lib.quiet.start, lib.start: import the one that is meant" in notes
    assert "start: not bound by the code, so nothing is known of what that is" in notes


def test_calls_of_unknown_values_are_blind_spots(graph: CallGraph) -> None:
    assert callees(graph, "f(1)").blind_spots == 1
    answer = ask(graph, "x.write(1)")
    assert answer.verdict is Verdict.NO_PATH
    assert [(lead.file, lead.line, lead.expression) for lead in answer.leads] == [("<root>", 1, "x.write")]


def test_packages_outside_the_sources_are_told_those_of_the_standard_library_aside(graph: CallGraph) -> None:
    notes = ask(graph, "import os, numpy\nimport lib\nlib.run(f)").notes
    assert "numpy: outside the analyzed sources, so nothing is known of what that does" in notes


def test_a_native_module_can_be_imported(graph: CallGraph) -> None:
    assert ask(graph, "import lib._C\nlib._C.call()", "lib._C.call").verdict is Verdict.REACHES


def test_a_script_is_a_root_by_its_path(graph: CallGraph, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text('import lib.core\ndef main():\n  lib.core.write(1)\nif __name__ == "__main__":\n  main()\n')
    answer = reach(graph, str(script), "lib.core.flag")
    assert (answer.verdict, answer.root) == (Verdict.REACHES, RootRef(str(script), str(script), 1))
    hops = answer.paths[0].hops
    assert [(hop.function, hop.file) for hop in hops[:2]] == [
        (str(script), str(script)),
        ("__main__.main", str(script)),
    ]


def test_a_script_and_typed_code_are_what_is_run(graph: CallGraph, tmp_path: Path) -> None:
    code = 'import lib\nif __name__ == "__main__":\n    lib.core.write(1)\nelse:\n    lib.quiet.nothing()\n'
    script = tmp_path / "train.py"
    script.write_text(code)
    assert called(graph, code) == called(graph, str(script)) == {"lib.core.write"}


def test_what_a_script_imports_in_vain_is_told(graph: CallGraph, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("try:\n  import lib.gone\nexcept ImportError:\n  import lib\nlib.start()\n")
    answer = reach(graph, str(script), "lib.started")
    assert "lib.gone: no such module in the analyzed sources, so nothing is known of what that does" in answer.notes
    assert answer.verdict is Verdict.REACHES


def test_code_is_drawn_as_other_functions_are(graph: CallGraph) -> None:
    picture = drawing(investigate(graph, "lib.core.write(1)", "lib.core.flag"))
    assert picture is not None
    assert [function.name for function in picture.functions] == ["<root>", "lib.core.write"]
    assert (picture.root, [edge.lines for edge in picture.edges]) == (0, [[1]])


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import lib.x", r"<root>: there is no module lib\.x in the analyzed sources: check its name"),
        ("from lib.x import y", r"there is no module lib\.x in the analyzed sources"),
        ("from . import lib", "<root>:1: a relative import has no meaning in a root: write its full name"),
        ("a f", r"'a f' is neither a name nor Python code \(line 1: invalid syntax\): name a function"),
        (
            "nowhere.py",
            r"nowhere\.py: cannot be read \(No such file or directory\): a root that ends in \.py is a file",
        ),
    ],
)
def test_what_cannot_be_linked_says_what_to_do(graph: CallGraph, code: str, message: str) -> None:
    with pytest.raises(DeepgrepError, match=message) as raised:
        resolve_root(graph, code)
    assert "\n" not in str(raised.value)


def test_a_script_that_is_no_python_says_where(graph: CallGraph, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("def f(:\n")
    with pytest.raises(DeepgrepError, match=r"train\.py: no Python code \(line 1: .*\): the root must be some"):
        resolve_root(graph, str(script))


def test_filters_mean_the_functions_of_the_script_first(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import lib\ndef start(): lib.core.write(1)\ndef main(): start()\nmain()\n")
    graph = link_sources(LIBRARY).graph()
    for name in ("start", "__main__.start"):
        assert reach(graph, str(script), "lib.core.flag", filters=Filters(avoid=(name,))).verdict is not Verdict.REACHES
        assert reach(graph, str(script), "lib.core.flag", filters=Filters(through=(name,))).verdict is Verdict.REACHES


def test_all_functions_of_a_script_are_searched(tmp_path: Path) -> None:
    script = tmp_path / "s.py"
    script.write_text("import lib\ndef f(): pass  # flag\ndef g(): f()  # flag\ng()  # flag\n")
    answer = grep(
        link_sources(LIBRARY).graph(), str(script), patterns(["flag"]), {str(script): script.read_bytes()}.get
    )
    assert sorted(match.line for function in answer.functions for match in function.matches) == [2, 3, 4]
