"""What an edge requires: that some function has made what is called."""

import pytest
from linked import link_sources

_HOOKS = """
    hooks = []
    def make():
        def hook(): pass
        hooks.append(hook)
        hook()
        def other(): hook()
        hooks.append(other)
    def f():
        for hook in hooks: hook()
"""


def test_a_nested_function_must_be_made():
    assert link_sources(_HOOKS).requires("f", "make.<locals>.hook") == {"make"}


@pytest.mark.parametrize("caller", ["make", "make.<locals>.other"])
def test_what_runs_in_the_function_that_makes_it_requires_nothing(caller: str) -> None:
    assert link_sources(_HOOKS).requires(caller, "make.<locals>.hook") == set()


def test_a_function_of_a_module_requires_that_something_names_it():
    graph = link_sources("""
        hooks = []
        def hook(): pass
        def add(): hooks.append(hook)
        def f():
            for hook in hooks: hook()
    """)
    assert graph.requires("f", "hook") == {"add"}


def test_a_nested_function_in_a_context_must_be_made_in_that_context():
    graph = link_sources("""
        hooks = []
        def make(function):
            def hook(): function()
            hooks.append(hook)
        def g(): pass
        def h(): pass
        def one(): make(g)
        def two(): make(h)
        def f():
            for hook in hooks: hook()
    """)
    assert graph.requires("f", "make.<locals>.hook [g]") == {"make [g]"}
    assert graph.requires("f", "make.<locals>.hook") == {"make", "make [g]", "make [h]"}


def test_a_method_needs_an_instance_however_sure_the_call_is():
    graph = link_sources("""
        class A:
            def run(self): pass
            @staticmethod
            def static(): pass
            def own(self): self.run()
        class Sub(A): pass
        class Other: pass
        def make(): A()
        def make_sub(): Sub()
        def make_other(): Other()
        def f(x: A):
            x.run()
            x.static()
    """)
    assert ("A.run", "call", "certain") in graph.edges("f")
    assert graph.requires("f", "A.run") == {"make", "make_sub"}
    assert graph.requires("f", "A.static") == set()
    assert graph.requires("A.own", "A.run") == set()


_MAKES = """
    class A:
        def run(self): pass
        def __init_subclass__(cls): pass
        @classmethod
        def make(cls): return cls()
    class Sub(A):
        @classmethod
        def quiet(cls): pass
        @classmethod
        def register(cls, name): cls.names[name] = cls.quiet
        @classmethod
        def by_super(cls): return super().make()
        @classmethod
        def by_other(cls): return cls.make()
        @classmethod
        def elsewhere(cls): return registered(cls)
    def f(x: A): x.run()
"""


@pytest.mark.parametrize("call", ["A.make()", "Sub.make()", "Sub.by_super()", "Sub.by_other()", "Sub.elsewhere()"])
def test_a_class_method_makes_what_it_is_called_on(call: str) -> None:
    graph = link_sources(f"{_MAKES}    def g(): {call}")
    assert "g" in graph.requires("f", "A.run")


@pytest.mark.parametrize("call", ["Sub.quiet()", "Sub.register('name')"])
def test_a_class_method_that_does_not_call_its_class_makes_nothing(call: str) -> None:
    graph = link_sources(f"{_MAKES}    def g(): {call}")
    assert "g" not in graph.requires("f", "A.run")


def test_a_class_statement_makes_no_instance_of_the_class():
    graph = link_sources(f"{_MAKES}    def g(): A.make()")
    assert ("A.__init_subclass__", "construct", "certain") in graph.edges("<module>")
    assert "<module>" not in graph.requires("f", "A.run")


_PRIVATE = """
    class A:
        def __init__(self): pass
        @classmethod
        def make(cls): return cls()
    class _Sub(A):
        def __init__(self): pass
    def f(): A.make()
"""


def test_one_of_several_classes_is_constructed_where_something_names_it():
    graph = link_sources(f"{_PRIVATE}    def g(): _Sub()")
    assert ("_Sub.__init__", "construct", "dispatch") in graph.edges("A.make")
    assert graph.requires("A.make", "_Sub.__init__") == {"g"}


def test_one_of_several_classes_that_nothing_names_is_not_constructed():
    graph = link_sources(_PRIVATE)
    assert graph.requires("A.make", "_Sub.__init__") == {"_Sub.__init__"}


def test_a_class_that_is_named_is_constructed_without_more():
    graph = link_sources(f"{_PRIVATE}    def g(): _Sub()")
    assert graph.requires("g", "_Sub.__init__") == set()


def test_a_function_that_is_assigned_to_a_class_needs_an_instance_of_it():
    graph = link_sources("""
        class Number: pass
        def install(name):
            def unary(self): pass
            setattr(Number, name, unary)
        for name in ("__neg__", "__pos__"): install(name)
        def make(): return Number()
        def f(number: Number): return -number
    """)
    assert graph.requires("f", "install.<locals>.unary") == {"make"}


def test_what_is_assigned_to_a_subclass_needs_an_instance_of_that():
    graph = link_sources("""
        class Base:
            def run(self): pass
        class Lazy(Base): pass
        def made(self): pass
        for name in dir(Base): setattr(Lazy, name, made)
        def make(): return Lazy()
        def other(): return Base()
        def f(base: Base): base.run()
    """)
    assert graph.requires("f", "made") == {"make"}


def test_a_class_of_many_is_shown_by_its_constructor():
    names = [f"C{i}" for i in range(12)]
    classes = [f"class {n}:\n    def __init__(self): pass\n    def run(self): pass" for n in names]
    graph = link_sources("\n".join([
        *classes,
        "registry = []",
        "def register(cls): registry.append(cls)",
        *(f"register({name})" for name in names),
        "def make(): return registry[0]()",
        "def f(c: C11): c.run()",
    ]))  # fmt: skip
    assert graph.requires("f", "C11.run") == {"C11.__init__"}


def test_making_what_was_handed_over_does_not_show_that_a_class_is_among_it():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        class B:
            def __init__(self): pass
        kinds = [A, B]
        def convert(kind): return kind()
        def f():
            for kind in kinds: convert(kind)
        def named(): return A()
    """)
    assert graph.requires("convert", "A.__init__") == {"named"}


_NAMED_LATE = """
    class Runner:
        def __init__(self): self.steps = []
        def add(self, step): self.steps.append(step)
        def run(self):
            for step in self.steps: step()
    RUNNER = Runner()
    def late(): pass
    {register}
    def register(): RUNNER.add(late)
    def root(): RUNNER.run()
    def other():
        register()
        RUNNER.run()
"""


def test_a_call_of_a_value_requires_that_something_names_the_function():
    graph = link_sources(_NAMED_LATE.format(register=""))
    assert graph.requires("Runner.run", "late") == {"register"}
    assert ("late", "call", "flow") in graph.edges("Runner.run")


@pytest.mark.parametrize("register", ["RUNNER.add(late)", "STEPS = [late]", "STEPS = dict(late=late)", "also = late"])
def test_what_a_module_names_as_a_value_is_known_to_all(register: str):
    graph = link_sources(_NAMED_LATE.format(register=register))
    assert graph.requires("Runner.run", "late") == set()


def test_what_a_module_only_calls_or_imports_it_does_not_hand_on():
    graph = link_sources(
        {
            "steps": "def late(): pass\n",
            "m": """
from steps import late
late()
TABLE = {}
def register(): TABLE["a"] = late
def root(): TABLE["a"]()
""",
        }
    )
    assert graph.requires("root", "steps.late") == {"register"}
