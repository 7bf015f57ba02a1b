"""Annotations and `isinstance`: types that the code states."""

import pytest
from linked import link_sources

_A = """
    from __future__ import annotations
    import typing
    from collections.abc import Callable, Iterable, Sequence
    from typing import Annotated, Any, Dict, List, Optional, Tuple, Type, Union
    class A:
        def __init__(self): pass
        def run(self): pass
    class Other:
        def run(self): pass
    def f(x: {annotation}): {statement}
"""


@pytest.mark.parametrize(
    ("annotation", "statement"),
    [
        ("A", "x.run()"),
        ("'A'", "x.run()"),
        ("Optional[A]", "x.run()"),
        ("'Optional[A]'", "x.run()"),
        ("typing.Optional[A]", "x.run()"),
        ("A | None", "x.run()"),
        ("'A | None'", "x.run()"),
        ("Union[A, int]", "x.run()"),
        ("Annotated[A, 1]", "x.run()"),
        ("list[A]", "x[0].run()"),
        ("List[A]", "[y.run() for y in x]"),
        ("Sequence[A]", "x[0].run()"),
        ("Iterable[A]", "[y.run() for y in x]"),
        ("dict[str, A]", "x['a'].run()"),
        ("Dict[str, A]", "[y.run() for y in x.values()]"),
        ("dict[A, str]", "[y.run() for y in x]"),
        ("dict[str, list[A]]", "x['a'][0].run()"),
        ("tuple[A, ...]", "x[0].run()"),
        ("Tuple[int, A]", "x[1].run()"),
        ("Optional[list[A]]", "x[0].run()"),
    ],
)
def test_an_annotated_parameter_is_an_instance(annotation: str, statement: str) -> None:
    graph = link_sources(_A.format(annotation=annotation, statement=statement))
    assert graph.edges("f") == {("A.run", "call", "certain")} or graph.edges("f") == {("A.run", "call", "flow")}


@pytest.mark.parametrize("annotation", ["type[A]", "Type[A]", "type['A']", "Optional[Type[A]]"])
def test_a_parameter_that_is_a_class_is_constructed(annotation: str) -> None:
    graph = link_sources(_A.format(annotation=annotation, statement="x()"))
    assert graph.callees("f") == {"A.__init__"}


@pytest.mark.parametrize("annotation", ["Any", "int", "str", "Callable[[A], None]", "Callable[..., A]", "Other"])
def test_other_annotations_do_not_make_an_instance(annotation: str) -> None:
    graph = link_sources(_A.format(annotation=annotation, statement="x.run()"))
    assert "A.run" not in graph.callees("f")


def test_an_annotated_parameter_may_be_a_subclass():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
        def f(a: A): a.run()
    """)
    assert graph.edges("f") == {("A.run", "call", "dispatch"), ("B.run", "call", "dispatch")}


def test_two_annotated_classes_may_each_be_meant():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        class C:
            def run(self): pass
        def f(x: A | B): x.run()
    """)
    assert graph.callees("f") == {"A.run", "B.run"}


def test_a_returned_object_is_of_the_annotated_class():
    graph = link_sources("""
        class A:
            def run(self): pass
        def make(x) -> "A": return x
        def f(): make(1).run()
    """)
    assert graph.callees("f") == {"make", "A.run"}


def test_an_annotated_attribute_is_an_instance():
    graph = link_sources("""
        class Log:
            def write(self): pass
        class A:
            log: Log
            def __init__(self, other):
                self.other: Log = other
            def f(self): self.log.write()
            def g(self): self.other.write()
    """)
    assert graph.callees("A.f") == {"Log.write"}
    assert graph.callees("A.g") == {"Log.write"}


def test_an_annotated_global_and_local_are_instances():
    graph = link_sources("""
        from typing import Optional
        class A:
            def run(self): pass
        current: Optional[A] = None
        def f(): current.run()
        def g(x):
            a: A = x
            a.run()
    """)
    assert graph.callees("f") == {"A.run"}
    assert graph.callees("g") == {"A.run"}


