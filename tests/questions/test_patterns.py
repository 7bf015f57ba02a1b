from __future__ import annotations

import sys

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.questions.patterns import matching_lines, patterns

SOURCE = b'''\
flag = 1  # flag of all
text = "flag"
"""A docstring
with a flag."""
FLAG = f"{flag} flag"
'''


def numbers(*typed: str, source: bytes = SOURCE, **options: bool) -> list[int]:
    lines, understood = matching_lines(source, patterns(typed, **options))
    assert understood
    return [number for number, _ in lines]


def test_a_pattern_is_a_fixed_string() -> None:
    assert numbers("flag") == [1, 2, 4, 5]
    assert numbers("fl.g") == []


def test_any_of_several_patterns_matches() -> None:
    assert numbers("text =", "FLAG") == [2, 5]


def test_a_regular_expression_is_one_of_python() -> None:
    assert numbers(r"^fl\wg", regular=True) == [1]


def test_case_can_be_ignored() -> None:
    assert numbers("TEXT", ignore_case=True) == [2]


def test_comments_can_be_left_out() -> None:
    assert numbers("of all", comments=False) == []
    assert numbers("flag", comments=False) == [1, 2, 4, 5]


def test_strings_can_be_left_out_but_not_the_expressions_in_them() -> None:
    assert numbers("flag", strings=False) == [1, 5]
    assert numbers("docstring", strings=False) == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before, an f-string is one token")
def test_the_text_of_an_f_string_can_be_left_out() -> None:
    assert numbers("flag", source=b'x = f"{y} flag"\n', strings=False) == []


def test_a_file_that_cannot_be_split_into_tokens_is_searched_whole_and_told() -> None:
    lines, understood = matching_lines(b"flag = (\n", patterns(["flag"], comments=False))
    assert (lines, understood) == ([(1, "flag = (")], False)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_lines_are_those_of_python_whatever_ends_them(end: bytes) -> None:
    source = end.join([b"one\x0c", b"two = '''", b"two'''", b""])
    assert numbers("two", source=source, strings=False) == [2]


def test_a_wrong_expression_is_told_with_what_to_do() -> None:
    with pytest.raises(DeepgrepError, match=r"pattern 'a\(' is no regular expression \(missing \), .*: leave out -E"):
        patterns(["a("], regular=True)


def test_a_pattern_of_two_lines_is_refused() -> None:
    with pytest.raises(DeepgrepError, match="has a line break"):
        patterns(["a\nb"])
