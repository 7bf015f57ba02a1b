"""Relays: native code that many functions lead to, and that calls back what is defined for it or registered with it."""

import pytest
from linked import link_sources

OPERATION = "torch._C.<tensor operation>"
TORCH = """
    from torch._C import *
    from torch._C._VariableFunctions import *
    from torch._tensor import Tensor
"""
TENSOR = """
    import torch._C
    class Tensor(torch._C.TensorBase):
        def backward(self): pass
"""


def _link(text: str):
    return link_sources({"torch": TORCH, "torch._tensor": TENSOR, "m": text})


def test_a_tensor_operation_leads_to_the_relay():
    graph = _link("""
        import torch
        from torch import Tensor
        def function(): torch.empty(1)
        def method(x: Tensor): x.numel()
        def read(x: Tensor): x.shape
        def operator(x: Tensor): x + 1
        def truth(x: Tensor): return not x
        def item(x: Tensor): x[0]
    """)
    for name in ("function", "method", "read", "operator", "truth", "item"):
        assert graph.edges(name) == {(OPERATION, "native", "certain")}, name


def test_settings_and_classes_are_no_tensor_operations():
    graph = _link("""
        import torch
        def f():
            torch.get_num_threads()
            torch.Size((1,))
    """)
    assert graph.edges("f") == set()
    assert graph.readers("torch._C.num_threads") == {"f"}


def test_a_result_of_a_tensor_operation_is_a_tensor():
    graph = _link("""
        import torch
        def f(): torch.empty(1).relu().backward()
    """)
    assert "torch._tensor.Tensor.backward" in graph.callees("f")


def test_the_relay_leads_to_modes_that_can_exist():
    graph = _link("""
        import torch
        class Mode:
            def __torch_function__(self, func, types, args=(), kwargs=None): pass
        def enter(): Mode()
        def f(): torch.empty(1)
    """)
    assert (("Mode.__torch_function__", "native", "flow")) in graph.edges(OPERATION)
    assert graph.requires(OPERATION, "Mode.__torch_function__") == {"enter"}
    assert graph.callees("enter") == set()


def test_the_constructor_of_a_mode_shows_that_it_can_exist():
    graph = _link("""
        import torch
        class Mode:
            def __init__(self): pass
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None): pass
        def f(): torch.empty(1)
    """)
    assert graph.requires(OPERATION, "Mode.__torch_dispatch__") == {"Mode.__init__"}


def test_a_decorated_method_of_a_mode():
    graph = _link("""
        import torch
        def decorate(fn):
            def inner(*args): return fn(*args)
            return inner
        class Mode:
            @decorate
            def __torch_dispatch__(self, func): pass
        def enter(): Mode()
        def f(): torch.empty(1)
    """)
    inner = "decorate.<locals>.inner [Mode.__torch_dispatch__]"
    assert inner in graph.callees(OPERATION)
    assert graph.requires(OPERATION, inner) == {"enter"}


def test_what_is_registered_is_called_by_the_relay_once_it_is_registered():
    graph = _link("""
        import torch
        from torch._C._autograd import _push_saved_tensors_default_hooks
        def pack(x): pass
        def unpack(x): pass
        def push(on):
            if on: _push_saved_tensors_default_hooks(pack, unpack)
        def f(): torch.empty(1)
    """)
    assert graph.callees("push") == set()
    assert graph.requires(OPERATION, "pack") == {"push"}
    assert "unpack" not in graph.callees(OPERATION)


def test_what_a_version_of_torch_does_not_have_is_not_called():
    graph = _link("""
        import torch
        def f(): torch.empty(1)
    """)
    assert [callee for callee in graph.callees(OPERATION) if not callee.startswith("torch._C.<")] == []
    assert graph.native_exits(OPERATION) == set()
    assert {e.line for e in graph.rows.edges if graph.functions[e.caller] == OPERATION} == {0}


def test_relays_that_nothing_leads_to_are_not_in_the_graph():
    graph = link_sources("def f(): pass")
    assert [f for f in graph.functions if "<tensor" in f] == []


