"""Contexts: what a function does with the callables that it is handed belongs to the call that handed them."""

import pytest
from linked import link_sources


def test_a_callable_passed_to_a_helper_belongs_to_the_call():
    graph = link_sources("""
        def apply(callback): callback()
        def g(): pass
        def h(): pass
        def f(): apply(g)
        def k(): apply(h)
    """)
    assert graph.reached("f") == {"apply [g]", "g"}
    assert graph.reached("k") == {"apply [h]", "h"}


def test_a_callable_that_is_passed_on_stays_with_the_first_call():
    graph = link_sources("""
        def outer(callback): inner(callback)
        def inner(callback): callback()
        def g(): pass
        def h(): pass
        def f(): outer(g)
        def k(): outer(h)
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_a_callable_by_keyword_and_among_star_arguments():
    graph = link_sources("""
        def by_keyword(*, callback): callback()
        def by_star(*callbacks): callbacks[0]()
        def g(): pass
        def h(): pass
        def f():
            by_keyword(callback=g)
            by_star(g)
        def k():
            by_keyword(callback=h)
            by_star(h)
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_what_a_helper_does_in_any_context_is_reached_from_each():
    graph = link_sources("""
        def apply(callback):
            prepare()
            callback()
        def prepare(): pass
        def g(): pass
        def f(): apply(g)
    """)
    assert graph.reached("f") == {"apply [g]", "apply [any]", "prepare", "g"}


def test_what_a_helper_holds_apart_from_the_callable_is_known_in_each_context():
    graph = link_sources("""
        class A:
            def run(self, callback): pass
        def apply(callback):
            a = A()
            a.run(callback)
        def g(): pass
        def f(): apply(g)
    """)
    assert "A.run" in {callee.partition(" [")[0] for callee in graph.reached("f")}


def test_what_another_call_brings_to_a_shared_place_is_seen_in_each_context():
    graph = link_sources("""
        def apply(first, then):
            first()
            then.run()
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        def g(): pass
        def f(choice): apply(g, A if choice else B)
    """)
    assert {"A.run", "B.run"} <= graph.reached("f")


def test_a_closure_that_does_not_use_the_callable_is_the_same_in_every_context():
    graph = link_sources("""
        def make(callback):
            callback()
            def inner(): work()
            return inner
        def work(): pass
        def g(): pass
        def h(): pass
        def f(): make(g)()
        def k(): make(h)()
    """)
    assert "make.<locals>.inner" in graph.callees("f")
    assert "make.<locals>.inner" in graph.callees("k")


def test_a_result_belongs_to_the_call():
    graph = link_sources("""
        def same(callback): return callback
        def g(): pass
        def h(): pass
        def f(): same(g)()
        def k(): same(h)()
    """)
    assert graph.callees("f") == {"same [g]", "g"}
    assert graph.callees("k") == {"same [h]", "h"}


def test_a_constant_name_is_looked_up_for_the_call_that_gave_it():
    graph = link_sources("""
        def call(target, name): getattr(target, name)()
        class A:
            def run(self): pass
            def stop(self): pass
        def f(): call(A, "run")
        def k(): call(A, "stop")
    """)
    assert "A.run" in graph.reached("f")
    assert "A.stop" not in graph.reached("f")


def test_a_function_that_hands_a_new_closure_to_itself_ends():
    graph = link_sources("""
        def loop(callback):
            def again(): callback()
            again()
            loop(again)
        def g(): pass
        def f(): loop(g)
    """)
    assert "g" in graph.reached("f")


def test_two_lambdas_are_told_apart():
    graph = link_sources("""
        def apply(callback): callback()
        def g(): pass
        def h(): pass
        def f(): apply(lambda: g())
        def k(): apply(lambda: h())
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_a_class_that_a_decorator_was_handed_is_told_apart_where_it_is_handed_on():
    graph = link_sources("""
        def decorate(cls): return maker(cls)
        def maker(cls):
            def make(): return cls()
            return make
        @decorate
        class A:
            def __init__(self): pass
        @decorate
        class B:
            def __init__(self): pass
        def f(): A()
    """)
    assert "A.__init__" in graph.reached("f")
    assert "B.__init__" not in graph.reached("f")


_CLASS_METHODS = """
    class Function:
        @classmethod
        def apply(cls): cls.forward()
    class Middle(Function):
        @classmethod
        def apply(cls): super().apply()
    class A({base}):
        @staticmethod
        def forward(): pass
    class B({base}):
        @staticmethod
        def forward(): pass
    def f(): A.apply()
    def any(cls: type[Function]): cls.apply()
"""


@pytest.mark.parametrize("base", ["Function", "Middle"])
def test_a_class_method_that_a_class_inherits_is_that_of_the_class(base: str) -> None:
    graph = link_sources(_CLASS_METHODS.format(base=base))
    assert "A.forward" in graph.reached("f")
    assert "B.forward" not in graph.reached("f")


@pytest.mark.parametrize("base", ["Function", "Middle"])
def test_a_class_method_of_a_class_that_may_be_any_is_that_of_each(base: str) -> None:
    graph = link_sources(_CLASS_METHODS.format(base=base))
    assert {"A.forward", "B.forward"} <= graph.reached("any")


def test_a_call_waits_for_what_it_hands_on():
    graph = link_sources("""
        def outer(function): return same(passed(function))
        def passed(function): return function
        def same(function): return function
        def g(): pass
        def h(): pass
        def f(): outer(g)()
        def other(choice): return same(g if choice else h)
        other(input())()
    """)
    assert "g" in graph.callees("f")
    assert "h" not in graph.reached("f")
    assert {"g", "h"} <= graph.callees("<module>")


def test_a_call_does_not_wait_for_what_never_comes():
    graph = link_sources("""
        class A:
            def run(self): pass
        def outer(function):
            function()
            return made(function.unknown)
        def made(anything): return A()
        def g(): pass
        def f(): outer(g).run()
    """)
    assert "made" in graph.reached("f")
    assert "A.run" in graph.callees("f")


_SUBCLASSES = """
    class Base: pass
    def make(cls): cls()
    def f(x: Base): make(type(x))
    def g(x: Base): type(x)()
"""


@pytest.mark.parametrize(("count", "is_handed_on"), [(3, True), (12, False)])
def test_the_type_of_what_may_be_anything_is_not_handed_on(count: int, is_handed_on: bool) -> None:
    subclasses = [f"    class S{i}(Base):\n        def __init__(self): pass" for i in range(count)]
    graph = link_sources(_SUBCLASSES + "\n".join(subclasses))
    constructors = {f"S{i}.__init__" for i in range(count)}
    assert graph.callees("g") == constructors
    assert graph.callees("make") == (constructors if is_handed_on else set())
    assert graph.blind_spots("make") == (set() if is_handed_on else {("cls", "parameter")})


_CONSTRUCTED = """
    def a(): pass
    def b(): pass
    class Base:
        def __init__(self, hook): self.hook = hook
        def run(self): self.hook()
    class A(Base):
        def __init__(self): super().__init__(a)
        def go(self): self.hook()
    class B(Base):
        def __init__(self): {call}
        def go(self): self.hook()
"""


@pytest.mark.parametrize("call", ["super().__init__(b)", "super().__init__(hook=b)"])
def test_what_the_constructor_of_a_base_keeps_belongs_to_the_class_that_hands_it_on(call: str) -> None:
    graph = link_sources(_CONSTRUCTED.format(call=call))
    assert graph.callees("A.go") == {"a"}
    assert graph.callees("B.go") == {"b"}
    assert graph.callees("Base.run") == {"a", "b"}


def test_an_inherited_constructor_keeps_for_the_class_that_is_made():
    graph = link_sources("""
        def a(): pass
        def b(): pass
        class Base:
            def __init__(self, hook): self.hook = hook
        class A(Base):
            def go(self): self.hook()
        class B(Base):
            def go(self): self.hook()
        A(a)
        B(b)
    """)
    assert graph.callees("A.go") == {"a"}
    assert graph.callees("B.go") == {"b"}


def test_what_a_base_keeps_of_its_own_instances_its_subclasses_have_too():
    graph = link_sources(f"{_CONSTRUCTED.format(call='pass')}\n    def c(): pass\n    Base(c)")
    assert graph.callees("B.go") == {"c"}


def test_none_that_is_handed_on_is_called_nowhere():
    graph = link_sources("""
        def a(): pass
        def run(hook):
            if hook is not None: hook()
        def use(hook): run(hook)
        def f(): use(None)
        def g(): use(a)
        def any(hook): use(hook)
        any(a)
    """)
    assert "a" not in graph.reached("f")
    assert "a" in graph.reached("g")


def test_a_function_is_no_object_of_a_class():
    graph = link_sources("""
        class Module: pass
        class Wrapper:
            def __init__(self, module): pass
        def same(fn): return fn
        def disable(fn):
            fn = same(fn)
            if isinstance(fn, Module): return Wrapper(fn)
            def inner(): return fn()
            return inner
        def a(): pass
        def f(): disable(a)()
        def g(): disable(Module())
    """)
    assert "Wrapper.__init__" not in graph.reached("f")


def test_a_function_that_is_replaced_by_a_wrapper_of_itself():
    graph = link_sources("""
        def wrap(fn):
            def inner(*args): return fn(*args)
            return inner
        def seed(): pass
        def other(): pass
        class Random:
            seed = seed
        Random.seed = wrap(Random.seed)
        wrapped = wrap(other)
        def f(): Random.seed()
    """)
    assert graph.reached("f") == {"wrap.<locals>.inner [seed]", "seed"}


def test_calls_with_one_of_several_functions_share_a_context() -> None:
    graph = link_sources("""
        class Module:
            def start(self): pass
        def call(f):
            if isinstance(f, Module): f.start()
            return f()
        def a(): pass
        def b(): pass
        def one_of(x): call(a if x else b)
        def unknown(x): call(x)
    """)

    assert graph.callees("one_of") == {"call [typing.Callable]"}
    assert graph.callees("call [typing.Callable]") - {"call [any]"} == {"a", "b"}
    assert graph.reached("one_of") & {"Module.start"} == set()
    assert "Module.start" in graph.reached("unknown")


def test_what_a_function_does_only_without_a_callable_is_in_no_context_of_one() -> None:
    graph = link_sources("""
        def wrap(f=None):
            if f is None:
                nothing()
                return wrap
            something()
            def inner(): return f()
            return inner
        def nothing(): pass
        def something(): pass
        @wrap
        def a(): pass
        def use(): wrap()
    """)

    assert graph.reached("use") & {"nothing", "something"} == {"nothing"}
    assert graph.reached("<module>") & {"nothing", "something"} == {"something"}
