"""Shared state that is bound anew: attributes of classes, and of module-level objects."""

import pytest
from linked import link_sources


@pytest.mark.parametrize(
    ("statement", "form"),
    [
        ("C.x = 1", "class attribute"),
        ("C.x += 1", "augmented"),
        ("C.x, y = 1, 2", "unpack"),
        ("del C.x", "delete"),
        ("setattr(C, 'x', 1)", "setattr"),
        ("type.__setattr__(C, 'x', 1)", "setattr"),
        ("delattr(C, 'x')", "delete"),
    ],
)
def test_every_binding_of_a_class_attribute_is_a_write(statement: str, form: str) -> None:
    graph = link_sources(f"""
        class C:
            x = None
        class D:
            x = None
        def f():
            {statement}
        def unrelated(): D.x = 1
    """)
    assert graph.writes("C.x") == {("f", form)}
    assert graph.state("C.x") == ("class attribute", "process")


def test_cls_and_the_type_of_self_are_the_class():
    graph = link_sources("""
        class C:
            x = None
            @classmethod
            def by_cls(cls): cls.x = 1
            def by_type(self): type(self).x = 1
            def by_class(self): self.__class__.x = 1
            def by_name(self): C.x = 1
    """)
    assert graph.writers("C.x") == {"C.by_cls", "C.by_type", "C.by_class", "C.by_name"}


def test_an_attribute_written_through_a_subclass_is_named_after_the_class_that_declares_it():
    graph = link_sources("""
        class C:
            x = None
        class D(C): pass
        def f(): D.x = 1
    """)
    assert graph.writers("C.x") == {"f"}


def test_the_class_body_is_the_definition():
    graph = link_sources("""
        class C:
            x = None
            y: int = 1
            def run(self): pass
    """)
    assert graph.writes("C.x") == set()
    assert graph.writes("C.y") == set()
    assert graph.writes("C.run") == set()


def test_monkey_patching_a_method_is_a_write():
    graph = link_sources("""
        class C:
            def run(self): pass
        def mine(self): pass
        def f(): C.run = mine
        def g(): setattr(C, "run", mine)
    """)
    assert graph.writers("C.run") == {"f", "g"}


def test_a_class_of_another_module_is_written():
    graph = link_sources(
        {
            "m": "import a\ndef f(): a.C.x = 1",
            "a": "class C:\n    x = None",
        }
    )
    assert graph.writes("a.C.x") == {("f", "class attribute")}


def test_an_attribute_of_self_is_an_attribute_of_an_instance_and_not_of_the_class():
    graph = link_sources("""
        class C:
            def __init__(self): self.x = 1
    """)
    assert graph.state("C.x") == ("instance attribute", "object")


def test_an_attribute_of_a_module_level_object_is_a_state():
    graph = link_sources("""
        class Config:
            def __init__(self): self.size = 1
        config = Config()
        other = Config()
        def f(): config.size = 2
        def g(): other.size = 2
        def h(c: Config): c.size = 2
    """)
    assert graph.writes("config.size") == {("f", "attribute")}
    assert graph.writes("other.size") == {("g", "attribute")}
    assert graph.state("config.size") == ("object attribute", "process")


def test_an_attribute_of_an_imported_module_level_object_is_the_same_state():
    graph = link_sources(
        {
            "m": """
            import a
            from a import config
            def f(): config.size = 2
            def g(): a.config.size = 2
        """,
            "a": """
            class Config: pass
            config = Config()
        """,
        }
    )
    assert graph.writers("a.config.size") == {"f", "g"}


def test_a_method_of_a_module_level_object_writes_its_attribute():
    graph = link_sources("""
        class Config:
            def __init__(self): self.size = 1
            def grow(self): self.size = 2
        config = Config()
        def f(): config.grow()
    """)
    assert "Config.grow" in graph.writers("Config.size")


def test_an_attribute_of_a_module_level_object_written_with_setattr():
    graph = link_sources("""
        class Config:
            size = 1
        config = Config()
        def f(): setattr(config, "size", 2)
        def g(): object.__setattr__(config, "size", 2)
        def h(): config.__dict__["size"] = 2
        def k(): vars(config)["size"] = 2
        def d():
            del config.size
    """)
    assert graph.writers("config.size") == {"f", "g", "h", "k", "d"}


