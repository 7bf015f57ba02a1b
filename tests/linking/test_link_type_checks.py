"""`isinstance` and `issubclass` with classes whose metaclass decides."""

import pytest
from linked import link_sources

_CHECKED = """
    class Meta(type):
        def __instancecheck__(cls, instance): pass
        def __subclasscheck__(cls, subclass): pass
    class A(metaclass=Meta): pass
    class B(A): pass
    class Plain: pass
"""


@pytest.mark.parametrize("types", ["A", "B", "(Plain, A)", "(Plain, (A, int))"])
def test_isinstance_asks_the_metaclass(types: str) -> None:
    graph = link_sources(f"{_CHECKED}\n    def f(x): return isinstance(x, {types})")
    assert graph.edges("f") == {("Meta.__instancecheck__", "operator", "certain")}


def test_isinstance_asks_no_other_metaclass():
    graph = link_sources(f"{_CHECKED}\n    def f(x): return isinstance(x, Plain)")
    assert graph.edges("f") == set()


def test_issubclass_asks_the_metaclass():
    graph = link_sources(f"{_CHECKED}\n    def f(x): return issubclass(x, A)")
    assert graph.edges("f") == {("Meta.__subclasscheck__", "operator", "certain")}


def test_a_class_whose_metaclass_is_inherited_later_in_the_file_is_asked():
    graph = link_sources("""
        def f(x): return isinstance(x, A)
        class Meta(type):
            def __instancecheck__(cls, instance): pass
        class Base(metaclass=Meta): pass
        class A(Base): pass
    """)
    assert graph.callees("f") == {"Meta.__instancecheck__"}


def test_a_metaclass_that_makes_classes_of_another_one():
    graph = link_sources("""
        class Meta(type):
            def __new__(mcs, name, bases, namespace):
                if name == "Base": return super().__new__(Meta, name, bases, namespace)
                return super().__new__(Other, name, bases, namespace)
        class Other(Meta):
            def __instancecheck__(cls, instance): pass
        class Base(metaclass=Meta): pass
        class A(Base): pass
        class Plain: pass
        def f(x): return isinstance(x, A)
        def g(x): return isinstance(x, Plain)
    """)
    assert graph.callees("f") == {"Other.__instancecheck__"}
    assert graph.callees("g") == set()
