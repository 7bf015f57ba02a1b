"""Pickling and copying: hooks of picklers, what reducers return, and the processes that this passes between."""

import pytest
from linked import link_sources

PICKLING, UNPICKLING, DEEP_COPY = "pickle.<pickling>", "pickle.<unpickling>", "copy.<deep copy>"
SENT, RECEIVED = "multiprocessing.reduction.<pickling>", "multiprocessing.reduction.<unpickling>"


def test_a_pickler_calls_what_a_subclass_overrides():
    graph = link_sources("""
        import pickle
        class P(pickle.Pickler):
            def persistent_id(self, obj): pass
            def reducer_override(self, obj): return NotImplemented
            def other(self): pass
        class U(pickle.Unpickler):
            def persistent_load(self, pid): pass
            def find_class(self, module, name): return super().find_class(module, name)
        def save(f, obj): P(f).dump(obj)
        def load(f): return U(f).load()
    """)
    assert graph.callees("save") == {"P.persistent_id", "P.reducer_override", PICKLING}
    assert graph.callees("load") == {"U.persistent_load", "U.find_class", UNPICKLING}


def test_the_module_may_be_a_parameter():
    graph = link_sources("""
        import pickle
        def save(f, obj, pickle_module=pickle): _save(f, obj, pickle_module)
        def _save(f, obj, pickle_module):
            class P(pickle_module.Pickler):
                def persistent_id(self, obj): pass
            P(f, protocol=2).dump(obj)
        def load(f, pickle_module=None):
            if pickle_module is None: pickle_module = pickle
            _load(f, pickle_module)
        def _load(f, pickle_module):
            class U(pickle_module.Unpickler):
                def find_class(self, module, name): pass
            U(f).load()
        def dump(obj, pickle_module=pickle): pickle_module.dumps(obj)
    """)
    assert graph.callees("_save") == {"_save.<locals>.P.persistent_id", PICKLING}
    assert graph.callees("_load") == {"_load.<locals>.U.find_class", UNPICKLING}
    assert graph.callees("dump") == {PICKLING}


def test_the_module_may_be_one_of_the_sources_too():
    graph = link_sources(
        {
            "own": """
                class Unpickler:
                    def load(self): pass
            """,
            "m": """
                import pickle
                import own
                def load(f, pickle_module=pickle):
                    class U(pickle_module.Unpickler):
                        def find_class(self, module, name): pass
                    U(f).load()
                def safe(f): load(f, own)
                def plain(f):
                    class U(own.Unpickler):
                        def find_class(self, module, name): pass
                    U(f).load()
            """,
        }
    )
    assert graph.callees("load") == {"own.Unpickler.load", "load.<locals>.U.find_class", UNPICKLING}
    assert graph.callees("plain") == {"own.Unpickler.load"}


@pytest.mark.parametrize(
    ("made", "attribute", "run"),
    [
        ("pickle.Unpickler(f)", "persistent_load", "load()"),
        ("pickle.Pickler(f)", "persistent_id", "dump(1)"),
        ("U(f)", "persistent_load", "load()"),
    ],
)
def test_a_hook_that_is_assigned_to_the_object(made: str, attribute: str, run: str) -> None:
    graph = link_sources(f"""
        import pickle
        class U(pickle.Unpickler): pass
        def g(f):
            def hook(x): pass
            def other(x): pass
            obj = {made}
            obj.{attribute} = hook
            obj.unrelated = other
            obj.{run}
    """)
    assert "g.<locals>.hook" in graph.callees("g")
    assert "g.<locals>.other" not in graph.callees("g")


def test_the_pickler_in_python_has_a_table_of_methods():
    graph = link_sources("""
        import pickle
        class P(pickle._Pickler):
            dispatch = pickle._Pickler.dispatch.copy()
            def save_function(self, obj): pass
            dispatch[int] = save_function
            def save_other(self, obj): pass
        def save(f, obj): P(f).dump(obj)
    """)
    assert graph.callees("save") == {"P.save_function", PICKLING}


def test_a_pickler_with_a_table_of_reducers():
    graph = link_sources("""
        import copyreg
        import pickle
        class A: pass
        def rebuild(x): pass
        class P(pickle.Pickler):
            def __init__(self, f):
                super().__init__(f)
                self.dispatch_table = copyreg.dispatch_table.copy()
                self.dispatch_table.update({A: self._reduce})
            def _reduce(self, obj): return (rebuild, (1,))
        def save(f, obj): P(f).dump(obj)
        def load(data): pickle.loads(data)
    """)
    assert "P._reduce" in graph.callees("save")
    assert "rebuild" not in graph.callees("save")
    assert graph.callees(UNPICKLING) == {"rebuild"}


