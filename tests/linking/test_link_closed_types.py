"""Annotations that leave no room for functions: what a place is offered and cannot hold is dropped."""

import pytest
from linked import link_sources

_TYPES = """
    from __future__ import annotations
    from collections.abc import Callable, Iterable
    from typing import Any, Optional, Protocol, Union
    class A:
        def __call__(self): pass
    class Shaped(Protocol):
        def __call__(self): ...
    Alias = Optional[A]
    def g(): pass
    def offered(choice): return [g, None][choice]
"""
_CLOSED = [
    "A", "'A'", "A | None", "Optional[A]", "Union[A, int]", "str", "int", "bool", "list[str]", "tuple[A, ...]",
    "dict[str, Callable]", "set", "Alias",
]  # fmt: skip
_OPEN = [
    "Callable", "Callable[[], None]", "Any", "object", "Shaped", "type[A]", "Iterable", "Iterable[A]",
    "Optional[Callable]", "A | Callable", "A | Shaped", "Union[A, Any]", "Unknown",
]  # fmt: skip


@pytest.mark.parametrize("annotation", _CLOSED)
def test_a_parameter_that_cannot_hold_a_function(annotation: str) -> None:
    graph = link_sources(f"""{_TYPES}
    def use(x: {annotation}): x()
    def f(choice): use(offered(choice))
    """)
    assert "g" not in graph.reached("f")


@pytest.mark.parametrize("annotation", _OPEN)
def test_a_parameter_that_may_hold_a_function(annotation: str) -> None:
    graph = link_sources(f"""{_TYPES}
    def use(x: {annotation}): x()
    def f(choice): use(offered(choice))
    """)
    assert "g" in graph.reached("f")


@pytest.mark.parametrize(("annotation", "is_called"), [("A", False), ("A | None", False), ("Callable", True)])
def test_an_annotated_result(annotation: str, is_called: bool) -> None:
    graph = link_sources(f"""{_TYPES}
    def get(choice) -> {annotation}: return offered(choice)
    def f(choice): get(choice)()
    """)
    assert ("g" in graph.callees("f")) is is_called


@pytest.mark.parametrize(("annotation", "is_called"), [("A", False), ("A | None", False), ("Callable", True)])
@pytest.mark.parametrize(
    "holder",
    [
        "class B:\n        x: {annotation}\n        def __init__(self, x): self.x = x",
        "class B:\n        x: {annotation} = None\n        def __init__(self, x): self.x = x",
        "class B:\n        def __init__(self, x): self.x: {annotation} = x",
        "class Base:\n        x: {annotation}\n    class B(Base):\n        def __init__(self, x): self.x = x",
    ],
)
def test_an_annotated_attribute(holder: str, annotation: str, is_called: bool) -> None:
    graph = link_sources(f"""{_TYPES}
    {holder.format(annotation=annotation)}
        def use(self): self.x()
    def f(choice): B(offered(choice)).use()
    """)
    assert ("g" in graph.reached("f")) is is_called


def test_an_attribute_that_is_not_annotated_holds_what_it_is_given():
    graph = link_sources(f"""{_TYPES}
    class Other:
        x: A
    class B:
        def __init__(self, x): self.x = x
        def use(self): self.x()
    def f(choice): B(offered(choice)).use()
    """)
    assert "g" in graph.reached("f")


def test_objects_of_other_classes_are_dropped_and_those_of_subclasses_kept():
    graph = link_sources("""
        class A:
            def run(self): pass
        class Sub(A):
            def run(self): pass
        class Other:
            def run(self): pass
        class Holder:
            x: A
            def __init__(self, x): self.x = x
            def use(self): self.x.run()
        class Free:
            def __init__(self, x): self.x = x
            def use(self): self.x.run()
        def f():
            Holder(Sub())
            Holder(Other())
            Free(Other())
    """)
    assert "Sub.run" in graph.callees("Holder.use")
    assert "Other.run" not in graph.callees("Holder.use")
    assert "Other.run" in graph.callees("Free.use")


def test_a_class_is_no_instance_of_itself():
    graph = link_sources("""
        class A:
            def __init__(self): pass
        def use(x: A): x()
        def f(): use(A)
    """)
    assert "A.__init__" not in graph.reached("f")
