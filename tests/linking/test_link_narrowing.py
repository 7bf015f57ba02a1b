"""Tests of a value: what may be there where one fails, and functions whose annotation says what they test for."""

import pytest
from linked import link_sources

_CLASSES = """
    from typing import TypeGuard, TypeIs
    class A:
        def run(self): pass
    class B:
        def run(self): pass
    class C(A):
        def run(self): pass
    def is_a(x) -> TypeIs[A]: return isinstance(x, A)
    def looks_like_a(x) -> "TypeGuard[A]": return hasattr(x, "run")
    def is_either(x) -> TypeIs[A | B]: return isinstance(x, (A, B))
    def is_good(x) -> bool: return x.good
    def use(x: A | B):
        {statements}
"""


@pytest.mark.parametrize(
    ("statements", "callees"),
    [
        ("if not isinstance(x, A): x.run()", {"B.run"}),
        ("if not isinstance(x, C): x.run()", {"A.run", "B.run", "C.run"}),
        ("if not isinstance(x, (A, B)): x.run()", set()),
        ("if not isinstance(x, (A, dict)): x.run()", {"B.run"}),
        ("x = C()\n        if not isinstance(x, (C, B)): x.run()", set()),
        ("if not isinstance(x, (C, B)): x.run()", {"A.run", "C.run"}),
        ("if not type(x) is A: x.run()", {"A.run", "B.run", "C.run"}),
        ("if is_a(x): x.run()", {"is_a", "A.run", "C.run"}),
        ("if not is_a(x): x.run()", {"is_a", "B.run"}),
        ("if is_either(x): return\n        x.run()", {"is_either"}),
        ("if looks_like_a(x): x.run()", {"looks_like_a", "A.run", "C.run"}),
        ("if not looks_like_a(x): x.run()", {"looks_like_a", "A.run", "B.run", "C.run"}),
        ("if is_good(x): x.run()", {"is_good", "A.run", "B.run", "C.run"}),
        ("[y.run() for y in [x] if isinstance(y, B)]", {"B.run"}),
    ],
)
def test_what_is_called_where_a_test_holds_or_fails(statements: str, callees: set[str]) -> None:
    graph = link_sources(_CLASSES.format(statements=statements))

    assert graph.callees("use") == callees


def test_what_an_unknown_value_is_tested_for_is_meant() -> None:
    graph = link_sources("""
        from typing_extensions import TypeIs
        class A:
            def run(self): pass
        def is_a(x) -> TypeIs["A"]: return isinstance(x, A)
        def use(x):
            if is_a(x): x.run()
            else: x.run()
    """)

    assert graph.callees("use") == {"is_a", "A.run"}


def test_a_method_may_say_what_it_tests_for() -> None:
    graph = link_sources("""
        from typing import TypeIs
        class A:
            def run(self): pass
        class Tester:
            def is_a(self, x) -> TypeIs[A]: return isinstance(x, A)
            def use(self, x):
                if self.is_a(x): x.run()
    """)

    assert graph.callees("Tester.use") == {"Tester.is_a", "A.run"}


def test_which_of_several_types_is_meant_may_not_be_known() -> None:
    graph = link_sources("""
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        def use(x: A | B, is_first):
            cls = A if is_first else B
            if not isinstance(x, cls): x.run()
    """)

    assert graph.callees("use") == {"A.run", "B.run"}


def test_what_is_text_is_not_called_where_it_is_no_text() -> None:
    graph = link_sources("""
        def f(): pass
        def use(x):
            if isinstance(x, str): return globals()[x]
            return x()
        def main():
            use(f); use("f")
    """)

    assert graph.callees("use") == {"f"}


def test_that_a_function_was_handed_over_rules_a_branch_out() -> None:
    graph = link_sources("""
        from typing import TypeIs
        class A:
            def run(self): pass
        def is_a(x) -> TypeIs[A]: return isinstance(x, A)
        def wrap(fn):
            if is_a(fn): return start(fn)
            def inner(): return fn()
            return inner
        def start(fn): return fn.run()
        @wrap
        def f(): pass
    """)

    assert "start" not in graph.reached("<module>")


@pytest.mark.parametrize(
    ("types", "callees"),
    [
        ("sympy.And", {"Expr.run"}),
        ("(sympy.And, sympy.Or)", {"Expr.run"}),
        ("(sympy.And, A)", {"Expr.run", "A.run"}),
        ("collections.abc.Callable", {"A.run", "Expr.run"}),
        ("unknown", {"A.run", "Expr.run"}),
    ],
)
def test_a_type_of_another_package_is_one_of_its_own_bases(types: str, callees: set[str]) -> None:
    graph = link_sources(f"""
        import collections.abc
        import sympy
        class A:
            def run(self): pass
        class Expr(sympy.Basic):
            def run(self): pass
        def use(x: A | Expr, unknown):
            if isinstance(x, {types}): x.run()
    """)

    assert graph.callees("use") == callees
