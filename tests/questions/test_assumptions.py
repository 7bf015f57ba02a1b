"""What is assumed of values removes what cannot be, along the calls; the answer says what."""

from __future__ import annotations

import pytest
from linked import link_sources

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.questions.answers import ReachAnswer, Verdict
from deepgrep.questions.effects import effects
from deepgrep.questions.filters import Filters
from deepgrep.questions.neighbours import callees, callers
from deepgrep.questions.race import race
from deepgrep.questions.reach import reach


def graph_of(code: str) -> CallGraph:
    return link_sources(f"{code}\nflag = None\ndef target():\n  global flag\n  flag = 1\n").graph()


def ask(code: str, *assume: str, root: str = "root", env: tuple[str, ...] = ()) -> ReachAnswer:
    return reach(graph_of(code), root, "m.flag", filters=Filters(assume=assume, assume_env=env))


def is_reached(code: str, *assume: str, root: str = "root", env: tuple[str, ...] = ()) -> bool:
    return bool(ask(code, *assume, root=root, env=env).paths)


def test_a_parameter_of_the_root_decides_its_conditions() -> None:
    code = "def root(a):\n  if a: target()\n"
    assert is_reached(code)
    assert not is_reached(code, "a=False")
    assert is_reached(code, "a=True")


def test_what_is_removed_is_said() -> None:
    (removed,) = ask("def root(a):\n  if a: target()\n", "a=False").removed
    assert (removed.function, removed.file, removed.line) == ("m.root", "m.py", 2)
    assert (removed.condition, removed.why, removed.leads_on) == ("a", "a is False", True)


def test_what_cannot_be_written_is_no_effect() -> None:
    code = "def root(a):\n  global other\n  if a: other = 1\n  target()\nother = None\n"
    answer = effects(graph_of(code), "root", filters=Filters(assume=("a=False",)))
    assert [effect.name for effect in answer.effects] == ["m.flag"]
    assert len(effects(graph_of(code), "root").effects) == 2


def test_what_cannot_be_is_done_by_no_thread() -> None:
    answer = race(
        graph_of("def root(a):\n  if a: target()\n"),
        "m.flag",
        lambda _: lambda _file, _line: None,
        ["root"],
        Filters(assume=("a=False",)),
    )
    assert (answer.accesses, [row.why for row in answer.removed]) == ([], ["a is False"])


def test_what_is_assumed_of_a_parameter_is_assumed_of_the_roots_that_have_it() -> None:
    graph = graph_of("def one(a, c=True):\n  if a and c: target()\ndef other(b):\n  if b: target()\n")

    def entries(*assume: str) -> list[str]:
        lines = lambda _: lambda _file, _line: None  # noqa: E731
        answer = race(graph, "m.flag", lines, ["one", "other", "import m\nm.other(x)"], Filters(assume=assume))
        return sorted({entry.name for row in answer.accesses for entry in row.entries} & {"one", "other"})

    assert entries() == ["one", "other"]
    assert entries("a=False") == ["other"]
    assert entries("b=False") == ["one"]
    assert entries("a=False", "b=False") == []
    assert entries("defaults") == ["one", "other"]
    assert entries("defaults", "c=False") == ["other"]
    with pytest.raises(DeepgrepError, match=r"--assume d: m\.one has no parameter d"):
        entries("d=1")


def test_what_follows_an_early_return_is_removed() -> None:
    code = "def root(a):\n  if a is None:\n    return\n  target()\n"
    assert not is_reached(code, "a=None")
    assert is_reached(code, "a=1")


def test_a_parameter_is_followed_as_far_as_it_is_passed_on() -> None:
    code = "def root(a): f(1, a)\ndef f(x, b): g(c=b)\ndef g(c):\n  if c == 'deep': target()\n"
    assert not is_reached(code, "a='flat'")
    assert is_reached(code, "a='deep'")


def test_a_constant_that_every_reached_call_passes_decides() -> None:
    code = "def root(a):\n  f(False)\n  f(b=False)\ndef f(b):\n  if b: target()\n"
    assert is_reached(code)  # without an assumption, conditions are not decided
    assert not is_reached(code, "a=1")


