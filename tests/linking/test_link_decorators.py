"""Decorators: each decorated function has a wrapper of its own."""

from linked import link_sources


def test_applying_a_decorator_calls_it():
    graph = link_sources("""
        def decorate(function): return function
        @decorate
        def f(): pass
    """)
    assert graph.edges("<module>") == {("decorate [f]", "decorate", "certain")}


def test_a_decorator_that_returns_the_function_leaves_it_as_it_is():
    graph = link_sources("""
        def decorate(function): return function
        @decorate
        def g(): pass
        def f(): g()
    """)
    assert graph.edges("f") == {("g", "call", "certain")}


def test_the_wrapper_of_a_function_goes_on_to_that_function_only():
    graph = link_sources("""
        def decorate(function):
            def wrapper(*args): return function(*args)
            return wrapper
        @decorate
        def g(): pass
        @decorate
        def h(): pass
        def f(): g()
    """)
    assert graph.callees("f") == {"decorate.<locals>.wrapper [g]"}
    assert graph.callees("decorate.<locals>.wrapper [g]") == {"g"}
    assert graph.callees("decorate.<locals>.wrapper [h]") == {"h"}
    assert "h" not in graph.reached("f")


def test_functools_wraps_does_not_hide_the_wrapper():
    graph = link_sources("""
        import functools
        def decorate(function):
            @functools.wraps(function)
            def wrapper(*args): return function(*args)
            return wrapper
        @decorate
        def g(): pass
        @decorate
        def h(): pass
        def f(): g()
    """)
    assert graph.callees("f") == {"decorate.<locals>.wrapper [g]"}
    assert graph.callees("decorate.<locals>.wrapper [g]") == {"g"}


