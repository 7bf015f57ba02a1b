"""Optional callables: what a function does only without one, or only with one, it does in those calls alone."""

import pytest
from linked import link_sources

_REGISTER = """
    import functools
    def register(fn=None, *, name=None):
        if {without}:
            return functools.partial(register, name=name)
        def inner(*args):
            return fn(*args)
        return inner
    def plain(): pass
    @register
    def g(): pass
    @register(name="h")
    def h(): pass
    def f(): g()
    def k(): h()
"""
_WITHOUT = ["fn is None", "not fn", "not callable(fn)", "not (fn is not None)"]


@pytest.mark.parametrize("without", _WITHOUT)
def test_a_decorator_that_is_used_with_and_without_arguments(without: str) -> None:
    graph = link_sources(_REGISTER.format(without=without))
    assert graph.reached("f") == {"register.<locals>.inner [g]", "g"}
    assert graph.reached("k") == {"register.<locals>.inner [h]", "h"}


def _callees(body: str, call: str) -> set[str]:
    graph = link_sources(f"""
        def without(): pass
        def use(fn=None, other=None):
            {body}
        def g(): pass
        def h(): pass
        def f(): {call}
        def any(choice): use(g if choice else h)()
    """)
    return {callee for callee in graph.callees("f") if callee.partition(" ")[0] != "use"}


_ONLY_WITHOUT = """if fn is None: result = without
            else: result = fn
            return result"""


def test_what_is_given_back_with_a_callable():
    assert _callees(_ONLY_WITHOUT, "use(g)()") == {"g"}
    assert _callees(_ONLY_WITHOUT, "use(fn=g)()") == {"g"}


def test_what_is_given_back_without_a_callable():
    body = """if fn is not None:
                fn()
                return fn
            return without"""
    assert _callees(body, "use()()") == {"without"}
    assert _callees(body, "use(g)()") == {"g"}


@pytest.mark.parametrize("call", ["use(*values)", "use(**values)"])
def test_a_call_that_spreads_its_arguments_may_pass_a_callable(call: str) -> None:
    graph = link_sources(f"""
        class A:
            def run(self): pass
        def with_one(fn): return A()
        def use(fn=None):
            if fn is None: return None
            return with_one(fn())
        def f(values): {call}.run()
    """)
    assert "A.run" in graph.callees("f")


def test_a_callable_among_spread_arguments():
    assert _callees(_ONLY_WITHOUT, "use(*[g])()") == {"g"}
    assert _callees(_ONLY_WITHOUT, "use(**{'fn': g})()") == {"g"}


def test_a_parameter_that_is_bound_anew_says_nothing():
    body = """fn = fn or without
            if fn is not None: return fn"""
    assert "without" in _callees(body, "use()()")
    body = """fn()
            fn = None if other else fn
            if fn is None: return without"""
    assert "without" in _callees(body, "use(g)()")


def test_a_condition_on_another_parameter_says_nothing():
    body = """if other is None:
                return without
            fn()
            return fn"""
    assert "without" in _callees(body, "use(g)()")
