"""`def`, `lambda` and `class`: units, their names, parameters and what evaluates where."""

from textwrap import dedent

import pytest
from facts_text import body, facts_of, lines, unit_of

from deepgrep.facts.model import ClassFacts, Parameter


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

    assert [unit.qualname for unit in facts_of(source).units] == [
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
    assert "assign: <f.<locals>.C>.x = 1" in body("def f():\n  class C:\n    x = 1\n", "f")


def test_parameters_of_all_kinds() -> None:
    unit = unit_of(facts_of("def f(a, b=1, /, c=2, *d, e, g=3, **h): pass"), "f")

    assert unit.parameters == (
        Parameter("a", "positional-only", False),
        Parameter("b", "positional-only", True, "1"),
        Parameter("c", "positional", True, "2"),
        Parameter("d", "*", False),
        Parameter("e", "keyword-only", False),
        Parameter("g", "keyword-only", True, "3"),
        Parameter("h", "**", False),
    )


def test_a_bare_star_is_no_parameter() -> None:
    assert unit_of(facts_of("def f(*, a): pass"), "f").parameters == (Parameter("a", "keyword-only", False),)


def test_parameters_are_the_first_variables() -> None:
    unit = unit_of(facts_of("def f(a, *, b):\n  c = a"), "f")

    assert [variable.name for variable in unit.variables] == ["", "a", "b", "c"]


def test_defaults_and_annotations_are_evaluated_where_the_function_is_defined() -> None:
    source = """
        def f(a: A, b: B = g(), *c: C, d=h, **e: E) -> R: pass
        """

    assert body(source) == [
        "definition: global f = def f(b=g(), d=h, a: a(A), b: a(B), c: a(C), e: a(E), return: a(R))"
    ]


@pytest.mark.parametrize(
    ("default", "constant"),
    [
        ("None", "None"),
        ("-1", "-1"),
        ("0.5", "0.5"),
        ("'a b'", "'a b'"),
        ('""', "''"),
        ("()", ""),
        ("_DEFAULT", ""),
    ],
)
def test_a_default_that_is_a_constant(default: str, constant: str) -> None:
    (parameter,) = unit_of(facts_of(f"def f(a={default}): pass"), "f").parameters

    assert parameter == Parameter("a", "positional", True, constant)


@pytest.mark.parametrize(
    "body",
    ["a = 1", "a += 1", "for a in b: pass", "(a := 1)", "del a", "import a", "with b as a: pass", "def a(): pass"],
)
def test_a_parameter_that_is_bound_anew(body: str) -> None:
    (parameter,) = unit_of(facts_of(f"def f(a):\n  {body}\n"), "f").parameters

    assert parameter.is_rebound


def test_a_lambda_has_defaults_and_returns_its_expression() -> None:
    assert body("f(lambda a=g(): h(a))") == ["f(def <lambda>(a=g()))"]
    assert body("f(lambda a=g(): h(a))", "<lambda>") == ["return h(a)"]


@pytest.mark.parametrize(
    ("annotation", "meaning"),
    [
        ("A", "a(A)"),
        ("'A'", "a(A)"),
        ("m.A", "a(m.A)"),
        ("A | None", "a((A | None))"),
        ("'A | B'", "a((A | B))"),
        ("Optional['A']", "a(Optional[A])"),
        ("Dict[str, 'List[A]']", "a(Dict[tuple[str, List[A]]])"),
        ("Callable[[A], B]", "a(Callable[tuple[_, B]])"),
        ("Literal['A', 'b c']", "a(Literal)"),
    ],
)
def test_annotations_are_types_also_in_strings(annotation: str, meaning: str) -> None:
    assert lines(f"x: {annotation}") == [(0, f"annotation: global x = {meaning}")]


@pytest.mark.parametrize("annotation", ["'no type'", "b'A'", "'('", "1"])
def test_an_annotation_that_is_no_type_says_nothing(annotation: str) -> None:
    assert body(f"def f(a: {annotation}): pass") == ["definition: global f = def f()"]


def test_decorators_are_evaluated_from_the_top_and_applied_from_the_bottom() -> None:
    source = """
        @a
        @b.c(d)
        def f(): pass
        """

    assert body(source) == ["definition: global f = @a(@b.c(d)(def f()))"]


def test_decorators_of_a_class_are_applied_after_its_body_ran() -> None:
    source = """
        @a
        class C:
            g()
        """

    assert body(source) == ["g()", "definition: global C = @a(class C())"]


def test_bases_and_keywords_of_a_class() -> None:
    assert body("class C(A, m.B, *d, metaclass=M, **e): pass") == [
        "definition: global C = class C(A, m.B, each(d), metaclass=M)"
    ]


def test_a_class_body_binds_in_the_class() -> None:
    source = """
        class C:
            a = 1
            b: B
            c: B = 2
            def m(self): pass
        """

    assert body(source)[:-1] == [
        "assign: <C>.a = 1",
        "annotation: <C>.b = a(B)",
        "annotated: <C>.c = (2 | a(B))",
        "definition: <C>.m = def C.m()",
    ]


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
