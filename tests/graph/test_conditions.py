"""Conditions are decided as far as what is known goes; all else stays open."""

from __future__ import annotations

import pytest

from deepgrep.graph.conditions import Premise, decide

KNOWN = {"no": False, "yes": True, "none": None, "word": "a", "one": 1}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("no", False),
        ("not no", True),
        ("word", True),
        ("other", None),
        ("other.no", None),
        ("no and other", False),
        ("other and no", False),
        ("yes and other", None),
        ("yes or other", True),
        ("other or yes", True),
        ("no or other", None),
        ("no or none", False),
        ("not (other and no)", True),
        ("none is None", True),
        ("word is None", False),
        ("yes is not None", True),
        ("word is 'a'", None),  # equal strings need not be one
        ("one is True", False),
        ("other is None", None),
        ("word == 'a'", True),
        ("word != 'a'", False),
        ("one == 2", False),
        ("one < 2 < one", False),
        ("one < other", None),
        ("other < 2 < one", False),
        ("word < 1", None),  # raises
        ("word in ('a', 'b')", True),
        ("word not in ['a']", False),
        ("word in {'b', 'c'}", False),
        ("word in ('b', other)", None),
        ("'a' in word", True),
        ("one in other", None),
        ("-one == -1", True),
        ("(no if yes else other)", False),
        ("(no if other else no)", None),
        ("isinstance(one, int)", True),
        ("isinstance(yes, int)", True),
        ("isinstance(none, (int, str))", False),
        ("isinstance(none, Thing)", None),
        ("isinstance(one, (Thing, int))", True),
        ("isinstance(other, int)", None),
        ("callable(none)", False),
        ("bool(word)", True),
        ("no()", None),
        ("f(no)", None),
        ("word[0]", None),
        ("[no for no in other]", None),
        ("(lambda: no)", None),
        ("no ===", None),
        ("(no := 1)", None),
    ],
)
def test_what_a_condition_is(condition: str, holds: bool | None) -> None:
    assert decide("if", condition, KNOWN) is holds


def test_a_name_that_hides_a_builtin_is_not_the_builtin() -> None:
    assert decide("if", "isinstance(one, int)", KNOWN | {"int": None}) is None
    assert decide("if", "callable(none)", KNOWN | {"callable": None}) is None


@pytest.mark.parametrize(("kind", "text"), [("while", "while no"), ("else", "no"), ("return", "no")])
def test_the_kinds_of_conditions(kind: str, text: str) -> None:
    assert decide(kind, text, KNOWN) is False


@pytest.mark.parametrize(("kind", "text"), [("for", "for x in no"), ("except", "except no"), ("with", "no")])
def test_what_is_neither_true_nor_false_stays_open(kind: str, text: str) -> None:
    assert decide(kind, text, KNOWN) is None


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("config.flag", False),
        ("flag", False),
        ("config.sub.flag and other", False),
        ("config.flag.value", None),
        ("flag()", None),
        ("one.flag or two.flag", None),  # which of them is meant is not known
        ("one.flag or one.flag", False),
    ],
)
def test_an_assumed_state(condition: str, holds: bool | None) -> None:
    assert decide("if", condition, {}, [Premise("value", "flag", "m.flag", value=False)]) is holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("torch.cuda.is_available()", False),
        ("is_available() and other", False),
        ("is_available(0)", False),
        ("is_available", None),
        ("cuda.is_available() or xpu.is_available()", None),
    ],
)
def test_an_assumed_call(condition: str, holds: bool | None) -> None:
    assert decide("if", condition, {}, [Premise("call", "is_available", "m.is_available()", value=False)]) is holds


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("os.environ.get('X') == '1'", True),
        ("os.environ.get('X', '0') == '1'", True),
        ("os.getenv('X') != '1'", False),
        ("environ['X'] == '2'", False),
        ("'X' in os.environ", True),
        ("'X' not in os.environ", False),
        ("'Y' in os.environ", None),
        ("os.environ.get('Y') == '1'", None),
        ("settings.get('X') == '1'", None),
        ("int(os.environ.get('X', '0'))", None),
    ],
)
def test_an_assumed_environment_variable(condition: str, holds: bool | None) -> None:
    assert decide("if", condition, {}, [Premise("environment", "X", "os.environ[X]", "1")]) is holds
