"""Shared state of the library, the process and native code: environment, context variables, thread-locals, `sys`."""

import pytest
from linked import link_sources

_IMPORTS = """
    import builtins
    import contextlib
    import contextvars
    import gc
    import logging
    import os
    import random
    import signal
    import socket
    import sys
    import threading
    import warnings
    from unittest import mock
    def handler(*args): pass
    def f(x):
        {statement}
"""


@pytest.mark.parametrize(
    "statement",
    [
        "os.environ['A'] = '1'",
        "os.environ['A'] += '1'",
        "del os.environ['A']",
        "os.putenv('A', '1')",
        "os.unsetenv('A')",
        "os.environ.setdefault('A', '1')",
        "os.environ.pop('A')",
        "os.environ.pop('A', None)",
        "os.environ.__setitem__('A', '1')",
        "mock.patch.dict(os.environ, {'A': '1'}).start()",
        "mock.patch.dict('os.environ', {'A': '1'}).start()",
        "mock.patch.dict(os.environ, A='1').start()",
    ],
)
def test_every_change_of_an_environment_variable_is_a_write(statement: str) -> None:
    graph = link_sources(_IMPORTS.format(statement=statement))
    assert graph.writers("os.environ[A]") == {"f"}
    assert graph.state("os.environ[A]") == ("environment variable", "environment")
    assert graph.writers("os.environ[B]") == set()


@pytest.mark.parametrize(
    "statement", ["os.environ.update(A='1')", "os.environ.update({'A': '1'})", "os.environ.clear()"]
)
def test_changing_many_environment_variables_may_write_this_one(statement: str) -> None:
    graph = link_sources(_IMPORTS.format(statement=statement))
    assert graph.writers("os.environ[A]") | graph.writers("os.environ[*]") == {"f"}


@pytest.mark.parametrize("statement", ["os.environ[x] = '1'", "os.putenv(x, '1')", "os.environ.pop(x)"])
def test_an_unknown_environment_variable_may_be_any(statement: str) -> None:
    graph = link_sources(_IMPORTS.format(statement=statement))
    assert graph.writers("os.environ[*]") == {"f"}


@pytest.mark.parametrize(
    "statement", ["os.environ['A']", "os.environ.get('A')", "os.getenv('A', '')", "'A' in os.environ"]
)
def test_every_look_at_an_environment_variable_is_a_read(statement: str) -> None:
    graph = link_sources(_IMPORTS.format(statement=statement))
    assert graph.readers("os.environ[A]") == {"f"}
    assert graph.writers("os.environ[A]") == set()


def test_the_environment_under_another_name_is_the_same():
    graph = link_sources("""
        from os import environ, putenv
        from os import environ as env
        import os as system
        def f(): environ["A"] = "1"
        def g(): env["A"] = "1"
        def h(): system.environ["A"] = "1"
        def k(): putenv("A", "1")
        def l():
            e = environ
            e["A"] = "1"
    """)
    assert graph.writers("os.environ[A]") == {"f", "g", "h", "k", "l"}


def test_an_environment_variable_named_by_a_constant_is_that_variable():
    graph = link_sources("""
        import os
        NAME = "A"
        def f(): os.environ[NAME] = "1"
    """)
    assert graph.writers("os.environ[A]") == {"f"}


@pytest.mark.parametrize(
    ("statement", "state"),
    [
        ("sys.excepthook = handler", "sys.excepthook"),
        ("setattr(sys, 'excepthook', handler)", "sys.excepthook"),
        ("sys.stdout = x", "sys.stdout"),
        ("threading.excepthook = handler", "threading.excepthook"),
        ("builtins.print = x", "builtins.print"),
        ("warnings.showwarning = x", "warnings.showwarning"),
        ("warnings.filters.insert(0, x)", "warnings.filters"),
        ("warnings.filterwarnings('ignore')", "warnings.filters"),
        ("warnings.simplefilter('ignore')", "warnings.filters"),
        ("warnings.resetwarnings()", "warnings.filters"),
        ("with warnings.catch_warnings(): pass", "warnings.filters"),
        ("sys.setrecursionlimit(1)", "sys.recursionlimit"),
        ("random.seed(1)", "random state"),
        ("sys.path.append(x)", "sys.path"),
        ("sys.path.insert(0, x)", "sys.path"),
        ("sys.path[0] = x", "sys.path"),
        ("sys.path += x", "sys.path"),
        ("sys.modules['a'] = x", "sys.modules[a]"),
        ("del sys.modules['a']", "sys.modules[a]"),
        ("sys.modules.pop('a')", "sys.modules[a]"),
        ("sys.settrace(handler)", "sys.trace"),
        ("sys.setprofile(handler)", "sys.profile"),
        ("gc.disable()", "gc.enabled"),
        ("socket.setdefaulttimeout(1)", "socket.defaulttimeout"),
        ("os.chdir(x)", "os.working directory"),
        ("with contextlib.redirect_stdout(x): pass", "sys.stdout"),
    ],
)
def test_every_change_of_a_library_setting_is_a_write(statement: str, state: str) -> None:
    graph = link_sources(_IMPORTS.format(statement=statement))
    assert graph.writers(state) == {"f"}


