"""Library functions that call back, at once or later, here or elsewhere: partial, sorted, threads, processes, hooks."""

from linked import link_sources


def test_calling_a_partial_calls_the_function():
    graph = link_sources("""
        import functools
        def g(x, callback): callback()
        def h(): pass
        run = functools.partial(g, 1)
        def f(): run(h)
    """)
    assert graph.callees("f") == {"g [h]"}
    assert graph.callees("g") == {"h"}


def test_making_a_partial_does_not_call_the_function():
    graph = link_sources("""
        import functools
        def g(x): pass
        def f(): return functools.partial(g, 1)
    """)
    assert graph.edges("f") == set()


def test_a_partial_passes_its_own_arguments_first():
    graph = link_sources("""
        from functools import partial
        def g(first, second, *, third):
            first()
        def k(first, second, *, third):
            second()
        def m(first, second, *, third):
            third()
        def a(): pass
        def b(): pass
        def c(): pass
        def f():
            partial(g, a, third=c)(b)
            partial(k, a, third=c)(b)
            partial(m, a, third=c)(b)
    """)
    assert graph.callees("g") == {"a"}
    assert graph.callees("k") == {"b"}
    assert graph.callees("m") == {"c"}


def test_a_partial_used_as_a_decorator():
    graph = link_sources("""
        import functools
        def decorate(function, *, fast):
            def wrapper(): function()
            return wrapper
        quick = functools.partial(decorate, fast=True)
        @quick
        def g(): pass
        @quick
        def h(): pass
        def f(): g()
    """)
    assert "g" in graph.reached("f")
    assert "h" not in graph.reached("f")


def test_a_partial_method():
    graph = link_sources("""
        import functools
        class A:
            def run(self, callback): callback()
            go = functools.partialmethod(run, print)
        def f(): A().go()
    """)
    assert "A.run" in graph.callees("f")


def test_sort_keys_are_called():
    graph = link_sources("""
        def key(x): pass
        def f(xs):
            sorted(xs, key=key)
        def g(xs: list):
            xs.sort(key=key)
        def h(xs):
            max(xs, key=lambda x: key(x))
    """)
    assert graph.edges("f") == {("key", "callback", "certain")}
    assert graph.edges("g") == {("key", "callback", "certain")}
    assert "key" in graph.reached("h")


def test_map_filter_and_reduce_call_their_function():
    graph = link_sources("""
        import functools
        def g(*args): pass
        def h(*args): pass
        def i(*args): pass
        def f(xs):
            list(map(g, xs))
            list(filter(h, xs))
            functools.reduce(i, xs)
    """)
    assert graph.callees("f") == {"g", "h", "i"}


def test_map_passes_the_elements():
    graph = link_sources("""
        def call(x): x()
        def g(): pass
        def f(): list(map(call, [g]))
    """)
    assert graph.callees("call") == {"g"}


def test_a_thread_runs_its_target():
    graph = link_sources("""
        import threading
        def work(callback): callback()
        def g(): pass
        def f(): threading.Thread(target=work, args=(g,)).start()
    """)
    assert graph.edges("f") == {("work [g]", "thread", "certain")}
    assert graph.callees("work") == {"g"}


def test_starting_a_subclass_of_thread_runs_its_run_method():
    graph = link_sources("""
        import threading
        class Worker(threading.Thread):
            def run(self): pass
        def f(): Worker().start()
    """)
    assert graph.edges("f") == {("Worker.run", "thread", "certain")}


def test_a_process_runs_its_target():
    graph = link_sources("""
        import multiprocessing
        def work(): pass
        def f(): multiprocessing.Process(target=work).start()
        def g(): multiprocessing.get_context("spawn").Process(target=work).start()
    """)
    assert ("work", "process", "certain") in graph.edges("f")
    assert ("work", "process", "certain") in graph.edges("g")


def test_an_executor_runs_what_is_submitted():
    graph = link_sources("""
        from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
        def work(callback): return callback
        def g(): pass
        def f(): ThreadPoolExecutor().submit(work, g).result()()
        def h():
            with ThreadPoolExecutor() as pool: pool.map(work, [])
        def k(): ProcessPoolExecutor().submit(work, g)
    """)
    assert graph.edges("f") == {("work [g]", "thread", "certain"), ("g", "call", "certain")}
    assert graph.edges("h") == {("work", "thread", "certain")}
    assert ("work [g]", "process", "certain") in graph.edges("k")


