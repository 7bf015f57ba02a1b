"""Names: locals, enclosing functions, globals, builtins, class bodies."""

from linked import link_sources


def test_a_call_by_name_goes_to_the_function_of_that_name_and_to_no_other():
    graph = link_sources("""
        def f(): g()
        def g(): pass
        def unrelated(): pass
    """)
    assert graph.edges("f") == {("g", "call", "certain")}


def test_a_module_body_calls_too():
    graph = link_sources("""
        def f(): pass
        f()
    """)
    assert graph.edges("<module>") == {("f", "call", "certain")}


def test_a_local_variable_hides_the_global():
    graph = link_sources("""
        def g(): pass
        def f(g): g()
    """)
    assert graph.edges("f") == set()


def test_a_local_alias_is_the_function():
    graph = link_sources("""
        def g(): pass
        def f():
            run = g
            run()
    """)
    assert graph.edges("f") == {("g", "call", "certain")}


def test_a_module_global_that_is_one_of_two_functions_may_be_either():
    graph = link_sources("""
        def fast(): pass
        def slow(): pass
        run = fast if __debug__ else slow
        def f(): run()
    """)
    assert graph.edges("f") == {("fast", "call", "flow"), ("slow", "call", "flow")}


def test_a_fallback_with_or_may_be_either():
    graph = link_sources("""
        def default(): pass
        hook = None
        def f(): (hook or default)()
    """)
    assert graph.callees("f") == {"default"}


def test_definitions_under_conditions_are_all_possible():
    graph = link_sources(
        {
            "m": """
            import sys
            if sys.platform == "linux":
                from a import run
            else:
                from b import run
            def f(): run()
        """,
            "a": "def run(): pass",
            "b": "def run(): pass",
        }
    )
    assert graph.edges("f") == {("a.run", "call", "flow"), ("b.run", "call", "flow")}


def test_a_function_installed_after_global_is_called_by_that_name():
    graph = link_sources("""
        hook = None
        def on(): pass
        def install():
            global hook
            hook = on
        def f(): hook()
    """)
    assert graph.callees("f") == {"on"}


def test_a_function_put_into_another_module_is_called_there():
    graph = link_sources(
        {
            "a": """
            hook = None
            def run(): hook()
        """,
            "m": """
            import a
            def on(): pass
            def install(): a.hook = on
        """,
        }
    )
    assert graph.callees("a.run") == {"on"}


def test_a_name_bound_through_globals_is_found():
    graph = link_sources("""
        def on(): pass
        def install(): globals()["hook"] = on
        def f(): hook()
    """)
    assert graph.callees("f") == {"on"}


def test_a_module_global_hides_the_builtin():
    graph = link_sources("""
        def len(x): pass
        def f(): len([])
    """)
    assert graph.edges("f") == {("len", "call", "certain")}


def test_names_of_a_class_body_are_not_seen_by_its_methods():
    graph = link_sources("""
        def helper(): pass
        class C:
            def helper(self): pass
            def f(self): helper()
    """)
    assert graph.edges("C.f") == {("helper", "call", "certain")}


def test_a_class_body_sees_its_own_names():
    graph = link_sources("""
        class C:
            def make(): pass
            value = make()
    """)
    assert graph.edges("<module>") == {("C.make", "call", "certain")}


def test_a_comprehension_counts_as_the_function_around_it():
    graph = link_sources("""
        def g(x): pass
        def f(xs): return [g(x) for x in xs if g(x)]
    """)
    assert graph.edges("f") == {("g", "call", "certain")}
    assert "f.<locals>.<listcomp>" not in graph.functions


def test_a_call_of_an_unknown_parameter_is_a_blind_spot():
    graph = link_sources("def f(callback): callback()")
    assert graph.blind_spots("f") == {("callback", "parameter")}
    assert graph.edges("f") == set()


def test_a_walrus_binds_the_function_around_the_comprehension():
    graph = link_sources("""
        def g(): return h
        def h(): pass
        def f(xs):
            [y := g() for x in xs]
            y()
    """)
    assert graph.callees("f") == {"g", "h"}


def test_a_type_checking_block_is_never_executed():
    graph = link_sources("""
        from typing import TYPE_CHECKING
        def g(): pass
        if TYPE_CHECKING:
            g()
    """)
    assert graph.edges("<module>") == set()


def test_a_name_bound_anew_is_what_it_was_bound_to_last():
    graph = link_sources("""
        def a(): pass
        def b(): pass
        name = a
        name = b
        name()
        def f(x):
            x = a
            x()
            x = b
            x()
        def g(c):
            x = a
            if c: x = b
            x()
        def h(): name()
    """)
    assert graph.callees("<module>") == {"b"}
    assert graph.edges("f") == {("a", "call", "certain"), ("b", "call", "certain")}
    assert graph.callees("g") == {"a", "b"}
    assert graph.callees("h") == {"a", "b"}


def test_an_unknown_callee_is_shown_under_the_name_it_was_bound_to():
    graph = link_sources("""
        def f(x):
            callback = x.callback
            callback()
    """)
    assert graph.blind_spots("f") == {("callback", "attribute of a parameter")}
