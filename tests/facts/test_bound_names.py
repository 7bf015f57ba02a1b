"""What a name was bound to just before is what the code that follows reads."""

from textwrap import indent

import pytest
from facts_text import facts_of, text_of, unit_of

from deepgrep.facts import ModuleFacts
from deepgrep.facts.model import Unit
from deepgrep.facts.operations import Assign, Call, Global, SetGlobal


def _used(facts: ModuleFacts, unit: Unit) -> str:
    """Return what the last `use(...)` gets: what was bound just before, or the name alone."""
    calls = [op for op in unit.operations if isinstance(op, Call) and op.func >= 0]
    (*_, operand) = [
        op.args[0] for op in calls if isinstance(used := unit.operations[op.func], Global) and used.name == "use"
    ]
    operation = unit.operations[operand] if operand >= 0 else None
    if isinstance(operation, Assign | SetGlobal):
        operand = operation.value
        return unit.variables[~operand].name if operand < 0 else text_of(facts, unit, unit.operations[operand])
    return "x"


def in_function(statements: str) -> str:
    facts = facts_of("def f(x, y, c):\n" + indent(statements, "    "))
    return _used(facts, unit_of(facts, "f"))


def in_module(statements: str) -> str:
    facts = facts_of(statements)
    return _used(facts, unit_of(facts, "<module>"))


ONE = [
    ("x = a()\nuse(x)", "a()"),
    ("x = a()\nx = b()\nuse(x)", "b()"),
    ("x = a()\nx = b(x)\nuse(x)", "b(x)"),
    ("x += a()\nuse(x)", "__iadd__(x, a())"),
    ("x: T = a()\nuse(x)", "(a() | a(T))"),
    ("z, x = a()\nuse(x)", "a()#1"),
    ("def x(): pass\nuse(x)", "def"),
    ("import x\nuse(x)", "import x"),
    ("x = a()\nif c: use(x)", "a()"),
    ("x = a()\nfor z in c: use(x)", "a()"),
    ("x = a()\nif c: z = b()\nuse(x)", "a()"),
    ("if c:\n    x = a()\n    use(x)", "a()"),
    ("for z in c:\n    x = a()\n    use(x)", "a()"),
    ("try:\n    x = a()\n    use(x)\nexcept E: pass", "a()"),
    ("with c:\n    x = a()\n    use(x)", "a()"),
]
SEVERAL = [
    "use(x)",
    "if c: x = a()\nuse(x)",
    "x = a()\nif c: x = b()\nuse(x)",
    "x = a()\nfor x in c: pass\nuse(x)",
    "x = a()\nfor z in c:\n    use(x)\n    x = b()",
    "x = a()\nwhile c:\n    use(x)\n    x = b()",
    "x = a()\ntry: x = b()\nexcept E: use(x)",
    "x = a()\ntry: pass\nexcept E as x: pass\nuse(x)",
    "x = a()\nc and (x := b())\nuse(x)",
    "x = a()\nmatch c:\n    case [x]: pass\nuse(x)",
]


@pytest.mark.parametrize(("statements", "expected"), ONE)
def test_a_name_is_what_it_was_bound_to_before(statements: str, expected: str) -> None:
    assert in_function(statements).startswith(expected)


@pytest.mark.parametrize("statements", [statements for statements, _ in ONE])
def test_it_is_in_a_module_body_too(statements: str) -> None:
    assert in_function(statements) != "x"
    assert in_module(statements) != "x"


@pytest.mark.parametrize("statements", SEVERAL)
def test_where_it_may_have_been_bound_anew_it_is_any_of_its_values(statements: str) -> None:
    assert in_function(statements) == "x"
    assert in_module(statements) == "x"


def test_what_other_functions_may_bind_is_any_of_its_values() -> None:
    assert in_function("x = a()\ndef g():\n    nonlocal x\n    x = b()\ng()\nuse(x)") == "x"
    assert in_module("x = a()\ndef g():\n    global z, x\n    x = b()\ng()\nuse(x)") == "x"
