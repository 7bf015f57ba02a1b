"""Classes: inheritance, method resolution order, `super()`, class and static methods, metaclasses."""

import pytest
from linked import link_sources


def test_a_method_of_an_instance_that_is_made_here_is_that_of_its_class():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
        class Other:
            def run(self): pass
        def f(): A().run()
    """)
    assert graph.edges("f") == {("A.run", "call", "certain")}


def test_an_inherited_method_is_found_in_the_base():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A): pass
        def f(): B().run()
    """)
    assert graph.edges("f") == {("A.run", "call", "certain")}


def test_self_may_be_a_subclass():
    graph = link_sources("""
        class A:
            def f(self): self.run()
            def run(self): pass
        class B(A):
            def run(self): pass
        class Other:
            def run(self): pass
    """)
    assert graph.edges("A.f") == {("A.run", "call", "dispatch"), ("B.run", "call", "dispatch")}


def test_self_in_a_class_without_subclasses_is_certain():
    graph = link_sources("""
        class A:
            def f(self): self.run()
            def run(self): pass
    """)
    assert graph.edges("A.f") == {("A.run", "call", "certain")}


def test_self_in_a_subclass_does_not_lead_to_the_overridden_method():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
            def f(self): self.run()
    """)
    assert graph.edges("B.f") == {("B.run", "call", "certain")}


def test_a_mixin_calls_what_the_other_base_has():
    graph = link_sources("""
        class Mixin:
            def f(self): self.run()
        class Base:
            def run(self): pass
        class C(Mixin, Base): pass
    """)
    assert graph.callees("Mixin.f") == {"Base.run"}


def test_the_order_of_a_diamond_is_c3():
    graph = link_sources("""
        class A: pass
        class B(A): pass
        class C(A): pass
        class D(B, C): pass
    """)
    assert graph.mro("D") == ["D", "B", "C", "A"]


def test_the_order_with_an_outside_base_keeps_it_last():
    graph = link_sources("""
        import threading
        class A(threading.Thread): pass
        class B(A): pass
    """)
    assert graph.mro("B") == ["B", "A", "threading.Thread"]


def test_a_base_in_another_module_is_followed():
    graph = link_sources(
        {
            "m": """
            import a
            class B(a.A): pass
            def f(): B().run()
        """,
            "a": """
            class A:
                def run(self): pass
        """,
        }
    )
    assert graph.mro("B") == ["B", "a.A"]
    assert graph.edges("f") == {("a.A.run", "call", "certain")}


def test_a_generic_base_is_the_class_itself():
    graph = link_sources("""
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class A(Generic[T]):
            def run(self): pass
        class B(A[int]): pass
        def f(): B().run()
    """)
    assert graph.edges("f") == {("A.run", "call", "certain")}


def test_super_goes_to_the_next_class():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): super().run()
    """)
    assert graph.edges("B.run") == {("A.run", "call", "certain")}


def test_super_with_arguments_goes_to_the_next_class():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): super(B, self).run()
    """)
    assert graph.edges("B.run") == {("A.run", "call", "certain")}


def test_super_skips_a_base_that_lacks_the_method():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A): pass
        class C(B):
            def run(self): super().run()
    """)
    assert graph.edges("C.run") == {("A.run", "call", "certain")}


def test_super_may_lead_to_a_sibling_in_a_class_with_several_bases():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): super().run()
        class C(A):
            def run(self): super().run()
        class D(B, C):
            def run(self): super().run()
    """)
    assert graph.callees("D.run") == {"B.run"}
    assert graph.edges("B.run") == {("A.run", "call", "dispatch"), ("C.run", "call", "dispatch")}
    assert graph.edges("C.run") == {("A.run", "call", "certain")}


def test_super_in_a_comprehension_is_that_of_the_method():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self):
                return [super(B, self).run() for _ in range(3)]
    """)
    assert graph.edges("B.run") == {("A.run", "call", "certain")}


def test_super_in_a_class_method():
    graph = link_sources("""
        class A:
            @classmethod
            def make(cls): pass
        class B(A):
            @classmethod
            def make(cls): super().make()
    """)
    assert graph.callees("B.make") == {"A.make"}