_REDUCES = """
    import copy
    import pickle
    class A:
        def __init__(self): pass
        def __reduce__(self): return (rebuild, (helper, 1))
        def __setstate__(self, state): pass
    def rebuild(function, x): function()
    def helper(): pass
    def unused(): pass
    def make(): A()
    def save(obj): pickle.dumps(obj)
    def load(data): pickle.loads(data)
    def deep(obj): copy.deepcopy(obj)
    def other(): pass
"""
REBUILD = "rebuild [helper]"


def test_unpickling_calls_what_reduce_returned_first():
    graph = link_sources(_REDUCES)
    assert graph.callees("load") == {UNPICKLING}
    assert graph.callees(UNPICKLING) == {REBUILD, "A.__setstate__"}
    assert graph.callees(PICKLING) == {"A.__reduce__"}
    assert graph.requires(UNPICKLING, REBUILD) == {"A.__init__"}
    assert graph.requires(PICKLING, "A.__reduce__") == {"A.__init__"}


def test_what_is_called_so_is_given_the_arguments_that_reduce_returned():
    assert link_sources(_REDUCES).callees(REBUILD) == {"helper"}


def test_a_deep_copy_does_both_at_once():
    assert link_sources(_REDUCES).callees(DEEP_COPY) == {"A.__reduce__", REBUILD, "A.__setstate__"}


def test_what_pickles_nothing_reaches_nothing():
    graph = link_sources(_REDUCES)
    assert graph.callees("other") == set()
    assert graph.reached("make") == {"A.__init__"}


def test_a_program_that_pickles_nothing_has_no_such_relay():
    graph = link_sources("""
        class A:
            def __reduce__(self): return (rebuild, ())
        def rebuild(): pass
    """)
    assert [f for f in graph.functions if "pickling" in f] == []


@pytest.mark.parametrize("call", ["copy.copy(A())", "copy.deepcopy(A())"])
def test_a_copy_of_a_known_object(call: str) -> None:
    graph = link_sources(f"{_REDUCES}    def f(): {call}")
    assert {"A.__reduce__", REBUILD} <= graph.callees("f")


@pytest.mark.parametrize(("call", "hook"), [("copy.copy", "__copy__"), ("copy.deepcopy", "__deepcopy__")])
def test_a_class_that_copies_itself_is_not_reduced(call: str, hook: str) -> None:
    graph = link_sources(f"""
        import copy
        class A:
            def {hook}(self, memo=None): pass
            def __reduce__(self): return (rebuild, ())
        class B(A):
            def __reduce__(self): return (rebuild, ())
        def rebuild(): pass
        def f():
            {call}(A())
            {call}(B())
    """)
    assert graph.reached("f") - {DEEP_COPY} == {f"A.{hook}"}


def test_a_reducer_that_returns_many_tuples():
    cases = "\n".join(f"                if obj == {i}: return rebuild{i}, ({i},)" for i in range(7))
    functions = "\n".join(f"        def rebuild{i}(x): pass" for i in range(7))
    graph = link_sources(f"""
        import pickle
{functions}
        class A:
            def __reduce_ex__(self, protocol): return self.inner()
            def inner(obj):
{cases}
        def load(data): pickle.loads(data)
    """)
    assert graph.callees(UNPICKLING) == {f"rebuild{i}" for i in range(7)}


_REGISTERED = """
    import copyreg
    import pickle
    from multiprocessing import reduction
    from multiprocessing.reduction import ForkingPickler
    class A: pass
    def rebuild(x): pass
    def rebuild_other(x): pass
    def reduce_a(obj):
        if obj:
            function = rebuild
        else:
            function = rebuild_other
        return (function, (1,))
"""


def test_a_registered_reducer():
    graph = link_sources(f"""{_REGISTERED}
    def register(): copyreg.pickle(A, reduce_a)
    def save(obj): pickle.dumps(obj)
    def load(data): pickle.loads(data)
    """)
    assert graph.callees("register") == set()
    assert graph.callees(PICKLING) == {"reduce_a"}
    assert graph.requires(PICKLING, "reduce_a") == {"register"}
    assert graph.callees(UNPICKLING) == {"rebuild", "rebuild_other"}
    assert graph.requires(UNPICKLING, "rebuild") == set()


