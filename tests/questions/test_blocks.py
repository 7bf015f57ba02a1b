"""Where functions begin and end, told from the text: what is told is what the parser says."""

from __future__ import annotations

import textwrap

import pytest

from deepgrep.questions.blocks import blocks

Lines = tuple[int, int]


def functions(source: str) -> dict[str, Lines]:
    found = blocks(textwrap.dedent(source).encode())
    assert found is not None
    return {extent.key[0]: (extent.first, extent.last) for extent in found[0]}


def lambdas(source: str) -> list[Lines]:
    found = blocks(textwrap.dedent(source).encode())
    assert found is not None
    return [(extent.first, extent.last) for extent in found[1]]


def test_a_function_ends_with_its_last_statement() -> None:
    source = """\
    def f():
        if x:
            y

        # of the module

    z
    class C:
        async  def g(self): pass
        def h(self):
            def é():
                x
            y
    """
    assert functions(source) == {"f": (1, 3), "g": (9, 9), "h": (10, 13), "é": (11, 12)}


def test_decorators_are_part_of_it() -> None:
    source = """\
    @first
    @second(
        x
    )
    def f(): pass
    @of_the_class
    class C:
        def g(self): pass
    """
    assert functions(source) == {"f": (1, 5), "g": (8, 8)}


def test_lines_that_go_on_do_not_end_it_however_far_they_are_indented() -> None:
    source = '''\
    def f(
        a,
    ):
        x = [
    1, "(",
    ]  # (
        y = """
    def no(): it's text
    """
        z = 1 + \\
    2
        return z
    def g(): pass
    '''
    assert functions(source) == {"f": (1, 12), "g": (13, 13)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f = lambda: x\ny", (1, 1)),
        ("f = lambda a, b=(1, 2): (\n  a,\n)\ny", (1, 3)),
        ("f(\n  lambda a: a,\n  1)", (2, 2)),
        ("f(\n  lambda a: a\n)", (2, 2)),
        ("f(lambda a: a +\n  1, 2)", (1, 2)),
        ("f(lambda:\n  g(\n    x\n  ), 1)", (1, 4)),
        ("f(lambda: a\n  for a in b)", (1, 1)),
        ("d = {1: lambda: x,\n  2: y}", (1, 1)),
        ('f = lambda: """\n"""\n', (1, 2)),
    ],
)
def test_a_lambda_ends_where_its_body_does(source: str, expected: Lines) -> None:
    assert lambdas(source) == [expected]


def test_a_lambda_that_gives_a_lambda_ends_with_it() -> None:
    assert lambdas("f(lambda a: lambda b, c: (\n  a, b), c\n)") == [(1, 2), (1, 2)]


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n\tpass\n",
        "f = lambda a=lambda: x: y\n",
        "f = f'{(lambda: 1)()}'\n",
        "f(",
        "f)",
        "x = 1 \\",
        "def \\\nf(): pass",
    ],
)
def test_what_is_for_the_parser_to_say_is_not_told(source: str) -> None:
    assert blocks(source.encode()) is None


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert functions("\ufeffdef f(): pass\n") == {"f": (1, 1)}