def test_an_attribute_of_an_object_kept_in_a_class_is_a_state():
    graph = link_sources("""
        class State: pass
        class C:
            state = State()
        def f(): C.state.on = True
    """)
    assert graph.writers("C.state.on") == {"f"}


def test_an_attribute_of_an_object_in_an_object_is_a_state():
    graph = link_sources("""
        class Inner: pass
        class Outer:
            def __init__(self): self.inner = Inner()
        outer = Outer()
        def f(): outer.inner.on = True
    """)
    assert graph.writers("Inner.on") == {"f"}


def test_an_object_put_into_a_global_by_a_function_is_that_global():
    graph = link_sources("""
        class State: pass
        current = None
        def start():
            global current
            current = State()
        def f(): current.on = True
    """)
    assert graph.writers("current") >= {"start"}
    assert graph.writers("State.on") == {"f"}


def test_an_attribute_of_a_function_is_a_state():
    graph = link_sources("""
        def g(): pass
        g.calls = 0
        def f(): g.calls += 1
    """)
    assert graph.writers("g.calls") == {"f"}


def test_an_attribute_of_an_object_of_an_outside_class_is_a_state():
    graph = link_sources("""
        import types
        import argparse
        settings = types.SimpleNamespace(size=1)
        options = argparse.Namespace()
        def f(): settings.size = 2
        def g(): options.size = 2
    """)
    assert graph.writers("settings.size") == {"f"}
    assert graph.writers("options.size") == {"g"}


def test_an_object_that_a_function_makes_for_a_global_is_a_state_even_for_functions_before_it():
    graph = link_sources("""
        class State: pass
        current = None
        table = None
        def f(): current.on = True
        def g(): table["a"] = 1
        def start():
            global current, table
            current = State()
            table = {}
        def other(): State().on = True
    """)
    assert graph.writers("current.on") == {"f"}
    assert graph.writers("table") == {"start", "g"}
    assert graph.writers("State.on") == {"f", "other"}


def test_an_attribute_of_a_function_is_a_state_of_its_own():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        g.calls = 0
        def f():
            saved = g.calls
            g.calls = 1
            del g.calls
            g.calls = saved
            h.calls = 1
        def look(): return g.calls
    """)
    assert graph.writes("g.calls") == {("f", "attribute"), ("f", "delete")}
    assert graph.restores("g.calls") == {"f"}
    assert graph.readers("g.calls") == {"f", "look"}
    assert graph.state("g.calls") == ("object attribute", "process")


def test_the_namespace_of_an_object_is_its_attributes():
    graph = link_sources("""
        def g(): pass
        class A:
            def __init__(self, **options):
                self.__dict__["run"] = g
                self.__dict__.update(options)
            def f(self): self.run()
            def h(self): self.__dict__["run"]()
            def k(self): vars(self).get("run")()
        a = A()
        def write(): a.__dict__["size"] = 1
    """)
    assert graph.callees("A.f") == graph.callees("A.h") == graph.callees("A.k") == {"g"}
    assert graph.writers("A.run") == {"A.__init__"}
    assert graph.writers("A.*") == {"A.__init__"}
    assert graph.writers("a.size") == {"write"}


def test_setattr_with_an_unknown_name_may_write_any_attribute_of_an_object():
    graph = link_sources("""
        class C: pass
        c = C()
        def f(name): setattr(c, name, 1)
        def g(name): setattr(C(), name, 1)
    """)
    assert graph.writers("c.*") == {"f"}
    assert graph.state("c.*") == ("object attribute", "process")
    assert graph.writers("C.*") == {"f", "g"}
    assert graph.state("C.*")[0] == "instance attribute"


def test_an_object_that_is_not_made_once_is_no_state():
    graph = link_sources("""
        class Part: pass
        class Whole:
            def __init__(self): self.part = Part()
        def f():
            Part().on = True
            Whole().part.on = True
    """)
    assert graph.writers("Part.on") == {"f"}
    assert graph.writers("Whole.part.on") == set()
    assert graph.rows.objects == []
