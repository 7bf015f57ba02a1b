"""Roots that are code: what they see of the library that is no plain name: contexts, relays, unknown names."""

from __future__ import annotations

from textwrap import dedent

import pytest
from linked import link_sources

from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.roots import resolve_root

OPERATION = "torch._C.<tensor operation>"
LIBRARY = {
    "torch": """
        from torch._C import *
        from torch._C._VariableFunctions import *
        from torch._tensor import Tensor
    """,
    "torch._tensor": """
        import torch._C
        class Tensor(torch._C.TensorBase): pass
    """,
    "torch.lib": """
        import dataclasses
        import pickle
        import torch
        __all__ = ["_listed", "apply"]
        def _listed(): pass
        def shout(x): return torch.empty(x)
        def load(data): return pickle.loads(data)
        def apply(f, x): return f(x)
        apply(shout, 1)
        def takes(owner, name): return getattr(owner, name)()
        class Thing:
            def go(self): pass
            def leave(self): pass
        takes(Thing(), "go")
        def make(): return Thing()
        @dataclasses.dataclass
        class Data:
            thing: Thing = dataclasses.field(default_factory=make)
        def helped(x): pass
        helped.helper = shout
        class Base:
            def a(self): pass
        class Open(Base): pass
        for n in names(): setattr(Open, n, shout)
        for n in names(): globals()[n] = shout
        many = []
        def f0(): pass
        def f1(): pass
        many += [f0, f1]
        def wrap(f):
            def inner(): return f()
            return inner
        class Registry(dict): pass
        registry = Registry()
        registry["shout"] = shout
    """,
    "torch.config": """
        import sys
        limit = 1
        class Config:
            def __getattr__(self, name): return kept()
        def kept(): pass
        sys.modules[__name__].__class__ = Config
        for n in names(): delattr(sys.modules[__name__], n)
    """,
}


@pytest.fixture(scope="module")
def graph() -> CallGraph:
    return link_sources(LIBRARY).graph()


def edges(graph: CallGraph, code: str) -> dict[str, set[tuple[str, str, int]]]:
    """The edges of the code's functions, by caller: (callee with its context, via, line), imports aside."""
    linked = resolve_root(graph, dedent(code)).graph
    found: dict[str, set[tuple[str, str, int]]] = {}
    for number in range(graph.function_count, linked.function_count):
        rows = found.setdefault(_label(linked, number), set())
        rows |= {
            (_label(linked, linked.edge_callee[e]), str(linked.edge(e).via), linked.edge_line[e])
            for e in linked.out_edges(number)
            if linked.edge(e).via != "import"
        }
    return found


def _label(graph: CallGraph, number: int) -> str:
    function = graph.function(number)
    return f"{function.name} [{function.context}]" if function.context else function.name


def called(graph: CallGraph, code: str) -> set[str]:
    return {callee for callee, _, _ in edges(graph, code)["<root>"]}


def test_a_context_that_the_library_has_is_the_one_that_is_called(graph: CallGraph) -> None:
    assert called(graph, "import torch.lib as l\nl.apply(l.shout, 1)") == {"torch.lib.apply [torch.lib.shout]"}
    assert called(graph, "import torch.lib as l\nl.takes(l.Thing(), 'go')") == {"torch.lib.takes ['go']"}


def test_where_the_library_has_no_such_context_the_function_without_one_is_called(graph: CallGraph) -> None:
    code = "import torch.lib as l\ndef f(x): pass\nl.apply(f, 1)"
    assert edges(graph, code)["<root>"] == {("torch.lib.apply", "call", 3), ("<root>.f", "callback", 3)}
    assert called(graph, "import torch.lib as l\nl.takes(l.Thing(), 'leave')") == {"torch.lib.takes"}


def test_a_wrapper_that_the_library_makes_for_code_calls_it(graph: CallGraph) -> None:
    code = "import torch.lib as l\n@l.wrap\ndef f(): pass\nf()"
    assert called(graph, code) == {"torch.lib.wrap", "torch.lib.wrap.<locals>.inner", "<root>.f"}


