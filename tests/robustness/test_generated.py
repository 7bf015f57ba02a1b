"""Facts agree with Python about generated programs: definitions, scopes and calls."""

import warnings

import hypothesmith
import libcst
import pytest
from agreement import disagreements
from hypothesis import assume, event, given, settings
from programs import PROGRAMS

from deepgrep.facts import ExtractError, extract

pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")


def is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "file", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def agrees(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not list(disagreements(text, extract(text.encode())))


@given(PROGRAMS)
def test_scopes_are_those_of_python(text: str) -> None:
    assume(is_python(text))
    event("compiled")
    agrees(text)


# Its programs are small, or slow to make.
FEWER = settings(max_examples=settings.default.max_examples // 10)  # type: ignore[union-attr]


@FEWER
@given(hypothesmith.from_grammar())
def test_programs_of_the_grammar_are_read_as_python_does(text: str) -> None:
    assume(is_python(text))
    try:
        libcst.parse_module(text)
    except (libcst.ParserSyntaxError, libcst.CSTValidationError):  # not all that Python compiles
        event("not parsed")
        return
    agrees(text)


@FEWER
@given(hypothesmith.from_node())
def test_programs_of_syntax_trees_are_read_as_python_does(text: str) -> None:
    assume(is_python(text))
    agrees(text)


@given(PROGRAMS)
def test_any_program_is_read_or_refused_in_words(text: str) -> None:
    reason = ""
    try:
        extract(text.encode())
    except ExtractError as error:
        reason = str(error)
    assert not reason or reason.startswith("syntax error: ")
