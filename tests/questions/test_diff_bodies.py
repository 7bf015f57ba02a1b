from __future__ import annotations

import time

import pytest

from deepgrep.questions.diff_bodies import Line, counterpart


def code(*texts: str) -> list[Line]:
    return [Line(number, text) for number, text in enumerate(texts, 10)]


BEFORE = code("a = 1", "b = run(a)", "c = 2", "return b")


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (("a = 1", "b = run(a)", "return b"), ("b = run(a)", True)),
        (("b = run(a)", "a = 1", "c = 2"), ("b = run(a)", True)),
        (("a = 1", "b = run(a, deep=True)", "c = 2"), ("b = run(a, deep=True)", False)),
        (("a = 1", "c = 2", "return b"), (None, False)),
        (("a = 1", "import os", "c = 2", "return b"), (None, False)),
        ((), (None, False)),
    ],
)
def test_the_line_in_the_place_of_another_says_the_same_or_is_what_that_became(other, found) -> None:
    line, is_same = counterpart(BEFORE, 11, code(*other))
    assert (line and line.text, is_same) == found


def test_of_lines_that_say_the_same_the_one_in_the_same_place_is_meant() -> None:
    other = code("b = run(a)", "x = 3", "a = 1", "b = run(a)", "c = 2", "return b")
    line, is_same = counterpart(BEFORE, 11, other)
    assert (line and line.number, is_same) == (13, True)


def test_a_statement_that_was_replaced_became_one_of_the_same_sort() -> None:
    before = code("with env() as backend:", "return build(f, backend)(", "a, b, c", ")")
    line, _ = counterpart(before, 11, code("return build_and_call(f, (a, b, c))"))
    assert line is not None


def test_a_line_that_is_not_of_the_code_has_no_counterpart() -> None:
    assert counterpart(BEFORE, 99, BEFORE) == (None, False)


def test_very_long_code_is_compared_in_time() -> None:
    before = code(*(f"x{n % 50} = {n % 70}" for n in range(20_000)))
    after = code(*(f"y{n % 50} = {n % 70}" for n in range(20_000)))
    began = time.monotonic()
    counterpart(before, 5_000, after)
    assert time.monotonic() - began < 20
