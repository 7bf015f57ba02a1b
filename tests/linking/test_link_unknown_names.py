"""Attributes whose names are not known."""

import pytest
from linked import link_sources


def test_getattr_may_ask_the_getattr_method():
    graph = link_sources("""
        class A:
            def __getattr__(self, name): pass
        def f(name): getattr(A(), name)
    """)
    assert graph.edges("f") == {("A.__getattr__", "property", "flow")}


def test_getattr_may_ask_the_getattr_function_of_a_module():
    graph = link_sources({"m": "import a\ndef f(name): getattr(a, name)", "a": "def __getattr__(name): pass"})
    assert graph.edges("f") == {("a.__getattr__", "property", "flow")}


def test_hasattr_may_ask_the_getattr_method_and_is_no_blind_spot():
    graph = link_sources("""
        class A:
            def __getattr__(self, name): pass
        def f(name): return hasattr(A(), name)
    """)
    assert graph.edges("f") == {("A.__getattr__", "property", "flow")}
    assert graph.blind_spots("f") == set()


@pytest.mark.parametrize("base", ["super()", "object"])
def test_setattr_of_the_base_may_run_any_setter_of_the_class(base: str) -> None:
    given = "name, value" if base == "super()" else "self, name, value"
    graph = link_sources(f"""
        class A:
            def __setattr__(self, name, value): {base}.__setattr__({given})
            @property
            def size(self): pass
            @size.setter
            def size(self, value): self.set()
            def set(self): pass
            @property
            def fixed(self): pass
    """)
    (edge,) = graph.edges("A.__setattr__")
    assert edge == ("A.size", "setattr", "flow")
    assert "A.set" in graph.reached("A.__setattr__")


def test_deleting_an_attribute_may_run_any_deleter_of_the_class():
    graph = link_sources("""
        class Field:
            def __delete__(self, obj): pass
        class A:
            x = Field()
            def __delattr__(self, name): super().__delattr__(name)
        def f(a: A, name): delattr(a, name)
    """)
    assert graph.edges("A.__delattr__") == {("Field.__delete__", "setattr", "flow")}
    assert "A.__delattr__" in graph.callees("f")


def test_a_method_set_under_an_unknown_name_is_called_by_a_name_that_no_class_has():
    graph = link_sources("""
        class A:
            def there(self): pass
        def made(self): pass
        def install(name): setattr(A, name, made)
        install("missing")
        def f(): A.missing()
        def g(): A.there()
    """)
    assert graph.callees("f") == {"made"}
    assert graph.callees("g") == {"A.there"}


@pytest.mark.parametrize("base", ["super()", "object"])
def test_getattribute_of_the_base_may_run_any_property_of_the_class(base: str) -> None:
    given = "name" if base == "super()" else "self, name"
    graph = link_sources(f"""
        class A:
            def __getattribute__(self, name): return {base}.__getattribute__({given})
            @property
            def size(self): pass
            def run(self): pass
    """)
    assert graph.edges("A.__getattribute__") == {("A.size", "property", "flow")}


_INSTALLED = """
    class Number:
        def __add__(self, other): pass
        def real(self): pass
    def install(cls, name):
        def unary(self): pass
        def binary(self, other): pass
        def rest(*args): pass
        def three(self, a, b): pass
        setattr(cls, f"__{name}__", unary)
        setattr(cls, f"__{name}__", binary)
        setattr(cls, f"__{name}__", rest)
        setattr(cls, f"__{name}__", three)
    install(Number, "add")
"""


def test_an_operator_may_be_what_was_set_under_an_unknown_name_and_takes_as_many_arguments():
    graph = link_sources(f"{_INSTALLED}\n    def f(): return Number() + 1\n    def g(): return -Number()")
    assert {name.rpartition(".")[2] for name in graph.callees("f")} == {"__add__", "binary", "rest"}
    assert {name.rpartition(".")[2] for name in graph.callees("g")} == {"unary", "rest"}
    assert ("Number.__add__", "operator", "certain") in graph.edges("f")
    assert ("install.<locals>.binary", "operator", "flow") in graph.edges("f")


