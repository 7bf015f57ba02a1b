"""What calls pass on that can decide a condition: constants, and parameters as they came."""

from __future__ import annotations

import pytest
from linked import link_sources

from deepgrep.graph.rows import Parameter

CALLEE = """
def g(a, flag=False, *rest, mode="x", **more):
    if flag or mode or a: h()

def h(): ...
"""


@pytest.mark.parametrize(
    ("call", "passed"),
    [
        ("g(1)", {"a=1", "flag=False", "mode='x'"}),
        ("g(p)", {"a<p", "flag=False", "mode='x'"}),
        ("g(1, True)", {"a=1", "flag=True", "mode='x'"}),
        ("g(flag=None, a=p)", {"a<p", "flag=None", "mode='x'"}),
        ("g(1, mode='y')", {"a=1", "flag=False", "mode='y'"}),
        ("g(1, p, 2, 3)", {"a=1", "flag<p", "mode='x'"}),
        ("g(unknown)", {"flag=False", "mode='x'"}),
        ("g(not p)", {"flag=False", "mode='x'"}),
        ("g(1, *r)", {"a=1", "mode='x'"}),  # what follows may be given
        ("g(1, **k)", {"a=1"}),
        ("g(*r, **k)", set()),
        ("g(1, other=3)", {"a=1", "flag=False", "mode='x'"}),
    ],
)
def test_what_a_call_passes(call: str, passed: set[str]) -> None:
    linked = link_sources(CALLEE + f"def f(p, *r, **k): {call}\n")

    assert linked.passes("f", "g") == [passed]


@pytest.mark.parametrize(
    ("body", "passed"),
    [
        ("q = p\n    g(q)", {"a<p"}),
        ("q = True\n    g(q)", {"a=True"}),
        ("if isinstance(p, int): g(p)", {"a<p"}),
        ("p = 1\n    g(p)", {"a=1"}),
        ("if p: p = 1\n    g(p)", set()),
        ("q = 1\n    if p: q = 2\n    g(q)", set()),
        ("for p in r: g(p)", set()),
    ],
)
def test_a_variable_passes_what_it_was_bound_to_just_before(body: str, passed: set[str]) -> None:
    linked = link_sources(f"def g(a):\n    if a: h()\ndef h(): ...\ndef f(p, r):\n    {body}\n")

    assert linked.passes("f", "g") == [passed]


def test_a_parameter_that_decides_nothing_is_left_out() -> None:
    linked = link_sources("def g(a, b):\n  if b: h()\ndef h(): ...\ndef f(): g(1, 2)\n")

    assert linked.passes("f", "g") == [{"b=2"}]


def test_a_parameter_that_is_passed_on_to_one_that_decides_is_kept() -> None:
    linked = link_sources("def h(): ...\ndef g(b):\n  if b: h()\ndef f(a): g(a)\ndef e(): f(1)\n")

    assert linked.passes("e", "f") == [{"a=1"}]


def test_a_parameter_that_is_bound_anew_decides_nothing() -> None:
    linked = link_sources("def g(b):\n  b = 1\n  if b: h()\ndef h(): ...\ndef f(): g(1)\n")

    assert linked.passes("f", "g") == [set()]


@pytest.mark.parametrize(
    ("definition", "call"),
    [
        ("class C:\n  def g(self, a):\n    if a: h()\n", "C().g(1)"),
        ("class C:\n  @classmethod\n  def g(cls, a):\n    if a: h()\n", "C.g(1)"),
        ("class C:\n  @staticmethod\n  def g(a):\n    if a: h()\n", "C.g(1)"),
        ("class C:\n  @staticmethod\n  def g(a):\n    if a: h()\n", "C().g(1)"),
        ("class C:\n  def g(self, a):\n    if a: h()\n", "C.g(C(), 1)"),
    ],
)
def test_what_a_method_is_bound_to_is_its_first_argument(definition: str, call: str) -> None:
    linked = link_sources(f"def h(): ...\n{definition}def f(): {call}\n")

    assert linked.passes("f", "C.g") == [{"a=1"}]