def test_a_hook_that_is_installed_is_called_later():
    graph = link_sources("""
        import sys
        def handler(*args): pass
        def f(): sys.excepthook = handler
    """)
    assert graph.edges("f") == {("handler", "callback", "flow")} or graph.edges("f") == {
        ("handler", "callback", "certain")
    }


# Context variables


def test_setting_and_resetting_a_context_variable_are_writes_and_getting_it_is_a_read():
    graph = link_sources("""
        import contextvars
        mode = contextvars.ContextVar("mode", default=None)
        other = contextvars.ContextVar("other")
        def put(): return mode.set(1)
        def back(token): mode.reset(token)
        def get(): return mode.get()
    """)
    assert graph.writers("mode") == {"put", "back"}
    assert graph.restores("mode") == {"back"}
    assert graph.readers("mode") >= {"get"}
    assert graph.writers("other") == set()
    assert graph.state("mode") == ("context variable", "context")


def test_a_context_variable_of_another_module_is_the_same_state():
    graph = link_sources(
        {
            "m": """
            import a
            from a import mode
            def f(): mode.set(1)
            def g(): a.mode.set(1)
        """,
            "a": "from contextvars import ContextVar\nmode: ContextVar[int] = ContextVar('mode')",
        }
    )
    assert graph.writers("a.mode") == {"f", "g"}
    assert graph.state("a.mode") == ("context variable", "context")


def test_a_context_variable_in_a_class_is_a_state():
    graph = link_sources("""
        from contextvars import ContextVar
        class C:
            mode = ContextVar("mode")
            def f(self): self.mode.set(1)
    """)
    assert graph.writers("C.mode") == {"C.f"}
    assert graph.state("C.mode") == ("context variable", "context")


# Thread-locals


def test_an_attribute_of_a_thread_local_is_a_state_of_the_thread():
    graph = link_sources("""
        import threading
        local = threading.local()
        def f(): local.depth = 1
        def g(): local.depth += 1
        def h():
            del local.depth
        def k(): setattr(local, "depth", 1)
        def get(): return local.depth
    """)
    assert graph.writes("local.depth") == {
        ("f", "attribute"),
        ("g", "augmented"),
        ("h", "delete"),
        ("k", "setattr"),
    }
    assert graph.readers("local.depth") >= {"get"}
    assert graph.state("local.depth") == ("thread-local", "thread")


def test_an_attribute_of_an_object_whose_class_is_thread_local_is_a_state_of_the_thread():
    graph = link_sources("""
        import threading
        class Local(threading.local):
            def __init__(self): self.depth = 0
        local = Local()
        def f(): local.depth = 1
    """)
    assert "f" in graph.writers("local.depth")
    assert graph.state("local.depth") == ("thread-local", "thread")


# Mocking


@pytest.mark.parametrize(
    "statement",
    [
        "with mock.patch('a.FLAG', 1): pass",
        "with mock.patch('a.FLAG'): pass",
        "mock.patch('a.FLAG', 1).start()",
        "with mock.patch.object(a, 'FLAG', 1): pass",
        "with mock.patch.multiple(a, FLAG=1): pass",
        "with mock.patch.multiple('a', FLAG=1): pass",
    ],
)
def test_mocking_is_a_write(statement: str) -> None:
    graph = link_sources(
        {
            "m": f"""
            import a
            from unittest import mock
            def f():
                {statement}
        """,
            "a": "FLAG = None\nOTHER = None",
        }
    )
    assert graph.writers("a.FLAG") == {"f"}
    assert graph.writers("a.OTHER") == set()