def test_an_annotated_loop_variable_and_star_parameters_are_instances():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(*args: A, **kwargs: A):
            for a in args: a.run()
        def g(**kwargs: A): kwargs["x"].run()
    """)
    assert graph.callees("f") == {"A.run"}
    assert graph.callees("g") == {"A.run"}


def test_self_as_a_type_is_the_class():
    graph = link_sources("""
        from typing import Self
        class A:
            def with_x(self) -> Self: return self
            def run(self): pass
        def f(): A().with_x().run()
    """)
    assert "A.run" in graph.callees("f")


def test_a_method_that_returns_its_own_class_by_name():
    graph = link_sources("""
        class A:
            def copy(self) -> "A": return make()
            def run(self): pass
        def make(): pass
        def f(): A().copy().run()
    """)
    assert "A.run" in graph.callees("f")


def test_a_type_variable_with_a_bound_is_its_bound():
    graph = link_sources("""
        from typing import TypeVar
        class A:
            def run(self): pass
        T = TypeVar("T", bound=A)
        def f(x: T) -> T: x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_a_type_alias_is_what_it_stands_for():
    graph = link_sources("""
        from typing import Union
        class A:
            def run(self): pass
        class B:
            def walk(self): pass
        Either = Union[A, B]
        def f(x: Either): x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_a_cast_is_an_instance():
    graph = link_sources("""
        from typing import cast
        class A:
            def run(self): pass
        def f(x): cast(A, x).run()
        def g(x): cast("A", x).run()
    """)
    assert graph.callees("f") == {"A.run"}
    assert graph.callees("g") == {"A.run"}


def test_isinstance_says_what_a_value_is():
    graph = link_sources("""
        class A:
            def run(self): pass
        class Other:
            def run(self): pass
        def f(x):
            if isinstance(x, A):
                x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_isinstance_with_several_classes():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        class C:
            def run(self): pass
        def f(x):
            if isinstance(x, (A, B)): x.run()
        def g(x):
            if isinstance(x, A | B): x.run()
    """)
    assert graph.callees("f") == {"A.run", "B.run"}
    assert graph.callees("g") == {"A.run", "B.run"}


def test_isinstance_narrows_a_base_to_the_subclass():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
        class C(A):
            def run(self): pass
        def f(x: A):
            if isinstance(x, B): x.run()
    """)
    assert graph.callees("f") == {"B.run"}


def test_isinstance_of_a_base_of_the_annotated_class_may_be_another_subclass():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
        class C(A):
            def run(self): pass
        def f(xs: list[B]):
            for x in xs:
                if isinstance(x, A): x.run()
        def g():
            x = B()
            if isinstance(x, A): x.run()
    """)
    assert graph.callees("f") == {"A.run", "B.run", "C.run"}
    assert graph.callees("g") == {"B.run"}


def test_after_the_branch_the_value_is_not_narrowed():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B(A):
            def run(self): pass
        def f(x: A):
            if isinstance(x, B): pass
            x.run()
    """)
    assert graph.callees("f") == {"A.run", "B.run"}


def test_an_assert_narrows_what_follows():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(x):
            assert isinstance(x, A)
            x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_leaving_early_narrows_what_follows():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(x):
            if not isinstance(x, A): return
            x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_the_type_of_a_value_narrows():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(x):
            if type(x) is A: x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_isinstance_and_narrows_the_rest_of_the_condition():
    graph = link_sources("""
        class A:
            def run(self): pass
        def f(x):
            return isinstance(x, A) and x.run()
    """)
    assert graph.callees("f") == {"A.run"}