def test_a_construction_passes_to_init() -> None:
    linked = link_sources("def h(): ...\nclass C:\n  def __init__(self, a):\n    if a: h()\ndef f(): C(1)\n")

    assert linked.passes("f", "C.__init__") == [{"a=1"}]


def test_new_is_passed_the_class_first_so_that_nothing_is_known_of_the_others() -> None:
    linked = link_sources("def h(): ...\nclass C:\n  def __new__(cls, a):\n    if a: h()\ndef f(): C(1)\n")

    assert linked.passes("f", "C.__new__") == [set()]


def test_a_partial_adds_arguments_so_nothing_is_known() -> None:
    linked = link_sources(
        "from functools import partial\ndef h(): ...\ndef g(a, b):\n  if b: h()\ndef f(): partial(g, 1)(2)\n"
    )

    assert linked.passes("f", "g") == [set()]


def test_two_calls_on_one_line_pass_what_both_pass() -> None:
    linked = link_sources("def h(): ...\ndef g(a, b):\n  if a or b: h()\ndef f(): g(1, 2); g(1, 3)\n")

    assert linked.passes("f", "g") == [{"a=1"}]


def test_two_calls_on_one_line_stand_under_what_both_stand_under() -> None:
    linked = link_sources("def g(): ...\ndef f(p, q):\n  if p:\n    g() if q else g()\n")
    (edge,) = linked.rows.edges

    assert linked.rows.guards[edge.guard].text == "p"


def test_what_is_handed_over_is_called_with_anything() -> None:
    linked = link_sources("def h(): ...\ndef g(a=1):\n  if a: h()\ndef f(): print(g); map(g, [])\n")

    assert linked.passes("f", "g") == [set()]


def test_a_function_says_its_parameters() -> None:
    linked = link_sources("def f(a, b=1, *c, d=x, **e):\n  b = 2\nx = 1\n")
    (function,) = [row for row in linked.rows.functions if row.qualname == "f"]

    assert function.parameters == (
        Parameter("a"),
        Parameter("b", "1", is_rebound=True),
        Parameter("*c"),
        Parameter("d"),
        Parameter("**e"),
    )


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("def f(a, b): a(b)", {"a"}),
        ("def f(a, b): g(a)\ndef g(c): c()", {"a"}),
        ("def f(a, b): g(c=b)\ndef g(c): c()", {"b"}),
        ("def f(a, b): g(a)\ndef g(c): c", set()),
        ("def f(a, b):\n  def g(): a()", {"a"}),
        ("def f(a, b):\n  def g(): h(b)\ndef h(c): c()", {"b"}),
        ("def f(a, b):\n  a = h(a)\ndef h(c): c()", {"a"}),
        ("def f(a, b):\n  c = a or b\n  c()", {"a"}),
        ("def f(a, b): a.method()", set()),
        ("def f(a, b): unknown(a)", set()),
        ("def f(a, b): {0: g, 1: h}[b](a)\ndef g(c): c()\ndef h(c): ...", set()),  # perhaps
    ],
)
def test_which_parameters_are_called(code: str, called: set[str]) -> None:
    linked = link_sources(code + "\n")
    (function,) = [row for row in linked.rows.functions if row.qualname == "f"]

    assert {parameter.name for parameter in function.parameters if parameter.is_called} == called


def test_blind_spots_and_native_exits_say_what_they_stand_under() -> None:
    linked = link_sources({"m": "import m.a, m._C\ndef f(p, q):\n  if p: q()\n  if q: m._C.go()\n", "m.a": ""})
    (spot,), (exit_,) = linked.rows.blind_spots, linked.rows.native_exits

    assert [linked.rows.guards[row.guard].text for row in (spot, exit_)] == ["p", "q"]
