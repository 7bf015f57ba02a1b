"""Calls of one of many methods, looked up by a name that is not known."""

from linked import link_sources

_VISITOR = """
    class Visitor:
        def visit_add(self, node): pass
        def visit_call(self, node, more): pass
        def visit_any(self, *nodes): pass
        def visit_default(self, node, more=None): pass
        @staticmethod
        def visit_static(node): pass
        @classmethod
        def visit_class(cls, node): pass
        def leave_add(self, node): pass
        def reset(self): pass
"""


def test_the_methods_whose_names_fit_and_that_take_as_many_arguments():
    graph = link_sources(f"""{_VISITOR}
        def visit(self, kind, node): return getattr(self, f"visit_{{kind}}")(node)
    """)
    fitting = {f"Visitor.visit_{name}" for name in ("add", "any", "default", "static", "class")}
    assert graph.edges("Visitor.visit") == {(name, "call", "flow") for name in fitting}


def test_an_argument_that_is_given_by_its_name():
    graph = link_sources(f"""{_VISITOR}
        def visit(self, kind, node): return getattr(self, f"visit_{{kind}}")(node, more=1)
    """)
    assert "Visitor.visit_call" in graph.callees("Visitor.visit")


def test_arguments_of_which_there_are_so_many_as_there_are():
    graph = link_sources(f"""{_VISITOR}
        def visit(self, kind, *nodes): return getattr(self, f"visit_{{kind}}")(*nodes)
    """)
    assert {"Visitor.visit_add", "Visitor.visit_call"} <= graph.callees("Visitor.visit")
    assert "Visitor.leave_add" not in graph.callees("Visitor.visit")


def test_of_another_object_the_methods_whose_names_fit():
    graph = link_sources(f"""{_VISITOR}
    def f(visitor: Visitor, kind): getattr(visitor, f"leave_{{kind}}")(1)
    """)
    assert graph.callees("f") == {"Visitor.leave_add"}


def test_an_object_that_looks_up_a_method_of_its_own_by_any_name():
    graph = link_sources("""
        class A:
            def __init__(self, first, second): pass
            def one(self, first): pass
            def two(self, first, second): pass
            def call(self, name): getattr(self, name)(1, 2)
    """)
    assert graph.callees("A.call") == {"A.two"}


def test_an_object_that_looks_up_a_special_method_by_a_name_of_which_a_part_is_known():
    graph = link_sources("""
        class A:
            def __add__(self, other): pass
            def add(self, other): pass
            def call(self, kind): getattr(self, f"__{kind}__")(1)
    """)
    assert graph.callees("A.call") == {"A.__add__"}


def test_another_object_asked_for_any_name_is_a_blind_spot_alone():
    graph = link_sources("""
        class A:
            def one(self): pass
        def f(a: A, name): getattr(a, name)()
    """)
    assert graph.callees("f") == set()
    assert ("getattr(…)", "getattr with an unknown name") in graph.blind_spots("f")


def test_the_methods_of_a_subclass():
    graph = link_sources("""
        class Base:
            def call(self, kind): getattr(self, f"on_{kind}")()
            def on_one(self): pass
        class Sub(Base):
            def on_one(self): pass
        class Other:
            def on_one(self): pass
        def f(base: Base): base.call("x")
    """)
    assert {"Base.on_one", "Sub.on_one"} <= graph.callees("Base.call")
    assert "Other.on_one" not in graph.callees("Base.call")


def test_an_own_method_that_only_a_subclass_has():
    graph = link_sources("""
        class Base:
            def call(self, kind): getattr(self, f"on_{kind}")()
        class Sub(Base):
            def on_one(self): pass
    """)
    assert graph.callees("Base.call") == {"Sub.on_one"}


def test_what_one_of_few_methods_gives_back():
    graph = link_sources("""
        class Result:
            def use(self): pass
        class A:
            def make_one(self): return Result()
            def call(self, kind): getattr(self, f"make_{kind}")().use()
    """)
    assert "Result.use" in graph.callees("A.call")


def test_what_one_of_very_many_methods_gives_back_is_a_blind_spot():
    makers = "\n".join(f"        def make_{i}(self): return Result()" for i in range(9))
    graph = link_sources(f"""
    class Result:
        def use(self): pass
    class A:
{makers}
        def call(self, kind): getattr(self, f"make_{{kind}}")().use()
    """)
    assert graph.callees("A.call") == {f"A.make_{i}" for i in range(9)}
    assert ("getattr(…)().use", "attribute of an unknown value") in graph.blind_spots("A.call")


def test_a_decorated_method_is_found_by_its_name():
    graph = link_sources("""
        def deco(function):
            def inner(*args): return function(*args)
            return inner
        class A:
            @deco
            def on_one(self): pass
            def call(self, kind): getattr(self, f"on_{kind}")()
    """)
    assert "A.on_one" in graph.reached("A.call")


def test_a_table_that_a_metaclass_makes_of_the_methods_of_its_class():
    graph = link_sources("""
        class Meta(type):
            def __init__(self, name, bases, namespace):
                self.table = {name: getattr(self, f"on_{name}") for name in dir(self)}
        class A(metaclass=Meta):
            def on_one(self, node): pass
            def on_two(self, node, more): pass
            def off_one(self, node): pass
            def call(self, name, node): self.table[name](self, node)
    """)
    assert graph.callees("A.call") == {"A.on_one"}


def test_a_property_whose_name_fits_runs():
    graph = link_sources("""
        class A:
            @property
            def on_one(self): pass
            def read(self, kind): return getattr(self, f"on_{kind}")
    """)
    assert graph.callees("A.read") == {"A.on_one"}


def test_of_a_module_the_functions_whose_names_fit():
    graph = link_sources(
        {
            "backend": "def set_fast(): pass\ndef set_safe(): pass\ndef get_fast(): pass\nset_size = 1",
            "m": 'import backend\ndef f(name): getattr(backend, f"set_{name}")()',
        }
    )
    assert graph.edges("f") == {(f"backend.{name}", "call", "flow") for name in ("set_fast", "set_safe")}


def test_of_native_code_what_the_models_know():
    graph = link_sources(
        {"torch": "", "m": 'import torch\ndef f(name): getattr(torch._C, f"_set_sdp_use_{name}")(True)'}
    )
    assert "f" in graph.writers("torch._C.sdp_use_flash")
    assert "f" in graph.writers("torch._C.sdp_use_math")
    assert graph.native_exits("f") == set()
