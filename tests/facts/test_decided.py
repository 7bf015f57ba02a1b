"""Conditions that are the same whenever the code runs, and those that `__name__ == "__main__"` decides."""

import pytest
from facts_text import body, conditions, facts_of, unit_of

from deepgrep.facts.operations import Call, Global

_TRUE = ["True", "1", "not TYPE_CHECKING", "not TYPE_CHECKING and True", "True or a", "a or True", "not (a and False)"]
_FALSE = ["False", "0", "None", "TYPE_CHECKING", "_TYPE_CHECKING", "False or TYPE_CHECKING", "a and TYPE_CHECKING"]
_EITHER = ["a", "a and b", "a or TYPE_CHECKING", "not a", "sys.version_info >= (3, 12)", "sys.platform == 'linux'"]


def _calls(source: str, qualname: str = "<module>") -> dict[str, int]:
    """Return the line of each call of a global function."""
    operations = unit_of(facts_of(source), qualname).operations
    calls = [(operations[op.func], op.line) for op in operations if isinstance(op, Call)]
    return {function.name: line for function, line in calls if isinstance(function, Global)}


@pytest.mark.parametrize(("test", "taken"), [*((t, True) for t in _TRUE), *((t, False) for t in _FALSE)])
def test_a_branch_that_is_always_or_never_taken(test: str, taken: bool) -> None:
    source = f"if {test}:\n  f()\nelse:\n  g()\n"
    assert _calls(source) == ({"f": 2, "g": 0} if taken else {"f": 0, "g": 4})
    assert conditions(source) == {"f": [], "g": []}


@pytest.mark.parametrize("test", _EITHER)
def test_a_condition_that_is_either_is_shown(test: str) -> None:
    assert conditions(f"if {test}: f()\n")["f"] == [f"if: {test}"]


def test_what_runs_before_a_condition_is_decided_is_executed() -> None:
    assert _calls("if f() and False: g()\n") == {"f": 1, "g": 0}
    assert _calls("if not (f() and False): g()\n") == {"f": 1, "g": 1}
    assert _calls("if TYPE_CHECKING and f(): g()\n") == {"f": 0, "g": 0}


@pytest.mark.parametrize(
    ("value", "line"),
    [("True and f()", 1), ("False and f()", 0), ("f() if False else a", 0), ("a if False else f()", 1)],
)
def test_part_of_an_expression_that_is_always_or_never_evaluated(value: str, line: int) -> None:
    assert _calls(f"{value}\n") == {"f": line}
    assert conditions(f"{value}\n")["f"] == []


def test_a_loop_that_never_runs() -> None:
    assert _calls("while False:\n  f()\n") == {"f": 0}


def test_what_follows_a_block_that_always_leaves() -> None:
    source = "def h():\n  if {}:\n    return\n  f()\n"
    assert _calls(source.format("not TYPE_CHECKING"), "h") == {"f": 0}
    assert _calls(source.format("TYPE_CHECKING"), "h") == {"f": 4}
    assert conditions(source.format("TYPE_CHECKING"), "h")["f"] == []


@pytest.mark.parametrize(
    ("source", "never"),
    [
        ("if __name__ == '__main__': f()", "imported"),
        ('if "__main__" == __name__: f()', "imported"),
        ("if __name__ == '__main__' and a: f()", "imported"),
        ("if a:\n  pass\nelif __name__ == '__main__': f()", "imported"),
        ("__name__ == '__main__' and f()", "imported"),
        ("f() if __name__ == '__main__' else a", "imported"),
        ("if __name__ != '__main__':\n  raise a\nf()", "imported"),
        ("if __name__ != '__main__': f()", "script"),
        ("if not __name__ == '__main__': f()", "script"),
        ("if __name__ == '__main__': a\nelse: f()", "script"),
        ("if __name__ == '__main__' or a: f()", ""),
        ("if __name__ == 'a': f()", ""),
        ("if __name__ == b'__main__': f()", ""),
        ("if a.__name__ == '__main__': f()", ""),
    ],
)
def test_where_a_condition_never_holds(source: str, never: str) -> None:
    facts = facts_of(source + "\n")
    (call,) = [op for op in facts.units[0].operations if type(op).__name__ == "Call"]
    assert facts.guards[call.guard].never == never
    assert call.line


def test_a_condition_of_many_parts_is_decided_once() -> None:
    assert body(f"if {' and '.join(['a'] * 500)}: f()\n")[-1] == "f()"
