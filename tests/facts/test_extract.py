"""What is read, what is not and how that is said; facts as bytes."""

import sys
import warnings
from collections.abc import Iterator

import msgspec
import pytest
from standard_library import SAMPLE

from deepgrep import interpreter
from deepgrep.facts import ExtractError, ModuleFacts, Pieces, decode, extract, extract_pieces, module
from deepgrep.facts.assembly import assemble


def unstored(source: bytes) -> ModuleFacts:
    """The facts of a file that were never written as bytes."""
    pieces, made = module.module_pieces(source, frozenset())
    rest, *definitions = (made[key] for key in dict.fromkeys(pieces.keys))
    assert len(definitions) == len(pieces.bodies), "two definitions have the same text"
    return assemble(pieces, rest, definitions)


def test_every_kind_of_operation_survives_being_stored() -> None:
    source = b"""
import a.b as c
from .d import *
class C(B, k=1):
    x: int = y
    z = x
    def m(self, *a, **k) -> 'T':
        global g
        g, *h = [self.__p for _ in a if _] or {1: {2}}
        del g, self.x, h[0]
        self.x = h[1] = -(yield) + f'{a}'
        with a as b: raise E
        if isinstance(b, C): return b(*a, k=1, **k)
async def f(): await g(lambda: 0)
"""
    facts = extract(source)

    assert facts == unstored(source)
    kinds = {type(operation) for unit in facts.units for operation in unit.operations}
    assert len(kinds) >= 28


def test_facts_depend_on_the_bytes_only() -> None:
    source = SAMPLE[0].read_bytes()

    assert extract_pieces(source) == extract_pieces(source)


@pytest.mark.parametrize("data", [b"", b"\x81\xa1a\x01", b"no facts"])
def test_other_bytes_are_no_facts(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(Pieces((b"key",), (), 1), [data])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"def f(:\n", "syntax error: parser error: error at 2:0: expected one of"),
        (b"x = (\n", "syntax error: "),
        (b"a b\n", "syntax error: parser error: error at 1:"),
        (b"def f():\n  x\n y\n", "syntax error: tokenizer error: no matching outer block for dedent"),
        (b"x = '''\n", "syntax error: "),
        (b"print 'x'\n", "syntax error: "),
        (b"x\x00 = 1\n", "syntax error: "),
        (b"x = 'a' t'b'\n", "syntax error: Logic error!"),
        (b"x = b'' ''\n", "syntax error: Cannot concatenate string and bytes. (line 1)"),
    ],
)
def test_what_is_not_python_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ExtractError) as error:
        extract(data)

    assert str(error.value).startswith(reason)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "data",
    [
        b"x = '\xff'\n",
        b"\xff\xfex\x00",
        b"# coding: no-such-encoding\n",
        b"# coding: rot13\nk = 1\n",
        b"# coding: undefined\nk = 1\n",
        b"# coding: utf-16\nk = 1\n",
        b"\xef\xbb\xbf# coding: latin-1\n",
        b"# coding: ascii\nx = '\xe4'\n",
        b"# coding: raw_unicode_escape\nx = '\\ud800'\n",
    ],
)
def test_what_cannot_be_decoded_is_refused(data: bytes) -> None:
    with pytest.raises(ExtractError, match=r"^cannot be decoded: .+$"):
        extract(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"# only a comment",
        b"\xef\xbb\xbfx = 1\n",
        b"\xef\xbb\xbf# coding: utf-8\nx = 1\n",
        b"# coding: latin-1\nx = '\xe4'\n",
        b"x = 1\r\nif x:\r\n    y\r\n",
        b"x = 1\rif x:\r    y\r",
        b"\x0cx = 1\n",
        b"def f():\n\tx\n\ty\n",
        b"x = '\\N{no such name}'\n",
        b"x = '\\d \\x0'\n",
        b"x = '\\ud800'\n",
        b"x: '\\N{no such name}'\n",
        b"def f[T: int, *A, **K](x: T) -> T: pass\n",
        b"class C[T]: pass\n",
        b"type X[T] = list[T]\n",
        b"try: pass\nexcept* E: pass\n",
        b'f"{x["a"]}"\n',
    ],
)
def test_what_is_python_is_read_without_a_word(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert isinstance(extract(data), ModuleFacts)


@pytest.mark.parametrize(
    "source",
    [
        "x = " + " + ".join(["a"] * 1_000),
        "x = " + "(" * 200 + "a" + ")" * 200,
        "if a: pass\n" + "elif a: pass\n" * 500,
        "a" + ".b()" * 500,
        "lambda: " * 100 + "a",
        f"if a{'()' * 500}: f()\n",
        f"x: '{'A[' * 100}B{']' * 100}'",
    ],
    ids=["sum", "parentheses", "elif", "chain", "lambda", "condition", "annotation"],
)
def test_long_expressions_are_read(source: str) -> None:
    assert extract(source.encode()).units


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Python give up early; at the depth that it really allows, the parser takes very long."""
    monkeypatch.setattr(interpreter, "_RECURSION_LIMIT", 0)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(600)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    "source",
    ["x = " + " + ".join(["a"] * 500), f"x = {'-' * 200}1..real\n"],
    ids=["lowering", "lines from libcst"],
)
@pytest.mark.usefixtures("shallow")
def test_what_is_nested_too_deeply_is_refused(source: str) -> None:
    with pytest.raises(ExtractError, match=r"^nested too deeply$"):
        extract(source.encode())
