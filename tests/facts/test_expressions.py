"""Calls, operators, displays: what an expression does and what its value is made of."""

import pytest
from facts_text import body, facts_of, unit_of

from deepgrep.facts.operations import Constant, operands


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f()", "f()"),
        ("f(a, b)", "f(a, b)"),
        ("f(a, k=b)", "f(a, k=b)"),
        ("f(*a)", "f(*each(a))"),
        ("f(a, *b, c)", "f(a, *each(b), *c)"),
        ("f(**a, k=b)", "f(k=b, **a)"),
        ("f(1, 'x', None, True, 1.5, b'y')", "f(1, 'x', None, True, _, _)"),
        ("f(a)(b)", "f(a)(b)"),
        ("a.b.c(d)", "a.b.c(d)"),
        ("a[i](b)", "a[i](b)"),
        ("''.join(a)", "''.join(a)"),
        ("f(a for a in b)", "f(generator?[a])"),
        ("f(lambda: 0)", "f(def <lambda>())"),
        ("super().f()", "super().f()"),
    ],
)
def test_a_call_and_its_arguments(call: str, expected: str) -> None:
    assert body(call)[-1] == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a + b", "__add__(a, b)"),
        ("a @ 1", "__matmul__(a, 1)"),
        ("1.5 / a", "__truediv__(_, a)"),
        ("-a", "__neg__(a, _)"),
        ("~a", "__invert__(a, _)"),
        ("a == b", "__eq__(a, b)"),
        ("a not in b", "__contains__(b, a)"),
        ("a[b]", "a[b]"),
        ("a[b:c]", "a[slice[b, c, None]]"),
        ("a[::2]", "a[slice[None, None, 2]]"),
        ("' '.join(a)", "''.join(a)"),
        ("a[b, c]", "a[tuple[b, c]]"),
        ("a.b", "a.b"),
    ],
)
def test_an_operator_by_its_special_method(expression: str, expected: str) -> None:
    assert body(expression) == [expected]


def test_a_chain_of_comparisons_compares_neighbours() -> None:
    assert body("a < b <= c") == ["__lt__(a, b)", "__le__(b, c)"]


@pytest.mark.parametrize("expression", ["a is b", "a is not None", "1.5 + 2.5", "not a is b"])
def test_what_runs_no_code_is_no_operation(expression: str) -> None:
    assert body(expression) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[a, b]", "list[a, b]"),
        ("(a, b)", "tuple[a, b]"),
        ("{a, b}", "set?[a, b]"),
        ("{a: b, 'c': d}", "dict?[a: b, 'c': d]"),
        ("[a, *b, c]", "list?[a, each(b), c]"),
        ("{**a, b: c}", "dict?[b: c, **a]"),
        ("{**x for x in a}", "dict?[**x]"),
        ("[f(x) for x in a]", "list?[f(x)]"),
        ("{x for x in a}", "set?[x]"),
        ("{x: y for x, y in a}", "dict?[x: y]"),
        ("(x for x in a)", "generator?[x]"),
        ("a if b else c", "(a | c)"),
        ("a or b or c", "((a | b) | c)"),
        ("a and 1.5", "a"),
        ("(a := b)", "b"),
        ("not a", "_"),
        ("f'{a}'", "_"),
        ("...", "_"),
    ],
)
def test_a_value_is_made_of_its_parts(value: str, expected: str) -> None:
    assert body(f"v = {value}")[-1] == f"assign: global v = {expected}"


@pytest.mark.parametrize(
    ("constant", "expected"),
    [
        ("'name'", "'name'"),
        ('r"a"', "'a'"),
        ("'two words'", "_"),
        ("b'bytes'", "_"),
        ("'" + "x" * 101 + "'", "_"),
        (r"'\n'", "_"),
        (r"'\ud800'", "_"),
        ("999", "999"),
        ("0x1", "1"),
        ("1000", "_"),
        ("1.5", "_"),
    ],
)
def test_constants_that_can_name_something_are_followed(constant: str, expected: str) -> None:
    assert body(f"x = {constant}") == [f"assign: global x = {expected}"]


def test_a_constant_is_one_operation_in_each_unit() -> None:
    facts = facts_of("f('a', 'a', 1, True)\ndef g(): h('a')\n")

    constants = [[op.value for op in unit.operations if isinstance(op, Constant)] for unit in facts.units]
    assert constants == [["a", 1, True], ["a"]]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("f'{a}'", ["format(a)"]),
        ("f'{a!r:>{b}}'", ["format(a)", "format(b)"]),
        ("'x' f'{a()}' 'y'", ["format(a())"]),
        ("f'no expression'", []),
        ("f'{{a}}'", []),
    ],
)
def test_an_f_string_formats_its_parts(expression: str, expected: list[str]) -> None:
    assert body(expression) == expected


def test_conditions_ask_for_the_truth_of_values_not_of_comparisons() -> None:
    assert body("if a: pass\nif a == b: pass\nif not a: pass\nwhile a: pass\nassert a") == [
        "bool(a)",
        "__eq__(a, b)",
        "bool(a)",
        "bool(a)",
        "bool(a)",
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("await a", ["await a"]),
        ("async for x in a: pass", ["for: x = async each(a)"]),
        ("async with a as x: pass", ["with: x = async with a"]),
        ("with a: pass", ["with a"]),
        ("yield a", ["yield a"]),
        ("yield", ["yield _"]),
        ("x = yield a", ["assign: x = yield a"]),
        ("x = yield from a", ["assign: x = yield each(a)"]),
        ("return a", ["return a"]),
        ("return", []),
        ("raise a from b", ["raise a"]),
        ("raise", []),
        ("[x async for x in a]", ["for: x = async each(a)", "list?[x]"]),
    ],
)
def test_what_a_function_does_with_its_callers(statement: str, expected: list[str]) -> None:
    assert body(f"async def f():\n  {statement}\n", "f") == expected


def test_a_docstring_says_nothing() -> None:
    assert body('"""Text."""') == []


def test_operands_are_what_an_operation_reads() -> None:
    unit = unit_of(facts_of("def f(a, b, c, d, e, g):\n  a(b, *c, k=d, **e)[g] = a\n"), "f")

    *_, call, store = unit.operations
    assert sorted(~operand for operand in operands(call) if operand < 0) == [1, 2, 4, 5]
    assert operands(store) == (len(unit.operations) - 2, ~6, ~1)
