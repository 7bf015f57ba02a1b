"""Functions that give back what they are handed."""

import pytest
from linked import link_sources


@pytest.mark.parametrize("body", ["return fn", "note(fn)\n        return fn", "if fn: return fn\n        return None"])
def test_a_call_has_back_what_it_passed(body: str) -> None:
    graph = link_sources(f"""
    def note(fn): pass
    def same(fn):
        {body}
    def a(): pass
    def b(): pass
    def c(): pass
    def f(choice): same(a if choice else b)()
    def g(choice): same(fn=b if choice else c)()
    """)
    assert {"a", "b"} <= graph.callees("f")
    assert "c" not in graph.callees("f")
    assert {"b", "c"} <= graph.callees("g")
    assert "a" not in graph.callees("g")


def test_what_a_registry_decorates_stays_what_it_was():
    names = [f"f{i}" for i in range(20)]
    graph = link_sources("\n".join([
        "table = {}",
        "def register(name):",
        "    def add(fn):",
        "        table[name] = fn",
        "        return fn",
        "    return add",
        *(f"@register('{name}')\ndef {name}(): pass" for name in names),
        "def f(): f3()",
    ]))  # fmt: skip
    assert graph.callees("f") == {"f3"}


def test_a_parameter_that_is_bound_anew_is_not_what_was_passed():
    graph = link_sources("""
        def b(): pass
        def same(fn):
            fn = b
            return fn
        def a(): pass
        def f(): same(a)()
    """)
    assert "b" in graph.reached("f")


def test_a_default_is_given_back_where_nothing_is_passed():
    graph = link_sources("""
        def a(): pass
        def same(fn=a): return fn
        def f(): same()()
    """)
    assert "a" in graph.callees("f")


def test_spread_arguments_may_be_any():
    graph = link_sources("""
        def a(): pass
        def same(fn): return fn
        def f(): same(*[a])()
    """)
    assert "a" in graph.callees("f")


def test_a_method_that_returns_self_gives_back_its_receiver():
    graph = link_sources("""
        class A:
            def set(self): return self
            def run(self): pass
        def f(): A().set().run()
    """)
    assert "A.run" in graph.callees("f")


def test_an_object_is_of_the_annotated_class():
    graph = link_sources("""
        class A:
            def run(self): pass
        def same(a: A): return a
        def f(a): same(a).run()
    """)
    assert "A.run" in graph.callees("f")
