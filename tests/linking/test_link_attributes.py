"""Attributes: fields, properties, descriptors, `__getattr__` and `__setattr__`, `getattr` and `setattr`."""

import pytest
from linked import link_sources


def test_a_function_kept_in_an_attribute_of_self_is_called_through_it():
    graph = link_sources("""
        class A:
            def __init__(self, callback): self.callback = callback
            def run(self): self.callback()
        def g(): pass
        def f(): A(g)
    """)
    assert graph.edges("A.run") == {("g", "call", "flow")}


def test_attributes_of_one_name_on_two_classes_are_told_apart():
    graph = link_sources("""
        class A:
            def __init__(self): self.callback = g
            def run(self): self.callback()
        class B:
            def __init__(self): self.callback = h
            def run(self): self.callback()
        def g(): pass
        def h(): pass
    """)
    assert graph.callees("A.run") == {"g"}
    assert graph.callees("B.run") == {"h"}


def test_an_object_kept_in_an_attribute_has_the_methods_of_its_class():
    graph = link_sources("""
        class Log:
            def write(self): pass
        class A:
            def __init__(self): self.log = Log()
            def run(self): self.log.write()
    """)
    assert graph.callees("A.run") == {"Log.write"}


def test_an_attribute_that_a_base_assigns_is_found_in_the_subclass():
    graph = link_sources("""
        class A:
            def __init__(self): self.callback = g
        class B(A):
            def run(self): self.callback()
        def g(): pass
    """)
    assert graph.callees("B.run") == {"g"}


def test_an_attribute_assigned_from_outside_is_found():
    graph = link_sources("""
        class A:
            def run(self): self.callback()
        def g(): pass
        a = A()
        def f(): a.callback = g
    """)
    assert graph.callees("A.run") == {"g"}


def test_reading_a_property_runs_it():
    graph = link_sources("""
        class A:
            @property
            def size(self): pass
        def f(): return A().size
    """)
    assert graph.edges("f") == {("A.size", "property", "certain")}


def test_what_a_property_returns_is_the_attribute():
    graph = link_sources("""
        class A:
            @property
            def action(self): return g
        def g(): pass
        def f(): A().action()
    """)
    assert graph.callees("f") == {"A.action", "g"}


def test_a_property_of_self_may_be_that_of_a_subclass():
    graph = link_sources("""
        class A:
            @property
            def size(self): pass
            def f(self): return self.size
        class B(A):
            @property
            def size(self): pass
    """)
    assert graph.edges("A.f") == {("A.size", "property", "dispatch"), ("B.size", "property", "dispatch")}


def test_assigning_to_a_property_runs_its_setter_and_not_its_getter():
    graph = link_sources("""
        class A:
            @property
            def size(self): pass
            @size.setter
            def size(self, value): changed()
        def changed(): pass
        def f(): A().size = 1
    """)
    (setter,) = graph.edges("f")
    assert setter == ("A.size", "setattr", "certain")
    assert "changed" in graph.reached("f")


def test_reading_a_property_with_a_setter_does_not_run_the_setter():
    graph = link_sources("""
        def got(): pass
        def changed(): pass
        class A:
            def get(self): got()
            def put(self, value): changed()
            size = property(get, put)
        def f(): return A().size
        def g(): A().size = 1
    """)
    assert graph.edges("f") == {("A.get", "property", "certain")}
    assert graph.edges("g") == {("A.put", "setattr", "certain")}


def test_deleting_a_property_runs_its_deleter():
    graph = link_sources("""
        class A:
            def get(self): pass
            def remove(self): pass
            size = property(get, None, remove)
        def f():
            del A().size
    """)
    assert "A.remove" in graph.callees("f")


def test_a_cached_property_runs():
    graph = link_sources("""
        import functools
        class A:
            @functools.cached_property
            def size(self): pass
        def f(): return A().size
    """)
    assert graph.edges("f") == {("A.size", "property", "certain")}


def test_getattr_method_runs_for_an_attribute_that_no_class_has():
    graph = link_sources("""
        class A:
            there = 1
            def __getattr__(self, name): pass
        def f(): return A().missing
        def g(): return A().there
    """)
    assert graph.edges("f") == {("A.__getattr__", "property", "certain")}
    assert graph.edges("g") == set()


def test_getattribute_method_runs_for_every_attribute():
    graph = link_sources("""
        class A:
            there = 1
            def __getattribute__(self, name): pass
        def f(): return A().there
    """)
    assert graph.edges("f") == {("A.__getattribute__", "property", "certain")}


