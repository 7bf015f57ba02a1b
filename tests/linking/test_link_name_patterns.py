"""Names of which only a part is known: f-strings that `setattr`, `getattr`, `hasattr` and `globals()` are given."""

import pytest
from linked import link_sources

_SET = """
    class A: pass
    def made(self): pass
    for name in dir(): setattr(A, f"{name}", made)
"""


@pytest.mark.parametrize("called", ["do_it", "do_"])
def test_a_method_set_under_a_name_of_which_the_beginning_is_known(called: str) -> None:
    graph = link_sources(_SET.replace("{name}", "do_{name}") + f"    def f(): A().{called}()")
    assert graph.callees("f") == {"made"}


@pytest.mark.parametrize("called", ["it", "do", "redo_it", "it_do_"])
def test_a_name_that_begins_otherwise_is_another(called: str) -> None:
    graph = link_sources(_SET.replace("{name}", "do_{name}") + f"    def f(): A().{called}()")
    assert graph.callees("f") == set()


def test_a_name_of_which_the_end_is_known():
    graph = link_sources(
        _SET.replace("{name}", "{name}_all") + "    def f(): A().find_all()\n    def g(): A().find_any()"
    )
    assert graph.callees("f") == {"made"}
    assert graph.callees("g") == set()


def test_a_name_of_which_both_ends_are_known():
    graph = link_sources(_SET.replace("{name}", "__{name}__") + "    def f(): -A()\n    def g(): A().__neg()")
    assert graph.callees("f") == {"made"}
    assert graph.callees("g") == set()


def test_the_two_ends_of_a_name_do_not_overlap():
    graph = link_sources(_SET.replace("{name}", "aba{name}aba") + "    def f(): A().aba()\n    def g(): A().abaaba()")
    assert graph.callees("f") == set()
    assert graph.callees("g") == {"made"}


@pytest.mark.parametrize("name", ["{name}", "{kind}{name}", "a{kind}b{name}"])
def test_of_a_name_that_may_be_anything_any_is_meant(name: str) -> None:
    graph = link_sources(_SET.replace("{name}", name) + "    def f(): A().about()")
    assert graph.callees("f") == {"made"}


def test_what_overrides_under_a_name_of_which_a_part_is_known():
    graph = link_sources("""
        class Base:
            def do_run(self): pass
            def stop(self): pass
        class A(Base): pass
        def made(self): pass
        for name in dir(Base): setattr(A, f"do_{name}", made)
        def f(): A().do_run()
        def g(): A().stop()
    """)
    assert graph.callees("f") == {"Base.do_run", "made"}
    assert graph.callees("g") == {"Base.stop"}


_INSTALL = """
    class A: pass
    class B: pass
    def install(cls, name, function): setattr(cls, name, function)
    def does(self): pass
    def undoes(self): pass
"""


def test_a_helper_that_sets_a_method_under_a_name_that_it_is_handed():
    graph = link_sources(f"""{_INSTALL}
    for name in dir(): install(A, f"do_{{name}}", does)
    def f(): A().do_it()
    def g(): A().it()
    """)
    assert graph.callees("f") == {"does"}
    assert graph.callees("g") == set()


def test_a_helper_that_is_handed_several_functions_with_a_name_for_each():
    graph = link_sources(f"""{_INSTALL}
    for name in dir():
        install(A, f"do_{{name}}", does)
        install(A, f"undo_{{name}}", undoes)
    def f(): A().do_it()
    """)
    assert graph.callees("f") == {"does"}


def test_a_context_is_called_by_what_is_known_of_a_name():
    graph = link_sources("""
        class A:
            def do_one(self): pass
            def undo_one(self): pass
        def call(target: A, name): getattr(target, name)()
        def f(kind): call(A(), f"do_{kind}")
        def g(kind): call(A(), f"undo_{kind}")
    """)
    assert graph.callees("f") >= {"call ['do_*']"}
    assert "A.do_one" in graph.reached("f")
    assert "A.undo_one" not in graph.reached("f")