def test_a_default_that_no_reached_call_replaces_decides() -> None:
    code = "def root(a):\n  f()\ndef f(b=False):\n  if b: target()\n"
    assert not is_reached(code, "a=1")


def test_two_constants_leave_a_parameter_open() -> None:
    code = "def root(a):\n  f(False)\n  f(True)\ndef f(b):\n  if b: target()\n"
    assert is_reached(code, "a=1")


def test_a_call_that_is_not_reached_spoils_nothing() -> None:
    code = "def root(a):\n  f(False)\n  if a: f(True)\ndef f(b):\n  if b: target()\n"
    assert not is_reached(code, "a=False")
    assert is_reached(code, "a=True")


def test_a_call_that_is_reached_late_spoils_what_was_known() -> None:
    code = """
def root(a):
  f(False)
  one()
def one(): two()
def two(): f(True)
def f(b): g(b)
def g(c):
  if c: target()
"""
    assert is_reached(code, "a=1")


def test_a_call_of_itself_with_something_else_counts() -> None:
    code = "def root(a):\n  if a: target()\n  root(True)\n"
    assert is_reached(code, "a=False")


AGAIN = """
def root(a):
  global flag
  if a: flag = 2
  other()
def other(): root(unknown)
"""


def test_a_path_that_enters_the_root_once_more_shows_that() -> None:
    answer = ask(AGAIN, "a=False")
    hops = answer.paths[0].hops
    assert [(hop.function, hop.conditions, hop.depends_on) for hop in hops] == [
        ("m.root", [], []),
        ("m.other", [], []),
        ("m.root", ["a"], []),
    ]
    assert [(row.function, row.condition) for row in answer.removed] == [("m.root", "a")]
    assert "m.root is called again by what it reaches, with other arguments" in answer.notes[0]
    assert len(ask(AGAIN, "a=True").paths[0].hops) == 1


def test_a_path_takes_the_call_that_passes_what_its_conditions_ask_for() -> None:
    code = "def root(a):\n  f(a)\n  f(False)\n  other()\ndef f(b):\n  if b: target()\ndef other(): f(unknown)\n"
    answer = ask(code, "a=False")
    assert [hop.function for hop in answer.paths[0].hops] == ["m.root", "m.other", "m.f", "m.target"]
    assert answer.paths[0].hops[2].depends_on == []
    assert [hop.call_line for hop in ask(code, "a=True").paths[0].hops] == [2, 6, 12]
    many = reach(graph_of(code), "root", "m.flag", paths=5, filters=Filters(assume=("a=False",)))
    assert len(many.paths) == 1


def test_of_several_calls_on_the_way_the_one_that_fits_is_shown() -> None:
    code = "def root(a):\n  f(False)\n  f(True)\ndef f(b):\n  global flag\n  if not b: flag = 2\n  if b: flag = 3\n"
    assert [hop.call_line for hop in ask(code, "a=1").paths[0].hops] == [2, 6]
    code = code.replace("  if not b: flag = 2\n", "")
    assert [hop.call_line for hop in ask(code, "a=1").paths[0].hops] == [3, 6]


def test_a_call_of_the_root_with_what_is_assumed_changes_nothing() -> None:
    answer = ask(AGAIN.replace("unknown", "False"), "a=False")
    assert (answer.paths, answer.notes) == ([], [])


def test_the_roots_own_call_is_the_function_in_every_other_way() -> None:
    code = """
import os
class C:
  def run(self): target()
def root(a, x):
  if a: os.fork()
  def inner(): C().run()
  inner()
  x.method()
  other()
def other(): root(unknown, unknown)
"""
    answer, unassumed = ask(code, "a=False"), ask(code)
    assert [[hop.function for hop in row.paths[0].hops] for row in (answer, unassumed)] == [
        ["m.root", "m.root.<locals>.inner", "m.C.run", "m.target"]
    ] * 2
    assert answer.blind_spots == 2 * unassumed.blind_spots
    through = reach(graph_of(code), "root", "m.flag", filters=Filters(assume=("a=False",), through=("m.root",)))
    assert len(through.paths[0].hops) == 4


