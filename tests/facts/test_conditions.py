"""The conditions and locks that an operation stands under."""

import pytest
from facts_text import conditions, facts_of, guards_of


def test_if_elif_else() -> None:
    source = """
        if a:
            f()
        elif b == 1:
            g()
        else:
            h()
        i()
        """

    assert conditions(source) == {
        "f": ["if: a"],
        "g": ["else: not a", "if: b == 1"],
        "h": ["else: not a", "else: not (b == 1)"],
        "i": [],
    }


def test_the_condition_itself_stands_under_nothing_but_what_is_around() -> None:
    source = """
        if a:
            if f(b):
                pass
        """

    assert conditions(source)["f"] == ["if: a"]


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        ("a", "not a"),
        ("a.b", "not a.b"),
        ("a(b)", "not a(b)"),
        ("a(b, c=1)", "not a(b, c=1)"),
        ("a[0]", "not a[0]"),
        ("not a", "a"),
        ("a is None", "not (a is None)"),
        ("a and b", "not (a and b)"),
        ("(a or b)", "not (a or b)"),
        ("lambda: a", "not (lambda: a)"),
    ],
)
def test_the_opposite_of_a_condition(condition: str, opposite: str) -> None:
    assert conditions(f"if {condition}: pass\nelse: f()\n")["f"] == [f"else: {opposite}"]


def test_loops() -> None:
    source = """
        for a, b in c:
            f()
        else:
            g()
        while a < b:
            h()
        while True:
            i()
        while 1:
            j()
        """

    assert conditions(source) == {
        "f": ["for: for a, b in c"],
        "g": [],
        "h": ["while: while a < b"],
        "i": [],
        "j": [],
    }


def test_try_and_its_parts() -> None:
    source = """
        try:
            f()
        except E:
            g()
        except (A, b.C) as d:
            h()
        except:
            i()
        else:
            j()
        finally:
            k()
        """

    assert conditions(source) == {
        "f": [],
        "g": ["except: except E"],
        "h": ["except: except (A, b.C)"],
        "i": ["except: except"],
        "j": [],
        "k": ["finally: finally"],
    }


def test_match_and_its_cases() -> None:
    source = """
        match a.b:
            case C(d=1):
                f()
            case [x, y] if x > y:
                g()
            case _:
                h()
        """

    assert conditions(source) == {
        "f": ["match: match a.b: case C(d=1)"],
        "g": ["match: match a.b: case [x, y]", "if: x > y"],
        "h": ["match: match a.b: case _"],
    }


@pytest.mark.parametrize("leave", ["return", "return 1", "raise E", "x = 1; return"])
def test_what_follows_an_early_exit_stands_under_its_opposite(leave: str) -> None:
    source = f"""
        def m():
            f()
            if a:
                {leave}
            g()
            if not b: {leave}
            h()
        """

    assert conditions(source, "m") == {
        "f": [],
        "g": ["return: not a"],
        "h": ["return: not a", "return: b"],
    }


@pytest.mark.parametrize("leave", ["continue", "break"])
def test_leaving_a_run_of_a_loop_excludes_the_rest_of_that_run_only(leave: str) -> None:
    source = f"""
        while True:
            if a:
                {leave}
            f()
        g()
        """

    assert conditions(source) == {"f": ["return: not a"], "g": []}


def test_an_exit_in_both_branches_is_an_exit() -> None:
    source = """
        def m():
            if a:
                if b:
                    return
                else:
                    raise E
            f()
        """

    assert conditions(source, "m")["f"] == ["return: not a"]


@pytest.mark.parametrize("rest", ["pass", "if b: return", "try: return\n        finally: pass"])
def test_a_branch_that_may_run_to_its_end_excludes_nothing(rest: str) -> None:
    assert conditions(f"def m():\n    if a:\n        {rest}\n    f()\n", "m")["f"] == []


def test_and_or_and_ternaries() -> None:
    source = """
        x = a and f()
        x = a.b or g()
        x = h() if c == 1 else i()
        x = a and b and j()
        x = (a or b) and k()
        if a and l(): pass
        """

    assert conditions(source) == {
        "f": ["if: a"],
        "g": ["else: not a.b"],
        "h": ["if: c == 1"],
        "i": ["else: not (c == 1)"],
        "j": ["if: a and b"],
        "k": ["if: (a or b)"],
        "l": ["if: a"],
    }