def test_a_delegating_getattr_leads_to_the_method_of_what_it_wraps():
    graph = link_sources("""
        class Inner:
            def run(self): pass
        class Outer:
            def __init__(self): self.inner = Inner()
            def __getattr__(self, name): return getattr(self.inner, name)
        def f(): Outer().run()
    """)
    assert "Inner.run" in graph.reached("f")


def test_setattr_method_runs_for_every_assignment():
    graph = link_sources("""
        class A:
            def __setattr__(self, name, value): pass
        def f(): A().x = 1
    """)
    assert graph.edges("f") == {("A.__setattr__", "setattr", "certain")}


def test_setattr_function_runs_the_setattr_method():
    graph = link_sources("""
        class A:
            def __setattr__(self, name, value): pass
        def f(): setattr(A(), "x", 1)
    """)
    assert graph.edges("f") == {("A.__setattr__", "setattr", "certain")}


def test_setattr_function_with_an_unknown_name_runs_the_setattr_method():
    graph = link_sources("""
        class A:
            def __setattr__(self, name, value): pass
        def f(name): setattr(A(), name, 1)
    """)
    assert graph.edges("f") == {("A.__setattr__", "setattr", "certain")}


def test_object_setattr_does_not_run_the_setattr_method():
    graph = link_sources("""
        class A:
            def __setattr__(self, name, value): pass
        def f(): object.__setattr__(A(), "x", 1)
    """)
    assert graph.edges("f") == set()


def test_delattr_method_runs():
    graph = link_sources("""
        class A:
            def __delattr__(self, name): pass
        def f():
            del A().x
        def g(): delattr(A(), "x")
    """)
    assert graph.edges("f") == {("A.__delattr__", "setattr", "certain")}
    assert graph.edges("g") == {("A.__delattr__", "setattr", "certain")}


def test_a_descriptor_runs_on_access():
    graph = link_sources("""
        class Field:
            def __get__(self, obj, owner): pass
            def __set__(self, obj, value): pass
        class A:
            x = Field()
        def f(a: A): return a.x
    """)
    assert graph.edges("f") == {("Field.__get__", "property", "certain")}


def test_a_descriptor_runs_on_assignment():
    graph = link_sources("""
        class Field:
            def __get__(self, obj, owner): pass
            def __set__(self, obj, value): pass
        class A:
            x = Field()
        def f(a: A): a.x = 1
    """)
    assert graph.edges("f") == {("Field.__set__", "setattr", "certain")}


def test_a_descriptor_runs_on_deletion():
    graph = link_sources("""
        class Field:
            def __delete__(self, obj): pass
        class A:
            x = Field()
        def f(a: A):
            del a.x
    """)
    assert graph.edges("f") == {("Field.__delete__", "setattr", "certain")}


def test_a_descriptor_on_a_class_runs_on_access_through_the_class():
    graph = link_sources("""
        class Field:
            def __get__(self, obj, owner): pass
        class A:
            x = Field()
        def f(): return A.x
    """)
    assert graph.edges("f") == {("Field.__get__", "property", "certain")}


def test_a_descriptor_is_told_its_name_when_the_class_is_made():
    graph = link_sources("""
        class Field:
            def __set_name__(self, owner, name): pass
        class A:
            x = Field()
    """)
    assert "Field.__set_name__" in graph.callees("<module>")


def test_a_descriptor_that_returns_the_method():
    graph = link_sources("""
        class bound:
            def __init__(self, function): self.function = function
            def __get__(self, obj, owner): return self.function
        class A:
            @bound
            def run(self): pass
        def f(): A().run()
    """)
    assert "A.run" in graph.reached("f")


def test_getattr_with_a_constant_name():
    graph = link_sources("""
        class A:
            def run(self): pass
            def other(self): pass
        def f(): getattr(A(), "run")()
    """)
    assert graph.callees("f") == {"A.run"}


def test_getattr_with_a_name_that_is_one_of_several_constants():
    graph = link_sources("""
        class A:
            def run(self): pass
            def walk(self): pass
            def other(self): pass
        def f(fast): getattr(A(), "run" if fast else "walk")()
    """)
    assert graph.callees("f") == {"A.run", "A.walk"}