def test_a_method_that_the_class_has_is_not_what_was_set_under_an_unknown_name():
    graph = link_sources(f"{_INSTALLED}\n    def f(): return Number().real()")
    assert graph.callees("f") == {"Number.real"}


def test_a_name_that_is_not_known_may_be_the_one_that_was_set():
    graph = link_sources(f"{_INSTALLED}\n    def f(name): return getattr(Number(), name)()")
    assert "install.<locals>.unary" in graph.callees("f")


def test_what_was_set_on_a_subclass_under_an_unknown_name_may_override_any_method():
    graph = link_sources("""
        class Base:
            def run(self): pass
            def own(self): pass
        class Lazy(Base):
            def own(self): pass
        def made(self): pass
        for name in dir(Base): setattr(Lazy, name, made)
        def f(base: Base): base.run()
        def g(): Lazy().run()
        def h(): Lazy().own()
    """)
    assert graph.edges("f") == {("Base.run", "call", "dispatch"), ("made", "call", "dispatch")}
    assert graph.callees("g") == {"Base.run", "made"}
    assert graph.callees("h") == {"Lazy.own"}


def test_a_missing_attribute_of_a_class_with_an_outside_base_is_that_of_the_base():
    graph = link_sources("""
        import native
        class A(native.Base): pass
        def made(self, other): pass
        def install(name): setattr(A, name, made)
        install(input())
        def f(): A().missing(1)
        def g(): return A() + 1
    """)
    assert graph.callees("f") == set()
    assert graph.callees("g") == set()


def test_what_is_set_later_under_an_unknown_name_is_a_write_alone():
    graph = link_sources("""
        class A: pass
        def made(self): pass
        def patch(name): setattr(A, name, made)
        def f(): A.missing()
    """)
    assert graph.callees("f") == set()
    assert graph.writers("A.*") == {"patch"}


def test_a_class_that_an_object_names_may_be_any():
    graph = link_sources("""
        class A: pass
        class Patch:
            def __init__(self, cls, name, new):
                self.cls = cls
                self.name = name
                self.new = new
            def apply(self): setattr(self.cls, self.name, self.new)
        def made(*args): pass
        Patch(A, input(), made).apply()
        def f(): return A() + 1
    """)
    assert graph.callees("f") == set()
    assert graph.writers("A.*") == {"Patch.apply"}


_PATCHES = """
    class A:
        def run(self): pass
    class B:
        def stop(self): pass
    class Patch:
        def __init__(self, cls, new):
            self.cls = cls
            self.new = new
        def apply(self): setattr(self.cls, self.name, self.new)
    class RunPatch(Patch): name = "run"
    class StopPatch(Patch): name = "stop"
    def f(): A().run()
    def g(): A().stop()
    def h(): B().run()
"""


def test_what_an_object_says_to_change_is_an_attribute_that_the_class_has():
    graph = link_sources(f"""{_PATCHES}
    def new_run(self): pass
    def new_stop(self): pass
    def patch():
        RunPatch(A, new_run).apply()
        StopPatch(B, new_stop).apply()
    """)
    assert {"A.run", "new_run"} <= graph.callees("f")
    assert graph.callees("g") == set()
    assert graph.callees("h") == set()
    assert graph.writers("A.run") == {"Patch.apply"}


def test_an_attribute_that_no_class_has_is_not_what_an_object_says_to_change():
    graph = link_sources(f"""{_PATCHES}
    class NewPatch(Patch): name = "fresh"
    def new(self): pass
    def patch(): NewPatch(A, new).apply()
    def k(): A().fresh()
    """)
    assert graph.callees("k") == set()


def test_one_of_very_many_values_is_not_what_an_object_changes_a_method_to():
    patches = "\n".join(f"    def new_{i}(self): pass\n    RunPatch(A, new_{i}).apply()" for i in range(12))
    graph = link_sources(f"{_PATCHES}{patches}")
    assert graph.callees("f") == {"A.run"}
    assert graph.writers("A.run") == {"Patch.apply"}
