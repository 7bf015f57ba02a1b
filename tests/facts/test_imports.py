"""Imports of every kind, wherever they stand."""

import pytest
from facts_text import body, facts_of, guards_of, lines

from deepgrep.facts.operations import SetGlobal


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import a", ["import: global a = import a"]),
        ("import a.b", ["import: global a = import a.b"]),
        ("import a.b as c", ["import: global c = import a.b (renamed)"]),
        ("import a as a", ["import: global a = import a (renamed)"]),
        ("import a, b.c", ["import: global a = import a", "import: global b = import b.c"]),
        ("from a import b", ["import: global b = from a import b"]),
        (
            "from a.b import (c, d as e,)",
            ["import: global c = from a.b import c", "import: global e = from a.b import d"],
        ),
        ("from . import b", ["import: global b = from . import b"]),
        ("from .a import b", ["import: global b = from .a import b"]),
        ("from ... import b", ["import: global b = from ... import b"]),
        ("from ....a.b import c as d", ["import: global d = from ....a.b import c"]),
        ("from a import *", ["from a import *"]),
        ("from .. import *", ["from .. import *"]),
    ],
)
def test_an_import(statement: str, expected: list[str]) -> None:
    assert body(statement) == expected


def test_an_import_in_a_function_runs_when_the_function_does() -> None:
    source = """
        def f():
            import a.b
            return a.b.c()
        """

    assert body(source, "f") == ["import: a = import a.b", "return a.b.c()"]


def test_an_import_in_a_class_body_binds_in_the_class() -> None:
    assert "import: <C>.b = from a import b" in body("class C:\n  from a import b\n")


@pytest.mark.parametrize("test", ["TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING", "False", "0", "not True"])
def test_what_only_type_checkers_see_is_never_executed(test: str) -> None:
    source = f"""
        if {test}:
            from a import b
        else:
            from c import d
        """

    assert lines(source) == [(0, "import: global b = from a import b"), (5, "import: global d = from c import d")]
    assert facts_of(source).guards == ()


def test_what_type_checkers_do_not_see_is_executed() -> None:
    source = """
        if not TYPE_CHECKING:
            from a import b
        else:
            from c import d
        """

    assert lines(source) == [(3, "import: global b = from a import b"), (0, "import: global d = from c import d")]


def test_functions_that_only_type_checkers_see_have_executed_bodies() -> None:
    source = """
        if TYPE_CHECKING:
            def f():
                g()
        """

    assert lines(source)[0][0] == 0
    assert lines(source, "f") == [(4, "g()")]


def test_an_import_that_may_fail_and_what_is_done_then() -> None:
    facts = facts_of("""
        try:
            import a
        except ImportError:
            a = None
        else:
            from a import b
        """)

    stores = [
        guards_of(facts, operation) for operation in facts.units[0].operations if isinstance(operation, SetGlobal)
    ]
    assert stores == [[], ["except: except ImportError"], []]
