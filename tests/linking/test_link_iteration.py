"""Iteration, unpacking, generators and awaiting."""

from linked import link_sources


def test_for_runs_iter_and_next():
    graph = link_sources("""
        class Numbers:
            def __iter__(self): return self
            def __next__(self): pass
        def f():
            for _ in Numbers(): pass
    """)
    assert graph.edges("f") == {("Numbers.__iter__", "iterate", "certain"), ("Numbers.__next__", "iterate", "certain")}


def test_for_runs_the_next_of_the_iterator():
    graph = link_sources("""
        class Iterator:
            def __next__(self): pass
        class Numbers:
            def __iter__(self): return Iterator()
            def __next__(self): pass
        def f():
            for _ in Numbers(): pass
    """)
    assert graph.callees("f") == {"Numbers.__iter__", "Iterator.__next__"}


def test_for_runs_getitem_where_there_is_no_iter():
    graph = link_sources("""
        class Numbers:
            def __getitem__(self, index): pass
        def f():
            for _ in Numbers(): pass
    """)
    assert graph.edges("f") == {("Numbers.__getitem__", "iterate", "certain")}


def test_a_comprehension_iterates():
    graph = link_sources("""
        class Numbers:
            def __iter__(self): return self
            def __next__(self): return g
        def g(): pass
        def f(): return [run() for run in Numbers()]
    """)
    assert graph.callees("f") == {"Numbers.__iter__", "Numbers.__next__", "g"}


def test_functions_in_a_list_are_called_in_a_loop():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def unlisted(): pass
        steps = [g, h]
        def f():
            for step in steps: step()
    """)
    assert graph.edges("f") == {("g", "call", "flow"), ("h", "call", "flow")}


def test_a_star_argument_iterates():
    graph = link_sources("""
        class Numbers:
            def __iter__(self): return iter(())
        def g(*args): pass
        def f(): g(*Numbers())
    """)
    assert graph.callees("f") == {"g", "Numbers.__iter__"}


def test_unpacking_iterates():
    graph = link_sources("""
        class Pair:
            def __iter__(self): return iter((g, h))
        def g(): pass
        def h(): pass
        def f():
            first, second = Pair()
    """)
    assert graph.edges("f") == {("Pair.__iter__", "iterate", "certain")}


def test_unpacking_tells_positions_apart():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def f():
            first, (second, third) = g, (h, None)
            first()
        def k():
            first, (second, third) = g, (h, None)
            second()
    """)
    assert graph.callees("f") == {"g"}
    assert graph.callees("k") == {"h"}


def test_calling_a_generator_function_leads_to_it():
    graph = link_sources("""
        def numbers():
            yield g
        def g(): pass
        def f():
            for run in numbers(): run()
    """)
    assert graph.callees("f") == {"numbers", "g"}


def test_whoever_iterates_over_a_generator_runs_it():
    graph = link_sources("""
        def numbers(): yield 1
        def make(): return numbers()
        def f():
            for _ in make(): pass
    """)
    assert ("numbers", "iterate", "certain") in graph.edges("f")


def test_yield_from_yields_what_the_other_yields():
    graph = link_sources("""
        def inner(): yield g
        def outer(): yield from inner()
        def g(): pass
        def f():
            for run in outer(): run()
    """)
    assert "inner" in graph.callees("outer")
    assert "g" in graph.callees("f")


def test_a_generator_expression_gives_its_elements():
    graph = link_sources("""
        def g(): pass
        def f():
            runs = (x for x in [g])
            next(runs)()
    """)
    assert graph.callees("f") == {"g"}


def test_next_runs_next():
    graph = link_sources("""
        class Numbers:
            def __next__(self): pass
        def f(): next(Numbers())
    """)
    assert graph.callees("f") == {"Numbers.__next__"}


def test_enumerate_zip_and_reversed_give_the_elements():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def i(): pass
        def f():
            for index, run in enumerate([g]): run()
            for a, b in zip([None], [h]): b()
            for run in reversed([i]): run()
    """)
    assert graph.callees("f") == {"g", "h", "i"}


def test_async_for_runs_the_asynchronous_methods():
    graph = link_sources("""
        class Numbers:
            def __aiter__(self): return self
            async def __anext__(self): pass
            def __iter__(self): return self
        async def f():
            async for _ in Numbers(): pass
    """)
    assert graph.callees("f") == {"Numbers.__aiter__", "Numbers.__anext__"}


def test_await_runs_await():
    graph = link_sources("""
        class Later:
            def __await__(self): yield
        async def f(): await Later()
    """)
    assert graph.callees("f") == {"Later.__await__"}


def test_a_generator_method_of_self_iterates():
    graph = link_sources("""
        class Tree:
            def walk(self): yield self
            def run(self):
                for node in self.walk(): node.visit()
            def visit(self): pass
    """)
    assert graph.callees("Tree.run") == {"Tree.walk", "Tree.visit"}


def test_sending_to_a_generator_runs_it():
    graph = link_sources("""
        def numbers(): yield 1
        def make(): return numbers()
        def f(): make().send(None)
        def g(): next(make())
    """)
    assert "numbers" in graph.callees("f")
    assert "numbers" in graph.callees("g")
