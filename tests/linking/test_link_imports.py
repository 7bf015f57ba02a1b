"""Imports: what a name stands for, and which module bodies an import runs."""

from linked import link_sources


def test_from_import():
    graph = link_sources({"m": "from a import g\ndef f(): g()", "a": "def g(): pass"})
    assert graph.edges("f") == {("a.g", "call", "certain")}


def test_from_import_with_another_name():
    graph = link_sources({"m": "from a import g as h\ndef f(): h()", "a": "def g(): pass"})
    assert graph.edges("f") == {("a.g", "call", "certain")}


def test_import_of_a_module():
    graph = link_sources({"m": "import a\ndef f(): a.g()", "a": "def g(): pass"})
    assert graph.edges("f") == {("a.g", "call", "certain")}


def test_import_of_a_submodule_binds_the_top_package():
    graph = link_sources({"m": "import p.a\ndef f(): p.a.g()", "p": "", "p.a": "def g(): pass"})
    assert graph.edges("f") == {("p.a.g", "call", "certain")}


def test_import_of_a_submodule_as_binds_the_submodule():
    graph = link_sources({"m": "import p.a as q\ndef f(): q.g()", "p": "", "p.a": "def g(): pass"})
    assert graph.edges("f") == {("p.a.g", "call", "certain")}


def test_an_import_runs_the_module_and_the_packages_around_it():
    graph = link_sources({"m": "import p.q.a", "p": "", "p.q": "", "p.q.a": "", "p.b": ""})
    assert graph.edges("<module>") == {
        ("p.<module>", "import", "certain"),
        ("p.q.<module>", "import", "certain"),
        ("p.q.a.<module>", "import", "certain"),
    }


def test_from_package_import_module_runs_the_module():
    graph = link_sources({"m": "from p import a\ndef f(): a.g()", "p": "", "p.a": "def g(): pass"})
    assert graph.callees("<module>") == {"p.<module>", "p.a.<module>"}
    assert graph.edges("f") == {("p.a.g", "call", "certain")}


def test_an_import_inside_a_function_is_run_by_the_function_alone():
    graph = link_sources(
        {
            "m": """
            def f():
                from a import g
                g()
        """,
            "a": "def g(): pass",
        }
    )
    assert graph.edges("f") == {("a.<module>", "import", "certain"), ("a.g", "call", "certain")}
    assert graph.edges("<module>") == set()


def test_relative_imports_in_a_module():
    graph = link_sources(
        {
            "p": "def top(): pass",
            "p.q": "",
            "p.q.a": """
            from .b import g
            from . import b
            from .. import top
            from ..c import h
            def f():
                g()
                b.i()
                top()
                h()
        """,
            "p.q.b": "def g(): pass\ndef i(): pass",
            "p.c": "def h(): pass",
        }
    )
    assert graph.callees("p.q.a.f") == {"p.q.b.g", "p.q.b.i", "p.top", "p.c.h"}


def test_relative_imports_in_a_package():
    graph = link_sources(
        {
            "p": "from .a import g\nfrom . import a\ndef f():\n    g()\n    a.h()",
            "p.a": "def g(): pass\ndef h(): pass",
        }
    )
    assert graph.callees("p.f") == {"p.a.g", "p.a.h"}


def test_a_re_exported_name_leads_to_its_definition():
    graph = link_sources(
        {
            "m": "import p\ndef f(): p.g()",
            "p": "from p.a import g",
            "p.a": "def g(): pass",
        }
    )
    assert graph.edges("f") == {("p.a.g", "call", "certain")}
    assert graph.alias("p.g") == "p.a.g"


def test_classes_are_re_exported_too():
    graph = link_sources({"p": "from p.a import C", "p.a": "class C: pass"})
    assert graph.alias("p.C") == "p.a.C"


def test_a_function_hides_the_submodule_of_its_name():
    graph = link_sources(
        {
            "m": """
            import p
            from p import run
            def f(): run()
            def g(): p.run()
        """,
            "p": "from .run import run",
            "p.run": "def run(): pass",
        }
    )
    assert graph.edges("f") == {("p.run.run", "call", "certain")}
    assert graph.edges("g") == {("p.run.run", "call", "certain")}


def test_a_star_import_brings_the_public_names():
    graph = link_sources(
        {
            "m": """
            from a import *
            def f(): g()
            def h(): _private()
        """,
            "a": "def g(): pass\ndef _private(): pass",
        }
    )
    assert graph.edges("f") == {("a.g", "call", "certain")}
    assert graph.edges("h") == set()


def test_a_star_import_brings_what_all_lists_and_nothing_else():
    graph = link_sources(
        {
            "m": """
            from a import *
            def f(): g()
            def h(): _listed()
        """,
            "a": """
            __all__ = ["_listed"]
            def g(): pass
            def _listed(): pass
        """,
        }
    )
    assert graph.edges("f") == set()
    assert graph.edges("h") == {("a._listed", "call", "certain")}


def test_star_imports_chain():
    graph = link_sources(
        {
            "m": "import p\ndef f(): p.g()",
            "p": "from p.a import *",
            "p.a": "from p.b import *",
            "p.b": "def g(): pass",
        }
    )
    assert graph.edges("f") == {("p.b.g", "call", "certain")}


def test_a_name_that_a_star_import_brings_is_an_alias():
    graph = link_sources({"p": "from p.a import *", "p.a": "def g(): pass"})
    assert graph.alias("p.g") == "p.a.g"