def test_mocking_as_a_decorator_is_a_write():
    graph = link_sources(
        {
            "m": """
            from unittest import mock
            @mock.patch("a.FLAG", 1)
            def g(): pass
            def f(): g()
        """,
            "a": "FLAG = None",
        }
    )
    assert len(graph.writers("a.FLAG")) == 1
    assert "g" in graph.callees("f")


def test_mocking_a_method_is_a_write_of_the_method():
    graph = link_sources(
        {
            "m": """
            import a
            from unittest import mock
            def f():
                with mock.patch.object(a.C, "run", None): pass
            def g():
                with mock.patch("a.C.run"): pass
        """,
            "a": """
            class C:
                def run(self): pass
        """,
        }
    )
    assert graph.writers("a.C.run") == {"f", "g"}


# Native settings


def test_a_native_setter_is_a_write_of_a_native_setting():
    graph = link_sources(
        {
            "torch": "from torch import _C",
            "torch.a": """
            import torch
            from torch._C import _set_grad_enabled
            def f(): torch._C._set_grad_enabled(False)
            def g(): _set_grad_enabled(False)
            def h(): return torch.is_grad_enabled()
            def k(): return torch._C.is_grad_enabled()
        """,
        }
    )
    assert graph.writers("torch._C.grad_enabled") == {"torch.a.f", "torch.a.g"}
    assert "torch.a.k" in graph.readers("torch._C.grad_enabled")
    assert graph.state("torch._C.grad_enabled") == ("native setting", "thread")
    assert graph.native_exits("torch.a.f") == set()


def test_a_native_setter_is_a_function_that_is_called():
    graph = link_sources(
        {
            "torch": "from torch import _C",
            "torch.a": "import torch\ndef f(): torch._C._set_grad_enabled(False)",
        }
    )
    assert graph.callers_of("torch._C._set_grad_enabled") == {"torch.a.f"}


def test_a_native_function_of_an_analyzed_package_may_be_replaced():
    graph = link_sources(
        {
            "torch": "from torch import _C",
            "torch.a": "import torch\ndef mine(): pass\ndef f(): torch._C._launch = mine",
        }
    )
    assert graph.writers("torch._C._launch") == {"torch.a.f"}


def test_a_setter_may_be_given_what_a_later_line_gets_in_the_round_before():
    graph = link_sources("""
        import torch
        def f(old):
            for _ in range(2):
                torch._C._set_cudnn_enabled(old)
                old = torch._C._get_cudnn_enabled()
    """)
    assert graph.writers("torch._C.cudnn_enabled") == {"f"}


@pytest.mark.parametrize(
    ("call", "state"),
    [
        ("torch._C.default_generator.manual_seed(1)", "torch._C.default_generator"),
        ("torch._C._VariableFunctions.rand(2)", "torch._C.default_generator"),
        ("torch._C._set_default_dtype(x)", "torch.Storage"),
        ("torch._C._set_float32_matmul_precision('high')", "torch._C.cublas_allow_tf32"),
        ("torch._C._InferenceMode(True).__enter__()", "torch._C.fwd_grad_enabled"),
        ("logging.getLogger(x).setLevel(10)", "logging.logger configuration"),
    ],
)
def test_native_and_library_functions_write_all_that_they_set(call, state):
    graph = link_sources(f"import logging\nimport torch\ndef f(x): {call}\n")
    assert graph.writers(state) == {"f"}


def test_what_configures_the_root_logger_writes_it():
    graph = link_sources("""
        import logging
        def f(handler): logging.root.addHandler(handler)
        def g(): logging.root.level = 3
        def h(): logging.basicConfig()
        def i(): return logging.root.handlers
    """)
    assert graph.writes("logging.root") == {("f", "mutating call"), ("g", "attribute level"), ("h", "call")}
    assert "i" in graph.readers("logging.root")


def test_where_a_builtin_is_called_that_acts_on_more_than_its_arguments():
    graph = link_sources("""
        def f(): open("x"); exec("y"); print(len("z"))
    """)
    assert graph.callers_of("builtins.open") == graph.callers_of("builtins.exec") == {"f"}
    assert graph.callers_of("builtins.print") == {"f"}
    assert graph.callers_of("builtins.len") == set()


def test_raising_a_class_of_the_standard_library_constructs_it():
    graph = link_sources("""
        import queue
        def f(): raise queue.Empty
        def g(error): raise error
    """)
    assert graph.callers_of("queue.Empty") == {"f"}