def test_methods_by_pattern_of_classes_with_a_base():
    graph = link_sources("""
        from sympy.printing.str import StrPrinter
        class Printer(StrPrinter):
            def _print_Add(self, expr): pass
            def other(self): pass
        class Unrelated:
            def _print_Add(self, expr): pass
        def f(expr): return Printer().doprint(expr)
    """)
    assert graph.callees("sympy.<printing>") == {"Printer._print_Add"}
    assert graph.callees("f") == {"sympy.<printing>"}


def test_a_base_that_is_modelled_makes_the_instance():
    graph = link_sources("""
        import sympy
        class Half(sympy.Function):
            @classmethod
            def eval(cls, x): pass
        def f(x): Half(x)
    """)
    assert "Half.eval" in graph.callees("f")


def test_guards_are_checked_where_frames_are_evaluated():
    graph = _link("""
        from torch._C._dynamo.eval_frame import set_eval_frame
        from torch._C._dynamo.guards import RootGuardManager
        def build(manager: RootGuardManager): manager.add_lambda_guard(lambda values: True, [], None)
        def run(callback): set_eval_frame(callback)
    """)
    assert "build.<locals>.<lambda>" in graph.reached("run")
    assert graph.callees("build") == set()


def test_what_a_mode_is_handed_is_a_tensor_operation():
    graph = _link("""
        import torch
        class Mode:
            def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args)
        def f():
            Mode()
            torch.empty(1)
    """)
    kernel = "torch._C.<operator kernel>"
    assert graph.edges("Mode.__torch_function__") == {(OPERATION, "native", "certain"), (kernel, "native", "certain")}


_MODE = """
    import torch
    class Mode:
        def __init__(self): pass
        def __enter__(self): return self
        def __exit__(self, *args): pass
        def __torch_function__(self, func, types, args=(), kwargs=None): pass
    def make(): return Mode()
    def f(): torch.empty(1)
"""


@pytest.mark.parametrize("enter", ["with mode: pass", "mode.__enter__()"])
def test_a_mode_counts_once_it_is_entered(enter: str) -> None:
    graph = _link(f"{_MODE}    def enter(mode: Mode):\n        {enter}\n    def leave(mode: Mode): mode.__exit__()")
    assert graph.requires(OPERATION, "Mode.__torch_function__") == {"enter"}


def test_a_mode_that_nothing_enters_counts_once_it_is_made():
    graph = _link(_MODE)
    assert graph.requires(OPERATION, "Mode.__torch_function__") == {"Mode.__init__"}


_NATIVE = {
    "torch": TORCH,
    "torch._tensor": TENSOR,
    "torch._ops": """
        class OpOverload:
            def _get_dispatch(self, key): return kernel
        def kernel(): pass
    """,
    "torch.fx": "",
    "torch.fx.traceback": "def format_stack(): pass",
}


@pytest.mark.parametrize(
    ("relay", "native", "callees"),
    [
        (
            "torch._C.<python dispatcher>",
            "torch._C._EnablePythonDispatcher()",
            {"torch._ops.OpOverload._get_dispatch", "torch._ops.kernel"},
        ),
        ("torch._C.<anomaly mode>", "torch.set_anomaly_enabled(True)", {"torch.fx.traceback.format_stack"}),
    ],
)
def test_a_relay_that_needs_a_call_of_a_native_function(relay: str, native: str, callees: set[str]) -> None:
    uses = "import torch\ndef f(): torch.empty(1)\n"
    graph = link_sources({**_NATIVE, "m": f"{uses}def enable(): {native}\ndef other(): torch._C._other()"})
    assert graph.callees(relay) == callees
    assert relay in graph.reached("f")
    for callee in callees:
        assert graph.requires(relay, callee) == {"enable"}


def test_a_relay_that_needs_a_call_that_nothing_makes_leads_nowhere_new():
    graph = link_sources({**_NATIVE, "m": "import torch\ndef f(): torch.empty(1)"})
    kernel = "torch._ops.kernel"
    assert graph.requires("torch._C.<python dispatcher>", kernel) == {kernel}


def test_a_native_function_that_is_called_by_its_other_name():
    uses = "import torch\ndef f(): torch.empty(1)\n"
    graph = link_sources({**_NATIVE, "m": f"{uses}def enable(): torch._C.set_anomaly_enabled(True)"})
    assert graph.requires("torch._C.<anomaly mode>", "torch.fx.traceback.format_stack") == {"enable"}
