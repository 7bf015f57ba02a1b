"""Every way in which Python binds a name, in a function and in a module."""

import re

import pytest
from facts_text import body, facts_of, unit_of

BINDINGS = [
    ("x = v", "assign: {x} = v"),
    ("x = y = v", "assign: {x} = v; assign: {y} = v"),
    ("x: T = v", "annotated: {x} = (v | a(T))"),
    ("x: T", "annotation: {x} = a(T)"),
    ("x += v", "augmented: {x} = __iadd__(x, v)"),
    ("x, y = v", "unpack: {x} = v#0; unpack: {y} = v#1"),
    ("[x, (y, z)] = v", "unpack: {x} = v#0; unpack: {y} = v#1#0; unpack: {z} = v#1#1"),
    ("x, *y, z = v", "unpack: {x} = v#0; unpack: {y} = each(v); unpack: {z} = v#-1"),
    ("f(x := v)", "walrus: {x} = v; f(v)"),
    ("for x in v: pass", "for: {x} = each(v)"),
    ("for x, y in v: pass", "for: {x} = each(v)#0; for: {y} = each(v)#1"),
    ("with v as x: pass", "with: {x} = with v"),
    ("with v as (x, y): pass", "with: {x} = with v#0; with: {y} = with v#1"),
    ("with v as x, w as y: pass", "with: {x} = with v; with: {y} = with w"),
    ("import x", "import: {x} = import x"),
    ("import x.b.c", "import: {x} = import x.b.c"),
    ("import a.b as x", "import: {x} = import a.b (renamed)"),
    ("from m import x", "import: {x} = from m import x"),
    ("from m import a as x", "import: {x} = from m import a"),
    ("try: pass\nexcept E as x: pass", "except: {x} = a(E)"),
    ("try: pass\nexcept (E, F) as x: pass", "except: {x} = a(tuple[E, F])"),
    ("try: pass\nexcept* E as x: pass", "except: {x} = a(E)"),
    ("def x(): pass", "definition: {x} = def {q}x()"),
    ("class x: pass", "definition: {x} = class {q}x()"),
    ("type x = T", "assign: {x} = T"),
    ("match v:\n case x: pass", "match: {x} = v"),
    ("match v:\n case A() as x: pass", "match: {x} = v as A"),
    ("match v:\n case [x, *y, z]: pass", "match: {x} = v#0; match: {y} = each(v); match: {z} = v#-1"),
    ("match v:\n case (1 | 2) | x: pass", "match: {x} = v"),
    ("match v:\n case {'k': x, **y}: pass", "match: {x} = v['k']; match: {y} = _"),
    ("match v:\n case A(x, k=y): pass", "match: {x} = v as A; match: {y} = v as A.k"),
]


@pytest.mark.parametrize(("statement", "expected"), BINDINGS, ids=[statement for statement, _ in BINDINGS])
def test_in_a_module_it_binds_a_global(statement: str, expected: str) -> None:
    names = {name: f"global {name}" for name in "xyz"}

    assert body(statement) == expected.format(**names, q="").split("; ")


@pytest.mark.parametrize(("statement", "expected"), BINDINGS, ids=[statement for statement, _ in BINDINGS])
def test_in_a_function_it_binds_a_local_variable(statement: str, expected: str) -> None:
    source = "def f0():\n" + "".join(f"  {line}\n" for line in statement.splitlines())
    names = {name: name for name in "xyz"}
    shown = expected.format(**names, q="f0.<locals>.").split("; ")

    # A variable that is bound to nothing of interest needs no operation; a global does: it is a write.
    assert body(source, "f0") == [text for text in shown if not text.endswith("= _")]
    own = {variable.name for variable in unit_of(facts_of(source), "f0").variables if variable.unit == -1}
    assert own - {""} == set(re.findall("{([xyz])}", expected))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("a.b = v", "assign: a.b = v"),
        ("a().b += v", "augmented: a().b = __iadd__(a().b, v)"),
        ("a.b: T = v", "annotated: a.b = (v | a(T))"),
        ("a[i] = v", "assign: a[i] = v"),
        ("a[i:j] = v", "assign: a[slice[i, j, None]] = v"),
        ("a[i, j] = v", "assign: a[tuple[i, j]] = v"),
        ("a[i] |= v", "augmented: a[i] = __ior__(a[i], v)"),
        ("a.b, c[0] = v", "unpack: a.b = v#0; unpack: c[0] = v#1"),
        ("for a.b in v: pass", "for: a.b = each(v)"),
        ("with v as a.b: pass", "with: a.b = with v"),
        ("del a.b", "del a.b"),
        ("del a[i]", "del a[i]"),
        ("del x, (y, z.w)", "del global x; del global y; del z.w"),
    ],
)
def test_attributes_and_items_are_targets_too(statement: str, expected: str) -> None:
    assert body(statement) == expected.split("; ")


def test_a_walrus_in_a_comprehension_binds_in_the_function_around_it() -> None:
    source = """
        def f():
            g([y := x for x in v if (z := x)])
            return y, z
        """

    assert body(source, "f")[-1] == "return tuple[y, z]"
    assert "walrus: y = x" in body(source, "f")


def test_a_walrus_in_a_lambda_binds_in_the_lambda() -> None:
    assert body("f = lambda: (y := g(), y)", "<lambda>") == ["walrus: y = g()", "return tuple[g(), y]"]


@pytest.mark.parametrize(
    "definition",
    ["@d(x := v)\n  def g(): pass", "def g(a=(x := v)): pass", "class C((x := v)): pass", "lambda a=(x := v): a"],
)
def test_a_walrus_in_the_head_of_a_definition_binds_around_it(definition: str) -> None:
    assert "walrus: x = v" in body(f"def f():\n  {definition}\n", "f")


def test_deleting_makes_a_name_local() -> None:
    source = "def f():\n  del x\n  return x\n"

    assert [v.name for v in unit_of(facts_of(source), "f").variables] == ["", "x"]


def test_global_makes_every_binding_one_of_the_module() -> None:
    source = """
        def f():
            global x, y
            x = 1
            import y
            def x(): pass
            del x
        """

    assert body(source, "f") == [
        "assign: global x = 1",
        "import: global y = import y",
        "definition: global x = def x()",
        "del global x",
    ]


def test_nonlocal_binds_the_variable_of_the_function_around() -> None:
    source = """
        def f():
            x = 1
            def g():
                nonlocal x
                x = h()
        """
    facts = facts_of(source)

    (variable,) = unit_of(facts, "f.<locals>.g").variables[1:]
    assert (variable.name, variable.unit) == ("x", 1)
    assert facts.units[1].variables[variable.variable].name == "x"
    assert body(source, "f.<locals>.g") == ["assign: x = h()"]


def test_a_variable_that_is_read_before_it_is_assigned_reads_ahead() -> None:
    facts = facts_of("""
        def in_order(a):
            b = a
            return b
        def in_loop(c):
            while c:
                f(x)
                x = g()
        def updated(a):
            a = f(a)
        """)

    ahead = {unit.qualname: unit.reads_ahead for unit in facts.units}
    assert ahead == {"<module>": False, "in_order": False, "in_loop": True, "updated": True}
