"""Operators, truth, formatting, subscripts: the special methods that syntax calls."""

import pytest
from linked import link_sources

_CLASS = """
    class A:
        def {method}(self, *args): pass
    def f(a: A, x): {statement}
"""


@pytest.mark.parametrize(
    ("method", "statement"),
    [
        ("__add__", "a + x"),
        ("__radd__", "x + a"),
        ("__sub__", "a - x"),
        ("__matmul__", "a @ x"),
        ("__rmatmul__", "x @ a"),
        ("__floordiv__", "a // x"),
        ("__pow__", "a ** x"),
        ("__rshift__", "a >> x"),
        ("__or__", "a | x"),
        ("__ror__", "x | a"),
        ("__and__", "a & x"),
        ("__neg__", "-a"),
        ("__pos__", "+a"),
        ("__invert__", "~a"),
        ("__eq__", "a == x"),
        ("__ne__", "a != x"),
        ("__lt__", "a < x"),
        ("__gt__", "x < a"),
        ("__ge__", "a >= x"),
        ("__contains__", "x in a"),
        ("__contains__", "x not in a"),
        ("__getitem__", "a[x]"),
        ("__getitem__", "a[1:2]"),
        ("__setitem__", "a[x] = 1"),
        ("__delitem__", "del a[x]"),
        ("__iadd__", "a += x"),
        ("__add__", "a += x"),
        ("__imatmul__", "a @= x"),
        ("__bool__", "not a"),
        ("__bool__", "x if a else None"),
        ("__bool__", "a and x"),
        ("__bool__", "assert a"),
        ("__len__", "not a"),
        ("__str__", "f'{a}'"),
        ("__format__", "f'{a:>3}'"),
        ("__repr__", "f'{a!r}'"),
        ("__len__", "len(a)"),
        ("__bool__", "bool(a)"),
        ("__str__", "str(a)"),
        ("__repr__", "repr(a)"),
        ("__hash__", "hash(a)"),
        ("__abs__", "abs(a)"),
        ("__int__", "int(a)"),
        ("__float__", "float(a)"),
        ("__iter__", "list(a)"),
        ("__divmod__", "divmod(a, x)"),
        ("__round__", "round(a)"),
        ("__reversed__", "reversed(a)"),
        ("__contains__", "any(y in a for y in x)"),
        ("__call__", "a(x)"),
        ("__call__", "a.__call__(x)"),
    ],
)
def test_syntax_and_builtins_run_the_special_method(method: str, statement: str) -> None:
    graph = link_sources(_CLASS.format(method=method, statement=statement))
    assert graph.callees("f") == {f"A.{method}"}


@pytest.mark.parametrize(
    ("method", "statement"),
    [
        ("__radd__", "a + x"),
        ("__add__", "x + a"),
        ("__iadd__", "a + x"),
        ("__eq__", "a is x"),
        ("__setitem__", "a[x]"),
        ("__getitem__", "a[x] = 1"),
        ("__contains__", "a in x"),
        ("__str__", "f'{a!r}'"),
    ],
)
def test_other_special_methods_do_not_run(method: str, statement: str) -> None:
    graph = link_sources(_CLASS.format(method=method, statement=statement))
    assert graph.callees("f") == set()


def test_an_operator_is_called_by_operator():
    graph = link_sources("""
        class A:
            def __add__(self, other): pass
        def f(): A() + 1
    """)
    assert graph.edges("f") == {("A.__add__", "operator", "certain")}


def test_what_an_operator_returns():
    graph = link_sources("""
        class A:
            def __or__(self, other): return g
        def g(): pass
        def f(): (A() | A())()
    """)
    assert graph.callees("f") == {"A.__or__", "g"}


def test_an_object_that_is_called_runs_its_call_method():
    graph = link_sources("""
        class A:
            def __call__(self): pass
        run = A()
        def f(): run()
    """)
    assert graph.edges("f") == {("A.__call__", "call", "certain")}


def test_an_operator_of_the_operator_module():
    graph = link_sources("""
        import operator
        class A:
            def __add__(self, other): pass
        def f(): operator.add(A(), 1)
    """)
    assert graph.callees("f") == {"A.__add__"}


def test_a_special_method_is_looked_up_on_the_class():
    graph = link_sources("""
        class A:
            def __init__(self): self.__len__ = g
        def g(): pass
        def f(): len(A())
    """)
    assert "g" not in graph.callees("f")


def test_subscripting_a_class_runs_class_getitem():
    graph = link_sources("""
        class A:
            def __class_getitem__(cls, item): return cls
        def f(): A[int]
    """)
    assert graph.callees("f") == {"A.__class_getitem__"}


def test_a_match_statement_compares():
    graph = link_sources("""
        class A:
            def __eq__(self, other): pass
        def f(a: A):
            match a:
                case 1: g()
        def g(): pass
    """)
    assert graph.callees("f") == {"A.__eq__", "g"}


def test_sorting_compares():
    graph = link_sources("""
        class A:
            def __lt__(self, other): pass
        def f(): sorted([A(), A()])
    """)
    assert graph.callees("f") == {"A.__lt__"}
