"""Line numbers: those of the words that an operation is named by."""

import pytest
from facts_text import facts_of, lines

from deepgrep.facts import extract


def line_of(source: str | bytes, name: str = "target") -> int:
    """The line of the one use of a global name in a module's body."""
    data = source if isinstance(source, bytes) else source.encode()
    (line,) = [op.line for op in extract(data).units[0].operations if getattr(op, "name", "") == name]
    return line


def test_a_call_over_several_lines_is_where_its_function_is_named() -> None:
    source = """
        f(
            a,
            g(
                1,
            ),
        )
        """

    assert lines(source) == [(2, "f(a, g(1))")]


def test_each_call_of_a_chain_has_its_own_line() -> None:
    source = """
        (a
            .f()
            .g(
                1
            ))
        """

    operations = facts_of(source).units[0].operations
    assert [(type(op).__name__, op.line) for op in operations if op.line] == [
        ("Global", 2), ("Attribute", 3), ("Call", 3), ("Attribute", 4), ("Call", 4),
    ]  # fmt: skip


def test_what_has_no_name_is_where_its_first_literal_is() -> None:
    source = """
        x()
        'a' in b
        1 + c
        'd'.e
        0.5 * f
        """

    assert [line for line, _ in lines(source)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("empty", ["[]", "{}", "[ ]", "{  # nothing\n }", "[\\\n\n]", "({})"])
def test_what_is_empty_is_where_it_begins(empty: str) -> None:
    source = f"def f():\n  x = {empty}\n  return g(\n    {empty})\n"
    more = empty.count("\n")
    places = [op.line for op in facts_of(source).units[1].operations if type(op).__name__ == "Collection"]

    assert places == [2, 4 + more]
    assert line_of(f"match {empty}:\n  case {{}}: pass\n  case []: pass\ntarget()\n") == 4 + more
    assert line_of("(f'''\n{ {} }{[]}''' + target)\n") == 2


def test_statements_are_where_their_keyword_is() -> None:
    source = """
        def f():
            g()
            return [
            ]
        def h():
            raise (
                E)
        def i():
            yield (
                1)
        """

    assert lines(source, "f") == [(3, "g()"), (4, "return list[]")]
    assert lines(source, "h") == [(7, "raise E")]
    assert lines(source, "i") == [(10, "yield 1")]


def test_a_definition_is_where_def_is_and_a_decorator_where_its_name_is() -> None:
    source = """
        @a
        @b.c(
            1)
        def f(
            x=g(),
        ): pass
        @d
        class C(
            B
        ): pass
        """
    facts = facts_of(source)

    assert facts.units[1].line == 5
    assert facts.classes[0].line == 9
    calls = [op.line for op in facts.units[0].operations if type(op).__name__ == "Call"]
    assert calls == [3, 6, 3, 2, 8]


def test_a_lambda_is_where_lambda_is() -> None:
    source = """
        f(
            a,
            lambda: 0,
            lambda x: (
                x),
        )
        """

    assert [(unit.qualname, unit.line) for unit in facts_of(source).units[1:]] == [("<lambda>", 4), ("<lambda>", 5)]


def test_a_loop_calls_where_its_iterable_is_named() -> None:
    assert lines("for x in f(\n  a,\n): pass") == [(1, "for: global x = each(f(a))")]


@pytest.mark.parametrize(
    "before",
    [
        "'''text\nwith target() in it\n'''\n",
        '"""one " two "" three"""\n# target()\n\n',
        "# it's a comment with a quote\n\n\n",
        '# """\n\n\n',
        "'a\\\nb\\'\\\nc'\n",
        "r'\\\\' r'\\''\nr'''\n\\\\'''\n",
        "b'x'; Rb'''\n\n'''\n",
        "x = '''a''' '''\n\n'''\n",
        "x = 1e-5 + 0x1F + 1_000j + .5\n\n\n",
        "x = 1 if y else 2\n\n\n",
        "f'''{a}\n{b:{c}}\n'''\n",
        "f'''{\na\n}'''\n",
        "f'{a!r}' f\"{b['k']}\"\n\n\n",
        "match = case = type = 1\nmatch(case)[type]\n\n",
        "match x:\n  case _: _ = 1\n\n",
        "match x:\n  case [_, *_]: pass\n\n",
        "type X = int\ntype(X)\n\n",
        "print(*a, end='')\n\n\n",
        "\f\n\f# form feed\nx = '\f'\n",
        "x = 'a\u2028b\x0bc\x85'\n\n\n",
        "ä = 'ö'  # ü\n\n\n",
        "if (not x): pass\nelif x: pass\n\n",
        "def f(a, /, *, b: int = 1, **c) -> int: pass\n\n\n",
        "lambda *a, **k: (yield)\n\n\n",
        "x = (\n  a)\n\n",
        "assert x, (\n  'y')\n\n",
        "try: pass\nexcept* E: pass\nfinally: pass\n",
        "with a as b, (c): pass\n\n\n",
        "x = 1\\\n  + 2\n\n",
    ],
)
def test_no_text_before_a_name_moves_its_line(before: str) -> None:
    at = before.count("\n") + 1

    assert line_of(f"{before}target()\n") == at
    assert line_of(f"{before}target()\n".replace("\n", "\r\n").encode()) == at
    assert line_of(f"{before}target()\n".replace("\n", "\r").encode()) == at


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf# BOM\ntarget()\n",
        b"# coding: latin-1\ntarget('\xe4')\n",
        b"#!/usr/bin/env python\ntarget()  # no line end",
        "# coding: cp1251\ntarget('ж')\n".encode("cp1251"),
    ],
)
def test_the_encoding_of_a_file_does_not_matter(data: bytes) -> None:
    assert line_of(data) == 2


def test_an_identifier_in_another_script_has_a_line() -> None:
    assert line_of("\nпривет()\n", "привет") == 2


@pytest.mark.parametrize(
    ("literal", "line"),
    [
        ("f'{target}'", 1),
        ("f'''\n{target}'''", 2),
        ("f'''\n{a:\n{target}}'''", 3),
        ("f'''{\n\ntarget}'''", 3),
        ('f"{a["b"]}" + target', 1),
        ('f"{a["b"]}{\ntarget}"', 2),
        ("f'{f(\n1,\n)}' + target", 3),
    ],
)
def test_a_name_in_or_after_an_f_string(literal: str, line: int) -> None:
    assert line_of(f"({literal})") == line


def test_what_is_never_executed_has_no_line() -> None:
    assert lines("x: A[B]\nif TYPE_CHECKING: f()\ndef f(a: A): pass\n")[:2] == [
        (0, "annotation: global x = a(A[B])"),
        (0, "f()"),
    ]