def test_module_getattr_runs_for_a_name_that_the_module_lacks():
    graph = link_sources(
        {
            "m": """
            import a
            def f(): return a.lazy
            def g(): return a.there
        """,
            "a": """
            there = 1
            def __getattr__(name): return name
        """,
        }
    )
    assert graph.edges("f") == {("a.__getattr__", "property", "certain")}
    assert graph.edges("g") == set()


def test_what_module_getattr_returns_is_what_the_name_stands_for():
    graph = link_sources(
        {
            "m": "from a import lazy\ndef f(): lazy()",
            "a": """
            def __getattr__(name): return g
            def g(): pass
        """,
        }
    )
    assert "a.__getattr__" in graph.callees("<module>")
    assert graph.callees("f") == {"a.g"}


def test_a_fallback_import_may_be_either():
    graph = link_sources(
        {
            "m": """
            try:
                from a import g
            except ImportError:
                from b import g
            def f(): g()
        """,
            "a": "def g(): pass",
            "b": "def g(): pass",
        }
    )
    assert graph.callees("f") == {"a.g", "b.g"}


def test_modules_that_import_each_other():
    graph = link_sources(
        {
            "a": "import b\ndef f(): b.g()",
            "b": "import a\ndef g(): a.f()",
        }
    )
    assert graph.callees("a.f") == {"b.g"}
    assert graph.callees("b.g") == {"a.f"}


def test_import_module_with_a_constant_name():
    graph = link_sources(
        {
            "m": """
            import importlib
            def f():
                importlib.import_module("p.a").g()
        """,
            "p": "",
            "p.a": "def g(): pass",
        }
    )
    assert graph.edges("f") == {
        ("p.<module>", "import", "certain"),
        ("p.a.<module>", "import", "certain"),
        ("p.a.g", "call", "certain"),
    }


def test_import_module_with_a_relative_name():
    graph = link_sources(
        {
            "p": "",
            "p.m": """
            import importlib
            def f(): importlib.import_module(".a", __package__).g()
        """,
            "p.a": "def g(): pass",
        }
    )
    assert "p.a.g" in graph.callees("p.m.f")


def test_import_module_with_an_unknown_name_is_a_blind_spot():
    graph = link_sources("""
        import importlib
        def f(name): importlib.import_module(name)
    """)
    assert {reason for _, reason in graph.blind_spots("f")} == {"import of an unknown module"}


def test_sys_modules_gives_the_module():
    graph = link_sources(
        {
            "m": 'import sys\ndef f(): sys.modules["a"].g()',
            "a": "def g(): pass",
        }
    )
    assert graph.callees("f") == {"a.g"}


def test_sys_modules_of_the_own_name_gives_the_module_itself():
    graph = link_sources("""
        import sys
        def g(): pass
        def f(): sys.modules[__name__].g()
    """)
    assert graph.callees("f") == {"g"}


def test_an_import_of_outside_code_runs_nothing_that_is_analyzed():
    graph = link_sources({"m": "import numpy\nfrom os import path", "a": ""})
    assert graph.edges("<module>") == set()


def test_an_import_under_type_checking_runs_nothing_but_names_a_class():
    graph = link_sources(
        {
            "m": """
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from a import C
            def f(c: "C"): c.run()
        """,
            "a": """
            class C:
                def run(self): pass
        """,
        }
    )
    assert graph.edges("<module>") == set()
    assert graph.edges("f") == {("a.C.run", "call", "certain")}


def test_a_call_of_outside_code_is_an_access_of_that_function():
    graph = link_sources("""
        import shutil
        def f(): shutil.rmtree("x")
    """)
    assert graph.callers_of("shutil.rmtree") == {"f"}
    assert graph.state("shutil.rmtree") == ("function", "")


def test_what_an_analyzed_package_lacks_is_native():
    graph = link_sources({"p": "", "p.a": "from p import _C\ndef f(): _C.launch()"})
    assert graph.native_exits("p.a.f") == {"p._C.launch"}
    assert graph.callers_of("p._C.launch") == {"p.a.f"}


def test_a_call_of_outside_code_that_is_not_native_to_the_package_is_no_native_exit():
    graph = link_sources("""
        import numpy
        def f(): numpy.zeros(3)
    """)
    assert graph.native_exits("f") == set()


def test_what_a_star_brings_is_not_hidden_by_what_is_assigned_from_outside():
    graph = link_sources(
        {
            "pkg": "from pkg.inner import *",
            "pkg.inner": "def state(): pass",
            "other": "import pkg\ndef fake(): pass\ndef patch(): pkg.state = fake",
            "m": "import pkg\ndef f(): pkg.state()",
        }
    )
    assert graph.callees("f") == {"pkg.inner.state", "other.fake"}


def test_a_submodule_is_not_hidden_by_what_is_assigned_from_outside():
    graph = link_sources(
        {
            "pkg": "",
            "pkg.inner": "def run(): pass",
            "other": "import pkg\nclass Fake:\n    def run(self): pass\ndef patch(): pkg.inner = Fake()",
            "m": "import pkg.inner\ndef f(): pkg.inner.run()",
        }
    )
    assert graph.callees("f") == {"pkg.inner.run", "other.Fake.run"}


def test_an_attribute_that_only_other_code_assigns_is_no_native_one():
    graph = link_sources(
        {
            "pkg": "",
            "other": "import pkg\ndef run(): pass\ndef install(): pkg.run = run",
            "m": "import pkg\ndef f(): pkg.run()",
        }
    )
    assert graph.callees("f") == {"other.run"}
    assert graph.native_exits("f") == set()