def test_getattr_with_an_unknown_name_is_a_blind_spot():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(name): getattr(A(), name)()
    """)
    assert "getattr with an unknown name" in {reason for _, reason in graph.blind_spots("f")}
    assert graph.edges("f") == set()


def test_getattr_may_give_its_default():
    graph = link_sources("""
        class A: pass
        def default(): pass
        def f(): getattr(A(), "run", default)()
    """)
    assert graph.callees("f") == {"default"}


def test_hasattr_of_a_property_runs_it():
    graph = link_sources("""
        class A:
            @property
            def size(self): pass
        def f(): return hasattr(A(), "size")
    """)
    assert graph.edges("f") == {("A.size", "property", "certain")}


def test_an_attribute_of_a_function():
    graph = link_sources("""
        def g(): pass
        def run(): pass
        run.undo = g
        def f(): run.undo()
    """)
    assert graph.callees("f") == {"g"}


def test_a_method_of_an_outside_base_is_no_blind_spot():
    graph = link_sources("""
        import threading
        class Worker(threading.Thread): pass
        def f(): Worker().join()
    """)
    assert graph.blind_spots("f") == set()
    assert graph.callers_of("threading.Thread.join") == {"f"}


def test_a_module_whose_class_is_replaced_runs_the_properties_and_setters_of_that_class():
    graph = link_sources(
        {
            "m": """
            import config
            def get(): return config.size
            def put(): config.size = 1
        """,
            "config": """
            import sys
            import types
            class Config(types.ModuleType):
                def __getattr__(self, name): pass
                def __setattr__(self, name, value): pass
            sys.modules[__name__].__class__ = Config
        """,
        }
    )
    assert graph.edges("get") == {("config.Config.__getattr__", "property", "certain")}
    assert graph.edges("put") == {("config.Config.__setattr__", "setattr", "certain")}


def test_an_object_that_the_setattr_method_may_keep_elsewhere_is_asked_for():
    graph = link_sources("""
        class A:
            def __init__(self):
                self.object = B()
                self.number = 1
            def __setattr__(self, name, value): pass
            def __getattr__(self, name): pass
        class B: pass
        def f(a: A): return a.object
        def g(a: A): return a.number
    """)
    assert graph.edges("f") == {("A.__getattr__", "property", "flow")}
    assert graph.edges("g") == set()


def test_a_getattr_method_that_sets_what_it_was_asked_for():
    graph = link_sources("""
        class A:
            def __getattr__(self, name):
                setattr(self, name, 1)
                return 1
        def f(a: A): return a.x
        def g(a: A): a.__getattr__("x")
    """)
    assert graph.edges("f") == {("A.__getattr__ ['x']", "property", "certain")}


def test_an_object_that_a_constructor_is_given_has_the_methods_of_its_class():
    graph = link_sources("""
        class Inner:
            def run(self): pass
        class Outer:
            def __init__(self, inner): self.inner = inner
        def make(): return Outer(Inner())
        def f(outer: Outer): outer.inner.run()
    """)
    assert graph.callees("f") == {"Inner.run"}


def test_a_special_method_on_the_object_is_not_the_one_that_runs():
    graph = link_sources("""
        class Computing:
            def __init__(self, getter): self.__getattr__ = getter
            def __getattr__(self, name): pass
        class Descriptor:
            def __init__(self, getter): self.__get__ = getter
            def __get__(self, obj, owner): pass
        class Named:
            def __init__(self, namer): self.__set_name__ = namer
            def __set_name__(self, owner, name): pass
        def other(*args): pass
        class Holder:
            x = Descriptor(other)
            y = Named(other)
        def f(): Computing(other).missing
        def g(): Holder().x
    """)
    assert graph.callees("f") == {"Computing.__init__", "Computing.__getattr__"}
    assert graph.callees("g") == {"Descriptor.__get__"}
    assert "other" not in graph.callees("<module>")
    assert "Named.__set_name__" in graph.callees("<module>")


def test_a_special_method_that_only_objects_hold_does_not_run():
    graph = link_sources("""
        class Computing:
            def __init__(self, getter): self.__getattr__ = getter
        def other(name): pass
        def f(): Computing(other).missing
        def g(name): getattr(Computing(other), name)
    """)
    assert graph.callees("f") == {"Computing.__init__"}
    assert graph.callees("g") == {"Computing.__init__"}


_SEVERAL = """
    class A:
        def run(self): pass
    class B:
        def __getattr__(self, name): return made
    class C: pass
    def made(*args): pass
    for name in dir(): setattr(C, name, made)
