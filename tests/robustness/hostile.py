"""Generators of programs that are too deep, too large, or too entangled, each for any size.

Each program is a package `torch`, so that it is analyzed alone. In `torch/start.py`, `entry` calls `start` in
`torch/m.py`, from where control gets to `change`, which changes `flag`: so every program can be asked the same.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

START = """
flag = 0
def change(*args, **kwargs):
    global flag
    flag = 1
def entry(a=1):
    import torch.m
    torch.m.start()
"""
_IMPORT = "from torch.start import change\n"
_Files = Iterator[tuple[str | bytes, str]]


@dataclass(frozen=True)
class Program:
    """A program of any size.

    Attributes:
        name: what it is called.
        files: gives the path of each file in the package, and its text, for a size.
        small: the size for the test suite.
        large: the size for measuring by hand.
    """

    name: str
    files: Callable[[int], _Files]
    small: int
    large: int

    def write(self, folder: Path, size: int) -> Path:
        """Write the program into a folder; return that of the package."""
        package = folder / "torch"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "start.py").write_text(START)
        for path, text in self.files(size):
            file = os.path.join(os.fsencode(package), os.fsencode(path))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as stream:
                stream.write(text.encode())
        return package


PROGRAMS: dict[str, Program] = {}


def _program(small: int, large: int) -> Callable[[Callable[[int], _Files]], Callable[[int], _Files]]:
    def register(files: Callable[[int], _Files]) -> Callable[[int], _Files]:
        name = files.__name__.strip("_")
        PROGRAMS[name] = Program(name, files, small, large)
        return files

    return register


def _nested(name: str, before: str, core: str, after: str, small: int = 190, large: int = 10_000) -> None:
    """Register a program with an expression in an expression in an expression."""

    def files(size: int) -> _Files:
        yield "m.py", f"{_IMPORT}def start(a=1):\n    x = {before * size}{core}{after * size}\n    return x\n"

    PROGRAMS[name] = Program(name, files, small, large)


_nested("parentheses", "(", "change()", ")")
_nested("lists", "[", "change()", "]")
_nested("tuples", "(", "change()", ",)")
_nested("sets", "{", "change()", "}")
_nested("dicts", "{0: ", "change()", "}")
_nested("subscripts", "a[", "change()", "]")
_nested("subscript_chain", "", "change()", "[0]")
_nested("attribute_chain", "", "change()", ".a")
_nested("method_chain", "", "change()", ".a()")
_nested("calls", "change(", "1", ")")
_nested("call_chain", "", "change", "()")
_nested("keyword_calls", "change(a=", "1", ")")
_nested("starred_calls", "change(*", "a", ")")
_nested("sums", "1 + ", "change()", "")
_nested("sums_of_calls", "change() + ", "1", "")
_nested("powers", "2 ** ", "change()", "")
_nested("ors", "a or ", "change()", "")
_nested("comparisons", "a < ", "change()", "")
_nested("nots", "not ", "change()", "")
_nested("minuses", "-", "change()", "")
_nested("lambdas", "lambda: ", "change()", "")
_nested("called_lambdas", "(lambda: ", "change()", ")()")
_nested("lambda_defaults", "lambda a=", "change()", ": a")
_nested("choices", "", "change()", " if a else 1")
_nested("nested_choices", "1 if a else ", "change()", "")
_nested("comprehensions", "[a for a in ", "change()", "]")
_nested("generators", "(a for a in ", "change()", ")")
PROGRAMS["comprehension_clauses"] = Program(
    "comprehension_clauses",
    lambda size: iter([("m.py", f"{_IMPORT}def start(a=1):\n    return [change(){' for a in a' * size}]\n")]),
    300,
    10_000,
)
_nested("conditions_in_comprehensions", "[a for a in a if ", "change()", "]")
_nested("assigned_expressions", "(a := ", "change()", ")")
_nested("format_strings", "f'{", "change()", "}'", 50, 10_000)
_nested("format_specs", "f'{a:", "{change()}", "}'", 1, 1_000)
_nested("awaits", "await ", "change()", "")
_nested("joined_strings", "'a' ", "'a'; change()", "", 1_000, 100_000)
_nested("slices", "a[a:", "change()", "]")


def _text(name: str, text: Callable[[int], str], small: int, large: int) -> None:
    PROGRAMS[name] = Program(name, lambda size: iter([("m.py", _IMPORT + text(size))]), small, large)


def _blocks(header: str, size: int) -> str:
    """Blocks, each in the one before, in `start`."""
    lines = [f"{' ' * level}{header.format(level)}" for level in range(1, size + 1)]
    return "\n".join(["def start(a=1):", *lines, f"{' ' * (size + 1)}change()", ""])


for _name, _header in {
    "ifs": "if a:",
    "whiles": "while a:",
    "fors": "for b in a:",
    "withs": "with a:",
    "inner_functions": "def f{0}():",
    "inner_classes": "class C{0}:",
}.items():
    _text(_name, lambda size, header=_header: _blocks(header, size), 90, 1_000)
_text(
    "tries", lambda n: _blocks("try:", n) + "".join(f"{' ' * k}finally: change()\n" for k in range(n, 0, -1)), 90, 1_000
)
_text(
    "called_inner_functions",
    lambda n: _blocks("def f{0}():", n) + "".join(f"{' ' * k}f{k}()\n" for k in range(n, 0, -1)),
    90,
    1_000,
)
_text(
    "elifs",
    lambda n: "def start(a=1):\n if a == 0: pass\n" + "".join(f" elif a == {k}: change()\n" for k in range(n)),
    300,
    10_000,
)
_text(
    "elses",
    lambda n: (
        "def start(a=1):\n"
        + "".join(f"{' ' * k}if a: pass\n{' ' * k}else:\n" for k in range(1, n))
        + " " * n
        + "change()\n"
    ),
    90,
    1_000,
)
_text(
    "handlers",
    lambda n: "def start(a=1):\n try: pass\n" + "".join(f" except a[{k}]: change()\n" for k in range(n)),
    300,
    10_000,
)
_text("patterns", lambda n: f"def start(a=1):\n match a:\n  case {'[' * n}b{']' * n}: change()\n", 12, 10_000)
_text("alternatives", lambda n: f"def start(a=1):\n match a:\n  case {'1 | ' * n}1: change()\n", 300, 10_000)
_text(
    "cases",
    lambda n: "def start(a=1):\n match a:\n" + "".join(f"  case {k}: change()\n" for k in range(n)),
    300,
    10_000,
)
_text("targets", lambda n: f"def start(a=1):\n {'(' * n}b{',)' * n} = change()\n", 190, 10_000)
_text("assignments_in_a_row", lambda n: f"def start(a=1):\n {'b = ' * n}change()\n", 300, 10_000)
_text("annotations", lambda n: f"def start(a: {'list[' * n}int{']' * n} = 1):\n a.append(change())\n", 190, 10_000)
_text(
    "written_annotations",
    lambda n: f"def start(a: '{'list[' * n}int{']' * n}' = 1):\n a.append(change())\n",
    190,
    10_000,
)
_text("unions", lambda n: f"def start(a: {'int | ' * n}str = 1):\n a.append(change())\n", 300, 10_000)
_text("decorators", lambda n: "def d(f):\n return f\n" + "@d\n" * n + "def start():\n change()\n", 100, 1_000)
_text(
    "wrapping_decorators",
    lambda n: (
        "def d(f):\n def wrapper(*args):\n  return f(*args)\n return wrapper\n"
        + "@d\n" * n
        + "def start():\n change()\n"
    ),
    100,
    1_000,
)
_text("bases", lambda n: f"class C({'object, ' * n}): pass\ndef start():\n C()\n change()\n", 300, 10_000)
_text("dotted_import", lambda n: f"def start():\n import {'.'.join(['a'] * n)}\n change()\n", 300, 10_000)
_text("relative_import", lambda n: f"def start():\n from {'.' * n} import a\n change()\n", 300, 10_000)
_text("continued_lines", lambda n: f"def start():\n x = 1 {'+ 1 ' * 0}" + "\\\n" * n + "\n change()\n", 300, 10_000)
_text("semicolons", lambda n: f"def start():\n {'change(); ' * n}\n", 1_000, 100_000)
_text("chained_withs", lambda n: f"def start(a=1):\n with {', '.join(['a'] * n)}:\n  change()\n", 300, 10_000)
_text(
    "global_names", lambda n: f"def start():\n global {', '.join(f'g{k}' for k in range(n))}\n change()\n", 300, 10_000
)

# Large files.

_text(
    "many_functions",
    lambda n: (
        "".join(f"def f{k}(a, b=1):\n    c = a + b\n    return c\n" for k in range(n)) + "def start():\n change()\n"
    ),
    200,
    1_000_000,
)
_text(
    "dict_literal",
    lambda n: "D = {\n" + "".join(f" 'k{k}': {k},\n" for k in range(n)) + "}\ndef start():\n D[1]\n change()\n",
    1_000,
    3_000_000,
)
_text("list_literal", lambda n: f"L = [{', '.join(['1'] * n)}]\ndef start():\n L[1]\n change()\n", 1_000, 16_000_000)
_text(
    "list_of_functions",
    lambda n: (
        "".join(f"def f{k}(): change()\n" for k in range(n))
        + f"L = [{', '.join(f'f{k}' for k in range(n))}]\ndef start(a=1):\n L[a]()\n"
    ),
    300,
    100_000,
)
_text(
    "string",
    lambda n: f"S = '''{'long text of a string ' * n}'''\ndef start():\n S.strip()\n change()\n",
    1_000,
    2_300_000,
)
_text("comment", lambda n: f"# {'long comment ' * n}\ndef start():\n change()\n", 1_000, 3_800_000)
_text("blank_lines", lambda n: "\n" * n + "def start():\n change()\n", 1_000, 50_000_000)
_text("one_line", lambda n: f"a = 1{'; a = a' * n}\ndef start():\n change()\n", 1_000, 6_000_000)
_text("indentation", lambda n: f"def start():\n{' ' * n}change()\n", 1_000, 50_000_000)
_text("identifier", lambda n: f"{'x' * n} = change\ndef start():\n {'x' * n}()\n change()\n", 1_000, 1_000_000)
_text("number", lambda n: f"N = {'9' * n}\ndef start(a=1):\n if a == {'9' * n}:\n  change()\n", 5_000, 1_000_000)
_text(
    "parser_table",
    lambda n: (
        "TABLE = [\n"
        + "".join(f" ({k}, {{'a': {k}, 'b': [{k}, {k + 1}]}}, lambda p: p[{k % 9}], change),\n" for k in range(n))
        + "]\ndef start(a=1):\n for _, _, f, g in TABLE:\n  f(a)\n  g()\n"
    ),
    200,
    100_000,
)

# Large programs.


@_program(300, 20_000)
def _methods(size: int) -> _Files:
    methods = "".join(f"    def m{k}(self):\n        self.m{k + 1}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}class C:\n{methods}    def m{size}(self):\n        change()\ndef start():\n    C().m0()\n"


@_program(200, 5_000)
def _class_chain(size: int) -> _Files:
    classes = "".join(f"class C{k}(C{k - 1}):\n    pass\n" for k in range(1, size))
    yield (
        "m.py",
        f"{_IMPORT}class C0:\n    def m(self):\n        change()\n{classes}def start():\n    C{size - 1}().m()\n",
    )


@_program(200, 5_000)
def _overriding_class_chain(size: int) -> _Files:
    classes = "".join(f"class C{k}(C{k - 1}):\n    def m(self):\n        super().m()\n" for k in range(1, size))
    yield (
        "m.py",
        f"{_IMPORT}class C0:\n    def m(self):\n        change()\n{classes}def start():\n    C{size - 1}().m()\n",
    )


@_program(200, 5_000)
def _overriding_class_chain_that_calls(size: int) -> _Files:
    """Each class overrides a method, and calls it of whatever object it is: one of any class below."""
    classes = "".join(
        f"class C{k}(C{k - 1}):\n    def m(self):\n        super().m()\n    def r{k}(self):\n        self.m()\n"
        for k in range(1, size)
    )
    yield (
        "m.py",
        f"{_IMPORT}class C0:\n    def m(self):\n        change()\n{classes}def start():\n    C{size - 1}().r1()\n",
    )


@_program(200, 5_000)
def _class_fan(size: int) -> _Files:
    classes = "".join(f"class C{k}(C):\n    def m(self):\n        change()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}class C:\n    def m(self): pass\n{classes}def start(c: C):\n    c.m()\n"


@_program(60, 5_000)
def _diamonds(size: int) -> _Files:
    classes = "".join(
        f"class A{k}(D{k - 1}): pass\nclass B{k}(D{k - 1}): pass\nclass D{k}(A{k}, B{k}): pass\n"
        for k in range(1, size // 3)
    )
    top = "class D0:\n    def m(self):\n        change()\n"
    yield "m.py", f"{_IMPORT}{top}{classes}def start():\n    D{size // 3 - 1}().m()\n"


@_program(60, 5_000)
def _overriding_diamonds(size: int) -> _Files:
    override = "    def m(self):\n        super().m()\n"
    classes = "".join(
        f"class A{k}(D{k - 1}):\n{override}class B{k}(D{k - 1}):\n{override}class D{k}(A{k}, B{k}):\n{override}"
        for k in range(1, size // 3)
    )
    top = "class D0:\n    def m(self):\n        change()\n"
    yield "m.py", f"{_IMPORT}{top}{classes}def start():\n    D{size // 3 - 1}().m()\n"


@_program(200, 5_000)
def _random_bases(size: int) -> _Files:
    chosen = random.Random(7)
    text = "class C0:\n    def m(self):\n        change()\n"
    for k in range(1, size):
        bases = chosen.sample(range(k), min(k, chosen.randint(1, 3)))
        text += f"class C{k}({', '.join(f'C{base}' for base in bases)}):\n    def m{k}(self): self.m()\n"
    yield "m.py", f"{_IMPORT}{text}def start():\n    C{size - 1}().m()\n"


@_program(50, 1_000)
def _class_cycle(size: int) -> _Files:
    classes = "".join(f"class C{k}(C{(k + 1) % size}):\n    def m{k}(self): pass\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{classes}def start():\n    C0().m{size - 1}()\n    change()\n"


@_program(30, 1_000)
def _import_cycle(size: int) -> _Files:
    for k in range(size):
        after = (k + 1) % size
        yield (
            f"c{k}.py",
            f"import torch.c{after}, torch.start\ndef f():\n    torch.c{after}.f()\n    torch.start.change()\n",
        )
    yield "m.py", "import torch.c0\ndef start():\n    torch.c0.f()\n"


@_program(30, 1_000)
def _star_cycle(size: int) -> _Files:
    for k in range(size):
        yield f"c{k}.py", f"from torch.c{(k + 1) % size} import *\ndef f{k}():\n    f{(k + size // 2) % size}()\n"
    yield "m.py", f"{_IMPORT}from torch.c0 import *\ndef start():\n    f{size - 1}()\n    change()\n"


@_program(1_000, 100_000)
def _chain_in_a_file(size: int) -> _Files:
    functions = "".join(f"def f{k}():\n    f{k + 1}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{functions}def f{size}():\n    change()\ndef start():\n    f0()\n"


@_program(200, 100_000)
def _chain_over_files(size: int) -> _Files:
    each = max(1, size // 1_000)
    for k in range(0, size, each):
        functions = "".join(f"def f{n}():\n    f{n + 1}()\n" for n in range(k, k + each))
        text = (
            f"from torch.c{k + each} import f{k + each}\n"
            if k + each < size
            else f"from torch.start import change as f{size}\n"
        )
        yield f"c{k}.py", text + functions
    yield "m.py", "from torch.c0 import f0\ndef start():\n    f0()\n"


@_program(200, 100_000)
def _small_files(size: int) -> _Files:
    for k in range(size):
        yield f"p{k // 1_000}/s{k}.py", f"VALUE = {k}\ndef f{k}():\n    return VALUE\n"
    yield "m.py", f"{_IMPORT}def start():\n    change()\n"


@_program(300, 10_000)
def _parameters(size: int) -> _Files:
    names = ", ".join(f"p{k}" for k in range(size))
    given = ", ".join(f"p{k}=change" for k in range(size))
    yield "m.py", f"{_IMPORT}def f({names}):\n    p{size - 1}()\ndef start():\n    f({given})\n"


@_program(1_000, 100_000)
def _assignments(size: int) -> _Files:
    yield (
        "m.py",
        f"{_IMPORT}def start(a=1):\n    x = change\n"
        + "    x = a\n    a = x\n" * (size // 2)
        + "    x()\n    change()\n",
    )


@_program(500, 50_000)
def _globals(size: int) -> _Files:
    text = "".join(f"g{k} = 0\ndef f{k}():\n    global g{k}\n    g{k} = 1\n" for k in range(size))
    calls = "".join(f"    f{k}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{text}def start():\n{calls}    change()\n"


@_program(200, 10_000)
def _dispatch(size: int) -> _Files:
    functions = "".join(f"def f{k}():\n    change()\n" for k in range(size))
    table = "".join(f"    'k{k}': f{k},\n" for k in range(size))
    callers = "".join(f"def c{k}(key):\n    D[key]()\n" for k in range(size // 10))
    calls = "".join(f"    c{k}(key)\n" for k in range(size // 10))
    yield "m.py", f"{_IMPORT}{functions}D = {{\n{table}}}\n{callers}def start(key='a'):\n{calls}"


@_program(200, 10_000)
def _dispatch_with_arguments(size: int) -> _Files:
    functions = "".join(f"def f{k}(callback):\n    return callback\n" for k in range(size))
    table = "".join(f"    'k{k}': f{k},\n" for k in range(size))
    callers = "".join(f"def c{k}(key):\n    D[key](c{k})\n" for k in range(size // 10))
    calls = "".join(f"    c{k}(key)\n" for k in range(size // 10))
    yield "m.py", f"{_IMPORT}{functions}D = {{\n{table}}}\n{callers}def start(key='a'):\n{calls}    change()\n"


@_program(200, 10_000)
def _registry(size: int) -> _Files:
    register = "REGISTRY = {}\ndef register(key):\n    def inner(f):\n        REGISTRY[key] = f\n        return f\n"
    register += "    return inner\n"
    functions = "".join(f"@register('k{k}')\ndef f{k}():\n    change()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{register}{functions}def start(key='a'):\n    REGISTRY[key]()\n"


@_program(200, 10_000)
def _wrapping_registry(size: int) -> _Files:
    wrap = "def wrap(f):\n    def wrapper(*args, **kwargs):\n        return f(*args, **kwargs)\n    return wrapper\n"
    functions = "".join(f"@wrap\ndef f{k}():\n    f{k + 1}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{wrap}{functions}def f{size}():\n    change()\ndef start():\n    f0()\n"


@_program(200, 5_000)
def _ring(size: int) -> _Files:
    functions = "".join(f"def f{k}():\n    f{(k + 1) % size}()\n    f{(k * 7 + 3) % size}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{functions}def start():\n    f0()\n    change()\n"


@_program(30, 500)
def _everyone_calls_everyone(size: int) -> _Files:
    calls = "".join(f"    f{k}()\n" for k in range(size))
    yield (
        "m.py",
        _IMPORT + "".join(f"def f{k}():\n{calls}" for k in range(size)) + "def start():\n    f0()\n    change()\n",
    )


@_program(100, 2_000)
def _everyone_is_passed_on(size: int) -> _Files:
    functions = "".join(
        f"def f{k}(g):\n    g(f{(k + 1) % size})\n    return f{(k * 7 + 3) % size}\n" for k in range(size)
    )
    yield "m.py", f"{_IMPORT}{functions}def start():\n    f0(f1)(f2)(f3)(change)\n    change()\n"


@_program(50, 2_000)
def _containers_that_hold_themselves(size: int) -> _Files:
    lists = "".join(f"l{k} = [change]\n" for k in range(size))
    held = "".join(f"l{k}.append(l{(k + 1) % size})\nl{k}.append(l{k})\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{lists}{held}def start(a=1):\n    l0{'[a]' * 50}()\n    l0[0]()\n"


@_program(10, 10)
def _wrappers(size: int) -> _Files:
    """Each level is called from ten places, each with a closure of its own."""
    text = "def w0(f):\n    f()\n"
    for level in range(1, size):
        text += f"def w{level}(f):\n"
        text += "".join(f"    def g{k}():\n        f()\n    w{level - 1}(g{k})\n" for k in range(10))
    yield "m.py", f"{_IMPORT}{text}def start():\n    w{size - 1}(change)\n"


@_program(10, 10)
def _wrapper_classes(size: int) -> _Files:
    """Each level wraps what it is given in ten objects."""
    text = "".join(
        f"class W{k}:\n    def __init__(self, f):\n        self.f = f\n    def __call__(self):\n        self.f()\n"
        for k in range(10)
    )
    text += "def w0(f):\n    f()\n"
    for level in range(1, size):
        text += f"def w{level}(f):\n" + "".join(f"    w{level - 1}(W{k}(f))\n" for k in range(10))
    yield "m.py", f"{_IMPORT}{text}def start():\n    w{size - 1}(change)\n"


@_program(200, 10_000)
def _union_of_classes(size: int) -> _Files:
    classes = "".join(f"class C{k}:\n    def m(self):\n        change()\n" for k in range(size))
    union = " | ".join(f"C{k}" for k in range(size))
    yield "m.py", f"{_IMPORT}{classes}def start(c: {union}):\n    c.m()\n"


@_program(200, 10_000)
def _one_of_many_objects(size: int) -> _Files:
    classes = "".join(f"class C{k}:\n    def m(self):\n        change()\n" for k in range(size))
    made = "".join(f"    if a == {k}:\n        c = C{k}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}{classes}def start(a=1):\n    c = None\n{made}    c.m()\n"


@_program(200, 10_000)
def _attributes_of_an_object(size: int) -> _Files:
    written = "".join(f"        self.a{k} = change\n" for k in range(size))
    read = "".join(f"    def m{k}(self):\n        self.a{k}()\n" for k in range(size))
    yield "m.py", f"{_IMPORT}class C:\n    def __init__(self):\n{written}{read}def start():\n    C().m{size - 1}()\n"


@_program(50, 5_000)
def _writers_of_a_state(size: int) -> _Files:
    functions = "".join(f"def f{k}():\n    torch.start.flag = {k}\n    torch.start.change()\n" for k in range(size))
    calls = "".join(f"    f{k}()\n" for k in range(size))
    yield "m.py", f"import torch.start\n{functions}def start():\n{calls}"


@_program(50, 5_000)
def _threads(size: int) -> _Files:
    functions = "".join(f"def f{k}():\n    torch.start.flag = {k}\n" for k in range(size))
    calls = "".join(f"    threading.Thread(target=f{k}).start()\n" for k in range(size))
    yield "m.py", f"import threading\nimport torch.start\n{functions}def start():\n{calls}    torch.start.change()\n"


@_program(12, 200)
def _many_ways(size: int) -> _Files:
    """Between two ends, 2 to the power of the size paths."""
    functions = "".join(
        f"def f{k}(a):\n    g{k}(a)\n    h{k}(a)\ndef g{k}(a):\n    f{k + 1}(a)\n"
        f"def h{k}(a):\n    if a:\n        f{k + 1}(a)\n"
        for k in range(size)
    )
    yield "m.py", f"{_IMPORT}{functions}def f{size}(a):\n    change()\ndef start(a=1):\n    f0(a)\n"


@_program(20, 1_000)
def _folders(size: int) -> _Files:
    yield "a/" * min(size, 1_500) + "deep.py", f"{_IMPORT}def f(): change()\n"
    yield "m.py", f"from torch.{'a.' * min(size, 1_500)}deep import f\ndef start():\n    f()\n"


@_program(1, 1)
def _odd_names(size: int) -> _Files:
    for name in (
        b"\xff\xfe.py",
        b"new\nline.py",
        b"tab\t.py",
        b"\x1b[31mred.py",
        "é.py".encode(),
        b"a b.py",
        b"-x.py",
        b"'.py",
        b"<b>.py",
        b"\xed\xa0\x80.py",
    ):
        yield name, f"{_IMPORT}def f(): change()\n"
    yield "m.py", f"{_IMPORT}def start():\n    change()\n"
