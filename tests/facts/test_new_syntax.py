"""Syntax of Python 3.12 to 3.15, whichever Python runs: what it binds, in which scope, and what it calls."""

import pytest
from facts_text import body, facts_of, lines, unit_of

from deepgrep.facts.splitting import definitions, scan


def own(source: str, qualname: str) -> list[str]:
    unit = unit_of(facts_of(source), qualname)
    return [variable.name for variable in unit.variables[1:] if variable.unit == -1]


# PEP 695, PEP 696: type parameters


def test_type_parameter_is_no_global() -> None:
    source = """
        def f[T](x):
            return T
        """
    assert own(source, "f") == ["x", "T"]
    assert body(source, "f") == ["return T"]


def test_type_parameters_of_all_kinds_have_defaults() -> None:
    source = """
        def f[T = int, *Ts = *tuple[int], **P = [int]](x: T):
            return T, Ts, P
        """
    assert body(source, "f") == ["return tuple[T, Ts, P]"]


def test_annotation_names_the_type_parameter() -> None:
    source = """
        def f[T](x: T) -> T: pass
        """
    assert body(source) == ["definition: global f = def f(x: a(T), return: a(T))"]
    assert own(source, "<module>") == ["T"]


def test_type_parameter_with_a_bound_stands_for_that_type() -> None:
    source = """
        class Base: pass
        def f[T: Base](x: T): pass
        """
    assert "annotation: T = Base" in body(source)


def test_parameter_hides_the_type_parameter_of_its_name() -> None:
    source = """
        def f[T](T):
            return T
        """
    assert own(source, "f") == ["T"]


def test_methods_know_the_type_parameters_of_their_class() -> None:
    source = """
        class C[T](B[T]):
            def m(self):
                return T
        """
    (variable,) = [v for v in unit_of(facts_of(source), "C.m").variables if v.name == "T"]
    assert variable.unit == 0
    assert body(source, "C.m") == ["return T"]


def test_methods_of_a_class_with_type_parameters_are_no_pieces() -> None:
    assert definitions(scan("class C[T]:\n    def m(self):\n        pass\n")) == []
    assert definitions(scan("class C\\\n [T]:\n    def m(self):\n        pass\n")) == []


def test_annotations_of_a_generic_method_see_the_names_of_the_class() -> None:
    source = """
        class C:
            X = int
            def m[T](self, x: X): pass
        """
    assert "definition: <C>.m = def C.m(x: a(<C>.X))" in body(source)


def test_private_type_parameter_is_mangled() -> None:
    source = """
        class C:
            def m[__T](self):
                return __T
        """
    assert own(source, "C.m") == ["self", "_C__T"]


def test_private_type_parameter_belongs_to_its_own_class() -> None:
    source = """
        class C:
            class D[__T]:
                def m(self):
                    return __T
        """
    assert own(source, "<module>") == ["_D__T"]
    assert body(source, "C.D.m") == ["return _D__T"]


def test_type_statement_binds_its_name() -> None:
    assert body("type X = int") == ["assign: global X = int"]
    assert own("type X[T] = list[T]", "<module>") == ["T"]


def test_type_is_a_name_elsewhere() -> None:
    assert body("type = type(type)") == ["assign: global type = type(type)"]


# PEP 701: f-strings


@pytest.mark.parametrize(
    "string",
    [
        "f'{f('a')}'",
        "f'{f(\"a\")}'",
        "f\"{f('\\n')}\"",
        "f'{f'{f'{f()}'}'}'",
        "f'''{\nf( # comment\n)}'''",
        "f'{x:{f()}}'",
    ],
)
def test_what_an_f_string_calls_is_called(string: str) -> None:
    assert any(line.startswith(("f(", "format(f(")) for line in body(f"x = {string}"))


def test_calls_in_an_f_string_have_their_lines() -> None:
    source = "x = f'''{\nf()\n} {'a'} {g('b')}'''\nh()\n"
    assert [(line, text) for line, text in lines(source) if "(" in text] == [
        (2, "format(f())"),
        (3, "format('a')"),
        (3, "format(g('b'))"),
        (4, "h()"),
    ]


# PEP 750: t-strings


def test_t_string_evaluates_what_is_in_it_and_formats_nothing() -> None:
    assert body("x = t'{f()!r:>{g()}}{a}'") == ["f()", "g()", "assign: global x = _"]


# PEP 758: except without parentheses; PEP 654: except*


@pytest.mark.parametrize("word", ["except", "except*"])
def test_except_lists_types_without_parentheses(word: str) -> None:
    source = f"""
        try:
            f()
        {word} A, B:
            g()
        """
    assert body(source) == ["f()", "tuple[A, B]", "g()"]


# PEP 798: unpacking in comprehensions


@pytest.mark.parametrize(("brackets", "kind"), [("[]", "list"), ("{}", "set"), ("()", "generator")])
def test_comprehension_unpacks_its_element(brackets: str, kind: str) -> None:
    assert body(f"x = {brackets[0]}*f(y) for y in z{brackets[1]}")[-1] == f"assign: global x = {kind}?[each(f(y))]"


def test_dict_comprehension_unpacks_its_element() -> None:
    assert body("x = {**f(y) for y in z}")[-1] == "assign: global x = dict?[**f(y)]"


# PEP 810: lazy imports


def test_lazy_imports_bind_as_others_do() -> None:
    source = """
        lazy import a.b
        lazy import a.b as c
        lazy from .d import e as f
        """
    assert body(source) == [
        "import: global a = import a.b",
        "import: global c = import a.b (renamed)",
        "import: global f = from .d import e",
    ]
    assert [line for line, _ in lines(source)] == [2, 3, 4]


def test_lazy_import_in_a_class_is_a_name_of_the_class() -> None:
    source = """
        class C:
            lazy import a
        """
    assert body(source) == ["import: <C>.a = import a", "definition: global C = class C()"]


def test_lazy_is_a_name_elsewhere() -> None:
    assert body("lazy = lazy(lazy)") == ["assign: global lazy = lazy(lazy)"]


# PEP 634: match; PEP 646: unpacking in subscripts and annotations; PEP 649: annotations that come before what they name


def test_patterns_bind_their_names() -> None:
    source = """
        def f(x):
            match x:
                case [a, *b] | {"k": (a as b), **c}: pass
                case C(d, e=f): pass
        """
    assert own(source, "f") == ["x", "a", "b", "c", "d", "f"]


def test_stars_stand_in_subscripts_and_annotations() -> None:
    source = """
        def f(*args: *Ts):
            return x[*args, 1:2]
        """
    assert body(source, "f") == ["return x[tuple[args, slice[1, 2, None]]]"]


def test_annotation_may_name_what_follows() -> None:
    assert body("def f(x: B): pass\nclass B: pass\n")[0] == "definition: global f = def f(x: a(B))"
