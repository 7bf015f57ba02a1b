"""Calling a class: `__new__`, `__init__`, a metaclass's `__call__`, generated constructors."""

from linked import link_sources


def test_calling_a_class_runs_its_init():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        def f(): A()
    """)
    assert graph.edges("f") == {("A.__init__", "construct", "certain")}


def test_an_inherited_init_runs():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        class B(A): pass
        def f(): B()
    """)
    assert graph.edges("f") == {("A.__init__", "construct", "certain")}


def test_an_overridden_init_does_not_run_by_itself():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        class B(A):
            def __init__(self): pass
        def f(): B()
    """)
    assert graph.edges("f") == {("B.__init__", "construct", "certain")}


def test_super_init_is_a_call():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        class B(A):
            def __init__(self): super().__init__()
    """)
    assert graph.edges("B.__init__") == {("A.__init__", "call", "certain")}


def test_new_runs_before_init():
    graph = link_sources("""
        class A:
            def __new__(cls, *args): return super().__new__(cls)
            def __init__(self): pass
        def f(): A()
    """)
    assert graph.edges("f") == {("A.__new__", "construct", "certain"), ("A.__init__", "construct", "certain")}


def test_what_new_returns_is_what_the_call_gives():
    graph = link_sources("""
        class Other:
            def run(self): pass
        class A:
            def __new__(cls): return Other()
        def f(): A().run()
    """)
    assert "Other.run" in graph.callees("f")


def test_the_arguments_of_a_call_of_a_class_are_those_of_init():
    graph = link_sources("""
        class A:
            def __init__(self, callback): callback()
        def g(): pass
        def f(): A(g)
    """)
    assert graph.callees("A.__init__") == {"g"}


def test_a_metaclass_call_runs():
    graph = link_sources("""
        class Meta(type):
            def __call__(cls, *args): return super().__call__(*args)
        class A(metaclass=Meta):
            def __init__(self): pass
        class B(A): pass
        def f(): B()
    """)
    assert {("Meta.__call__", "construct", "certain"), ("A.__init__", "construct", "certain")} <= graph.edges("f")


def test_cls_in_a_class_method_makes_the_class_or_a_subclass():
    graph = link_sources("""
        class A:
            def __init__(self): pass
            @classmethod
            def make(cls): return cls()
        class B(A):
            def __init__(self): pass
    """)
    assert graph.edges("A.make") == {("A.__init__", "construct", "dispatch"), ("B.__init__", "construct", "dispatch")}


def test_the_type_of_self_makes_the_class_or_a_subclass():
    graph = link_sources("""
        class A:
            def __init__(self): pass
            def copy(self): return type(self)()
            def clone(self): return self.__class__()
        class B(A):
            def __init__(self): pass
    """)
    assert graph.callees("A.copy") == {"A.__init__", "B.__init__"}
    assert graph.callees("A.clone") == {"A.__init__", "B.__init__"}


def test_a_class_kept_in_a_variable_is_made():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        default = A
        def f(): default()
    """)
    assert graph.edges("f") == {("A.__init__", "construct", "certain")}


def test_a_dataclass_runs_its_post_init():
    graph = link_sources("""
        from dataclasses import dataclass
        @dataclass
        class A:
            x: int
            def __post_init__(self): pass
        def f(): A(1)
    """)
    assert graph.edges("f") == {("A.__post_init__", "construct", "certain")}


def test_a_dataclass_keeps_what_it_is_given_in_its_fields():
    graph = link_sources("""
        from dataclasses import dataclass
        from typing import Callable
        @dataclass
        class Base:
            before: Callable
        @dataclass
        class A(Base):
            after: Callable
            def run(self):
                self.before()
                self.after()
        def g(): pass
        def h(): pass
        A(g, after=h)
    """)
    assert graph.callees("A.run") == {"g", "h"}


def test_a_dataclass_field_holds_what_its_default_factory_makes():
    graph = link_sources("""
        from dataclasses import dataclass, field
        class Log:
            def __init__(self): pass
            def write(self): pass
        @dataclass
        class A:
            log: Log = field(default_factory=Log)
            def run(self): self.log.write()
        def f(): A()
    """)
    assert graph.callees("A.run") == {"Log.write"}
    assert "Log.__init__" in graph.reached("f")


def test_a_named_tuple_keeps_what_it_is_given():
    graph = link_sources("""
        from typing import Callable, NamedTuple
        class Step(NamedTuple):
            name: str
            action: Callable
        def g(): pass
        step = Step("a", g)
        def f(): step.action()
    """)
    assert graph.callees("f") == {"g"}


def test_the_member_of_an_enum_is_an_instance():
    graph = link_sources("""
        import enum
        class Mode(enum.Enum):
            FAST = 1
            def run(self): pass
        def f(): Mode.FAST.run()
    """)
    assert graph.callees("f") == {"Mode.run"}


def test_an_enum_looked_up_by_value_is_an_instance():
    graph = link_sources("""
        from enum import Enum
        class Mode(Enum):
            FAST = 1
            def run(self): pass
        def f(x): Mode(x).run()
        def g(x): Mode[x].run()
    """)
    assert graph.callees("f") == {"Mode.run"}
    assert graph.callees("g") == {"Mode.run"}


def test_a_class_in_a_registry_is_made():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        class B:
            def __init__(self): pass
        registry = {"a": A, "b": B}
        def f(name): registry[name]()
    """)
    assert graph.edges("f") == {("A.__init__", "construct", "flow"), ("B.__init__", "construct", "flow")}


def test_raising_a_class_makes_an_instance():
    graph = link_sources("""
        class Failure(Exception):
            def __init__(self): pass
        def f(): raise Failure
        def g(failure):
            raise failure
        def h(): raise Failure() from None
    """)
    assert graph.edges("f") == {("Failure.__init__", "construct", "certain")}
    assert graph.edges("g") == set()
    assert graph.edges("h") == {("Failure.__init__", "construct", "certain")}


def test_a_default_factory_runs_where_the_class_is_made_and_the_field_is_not_given():
    graph = link_sources("""
        from dataclasses import dataclass, field
        class Log:
            def __init__(self): pass
        def listed(): return [run]
        def run(): pass
        @dataclass
        class A:
            log: Log = field(default_factory=Log)
            names: list = field(default_factory=listed)
            def go(self): self.names[0]()
        def f(): A()
        def g(): A(Log())
    """)
    assert graph.edges("<module>") == set()
    assert graph.edges("f") == {("Log.__init__", "construct", "certain"), ("listed", "callback", "certain")}
    assert graph.callees("A.go") == {"run"}
