"""What would take too much to parse is left out, with the reason, before it is parsed."""

import pytest

from deepgrep.facts import ExtractError, extract, possible_keys


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = " + "(" * 201 + "1" + ")" * 201, "nested too deeply: 201 brackets"),
        ("def f():\n\tx = " + "[" * 300 + "]" * 300, "nested too deeply: 300 brackets"),
        ("x = " + "(" * 10_000, "nested too deeply: 10,000 brackets"),
        ("a\n" * 2_100_000, "too large to be parsed: 4,2"),
        ("x = [" + "1, " * 700_000 + "]", "too large to be parsed: 4,2"),
        ("x = " + "1 + " * 10_000 + "1", "an expression of thousands of operators"),
        ("x = a" + ".b" * 10_000, "an expression of thousands of operators"),
        ("x = " + "lambda: " * 5_000 + "1", "an expression of thousands of operators"),
        ("def f(a):\n x = 1\n" + " x = a\n a = x\n" * 3_000, "a value that is 5,000 assignments"),
        (f"def f(a: '{'list[' * 500}int{']' * 500}'): pass", "nested too deeply: 500 brackets"),
        (f"match a:\n case {'[' * 17}b{']' * 17}: pass", "a pattern of a `case`"),
        (f"match a:\n case {'{1: ' * 9}b{'}' * 9}: pass", "a pattern of a `case`"),
    ],
)
def test_too_much_is_a_reason(source: str, reason: str) -> None:
    with pytest.raises(ExtractError, match=reason):
        extract(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "x = '''" + "(" * 5_000_000 + "'''",
        "#" + "(" * 5_000_000 + "\nx = 1",
        "x = '('\n" * 300,
        "x = " + " or ".join(["a"] * 1_000),
        f"match a:\n case {'[' * 8}b{']' * 8}: pass",
    ],
    ids=["string", "comment", "strings", "disjunction", "pattern"],
)
def test_much_of_what_is_quick_to_parse_is_read(source: str) -> None:
    assert extract(source.encode()).units


def test_a_file_that_takes_too_much_has_no_pieces() -> None:
    assert possible_keys(b"x = " + b"(" * 300) == frozenset()


def test_a_class_may_have_any_number_above_it_in_one_file() -> None:
    classes = "".join(f"class C{k}(C{k - 1}): pass\n" for k in range(1, 2_600))
    assert len(extract(f"class C0: pass\n{classes}".encode()).classes) == 2_600