def test_globals_under_names_of_which_a_part_is_known():
    graph = link_sources("""
        def made(): pass
        for name in dir(): globals()[f"is_{name}"] = made
        def f(): is_open()
        def g(): was_open()
    """)
    assert graph.callees("f") == {"made"}
    assert graph.callees("g") == set()


def test_another_module_sees_globals_under_names_of_which_a_part_is_known():
    graph = link_sources(
        {
            "a": 'def made(): pass\nfor name in dir(): globals()[f"is_{name}"] = made',
            "m": "import a\nfrom a import is_open\ndef f(): a.is_open()\ndef g(): is_open()\ndef h(): a.was_open()",
        }
    )
    assert graph.callees("f") == {"a.made"}
    assert graph.callees("g") == {"a.made"}
    assert graph.callees("h") == set()


def test_hasattr_of_a_formatted_name_asks_the_getattr_method_and_gives_no_method():
    graph = link_sources("""
        class A:
            def is_open(self): pass
            def __getattr__(self, name): pass
        def f(kind): return hasattr(A(), f"is_{kind}")
    """)
    assert graph.callees("f") == {"A.__getattr__"}


def test_a_formatted_message_is_no_name():
    graph = link_sources("""
        class A:
            def do_one(self): pass
        def call(target: A, name): getattr(target, name)()
        def f(kind): call(A(), f"do_{kind}")
        def g(kind): call(A(), f"do {kind}")
    """)
    assert graph.callees("f") == {"call ['do_*']"}
    assert graph.callees("g") == {"call"}


def test_formatting_the_parts_of_a_name_runs_what_it_runs():
    graph = link_sources("""
        class Kind:
            def __format__(self, spec): return ""
        class A:
            def is_open(self): pass
        def f(kind: Kind): return getattr(A(), f"is_{kind}")
    """)
    assert "Kind.__format__" in graph.callees("f")


_NAMED = """
    class A:
        def get_x(self): pass
        def get_y(self): pass
        def get_z(self): pass
        def get_other(self): pass
    NAMES = ("x", "y")
    def anything(): ...
    def f(kind):
        {statement}
"""


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("for n in ('x', 'y'): getattr(A(), f'get_{n}')()", {"x", "y"}),
        ("for n in NAMES: getattr(A(), f'get_{n}')()", {"x", "y"}),
        ("n = 'z'\n        getattr(A(), f'get_{n}')()", {"z"}),
        ("n = 'x' if kind else 'z'\n        getattr(A(), f'get_{n}')()", {"x", "z"}),
        ("n = 'z'\n        if kind: n = anything()\n        getattr(A(), f'get_{n}')()", {"x", "y", "z", "other"}),
        ("getattr(A(), f'get_{kind}')()", {"x", "y", "z", "other"}),
        ("[getattr(A(), f'get_{n}')() for n in ('y', 'z')]", {"y", "z"}),
        ("part = f'{kind}r'\n        getattr(A(), f'get_{part}')()", {"other"}),
    ],
)
def test_a_name_is_followed_as_far_as_its_parts_are_known(statement: str, names: set[str]) -> None:
    graph = link_sources(_NAMED.format(statement=statement))
    assert graph.callees("f") - {"anything"} == {f"A.get_{name}" for name in names}


def test_a_name_made_of_one_that_a_context_is_for_is_known() -> None:
    graph = link_sources("""
        class A:
            def get_x(self): pass
            def get_y(self): pass
        def call(name):
            getattr(A(), name)()
            return getattr(A(), f"get_{name[4:]}")
        def f(): call("get_x")
    """)
    assert graph.reached("f") >= {"A.get_x"}


def test_what_many_texts_have_in_common_is_known_of_a_name() -> None:
    kinds = ", ".join(f"'k{n}'" for n in range(40))
    graph = link_sources(f"""
        class A:
            def get_k7(self): pass
            def set_k7(self): pass
        def f():
            for n in ({kinds}): getattr(A(), f"get_{{n}}")()
    """)
    assert graph.callees("f") == {"A.get_k7"}