def test_functions_of_the_code_have_contexts_by_what_they_hand_to_the_library(graph: CallGraph) -> None:
    code = """
        import torch.lib as l
        def use(g): l.apply(g, 1)
        def f(x): pass
        use(f)
        use(l.shout)
    """
    found = edges(graph, code)
    assert found["<root>.use [<root>.f]"] == {("torch.lib.apply", "call", 2), ("<root>.f", "callback", 2)}
    assert found["<root>.use [torch.lib.shout]"] == {("torch.lib.apply [torch.lib.shout]", "call", 2)}


def test_star_imports_bring_what_the_library_lists(graph: CallGraph) -> None:
    assert called(graph, "from torch.lib import *\n_listed()") == {"torch.lib._listed"}


def test_default_factories_run_where_the_code_makes_an_instance(graph: CallGraph) -> None:
    assert called(graph, "import torch.lib as l\nl.Data().thing.go()") == {"torch.lib.make", "torch.lib.Thing.go"}


def test_what_the_code_gives_a_generated_constructor_is_handed_over(graph: CallGraph) -> None:
    assert "<root>.f" in called(graph, "import torch.lib as l\ndef f(): pass\nl.Data(f)")


def test_attributes_of_functions_are_those_of_the_library(graph: CallGraph) -> None:
    assert called(graph, "import torch.lib as l\nl.helped.helper(1)") == {"torch.lib.shout"}


def test_what_the_library_stores_under_unknown_names_may_be_meant(graph: CallGraph) -> None:
    assert called(graph, "import torch.lib as l\nl.Open().a()") == {"torch.lib.Base.a", "torch.lib.shout"}
    assert called(graph, "import torch.lib as l\nl.generated(1)") == {"torch.lib.shout"}


@pytest.mark.parametrize("store", ["setattr(l, name, f)", "vars(l)[name] = f", "vars(l)['y'] = f", "l.many.append(f)"])
def test_what_is_stored_in_the_library_may_be_called(graph: CallGraph, store: str) -> None:
    assert "<root>.f" in called(graph, f"import torch.lib as l\ndef f(): pass\n{store}")


def test_what_a_container_of_a_class_of_its_own_holds_is_known(graph: CallGraph) -> None:
    assert called(graph, "import torch.lib as l\nl.registry['shout'](1)") == {"torch.lib.shout"}


def test_options_that_were_moved_elsewhere_are_asked_of_the_module_class(graph: CallGraph) -> None:
    assert "torch.config.Config.__getattr__" in called(graph, "import torch.config as c\nc.limit")


def test_a_tensor_operation_leads_to_the_relay_of_the_library(graph: CallGraph) -> None:
    assert edges(graph, "import torch\ntorch.empty(1)")["<root>"] == {(OPERATION, "native", 2)}
    assert graph.function_names.ending_with(OPERATION)


def test_a_relay_calls_what_the_code_defines_and_registers_from_where_it_is_led_to(graph: CallGraph) -> None:
    code = """
        import torch
        class Like:
            def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args)
            def __deepcopy__(self, memo): pass
        def hook(gradient): pass
        x = torch.add(Like(), 1)
        x.register_hook(hook)
    """
    found = edges(graph, code)
    like = "<root>.Like.__torch_function__"
    assert found["<root>"] >= {(OPERATION, "native", 6), (like, "native", 6)}
    assert "<root>.Like.__deepcopy__" not in {callee for callee, _, _ in found["<root>"]}
    assert (OPERATION, "native", 3) in found[like]


def test_a_relay_calls_what_methods_of_the_code_return_from_where_it_is_led_to(graph: CallGraph) -> None:
    code = """
        import pickle
        class A:
            def __reduce__(self): return (rebuild, (1,))
        def rebuild(x): pass
        pickle.loads(b"")
    """
    assert ("<root>.rebuild", "native", 5) in edges(graph, code)["<root>"]
    assert "<root>.A.__reduce__" not in {callee for callee, _, _ in edges(graph, code)["<root>"]}


def test_what_the_code_registers_with_a_relay_is_called_from_there(graph: CallGraph) -> None:
    code = """
        import torch
        def pack(x): pass
        def unpack(x): pass
        torch._C._autograd._push_saved_tensors_default_hooks(pack, unpack)
    """
    found = edges(graph, code)
    assert ("<root>.pack", "native", 4) in found["<root>"]
    # The library leads to no backward pass: that relay is the code's own.
    assert ("<root>.unpack", "native", 0) in found["torch._C.<backward pass>"]
