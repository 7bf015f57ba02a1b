"""Facts are made in pieces, by content; put together they are those of the file."""

import random
from pathlib import Path
from textwrap import dedent

import pytest
from facts_text import facts_of
from standard_library import SAMPLE, name

from deepgrep.facts import Pieces, decode, extract, extract_pieces, possible_keys
from deepgrep.facts.splitting import STUB, definitions, scan


def pieces_of(source: str) -> tuple[Pieces, dict[bytes, bytes]]:
    return extract_pieces(dedent(source).encode())


def found(source: str) -> list[str]:
    return [f"{item.owner}.{item.name}".lstrip(".") for item in definitions(scan(dedent(source)))]


# what is a piece


def test_functions_and_methods_are_pieces() -> None:
    source = """
        @decorated
        def f(a,
              b=1):  # comment

            def inner(): pass

        class C(Base):
            x = 1

            async def m(self) -> None:
                pass

            def n(self):
                pass
        """
    assert found(source) == ["f", "C.m", "C.n"]


@pytest.mark.parametrize(
    "source",
    [
        "def f(): pass\n",
        "if x:\n    def f():\n        pass\n",
        "class C:\n    if x:\n        def f(self):\n            pass\n",
        "class C:\n    class D:\n        def f(self):\n            pass\n",
        "class C:\n    global f\n    def f(self):\n        pass\n",
        "class C:\n    x = 1; global f\n    def f(self):\n        pass\n",
        "class C:\n    if x:\n        global f\n    def f(self):\n        pass\n",
        'text = """\ndef f():\n    pass\n"""\n',
        "x = [\ndef_f(), (\n    1)]\n",
        "def f():\n\tpass\n",
        f"def f():\n    {STUB}\n",
    ],
)
def test_what_depends_on_more_than_its_text_is_none(source: str) -> None:
    assert found(source) == []


@pytest.mark.parametrize(
    "body",
    [
        '    x = """\ndef g():\n"""',
        "    x = (1,\n2)",
        "    x = 1; \\\ny",
        "# c\n    pass\n# at the margin\n\n    pass",
        "    x = '#(' # (",
    ],
)
def test_body_ends_where_the_block_does(body: str) -> None:
    (definition,) = definitions(scan(f"def f():\n{body}\n\n# not in it\n\nx = 1\n"))
    assert (definition.first, definition.last) == (2, 2 + body.count("\n"))


# what they are put together to


SOURCE = '''
X = 1

@decorated
def f(a, b=lambda: X, *c: int):
    """Text."""
    def g():
        nonlocal a
        class Z:
            def m(self): return a, __class__
        return Z
    if a:
        return g

class A(f()):
    y = X

    def m(self):
        if self.y:
            with self.lock:
                return super().m(lambda: self)

    class B:
        def q(self):
            return 1

    async def n(self, q=X):
        class L: pass
        async with self.__q as r: yield r

Y = A()
'''


def test_units_classes_guards_and_lines_are_those_of_the_file() -> None:
    facts = extract(SOURCE.encode())
    lines = SOURCE.split("\n")
    for unit in facts.units[1:]:
        word = unit.qualname.rpartition(".")[2].strip("<>")
        assert word in lines[unit.line - 1]
    assert [(cls.qualname, facts.units[cls.unit].qualname) for cls in facts.classes] == [
        ("f.<locals>.g.<locals>.Z", "f.<locals>.g"),
        ("A", "<module>"),
        ("A.B", "<module>"),
        ("A.n.<locals>.L", "A.n"),
    ]
    parents = {unit.qualname: facts.units[unit.parent].qualname for unit in facts.units[1:]}
    assert parents["f.<locals>.g"] == "f"
    assert parents["f.<locals>.g.<locals>.Z.m"] == "f.<locals>.g"
    assert parents["A.m.<locals>.<lambda>"] == "A.m"
    assert parents["A.m"] == parents["<lambda>"] == "<module>"
    classes = {unit.qualname: facts.classes[unit.cls].qualname for unit in facts.units if unit.cls >= 0}
    assert classes == {
        "f.<locals>.g.<locals>.Z.m": "f.<locals>.g.<locals>.Z",
        "A.m": "A",
        "A.B.q": "A.B",
        "A.n": "A",
    }
    assert [(guard.text, guard.line, guard.parent) for guard in facts.guards] == [
        ("a", lines.index("    if a:") + 1, -1),
        ("self.y", lines.index("        if self.y:") + 1, -1),
        ("self.lock", lines.index("            with self.lock:") + 1, 1),
        ("self.__q", lines.index("        async with self.__q as r: yield r") + 1, -1),
    ]


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_pieces_are_the_same_whatever_is_known_of_the_file(path: Path) -> None:
    data = path.read_bytes()
    pieces, made = extract_pieces(data)
    choose = random.Random(path.name)
    known = frozenset(key for key in sorted(made) if choose.random() < 0.7)

    again, rest = extract_pieces(data, known)

    assert again == pieces
    assert rest == {key: content for key, content in made.items() if key not in known}