def test_a_timer_runs_its_function():
    graph = link_sources("""
        import threading
        def work(): pass
        def f(): threading.Timer(1, work).start()
    """)
    assert graph.edges("f") == {("work", "thread", "certain")}


def test_what_is_registered_to_run_later_is_a_callback():
    graph = link_sources("""
        import atexit
        import signal
        import weakref
        def at_exit(): pass
        def on_signal(*args): pass
        def on_delete(): pass
        def f(x):
            atexit.register(at_exit)
            signal.signal(2, on_signal)
            weakref.finalize(x, on_delete)
    """)
    assert graph.callees("f") == {"at_exit", "on_signal", "on_delete"}


def test_a_function_handed_to_outside_code_may_be_called_by_it():
    graph = link_sources("""
        import unknown
        def g(): pass
        def f(): unknown.register(g)
    """)
    assert graph.edges("f") == {("g", "callback", "flow")}


def test_a_function_handed_to_outside_code_that_is_modelled_not_to_call_it_is_not_called():
    graph = link_sources("""
        import functools
        def g(): pass
        def f(): isinstance(g, object)
        def h(): print(g)
        def k(): hooks.append(g)
        hooks = []
    """)
    assert graph.edges("f") == set()
    assert graph.edges("h") == set()
    assert graph.edges("k") == set()


def test_a_context_runs_a_function():
    graph = link_sources("""
        import contextvars
        def g(): pass
        def f(): contextvars.copy_context().run(g)
    """)
    assert graph.callees("f") == {"g"}


def test_an_event_loop_runs_a_coroutine_and_a_task():
    graph = link_sources("""
        import asyncio
        async def g(): pass
        async def h(): pass
        def f(): asyncio.run(g())
        async def k(): asyncio.create_task(h())
    """)
    assert "g" in graph.callees("f")
    assert "h" in graph.callees("k")


def test_copying_runs_the_copy_methods():
    graph = link_sources("""
        import copy
        class A:
            def __deepcopy__(self, memo): pass
        def f(): copy.deepcopy(A())
    """)
    assert graph.callees("f") == {"A.__deepcopy__", "copy.<deep copy>"}


def test_copying_runs_the_copy_methods_of_what_the_object_may_hold():
    graph = link_sources("""
        import copy
        class A:
            def __init__(self): pass
            def __deepcopy__(self, memo): pass
        def f(x): copy.deepcopy(x)
    """)
    assert graph.reached("f") == {"copy.<deep copy>", "A.__deepcopy__"}


def test_pickling_runs_the_reduce_method():
    graph = link_sources("""
        import pickle
        class A:
            def __reduce__(self): return g, ()
        def g(): pass
        def f(): pickle.dumps(A())
    """)
    assert "A.__reduce__" in graph.callees("f")


def test_an_attribute_getter_reads_the_attribute():
    graph = link_sources("""
        import operator
        class A:
            def run(self): pass
        def f(): operator.methodcaller("run")(A())
    """)
    assert graph.callees("f") == {"A.run"}


def test_exec_and_eval_are_blind_spots():
    graph = link_sources("""
        def f(code): exec(code)
        def g(code): eval(code)
    """)
    assert {reason for _, reason in graph.blind_spots("f")} == {"exec"}
    assert {reason for _, reason in graph.blind_spots("g")} == {"eval"}


def test_calls_of_builtins_are_known_and_no_targets():
    graph = link_sources("""
        import builtins
        class A(Exception): pass
        def f(x: dict[str, int]):
            len([1])
            " ".join(x.keys())
            builtins.print(super)
            raise ValueError("no such thing")
        def g():
            for _ in range(3): pass
    """)
    assert graph.builtins("f") == {"len", "dict.keys", "str.join", "print", "ValueError"}
    assert graph.builtins("g") == {"range"}
    assert graph.callers_of("len") == set()
    assert graph.blind_spots("f") == set()


def test_a_native_class_whose_name_is_in_lower_case_is_no_native_function():
    # The functions that a module has from native code are known by a pattern, the classes by their names.
    sources = {"torch": "from torch._C import *\nfrom torch._C._VariableFunctions import *", "m": _MAKES}
    assert link_sources(sources).callees("f") == set()
    assert link_sources(sources).callees("g") == {"torch._C.<tensor operation>"}


_MAKES = """
    import torch
    def f(): return torch.device("cpu")
    def g(): return torch.relu(1)
"""
