"""Facts agree with Python about generated programs: definitions, scopes and calls."""

import warnings

import hypothesmith
import libcst
from agreement import disagreements
from hypothesis import assume, event, given
from programs import PROGRAMS

from deepgrep.facts import ExtractError, extract


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


@given(hypothesmith.from_grammar())
def test_programs_of_the_grammar_are_read_as_python_does(text: str) -> None:
    assume(is_python(text))
    try:
        libcst.parse_module(text)
    except (libcst.ParserSyntaxError, libcst.CSTValidationError):  # not all that Python compiles
        event("not parsed")
        return
    agrees(text)


@given(hypothesmith.from_node())
def test_programs_of_syntax_trees_are_read_as_python_does(text: str) -> None:
    assume(is_python(text))
    agrees(text)


@given(PROGRAMS)
def test_any_program_is_read_or_refused_in_words(text: str) -> None:
    try:
        extract(text.encode())
    except ExtractError as error:
        assert str(error).startswith(("syntax error: ", "cannot be decoded: ", "nested too deeply"))