@pytest.mark.parametrize("register", ["ForkingPickler.register", "reduction.register"])
def test_a_reducer_that_is_registered_for_messages(register: str) -> None:
    graph = link_sources(f"""{_REGISTERED}
    import multiprocessing
    def register(): {register}(A, reduce_a)
    def put(): multiprocessing.Queue().put(1)
    def get(): multiprocessing.Queue().get()
    def load(data): pickle.loads(data)
    """)
    assert graph.callees("register") == set()
    assert graph.requires(SENT, "reduce_a") == {"register"}
    assert graph.requires(RECEIVED, "rebuild") == set()
    assert graph.reached("put") == {SENT, "reduce_a"}
    assert graph.reached("get") == {RECEIVED, "rebuild", "rebuild_other"}
    assert graph.reached("load") == {UNPICKLING}


@pytest.mark.parametrize(
    ("code", "relays"),
    [
        ("multiprocessing.Queue().put(1)", {SENT}),
        ("multiprocessing.SimpleQueue().get()", {RECEIVED}),
        ("multiprocessing.get_context('spawn').Queue().get()", {RECEIVED}),
        ("multiprocessing.queues.Queue(1).get()", {RECEIVED}),
        ("multiprocessing.Pipe()[0].send(1)", {SENT}),
        ("multiprocessing.Pipe()[1].recv()", {RECEIVED}),
        ("multiprocessing.Pool(2)", {SENT, RECEIVED}),
        ("ForkingPickler(f, 2).dump(1)", {SENT}),
        ("pickle.load(f)", {UNPICKLING}),
        ("queue.Queue().put(1)", set()),
        ("queue.SimpleQueue().get()", set()),
        ("multiprocessing.pool.ThreadPool(2)", set()),
    ],
)
def test_what_pickles_and_unpickles(code: str, relays: set[str]) -> None:
    graph = link_sources(f"""
        import multiprocessing, multiprocessing.pool, multiprocessing.queues, pickle, queue
        from multiprocessing.reduction import ForkingPickler
        def g(f): {code}
    """)
    assert graph.callees("g") == relays


def test_a_queue_and_a_pickler_may_be_parameters():
    graph = link_sources("""
        import multiprocessing
        import pickle
        import queue
        def worker(messages, other):
            messages.get()
            other.get()
        def start():
            messages = multiprocessing.Queue()
            multiprocessing.Process(target=worker, args=(messages, queue.Queue())).start()
        def save(f): write(pickle.Pickler(f), 1)
        def write(pickler, obj): pickler.dump(obj)
    """)
    assert graph.edges("worker") == {(RECEIVED, "native", "certain")}
    assert graph.callees("write") == {PICKLING}


def test_a_queue_class_that_is_extended():
    graph = link_sources("""
        import multiprocessing.queues
        class Queue(multiprocessing.queues.Queue): pass
        def f(): Queue(1).get()
    """)
    assert graph.callees("f") == {RECEIVED}


def test_objects_that_native_code_makes_are_pickled_without_more():
    graph = link_sources(
        {
            "torch": "from torch._tensor import Tensor",
            "torch._tensor": """
                import torch._C
                class Tensor(torch._C.TensorBase):
                    def __reduce_ex__(self, protocol): return (rebuild, ())
                class Sub(Tensor):
                    def __reduce_ex__(self, protocol): return (rebuild_sub, ())
                def rebuild(): pass
                def rebuild_sub(): pass
                def make(): Sub()
            """,
            "m": """
                import pickle
                def save(obj): pickle.dumps(obj)
                def load(data): pickle.loads(data)
            """,
        }
    )
    assert graph.requires(PICKLING, "torch._tensor.Tensor.__reduce_ex__") == set()
    assert graph.requires(UNPICKLING, "torch._tensor.rebuild") == set()
    assert graph.requires(UNPICKLING, "torch._tensor.rebuild_sub") == {"torch._tensor.make"}


def test_an_unpickler_that_calls_what_it_finds_in_a_table():
    functions = "\n".join(f"        def rebuild{i}(): pass" for i in range(12))
    names = ", ".join(f"rebuild{i}" for i in range(12))
    graph = link_sources(f"""
        import functools
        from typing import Any
{functions}
        def other(): pass
        def known(): return {{{names}}}
        @functools.lru_cache(maxsize=1)
        def table():
            found: dict[str, Any] = {{}}
            for function in known(): found[f"m.{{function.__name__}}"] = function
            return found
        class Unpickler:
            def load(self, key):
                self.stack: list[Any] = []
                self.append = self.stack.append
                if key: self.append(table()[key])
                args = self.stack.pop()
                function = self.stack[-1]
                self.stack[-1] = function(*args)
        def load(key): Unpickler().load(key)
    """)
    assert {f"rebuild{i}" for i in range(12)} <= graph.reached("Unpickler.load")
    assert "other" not in graph.reached("Unpickler.load")