def test_a_decorator_factory_has_a_wrapper_for_each_function():
    graph = link_sources("""
        def retry(times):
            def decorate(function):
                def wrapper(): function()
                return wrapper
            return decorate
        @retry(3)
        def g(): pass
        @retry(5)
        def h(): pass
        def f(): g()
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_a_decorator_that_may_be_used_with_or_without_arguments():
    graph = link_sources("""
        def decorate(function=None, *, fast=False):
            def inner(function):
                def wrapper(): function()
                return wrapper
            if function is None:
                return inner
            return inner(function)
        @decorate
        def g(): pass
        @decorate(fast=True)
        def h(): pass
        def f(): g()
        def k(): h()
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")
    assert "h" in graph.reached("k")


def test_two_decorators_wrap_one_another():
    graph = link_sources("""
        def outer(function):
            def outer_wrapper(): function()
            return outer_wrapper
        def inner(function):
            def inner_wrapper(): function()
            return inner_wrapper
        @outer
        @inner
        def g(): pass
        def f(): g()
    """)
    (first,) = graph.callees("f")
    assert first.startswith("outer.<locals>.outer_wrapper")
    (second,) = graph.callees(first)
    assert second.startswith("inner.<locals>.inner_wrapper")
    assert graph.callees(second) == {"g"}


def test_the_same_two_decorators_on_two_functions_stay_apart():
    graph = link_sources("""
        def outer(function):
            def outer_wrapper(): function()
            return outer_wrapper
        def inner(function):
            def inner_wrapper(): function()
            return inner_wrapper
        @outer
        @inner
        def g(): pass
        @outer
        @inner
        def h(): pass
        def f(): g()
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_a_decorated_method_goes_on_to_the_method():
    graph = link_sources("""
        def decorate(function):
            def wrapper(self): function(self)
            return wrapper
        class A:
            @decorate
            def run(self): pass
            @decorate
            def stop(self): pass
        def f(): A().run()
    """)
    assert "A.run" in graph.reached("f")
    assert "A.stop" not in graph.reached("f")


def test_a_decorated_class_method_is_still_given_the_class():
    graph = link_sources("""
        def decorate(function):
            def wrapper(cls): return function(cls)
            return wrapper
        class A:
            @classmethod
            @decorate
            def make(cls): pass
        def f(): A.make()
    """)
    assert "A.make" in graph.reached("f")


def test_a_decorator_that_is_a_class_keeps_the_function():
    graph = link_sources("""
        class Decorate:
            def __init__(self, function): self.function = function
            def __call__(self): self.function()
        @Decorate
        def g(): pass
        def f(): g()
    """)
    assert graph.callees("f") == {"Decorate.__call__"}
    assert graph.callees("Decorate.__call__") == {"g"}


def test_a_decorator_that_is_a_method():
    graph = link_sources("""
        class Registry:
            def register(self, function):
                self.last = function
                return function
            def run(self): self.last()
        registry = Registry()
        @registry.register
        def g(): pass
        def f(): g()
    """)
    assert graph.callees("f") == {"g"}
    assert graph.callees("Registry.run") == {"g"}


def test_a_decorator_that_is_not_known_is_taken_as_transparent():
    graph = link_sources("""
        from numba import jit
        @jit
        def g(): pass
        @jit(nopython=True)
        def h(): pass
        def f():
            g()
            h()
    """)
    assert graph.callees("f") == {"g", "h"}


def test_a_registering_decorator_puts_the_function_into_the_table():
    graph = link_sources("""
        table = {}
        def register(name):
            def decorate(function):
                table[name] = function
                return function
            return decorate
        @register("g")
        def g(): pass
        @register("h")
        def h(): pass
        def f(name): table[name]()
    """)
    assert graph.callees("f") == {"g", "h"}


def test_a_decorated_class_is_made():
    graph = link_sources("""
        def decorate(cls): return cls
        @decorate
        class A:
            def __init__(self): pass
        def f(): A()
    """)
    assert graph.callees("f") == {"A.__init__"}


def test_a_decorator_that_is_applied_by_hand_has_a_wrapper():
    graph = link_sources("""
        def decorate(function):
            def wrapper(): function()
            return wrapper
        def g(): pass
        g = decorate(g)
        def f(): g()
    """)
    assert "g" in graph.reached("f")


def test_the_library_decorators_lead_to_the_function():
    graph = link_sources("""
        import functools
        @functools.lru_cache(maxsize=None)
        def g(): pass
        @functools.cache
        def h(): pass
        @functools.lru_cache
        def i(): pass
        def f():
            g()
            h()
            i()
    """)
    assert graph.callees("f") == {"g", "h", "i"}


def test_single_dispatch_may_lead_to_every_registered_function():
    graph = link_sources("""
        import functools
        @functools.singledispatch
        def show(x): pass
        @show.register
        def _show_int(x: int): pass
        @show.register(str)
        def _show_str(x): pass
        def f(x): show(x)
    """)
    assert graph.callees("f") == {"show", "_show_int", "_show_str"}


def test_a_class_under_a_library_decorator_keeps_its_methods():
    graph = link_sources("""
        import functools
        @functools.total_ordering
        class A:
            def __lt__(self, other): return True
            def __eq__(self, other): return True
        def f(): return A() < A()
    """)
    assert "A.__lt__" in graph.callees("f")


def test_wrapped_leads_past_the_wrapper():
    graph = link_sources("""
        import functools
        def decorate(function):
            @functools.wraps(function)
            def wrapper(): function()
            return wrapper
        @decorate
        def g(): pass
        def f(): g.__wrapped__()
    """)
    assert graph.callees("f") == {"g"}


def test_an_overload_for_type_checkers_is_not_what_is_called() -> None:
    linked = link_sources(
        """
        from typing import overload
        @overload
        def f(x: int) -> int: ...
        @overload
        def f(x: str) -> str: ...
        def f(x): return x
        class C:
            @overload
            def m(self, x: int) -> int: ...
            def m(self, x): return x
        def caller(c: C):
            f(1)
            c.m(1)
        """
    )
    assert {(e.certainty, linked.rows.functions[e.callee].line) for e in linked.rows.edges if e.line in (13, 14)} == {
        ("certain", 7),
        ("certain", 11),
    }


def test_a_decorator_that_is_not_known_does_not_call_what_it_decorates():
    graph = link_sources("""
        import numba
        @numba.jit
        def g(): pass
        @numba.jit(nopython=True)
        def h(): pass
        def k(): pass
        numba.run(k)
        def f():
            @numba.jit
            def inner(): pass
            inner()
            return inner
    """)
    assert graph.edges("<module>") == {("k", "callback", "flow")}
    assert graph.callees("f") == {"f.<locals>.inner"}
