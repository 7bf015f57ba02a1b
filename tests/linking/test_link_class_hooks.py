"""What a class statement runs."""

from linked import link_sources


def test_the_methods_of_the_metaclass_run_for_each_class_statement():
    graph = link_sources("""
        class Meta(type):
            @classmethod
            def __prepare__(mcls, name, bases): return {}
            def __new__(mcls, name, bases, namespace): return super().__new__(mcls, name, bases, namespace)
            def __init__(cls, name, bases, namespace): pass
            def other(cls): pass
        def f():
            class A(metaclass=Meta): pass
            return A
        class Base(metaclass=Meta): pass
        def g():
            class B(Base): pass
            return B
    """)
    ran = {(f"Meta.{name}", "construct", "certain") for name in ("__prepare__", "__new__", "__init__")}
    assert graph.edges("f") == ran
    assert graph.edges("g") == ran


def test_init_subclass_of_the_class_itself_does_not_run():
    graph = link_sources("""
        def f():
            class A:
                def __init_subclass__(cls): pass
            return A
    """)
    assert graph.edges("f") == set()


def test_init_subclass_is_given_the_class_and_the_keywords():
    graph = link_sources("""
        class Base:
            def __init_subclass__(cls, hook): hook(); cls.run()
        def g(): pass
        def f():
            class A(Base, hook=g):
                @classmethod
                def run(cls): pass
            return A
    """)
    assert graph.edges("f") == {("Base.__init_subclass__ [f.<locals>.A, m.g]", "construct", "certain")}
    assert "g" in graph.reached("f")
    assert "f.<locals>.A.run" in graph.reached("f")


def test_set_name_runs_for_what_is_bound_in_the_body():
    graph = link_sources("""
        class Field:
            def __set_name__(self, owner, name): pass
        class Other: pass
        def f():
            class A:
                x = Field()
                y = Other()
            return A
    """)
    assert ("Field.__set_name__", "construct", "certain") in graph.edges("f")
    assert graph.callees("f") == {"Field.__set_name__"}