@pytest.mark.parametrize(
    "call", ["f(unknown)", "f(*unknown)", "f(**unknown)", "list(map(f, unknown))", "h = f; h(not a)"]
)
def test_what_is_not_known_leaves_a_parameter_open(call: str) -> None:
    code = f"def root(a):\n  {call}\ndef f(b=False):\n  if b: target()\n"
    assert is_reached(code, "a=1")


def test_a_parameter_that_is_bound_anew_decides_nothing_and_that_is_said() -> None:
    answer = ask("def root(a):\n  a = other()\n  if a: target()\ndef other(): ...\n", "a=False")
    assert answer.paths
    assert "m.root binds a anew, so what was passed decides no condition of it" in answer.notes


def test_a_function_in_a_context_holds_what_it_was_passed() -> None:
    code = """
def root(a): apply(callback, a)
def callback(): ...
def other(): apply(other_callback, True)
def other_callback(): ...
def apply(fn, on):
  fn()
  if on: target()
"""
    assert not is_reached(code, "a=False")
    assert is_reached(code, "a=True")


def test_defaults_are_those_that_are_constants() -> None:
    code = "x = 1\ndef root(a, b=False, c=None, d=x):\n  if b or c: target()\n"
    answer = ask(code, "defaults")
    assert not answer.paths
    assert "assumes that m.root is called with b=False, c=None" in answer.filters


def test_a_value_that_is_given_goes_before_the_default() -> None:
    assert is_reached("def root(b=False):\n  if b: target()\n", "defaults", "b=True")


def test_self_is_no_parameter_that_a_caller_passes() -> None:
    code = "class C:\n  def m(self, a):\n    if a: target()\n"
    assert not is_reached(code, "a=0", root="C.m")
    with pytest.raises(DeepgrepError, match=r"it has a$"):
        ask(code, "self=0", root="C.m")


def test_an_access_itself_can_be_impossible() -> None:
    answer = ask("def root(a):\n  global flag\n  if a: flag = 2\n", "a=False")
    assert [row.reached for row in answer.accesses] == [False, False]
    assert answer.removed[0].leads_on


def test_a_state_can_be_assumed() -> None:
    code = "on = True\ndef switch(value):\n  global on\n  on = value\ndef root(a):\n  if on and a: target()\n"
    assert not is_reached(code, "m.on=False")
    assert is_reached(code, "m.on=True")
    assert "assumes that m.on is False wherever it is looked at" in ask(code, "m.on=False").filters


def test_a_call_can_be_assumed() -> None:
    code = "def available(): return native()\ndef root(a):\n  if not available(): return\n  target()\n"
    assert not is_reached(code, "m.available()=False")
    assert is_reached(code, "m.available()=True")


def test_an_environment_variable_can_be_assumed() -> None:
    code = "import os\ndef root(a):\n  if os.environ.get('FAST') == '1': target()\n"
    assert not is_reached(code, env=("FAST=0",))
    assert is_reached(code, env=("FAST=1",))


def test_a_root_that_is_code_can_assume_states() -> None:
    code = "on = True\ndef root():\n  if on: target()\n"
    assert not is_reached(code, "m.on=False", root="import m\nm.root()")


def test_what_nothing_looks_at_is_said() -> None:
    answer = ask("on = True\ndef root(a): target()\n", env=("NOWHERE=1",))
    assert any("nothing in the analyzed sources reads os.environ[NOWHERE]" in note for note in answer.notes)


def test_a_blind_spot_under_what_cannot_be_is_no_lead() -> None:
    code = "def root(a, x):\n  if a: x.target()\n"
    assert ask(code).leads
    assert not ask(code, "a=False").leads


def test_another_call_of_what_is_reached_is_a_lead_where_it_was_decided_by_what_was_passed() -> None:
    code = "def root(a, x):\n  f(a)\n  x.f(True)\ndef f(b):\n  if b: target()\n"
    answer = ask(code, "a=False")
    assert [(lead.expression, lead.could_be) for lead in answer.leads] == [("x.f", ["m.f"])]
    assert answer.verdict is Verdict.NO_PATH