def test_a_match_on_a_class_narrows():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        def f(x):
            match x:
                case A(): x.run()
        def g(x):
            match x:
                case B() as b: b.run()
    """)
    assert graph.callees("f") == {"A.run"}
    assert graph.callees("g") == {"B.run"}


def test_an_exception_is_an_instance_of_the_class_that_is_caught():
    graph = link_sources("""
        class Failure(Exception):
            def show(self): pass
        def f():
            try: pass
            except Failure as e: e.show()
    """)
    assert graph.callees("f") == {"Failure.show"}


def test_evaluating_an_annotation_runs_nothing():
    graph = link_sources("""
        class Meta(type):
            def __getitem__(cls, item): pass
        class A(metaclass=Meta): pass
        def f(x: "A[int]"): pass
    """)
    assert graph.edges("<module>") == set()


@pytest.mark.parametrize("annotation", ["list[Any]", "list", "Sequence[Any]", "Any"])
def test_an_annotation_that_leaves_open_what_a_container_holds_does_not_hide_it(annotation: str) -> None:
    graph = link_sources(f"""
        from collections.abc import Sequence
        from typing import Any
        class A:
            def run(self): pass
        def make() -> {annotation}: return [A()]
        def f():
            for a in make(): a.run()
    """)
    assert "A.run" in graph.callees("f")


def test_an_annotation_that_says_what_a_container_holds_is_believed():
    graph = link_sources("""
        class A:
            def run(self): pass
        class B:
            def run(self): pass
        def make() -> list[A]: return [B()]
        def f():
            for a in make(): a.run()
    """)
    assert graph.callees("f") == {"make", "A.run"}


def test_what_an_annotation_states_is_kept_however_much_is_passed():
    functions = "\n    ".join(f"def g{i}(): pass" for i in range(12))
    graph = link_sources(f"""
    {functions}
    def use(a: A): a.run()
    def f(x):
        {"; ".join(f"use(g{i})" for i in range(12))}
    class A:
        def run(self): pass
    """)
    assert "A.run" in graph.callees("use")


def test_none_has_no_other_attributes_than_it_has():
    graph = link_sources("""
        def use(function): function()
        def f(x):
            x = None
            use(x.missing)
    """)
    assert graph.blind_spots("use") == {("function", "parameter")}


_KINDS = """
    import functools
    import types
    class A:
        def __init__(self): pass
    class B:
        def __call__(self): pass
        def method(self): pass
    def function(): pass
    def partly(): pass
    def use(x):
        if isinstance(x, {types}): x()
    def f(kind): use([A, function, functools.partial(partly), B().method][kind])
"""


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("type", {"A.__init__"}),
        ("types.FunctionType", {"function"}),
        ("types.MethodType", {"B.method"}),
        ("functools.partial", {"partly"}),
        ("str", set()),
        ("(int, list, dict)", set()),
        ("(type, types.FunctionType)", {"A.__init__", "function"}),
        ("(str, type)", {"A.__init__"}),
        ("B", {"B.__call__"}),
        ("(B, type)", {"B.__call__", "A.__init__"}),
        ("(B, str)", {"B.__call__"}),
        ("Unknown", {"A.__init__", "function", "partly", "B.method"}),
        ("(Unknown, type)", {"A.__init__", "function", "partly", "B.method"}),
    ],
)
def test_isinstance_of_types_of_the_language(types: str, expected: set[str]) -> None:
    graph = link_sources(_KINDS.format(types=types))
    assert graph.callees("use") == expected


def test_an_instance_of_a_class_that_extends_a_builtin_type_is_one_of_that_type():
    graph = link_sources("""
        class Text(str):
            def run(self): pass
        class Other:
            def run(self): pass
        def f(choice):
            x = Text() if choice else Other()
            if isinstance(x, str): x.run()
    """)
    assert graph.callees("f") == {"Text.run"}


def test_the_function_that_a_call_hands_over_is_no_instance_of_a_class():
    graph = link_sources("""
        class B:
            def __call__(self): pass
        def use(x): return x if isinstance(x, B) else x
        def g(): pass
        def f(): use(g)()
        def any(x): use(x)()
    """)
    assert graph.callees("f") == {"use [g]", "g"}
    assert "B.__call__" in graph.callees("any")
