"""`with`: what is entered and left."""

from linked import link_sources


def test_with_enters_and_leaves():
    graph = link_sources("""
        class A:
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        def f():
            with A(): pass
    """)
    assert graph.edges("f") == {("A.__enter__", "with", "certain"), ("A.__exit__", "with", "certain")}


def test_as_binds_what_enter_returns():
    graph = link_sources("""
        class A:
            def __enter__(self): return g
            def __exit__(self, *exc): pass
        def g(): pass
        def f():
            with A() as run: run()
    """)
    assert "g" in graph.callees("f")


def test_as_binds_the_manager_that_returns_itself():
    graph = link_sources("""
        class A:
            def __enter__(self): return self
            def __exit__(self, *exc): pass
            def run(self): pass
        def f():
            with A() as a: a.run()
    """)
    assert "A.run" in graph.callees("f")


def test_several_managers_in_one_with():
    graph = link_sources("""
        class A:
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        class B:
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        def f():
            with A(), B(): pass
    """)
    assert graph.callees("f") == {"A.__enter__", "A.__exit__", "B.__enter__", "B.__exit__"}


def test_a_manager_in_a_variable_may_be_one_of_two():
    graph = link_sources("""
        import contextlib
        class A:
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        def f(on):
            manager = A() if on else contextlib.nullcontext()
            with manager: pass
    """)
    assert graph.callees("f") == {"A.__enter__", "A.__exit__"}


def test_a_generator_context_manager_runs_the_generator():
    graph = link_sources("""
        import contextlib
        @contextlib.contextmanager
        def scope():
            g()
            yield
        def g(): pass
        def f():
            with scope(): pass
    """)
    assert "scope" in graph.callees("f")
    assert "g" in graph.reached("f")


def test_as_binds_what_a_generator_context_manager_yields():
    graph = link_sources("""
        from contextlib import contextmanager
        @contextmanager
        def scope(): yield g
        def g(): pass
        def f():
            with scope() as run: run()
    """)
    assert graph.callees("f") == {"scope", "g"}


def test_nested_generator_context_managers():
    graph = link_sources("""
        import contextlib
        @contextlib.contextmanager
        def inner():
            g()
            yield
        @contextlib.contextmanager
        def outer():
            with inner(): yield
        @contextlib.contextmanager
        def other(): yield
        def g(): pass
        def f():
            with outer(): pass
    """)
    assert {"outer", "inner", "g"} <= graph.reached("f")
    assert "other" not in graph.reached("f")


def test_a_generator_context_manager_that_is_a_method():
    graph = link_sources("""
        import contextlib
        class A:
            @contextlib.contextmanager
            def scope(self): yield g
        def g(): pass
        def f():
            with A().scope() as run: run()
    """)
    assert graph.callees("f") == {"A.scope", "g"}


def test_a_generator_context_manager_as_a_decorator():
    graph = link_sources("""
        import contextlib
        @contextlib.contextmanager
        def scope(): yield
        @scope()
        def g(): pass
        def f(): g()
    """)
    assert {"g", "scope"} <= graph.reached("f")


def test_a_context_decorator_enters_and_leaves_around_the_function():
    graph = link_sources("""
        import contextlib
        class A(contextlib.ContextDecorator):
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        @A()
        def g(): pass
        def f(): g()
    """)
    assert {"A.__enter__", "A.__exit__", "g"} <= graph.reached("f")


def test_an_exit_stack_enters_and_leaves():
    graph = link_sources("""
        import contextlib
        class A:
            def __enter__(self): return g
            def __exit__(self, *exc): pass
        def g(): pass
        def f():
            with contextlib.ExitStack() as stack:
                stack.enter_context(A())()
    """)
    assert graph.callees("f") == {"A.__enter__", "A.__exit__", "g"}


def test_an_exit_stack_calls_back():
    graph = link_sources("""
        import contextlib
        def g(x): pass
        def f():
            with contextlib.ExitStack() as stack:
                stack.callback(g, 1)
    """)
    assert graph.edges("f") == {("g", "callback", "certain")}


def test_an_exit_stack_runs_a_generator_context_manager():
    graph = link_sources("""
        import contextlib
        @contextlib.contextmanager
        def scope(): yield g
        def g(): pass
        def f():
            with contextlib.ExitStack() as stack:
                stack.enter_context(scope())()
    """)
    assert graph.callees("f") == {"scope", "g"}


def test_async_with_enters_and_leaves_asynchronously():
    graph = link_sources("""
        class A:
            async def __aenter__(self): return g
            async def __aexit__(self, *exc): pass
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        def g(): pass
        async def f():
            async with A() as run: run()
    """)
    assert graph.callees("f") == {"A.__aenter__", "A.__aexit__", "g"}


def test_an_asynchronous_generator_context_manager():
    graph = link_sources("""
        import contextlib
        @contextlib.asynccontextmanager
        async def scope(): yield g
        def g(): pass
        async def f():
            async with scope() as run: run()
    """)
    assert graph.callees("f") == {"scope", "g"}


def test_contextlib_closing_closes():
    graph = link_sources("""
        import contextlib
        class A:
            def close(self): pass
            def run(self): pass
        def f():
            with contextlib.closing(A()) as a: a.run()
    """)
    assert graph.callees("f") == {"A.close", "A.run"}


def test_a_lock_kept_in_a_module_does_not_hide_the_calls_under_it():
    graph = link_sources("""
        import threading
        lock = threading.Lock()
        def g(): pass
        def f():
            with lock: g()
    """)
    assert graph.edges("f") == {("g", "call", "certain")}


def test_a_manager_that_is_entered_by_hand():
    graph = link_sources("""
        class A:
            def __enter__(self): pass
            def __exit__(self, *exc): pass
        def f():
            a = A()
            a.__enter__()
            a.__exit__(None, None, None)
    """)
    assert graph.edges("f") == {("A.__enter__", "call", "certain"), ("A.__exit__", "call", "certain")}


def test_the_generator_runs_where_the_manager_that_another_function_made_is_entered():
    graph = link_sources("""
        import contextlib
        @contextlib.contextmanager
        def scope(): yield g
        def g(): pass
        def make(): return scope()
        def f():
            with make() as function: function()
    """)
    assert graph.callees("f") == {"make", "scope", "g"}


def test_a_generator_context_manager_runs_where_it_is_entered():
    graph = link_sources("""
        from contextlib import AbstractContextManager, contextmanager
        class Buffer:
            def indent(self) -> AbstractContextManager[None]:
                @contextmanager
                def ctx(): yield
                return ctx()
        def f(buffer: Buffer):
            with buffer.indent(): pass
    """)
    assert "Buffer.indent.<locals>.ctx" in graph.callees("f")