def test_code_of_the_caller_is_named_and_keeps_the_answer_open() -> None:
    code = "def root(a, fn):\n  f(fn)\n  if a: target()\ndef f(g): g()\n"
    answer = ask(code, "a=False")
    assert (answer.open_parameters, answer.verdict) == (["fn"], Verdict.NO_PATH)
    assert ask(code, "a=False", "fn=None").open_parameters == []


def test_a_condition_on_a_parameter_of_the_root_is_marked_where_it_was_passed_on() -> None:
    code = "def root(a):\n  f(a)\ndef f(b):\n  g(not b)\n  if b: target()\ndef g(c):\n  if c: target()\n"
    hops = ask(code).paths[0].hops
    assert [(hop.function, hop.conditions, hop.depends_on) for hop in hops] == [
        ("m.root", [], []),
        ("m.f", ["b"], ["a"]),
        ("m.target", [], []),
    ]


def test_no_condition_depends_on_what_a_method_is_called_on() -> None:
    code = "class C:\n  def m(self, a):\n    if self.x and a: target()\n"
    assert ask(code, root="C.m").paths[0].hops[0].depends_on == ["a"]


def test_callees_and_callers_heed_assumptions() -> None:
    code = "on = True\ndef root(a):\n  if a: target()\n  if on: f()\ndef f(): ...\n"
    graph = graph_of(code)
    found = callees(graph, "root", filters=Filters(assume=("a=0",)))
    assert [row.name for row in found.functions] == ["m.f"]
    assert [row.condition for row in found.removed] == ["a"]
    assert callers(graph, "m.f", filters=Filters(assume=("m.on=False",))).functions == []


@pytest.mark.parametrize(
    ("assume", "message"),
    [
        ("b=1", "--assume b: m.root has no parameter b: it has a, x"),
        ("a", "--assume a: write NAME=VALUE, or defaults"),
        ("a=yes", "a number or a string in quotes of its own, such as --assume \"a='yes'\""),
        ("a=[1]", "the value must be"),
        ("a=1e999", "the value must be"),
        ("m.nothing=1", "--assume m.nothing: nothing is named"),
        ("m.target=1", "--assume m.target: m.target is no state: of a call, write m.target()=1"),
        ("defaults", "--assume defaults: no parameter of m.root has a constant as its default: name one, of a, x"),
    ],
)
def test_an_assumption_that_is_not_understood(assume: str, message: str) -> None:
    with pytest.raises(DeepgrepError) as error:
        ask("def root(a, x): target()\n", assume)
    assert message in str(error.value)


def test_a_parameter_has_one_value() -> None:
    with pytest.raises(DeepgrepError, match="--assume a: it cannot be both True and False"):
        callees(graph_of("def root(a): f()\ndef f(): pass\n"), "m.root", filters=Filters(assume=("a=True", "a=False")))


def test_code_has_no_parameters() -> None:
    code = "def root(a): target()\n"
    for assume in ("defaults", "a=1"):
        with pytest.raises(DeepgrepError, match="the root is code, so there are no parameters"):
            ask(code, assume, root="import m\nm.root(1)")
    with pytest.raises(DeepgrepError, match="the question has no root"):
        callers(graph_of(code), "m.root", filters=Filters(assume=("a=1",)))


def test_an_environment_variable_needs_a_value() -> None:
    with pytest.raises(DeepgrepError, match="--assume-env FAST: write NAME=VALUE"):
        ask("def root(a): target()\n", env=("FAST",))


def test_what_code_passes_is_followed_into_what_it_calls() -> None:
    code = "def f(b):\n  if b: target()\n"
    assert not is_reached(code, root="import m\nm.f(False)", env=("X=1",))
    assert is_reached(code, root="import m\nm.f(True)", env=("X=1",))


def test_what_is_too_far_away_is_not_among_what_is_removed() -> None:
    graph = graph_of("def root(a):\n  f(a)\ndef f(a): g(a)\ndef g(a):\n  if a: target()\n")
    near, far = (
        reach(graph, "root", "m.flag", filters=Filters(assume=("a=0",), max_length=most)).removed for most in (1, 2)
    )
    assert (near, [row.function for row in far]) == ([], ["m.g"])