"""


@pytest.mark.parametrize("other", ["B", "C"])
def test_an_attribute_that_some_objects_have_is_not_computed_by_the_others(other: str) -> None:
    graph = link_sources(f"""{_SEVERAL}
    def f(choice):
        x = A() if choice else {other}()
        if choice: x.run()
    """)
    assert graph.callees("f") == {"A.run"}


@pytest.mark.parametrize(("other", "expected"), [("B", "B.__getattr__"), ("C", "made")])
def test_an_attribute_that_none_of_several_objects_has_is_computed(other: str, expected: str) -> None:
    graph = link_sources(f"""{_SEVERAL}
    def f(choice):
        x = A() if choice else {other}()
        if not choice: x.missing()
    """)
    assert expected in graph.callees("f")


def test_an_attribute_that_some_objects_have_and_others_compute():
    graph = link_sources(f"""{_SEVERAL}
    def f(choice):
        x = A() if choice else B()
        x.run()
    """)
    assert graph.callees("f") == {"A.run", "B.__getattr__", "made"}


_ASSIGNED = """
    class A:
        def __init__(self): self.hook = None
        def run(self): self.hook()
    class B:
        def run(self): self.hook()
    class C:
        hook = None
    class D: pass
    def g(): pass
"""


def test_an_assignment_means_those_objects_that_have_the_attribute():
    graph = link_sources(f"""{_ASSIGNED}
    def f(choice):
        x = A() if choice else B()
        if choice: x.hook = g
    """)
    assert graph.callees("A.run") == {"g"}
    assert graph.callees("B.run") == set()
    assert graph.writers("A.hook") == {"f", "A.__init__"}
    assert "m.B.hook" not in {state.name for state in graph.rows.states}


@pytest.mark.parametrize("statement", ["x.hook = g", "setattr(x, 'hook', g)"])
def test_an_assignment_means_those_classes_that_have_the_attribute(statement: str) -> None:
    graph = link_sources(f"""{_ASSIGNED}
    def f(choice):
        x = C if choice else D
        if choice: {statement}
    """)
    assert graph.writers("C.hook") == {"f"}
    assert "m.D.hook" not in {state.name for state in graph.rows.states}


def test_an_assignment_of_what_no_object_has_means_all():
    graph = link_sources(f"""{_ASSIGNED}
    def f(choice):
        x = B() if choice else D()
        x.hook = g
    """)
    assert graph.callees("B.run") == {"g"}
    assert graph.writers("D.hook") == {"f"}


def test_an_assignment_that_makes_the_attribute_of_some_objects():
    graph = link_sources(f"""{_ASSIGNED}
    def f(choice):
        x = A() if choice else B()
        x.hook = g
    """)
    assert graph.callees("B.run") == {"g"}


_OUTSIDE = """
    from outside import Native
    class Base({base}): pass
    class Sub(Base):
        def __getattr__(self, name): pass
    def f(x: Base): x.shape
    def g(x: Sub): x.shape
"""


def test_a_subclass_is_not_asked_for_what_a_class_with_an_outside_base_is_asked_for():
    graph = link_sources(_OUTSIDE.format(base="Native"))
    assert graph.callees("f") == set()
    assert graph.callees("g") == {"Sub.__getattr__"}


def test_a_subclass_may_be_asked_for_what_no_base_has():
    graph = link_sources(_OUTSIDE.format(base=""))
    assert graph.edges("f") == {("Sub.__getattr__", "property", "dispatch")}


def test_what_is_assigned_to_the_class_of_self_replaces_what_a_subclass_has():
    graph = link_sources("""
        class Base:
            def __init__(self):
                self.__class__.step = hooked(self.__class__.step)
            def step(self): pass
        def hooked(step):
            def wrapper(*args): return step(*args)
            return wrapper
        class Sub(Base):
            def step(self): pass
        def f(): Sub().step()
    """)
    assert graph.callees("f") >= {"Sub.step", "hooked.<locals>.wrapper [typing.Callable]"}


def test_what_a_patcher_puts_back_under_one_name_is_no_method_of_another():
    graph = link_sources("""
        from typing import Any, Callable, NamedTuple
        class Module:
            def __getattr__(self, name): pass
            def run(self): pass
        class Patched(NamedTuple):
            cls: Any
            name: str
            original: Callable[..., Any] | None
            def revert(self) -> None: setattr(self.cls, self.name, self.original)
        class Patcher:
            def __init__(self) -> None: self.made: list[Patched] = []
            def patch(self, cls: type, name: str, new: Callable[..., Any]) -> None:
                self.made.append(Patched(cls, name, getattr(cls, name)))
                setattr(cls, name, new)
            def revert(self) -> None:
                while self.made: self.made.pop().revert()
        def new(*args): pass
        def start():
            patcher = Patcher()
            patcher.patch(Module, "__getattr__", new)
            patcher.patch(Module, "run", new)
            patcher.revert()
        def read(module: Module): return module.anything
    """)
    assert {"Module.__getattr__", "new"} <= graph.callees("read")
    assert "Module.run" not in graph.callees("read")
