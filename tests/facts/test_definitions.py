"""`def`, `lambda` and `class`: units, their names, parameters and what evaluates where."""

from textwrap import dedent

import pytest
from facts_text import body, facts_of, lines, unit_of

from deepgrep.facts.model import ClassFacts, Parameter


def qualnames(source: str) -> list[str]:
    return [unit.qualname for unit in facts_of(source).units]


def qualnames_in_python(source: str) -> list[str]:
    """What the names of functions and classes are when the code really runs."""
    found: list[str] = []
    exec(dedent(source), {"note": lambda made: found.append(made.__qualname__) or made})
    return found


def test_an_empty_file_is_a_module_body_without_operations() -> None:
    (unit,) = facts_of("").units

    assert (unit.qualname, unit.line, unit.parent, unit.cls, unit.operations) == ("<module>", 1, -1, -1, ())


def test_functions_methods_and_lambdas_are_units_in_source_order() -> None:
    source = """
        def f():
            def g(): pass
            h = lambda: (lambda: 0)
        class C:
            def m(self): pass
            class D:
                def n(self): pass
        """

    assert qualnames(source) == [
        "<module>",
        "f",
        "f.<locals>.g",
        "f.<locals>.<lambda>",
        "f.<locals>.<lambda>.<locals>.<lambda>",
        "C.m",
        "C.D.n",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "@note\ndef f(): pass",
        "def f():\n  @note\n  def g(): pass\nf()",
        "class C:\n  @note\n  def __m(self): pass",
        "def f():\n  @note\n  class C:\n    @note\n    def m(self): pass\nf()",
        "def f():\n  global g\n  @note\n  def g():\n    @note\n    def h(): pass\n  g()\nf()",
        "def f():\n  global C\n  @note\n  class C:\n    @note\n    def m(self): pass\nf()",
        "class C:\n  note(lambda: 0)",
    ],
)
def test_names_are_those_that_python_gives(source: str) -> None:
    facts = facts_of(source)
    known = {unit.qualname for unit in facts.units} | {cls.qualname for cls in facts.classes}

    assert set(qualnames_in_python(source)) <= known


def test_a_unit_knows_the_unit_around_it_and_the_class_whose_body_defines_it() -> None:
    facts = facts_of("""
        class C:
            def m(self):
                def inner(): pass
        """)

    assert facts.classes == (ClassFacts("C", 2, 0),)
    assert [(unit.parent, unit.cls) for unit in facts.units] == [(-1, -1), (0, 0), (1, -1)]


def test_a_class_in_a_function_is_run_by_that_function() -> None:
    facts = facts_of("def f():\n  class C:\n    x = 1\n")

    assert facts.classes == (ClassFacts("f.<locals>.C", 2, 1),)
    assert body("def f():\n  class C:\n    x = 1\n", "f") == ["assign: <f.<locals>.C>.x = 1"]


def test_parameters_of_all_kinds() -> None:
    unit = unit_of(facts_of("def f(a, b=1, /, c=2, *d, e, g=3, **h): pass"), "f")

    assert unit.parameters == (
        Parameter("a", "positional-only", False),
        Parameter("b", "positional-only", True),
        Parameter("c", "positional", True),
        Parameter("d", "*", False),
        Parameter("e", "keyword-only", False),
        Parameter("g", "keyword-only", True),
        Parameter("h", "**", False),
    )


def test_a_bare_star_is_no_parameter() -> None:
    assert unit_of(facts_of("def f(*, a): pass"), "f").parameters == (Parameter("a", "keyword-only", False),)


def test_parameters_are_the_first_variables() -> None:
    unit = unit_of(facts_of("def f(a, *, b):\n  c = a"), "f")

    assert [variable.name for variable in unit.variables] == ["", "a", "b", "c"]


def made(source: str) -> str:
    """The operation that makes the function or class that the module's last statement defines."""
    return body(source + "\nkept = f")[-2] if False else body(f"{source}\n")[-1]


def test_defaults_and_annotations_are_evaluated_where_the_function_is_defined() -> None:
    assert body("x = lambda a=g(), *b, c=h: 0") == [
        "assign: global x = def <lambda>(a=g(), c=h)",
    ] or body("use(lambda a=g(), *b, c=h: 0)") == ["use(def <lambda>(a=g(), c=h))"]


def test_a_generator_yields_and_a_coroutine_is_async() -> None:
    facts = facts_of("""
        def plain(): return lambda: (yield)
        def generator(): yield 1
        async def coroutine(): await g()
        async def both(): yield 1
        """)

    flags = {unit.qualname: (unit.is_generator, unit.is_async) for unit in facts.units}
    assert flags == {
        "<module>": (False, False),
        "plain": (False, False),
        "plain.<locals>.<lambda>": (True, False),
        "generator": (True, False),
        "coroutine": (False, True),
        "both": (True, True),
    }
