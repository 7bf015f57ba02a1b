"""What a test says of a variable, and where it holds."""

from textwrap import indent

import pytest
from facts_text import body, facts_of, text_of, unit_of

from deepgrep.facts.operations import Call


def uses(statements: str) -> list[str]:
    """Return what each `use(...)` in a function with a parameter `x` gets."""
    facts = facts_of("def f(x, y, c):\n" + indent(statements, "    "))
    unit = unit_of(facts, "f")
    calls = [text_of(facts, unit, operation) for operation in unit.operations if isinstance(operation, Call)]
    return [text.removeprefix("use(").removesuffix(")") for text in calls if text.startswith("use(")]


@pytest.mark.parametrize(
    "statements",
    [
        "if isinstance(x, A): use(x)",
        "if c and isinstance(x, A): use(x)",
        "while isinstance(x, A): use(x)",
        "isinstance(x, A) and use(x)",
        "not isinstance(x, A) or use(x)",
        "use(x) if isinstance(x, A) else 0",
        "0 if not isinstance(x, A) else use(x)",
        "if not isinstance(x, A): pass\nelse: use(x)",
        "if not isinstance(x, A) or c: return\nuse(x)",
        "if not c: return\nif not isinstance(x, A): return\nuse(x)",
        "assert isinstance(x, A)\nuse(x)",
        "if isinstance(x, A):\n    if c:\n        use(x)",
        "with c:\n    assert isinstance(x, A)\n    use(x)",
        "match c:\n    case 1 if isinstance(x, A): use(x)",
        "[use(x) for y in c if isinstance(x, A)]",
    ],
)
def test_where_a_check_holds_the_variable_is_an_instance(statements: str) -> None:
    assert uses(statements)[-1] == "x as A"


@pytest.mark.parametrize(
    "statements",
    [
        "if isinstance(x, A): pass\nelse: use(x)",
        "if isinstance(x, A): pass\nelif c: use(x)",
        "if not isinstance(x, A): use(x)",
        "if isinstance(x, A): return\nuse(x)",
        "if isinstance(x, A) or c: return\nuse(x)",
        "isinstance(x, A) or use(x)",
        "[use(x) for y in c if not isinstance(x, A)]",
    ],
)
def test_where_a_check_fails_the_variable_is_no_instance(statements: str) -> None:
    assert uses(statements)[-1] == "x not as A"


def test_an_element_of_a_comprehension_is_tested() -> None:
    assert uses("[use(z) for z in y if isinstance(z, A)]\nuse(x)") == ["z as A", "x"]


@pytest.mark.parametrize(
    "test", ["isinstance(x, A) or isinstance(x, B)", "not (not isinstance(x, A) and not isinstance(x, B))"]
)
def test_of_two_checks_of_which_one_holds_either_may(test: str) -> None:
    assert uses(f"if {test}: use(x)") == ["(x as A | x not as A as B)"]


def test_the_type_of_an_object_of_a_subclass_is_another() -> None:
    assert uses("if type(x) is A: use(x)\nelse: use(x)") == ["x as just A", "x"]


def test_a_function_that_is_called_with_a_variable_may_test_it() -> None:
    assert uses("if m.is_a(x): use(x)\nelse: use(x)") == ["x that m.is_a", "x not that m.is_a"]


@pytest.mark.parametrize("call", ["callable(x)", "is_a()", "is_a(y=x)", "is_a(*x)", "is_a(x.y)"])
def test_other_calls_say_nothing_of_it(call: str) -> None:
    assert uses(f"if {call}: use(x)")[-1] == "x"


def test_several_checks_hold_together() -> None:
    assert uses("if not isinstance(x, A): return\nif not isinstance(y, B): return\nuse(x, y)") == ["x as A, y as B"]


@pytest.mark.parametrize(
    "statements",
    [
        "if isinstance(x, A): pass\nuse(x)",
        "if isinstance(x, A) or c: use(x)",
        "if not (isinstance(x, A) and c): pass\nuse(x)",
        "if c: assert isinstance(x, A)\nuse(x)",
        "if c: pass\nelse: assert isinstance(x, A)\nuse(x)",
        "for c in y: assert isinstance(x, A)\nuse(x)",
        "try: assert isinstance(x, A)\nexcept E: pass\nuse(x)",
        "if isinstance(x, A):\n    x = c\n    use(x)",
        "if not isinstance(x, A): return\nif c: x = c\nuse(x)",
        "if not isinstance(x, A): return\nfor x in c: pass\nuse(x)",
        "if not isinstance(x, A): return\nwhile c:\n    use(x)\n    x = c",
        "if not isinstance(x, A): return\nfor y in c:\n    use(x)\n    x = y",
        "if isinstance(x.y, A): use(x)",
        "if isinstance(x, *y): use(x)",
    ],
)
def test_where_a_check_may_not_hold_the_variable_is_what_it_was(statements: str) -> None:
    assert uses(statements)[-1] == "x"


def test_another_variable_of_the_same_name_is_not_meant() -> None:
    source = "def f(x, y):\n  if isinstance(x, A):\n    use([x for x in y])\n    use(x)\n    g(lambda x: use(x))\n"

    assert body(source, "f")[-3:-1] == ["use(list?[x])", "use(x as A)"]
    assert body(source, "f.<locals>.<lambda>") == ["return use(x)"]