@pytest.mark.parametrize("path", SAMPLE, ids=name)
def test_line_ends_make_no_difference(path: Path) -> None:
    data = path.read_bytes()
    assert extract_pieces(data.replace(b"\n", b"\r\n")) == extract_pieces(data)


# what changes with a change


def changed(before: str, after: str) -> tuple[int, int]:
    """The number of pieces that are new in the second text, and of all of them."""
    _, made = pieces_of(before)
    pieces, new = pieces_of(after)
    known = frozenset(made)
    assert pieces_of(after)[1].keys() - known == extract_pieces(dedent(after).encode(), known)[1].keys()
    return len(new.keys() - known), len(pieces.keys)


def test_changed_body_is_one_new_piece() -> None:
    assert changed(SOURCE, SOURCE.replace("return g", "return 1\n    return g")) == (1, 4)


def test_functions_that_only_moved_are_known() -> None:
    before = "def f():\n    g()\n"
    after = f"import a\n\n{before}"
    assert changed(before, after) == (1, 2)
    facts = extract(after.encode())
    assert (facts.units[1].line, facts.units[1].operations[0].line) == (3, 4)


def test_method_of_another_class_is_another_piece() -> None:
    before = "class A:\n    def f(self):\n        self.__x\n"
    assert changed(before, before.replace("A", "B")) == (2, 2)


def test_what_another_function_declares_global_is_not_known_where_the_module_is_run() -> None:
    before = "x = 1\ny = x\ndef f():\n    x = 2\n"
    after = "x = 1\ny = x\ndef f():\n    global x; x = 2\n"
    assert changed(before, after) == (2, 2)


def test_file_in_which_nothing_is_new_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces, made = pieces_of(SOURCE)
    monkeypatch.setattr("libcst.parse_module", lambda _: pytest.fail("parsed"))
    assert extract_pieces(SOURCE.encode(), frozenset(made)) == (pieces, {})


def test_text_that_is_not_what_it_seems_is_one_piece() -> None:
    # Since Python 3.12, quotes in an f-string may be those around it.
    source = 'def f():\n    x = f"{a["b"]}"\n\ndef g():\n    h()\n'
    pieces, made = extract_pieces(source.encode())
    assert len(pieces.keys) == len(made) == 1
    assert [unit.qualname for unit in decode(pieces, list(made.values())).units] == ["<module>", "f", "g"]


def test_body_that_is_shorter_than_it_seems_is_no_piece() -> None:
    # By what the regular expression sees, the parenthesis in the string is open until the one two lines below.
    nested = 'def f():\n    x = f"{"\'"}" + "#\'("\ng()\ny = f"{"\'"}" + "#\')"\nz = 1\n'
    pieces, made = extract_pieces(nested.encode())
    assert len(pieces.keys) == len(made) == 1
    plain = pieces_of("def f():\n    pass\nz = 1\n")[0]
    assert not set(plain.keys) & set(pieces.keys)


@pytest.mark.parametrize(
    "declaration", ["global a, x", "global a, \\\n    x", "global a,x ; a = 1", "global x  # it", "global\tx"]
)
def test_declarations_are_seen_however_they_are_written(declaration: str) -> None:
    facts = extract(f"x = None\ndef f():\n    {declaration}\n    x = 1\nf()\nuse(x)\n".encode())
    body = facts.units[0].operations
    (argument,) = next(op for op in reversed(body) if type(op).__name__ == "Call").args
    assert type(body[argument]).__name__ == "Global"


def test_class_whose_text_speaks_of_what_is_global_is_divided() -> None:
    assert found('class C:\n    """Of: global state."""\n    def f(self):\n        global x\n        x = 1\n') == [
        "C.f"
    ]


def test_definitions_with_the_same_text_share_a_piece() -> None:
    source = "def f():\n    g()\n\ndef f():\n    g()\n"
    pieces, made = extract_pieces(source.encode())
    assert len(pieces.keys) == 3
    assert len(made) == 2
    facts = extract(source.encode())
    assert [(unit.line, unit.operations[0].line) for unit in facts.units[1:]] == [(1, 2), (4, 5)]
    assert facts_of(source) == facts


@pytest.mark.parametrize("source", [SOURCE, 'def f():\n    x = f"{a["b"]}"\n', "x = 1\n", "def f(:\n    pass\n"])
def test_possible_keys_hold_those_of_the_pieces(source: str) -> None:
    keys = possible_keys(source.encode())
    assert keys
    if "(:" not in source:
        assert keys.issuperset(pieces_of(source)[0].keys)