def test_the_conditions_of_a_comprehension_hold_for_what_comes_after_them() -> None:
    source = """
        x = [f() for a in g() if h() for b in i() if b < a if j()]
        k()
        """

    assert conditions(source) == {
        "g": [],
        "h": [],
        "i": ["if: h()"],
        "j": ["if: h()", "if: b < a"],
        "f": ["if: h()", "if: b < a", "if: j()"],
        "k": [],
    }


def test_the_message_of_an_assertion_is_made_when_it_fails() -> None:
    assert conditions("assert a, f()\ng()") == {"f": ["else: not a"], "g": []}


def test_locks_and_other_context_managers() -> None:
    source = """
        with LOCK:
            f()
            with a.b as c, d(1):
                g()
        h()
        """

    assert conditions(source) == {
        "f": ["with: LOCK"],
        "d": ["with: LOCK", "with: a.b"],
        "g": ["with: LOCK", "with: a.b", "with: d(1)"],
        "h": [],
    }


def test_conditions_outside_of_a_function_say_nothing_about_its_body() -> None:
    source = """
        if a:
            def m():
                f()
        """

    facts = facts_of(source)
    assert guards_of(facts, facts.units[0].operations[-1]) == ["if: a"]
    assert conditions(source, "m") == {"f": []}


def test_a_condition_that_always_holds_is_none() -> None:
    assert conditions("if True: f()\nif 1: g()\nelse: h()") == {"f": [], "g": [], "h": []}


def test_a_guard_has_the_line_of_its_keyword() -> None:
    facts = facts_of("""
        try:
            if (
                a
            ):
                f(1,
                  2)
            elif b: f()
            while (
                c
            ): f()
        except (
            E
        ): f()
        except: f()
        finally:
            f()
        match (
            x
        ):
            case 1: f()
        """)

    assert [(guard.kind, guard.line) for guard in facts.guards] == [
        ("if", 3), ("else", 3), ("if", 8), ("while", 9), ("except", 12), ("except", 15), ("finally", 16), ("match", 21),
    ]  # fmt: skip


def test_guards_are_kept_only_where_something_stands_under_them() -> None:
    assert [guard.kind for guard in facts_of("if a:\n    pass\nelse:\n    f()\n").guards] == ["else"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("f(  a,b )", "f(a, b)"),
        ("(\n    a\n    and b  # why\n)", "(a and b)"),
        ("f(\n    a,\n    'x # y',\n)", "f(a, 'x # y')"),
        ("a and \\\n  b", "a and b"),
        ("'x' in a", "'x' in a"),
        ("x[0]", "x[0]"),
        ("(a)", "(a)"),
        ("f(*a, b=c)", "f(*a, b=c)"),
        ("await_(a).b is not None", "await_(a).b is not None"),
    ],
)
def test_a_condition_is_shown_on_one_line(code: str, text: str) -> None:
    assert facts_of(f"if {code}:\n    f()\n").guards[-1].text == text


def test_a_very_long_condition_is_kept_whole() -> None:
    condition = " and ".join(f"name_{i}" for i in range(100))

    assert facts_of(f"if {condition}: f()").guards[-1].text == condition


@pytest.mark.parametrize(
    ("body", "parameters"),
    [
        ("if p: g()", ("p",)),
        ("if other and not p.q(r): g()", ("p", "r")),
        ("if 'p': g()", ("p",)),  # a word is enough: who evaluates the text sees that it is no name
        ("return g() if p else None", ("p",)),
        ("p and g()", ("p",)),
        ("while p: g()", ("p",)),
        ("if p: return\n  g()", ("p",)),
        ("return [g() for x in y if p]", ("p",)),
        ("if p: p = 1\n  g()", ()),  # bound anew: it need not hold what was passed
        ("[g() for p in y if p]", ()),  # another variable
        ("if unknown: g()", ()),
        ("for x in p: g()", ()),  # no condition that is true or false
    ],
)
def test_a_condition_says_which_parameters_it_names_that_hold_what_was_passed(
    body: str, parameters: tuple[str, ...]
) -> None:
    assert facts_of(f"def f(p, r):\n  {body}\n").guards[-1].parameters == parameters


def test_a_parameter_of_the_function_around_is_none_of_the_function_inside() -> None:
    assert facts_of("def f(p):\n  def g():\n    if p: h()\n").guards[0].parameters == ()


def test_what_a_function_inside_binds_by_nonlocal_need_not_hold_what_was_passed() -> None:
    code = "def f(p):\n  def g():\n    nonlocal p\n    p = 1\n  if p: h()\n"

    assert facts_of(code).guards[-1].parameters == ()
