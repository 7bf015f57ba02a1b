"""Which variable, class attribute or global a name means."""

from textwrap import dedent

import pytest
from facts_text import body, facts_of, unit_of

from deepgrep.facts import operations as op


def test_a_name_bound_anywhere_in_a_function_is_local_everywhere_in_it() -> None:
    source = """
        def f(c):
            g(x)
            if c:
                x = 1
        """

    assert [v.name for v in unit_of(facts_of(source), "f").variables] == ["", "c", "x"]
    assert not [text for text in body(source, "f") if "global" in text]


def test_a_name_bound_nowhere_around_is_global() -> None:
    unit = unit_of(facts_of("x = 1\ndef f():\n  return x\n"), "f")

    assert [v.name for v in unit.variables] == [""]
    assert body("x = 1\ndef f():\n  return x\n", "f") == ["return x"]


def test_a_free_variable_belongs_to_the_nearest_function_that_binds_it() -> None:
    facts = facts_of("""
        def f(x):
            def g(x):
                def h():
                    return x
        """)

    (free,) = unit_of(facts, "f.<locals>.g.<locals>.h").variables[1:]
    assert facts.units[free.unit].qualname == "f.<locals>.g"
    assert facts.units[free.unit].variables[free.variable].name == "x"


def test_a_free_variable_passes_through_functions_that_do_not_use_it() -> None:
    facts = facts_of("""
        def f(x):
            def g():
                return lambda: x
        """)

    assert [v.name for v in unit_of(facts, "f.<locals>.g").variables] == [""]
    (free,) = unit_of(facts, "f.<locals>.g.<locals>.<lambda>").variables[1:]
    assert (free.name, facts.units[free.unit].qualname) == ("x", "f")


def test_a_class_body_sees_its_own_names_and_its_methods_do_not() -> None:
    source = """
        class C:
            x = 1
            y = x
            def m(self):
                return x
        """

    assert "assign: <C>.y = <C>.x" in body(source)
    assert body(source, "C.m") == ["return x"]


def test_a_class_in_a_class_does_not_see_the_names_of_the_one_around() -> None:
    source = """
        class C:
            x = 1
            class D:
                y = x
        """

    assert "assign: <C.D>.y = x" in body(source)


def test_a_class_body_sees_the_variables_of_the_function_around() -> None:
    source = """
        def f(x):
            class C:
                y = x
                def m(self):
                    return x
        """

    assert "assign: <f.<locals>.C>.y = x" in body(source, "f")
    (free,) = [v for v in unit_of(facts_of(source), "f.<locals>.C.m").variables if v.unit >= 0]
    assert free.name == "x"


def test_global_in_a_class_body_says_nothing_about_its_methods() -> None:
    source = """
        def f(x):
            class C:
                global x
                x = 1
                def m(self):
                    return x
        """

    assert "assign: global x = 1" in body(source, "f")
    (free,) = [v for v in unit_of(facts_of(source), "f.<locals>.C.m").variables if v.unit >= 0]
    assert free.name == "x"


def test_global_in_a_function_holds_for_the_functions_in_it() -> None:
    source = """
        def f(x):
            def g():
                global x
                def h():
                    return x
        """

    assert [v.name for v in unit_of(facts_of(source), "f.<locals>.g.<locals>.h").variables] == [""]


def test_the_variables_of_a_comprehension_are_not_those_around_it() -> None:
    unit = unit_of(facts_of("def f(x):\n  g([x for x in x])\n  return x\n"), "f")

    assert [v.name for v in unit.variables] == ["", "x", "x"]
    *_, iterate, assign, _, _, back = unit.operations
    assert [back.value, iterate.base, assign.variable] == [~1, ~1, ~2]  # type: ignore[union-attr]


def test_the_variables_of_a_comprehension_are_its_own_before_they_are_bound() -> None:
    (module,) = facts_of("y = [x for a in b for x in x]").units

    assert [operation.name for operation in module.operations if isinstance(operation, op.Global)] == ["b"]


def test_a_comprehension_in_a_class_body_sees_its_names_only_in_the_first_iterable() -> None:
    source = """
        class C:
            a = g()
            b = [a for _ in a]
            c = [1 for _ in z for _ in a]
        """

    assert [text for text in body(source) if text.startswith("for")] == [
        "for: _ = each(<C>.a)",
        "for: _ = each(z)",
        "for: _ = each(a)",
    ]
    assert "assign: <C>.b = list?[a]" in body(source)


def test_a_lambda_in_a_comprehension_captures_its_variable() -> None:
    facts = facts_of("[lambda: x for x in y]")

    (free,) = facts.units[1].variables[1:]
    assert (free.name, free.unit) == ("x", 0)


def test_defaults_are_looked_up_around_the_function() -> None:
    source = """
        def f(x):
            def g(x=x): pass
        """

    assert body(source, "f") == ["definition: g = def f.<locals>.g(x=x)"]
    assert len(unit_of(facts_of(source), "f").variables) == 3


def names_in_python(source: str) -> set[str]:
    namespace: dict[str, object] = {}
    exec(dedent(source), namespace)
    return {name for name in vars(namespace["C"]) if "x" in name}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("_C__x", "class C:\n  __x = 1"),
        ("_C__x", "class C:\n  def __x(self): pass"),
        ("_C__x", "class C:\n  import os as __x"),
        ("_C__x", "class C:\n  for __x in [1]: pass"),
        ("_C__x", "class _C:\n  __x = 1\nC = _C"),
        ("__x__", "class C:\n  __x__ = 1"),
        ("_x", "class C:\n  _x = 1"),
        ("__x", "class __:\n  __x = 1\nC = __"),
    ],
)
def test_private_names_of_a_class_are_stored_as_python_stores_them(name: str, source: str) -> None:
    assert names_in_python(source) == {name}
    assert [text for text in body(source) if f">.{name} =" in text]


def test_names_are_the_same_in_all_their_spellings() -> None:
    source = """
        def ｆ(ａ):
            global ｇ
            g = a.ｂ
            return lambda: ａ
        f(x)
        """

    assert body(source, "f") == ["assign: global g = a.b", "return def f.<locals>.<lambda>()"]
    assert body(source)[-1] == "f(x)"


def test_private_names_of_a_class_in_another_spelling_are_the_same() -> None:
    source = """
        class Ｃ:
            def m(self):
                return lambda: self.__p
        """

    assert body(source, "C.m.<locals>.<lambda>") == ["return self._C__p"]


def test_private_names_are_the_same_everywhere_in_a_class() -> None:
    source = """
        class C:
            def m(self, __p):
                global __g
                __g = self.__a
                __v = __p
                self.__b = [__i for __i in __v]
                del self.__c
                return lambda: __v
        """

    assert [text for text in body(source, "C.m") if "_C__i = " not in text] == [
        "assign: global _C__g = self._C__a",
        "assign: _C__v = _C__p",
        "assign: self._C__b = list?[_C__i]",
        "del self._C__c",
        "return def C.m.<locals>.<lambda>()",
    ]
    assert body(source, "C.m.<locals>.<lambda>") == ["return _C__v"]


def test_what_is_declared_global_is_so_in_both_spellings_of_a_private_name() -> None:
    source = """
        class C:
            def m(self):
                global __x
                _C__x = 1
        """

    assert body(source, "C.m") == ["assign: global _C__x = 1"]


def test_the_innermost_class_names_what_is_private() -> None:
    source = """
        class C:
            class D:
                def m(self):
                    return self.__x
        """

    assert body(source, "C.D.m") == ["return self._D__x"]