def test_calling_the_base_by_its_name():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): A.run(self)
    """)
    assert graph.edges("B.run") == {("A.run", "call", "certain")}


def test_a_static_method_by_class_and_by_instance():
    graph = link_sources("""
        class A:
            @staticmethod
            def run(callback): callback()
        def g(): pass
        def f(): A.run(g)
        def h(): A().run(g)
    """)
    assert graph.edges("f") == {("A.run [g]", "call", "certain")}
    assert graph.edges("h") == {("A.run [g]", "call", "certain")}
    assert graph.callees("A.run") == {"g"}


def test_a_class_method_is_given_the_class():
    graph = link_sources("""
        class A:
            @classmethod
            def make(cls): return cls.build()
            @classmethod
            def build(cls): pass
        class B(A):
            @classmethod
            def build(cls): pass
        def f(): A.make()
    """)
    assert graph.edges("f") == {("A.make", "call", "certain")}
    assert graph.edges("A.make") == {("A.build", "call", "dispatch"), ("B.build", "call", "dispatch")}


def test_arguments_of_a_bound_method_skip_self():
    graph = link_sources("""
        class A:
            def run(self, callback): callback()
        def g(): pass
        def f(): A().run(g)
    """)
    assert graph.callees("A.run") == {"g"}


def test_a_bound_method_kept_in_a_variable():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f():
            run = A().run
            run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_a_method_of_a_metaclass_is_called_on_the_class():
    graph = link_sources("""
        class Meta(type):
            def register(cls): pass
        class A(metaclass=Meta): pass
        def f(): A.register()
    """)
    assert graph.edges("f") == {("Meta.register", "call", "certain")}


def test_a_class_defined_in_a_function_inherits_from_what_is_passed():
    graph = link_sources("""
        class A:
            def run(self): pass
        def make(base):
            class Made(base): pass
            return Made
        def f(): make(A)().run()
    """)
    assert "A.run" in graph.callees("f")


def test_init_subclass_runs_for_a_class_statement():
    graph = link_sources("""
        class A:
            def __init_subclass__(cls, **kwargs): pass
        class B(A): pass
    """)
    assert "A.__init_subclass__" in graph.callees("<module>")


def test_a_method_assigned_to_a_class_from_outside():
    graph = link_sources("""
        class A:
            def run(self): pass
        def replacement(self): pass
        def install(): A.run = replacement
        def f(): A().run()
    """)
    assert graph.callees("f") == {"A.run", "replacement"}


def test_private_names_of_two_classes_are_told_apart():
    graph = link_sources("""
        class A:
            def __run(self): pass
            def f(self): self.__run()
        class B(A):
            def __run(self): pass
            def g(self): self.__run()
    """)
    assert graph.callees("A.f") == {"A.__run"}
    assert graph.callees("B.g") == {"B.__run"}


def test_mixin_methods_of_an_abstract_container_call_the_class():
    graph = link_sources("""
        from collections.abc import MutableSet
        from typing import TypeVar
        T = TypeVar("T")
        class Ordered(MutableSet[T]):
            def add(self, value): pass
            def discard(self, value): pass
            def __contains__(self, value): pass
            def __iter__(self): pass
            def __len__(self): pass
        def f():
            ordered = Ordered()
            ordered |= [1]
            ordered.remove(1)
    """)
    assert {"Ordered.add", "Ordered.discard", "Ordered.__contains__"} <= graph.callees("f")


_ONLY_BELOW = """
    class A: pass
    class B(A):
        def run(self): pass
        @property
        def size(self): pass
        def __add__(self, other): pass
        def __enter__(self): pass
        def __exit__(self, *args): pass
"""


@pytest.mark.parametrize("statement", ["x.run()", "x.size", "x + 1", "with x: pass"])
def test_what_only_a_subclass_has_is_not_certain(statement: str) -> None:
    graph = link_sources(f"{_ONLY_BELOW}    def f(x: A):\n        {statement}\n    def g(x: B):\n        {statement}")
    assert graph.callees("f") == graph.callees("g")
    assert {certainty for _, _, certainty in graph.edges("f")} == {"dispatch"}
    assert {certainty for _, _, certainty in graph.edges("g")} == {"certain"}


def test_a_method_of_self_that_only_a_subclass_has_is_not_certain():
    graph = link_sources("""
        class A:
            def call(self): self.run()
        class B(A):
            def run(self): pass
    """)
    assert graph.edges("A.call") == {("B.run", "call", "dispatch")}


def test_a_method_that_a_class_takes_from_another_is_certain():
    graph = link_sources("""
        class B:
            def run(self): pass
        class A:
            run = B.run
        def f(x: A): x.run()
    """)
    assert graph.edges("f") == {("B.run", "call", "certain")}
