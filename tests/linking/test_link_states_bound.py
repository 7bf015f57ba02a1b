"""Shared state that is bound anew: module globals, by name and as attributes of their module."""

import pytest
from linked import link_sources


@pytest.mark.parametrize(
    ("statement", "form"),
    [
        ("FLAG = 1", "global"),
        ("other = FLAG = 1", "global"),
        ("FLAG += 1", "augmented"),
        ("FLAG, other = 1, 2", "unpack"),
        ("other, (FLAG, third) = x", "unpack"),
        ("[FLAG] = x", "unpack"),
        ("other, *FLAG = x", "unpack"),
        ("print(FLAG := 1)", "walrus"),
        ("[FLAG := y for y in x]", "walrus"),
        ("for FLAG in x: pass", "for"),
        ("for other, FLAG in x: pass", "for"),
        ("with x as FLAG: pass", "with"),
        ("with x as (other, FLAG): pass", "with"),
        ("import os as FLAG", "import"),
        ("import FLAG", "import"),
        ("import FLAG.path", "import"),
        ("from os import path as FLAG", "import"),
        ("from os import FLAG", "import"),
        ("def FLAG(): pass", "definition"),
        ("class FLAG: pass", "definition"),
        ("del FLAG", "delete"),
        ("del other, FLAG", "delete"),
    ],
)
def test_every_binding_after_global_is_a_write(statement: str, form: str) -> None:
    graph = link_sources(f"""
        FLAG = None
        def f(x):
            global FLAG
            {statement}
        def unrelated(x):
            FLAG = 1
    """)
    assert graph.writes("FLAG") == {("f", form)}
    assert graph.state("FLAG") == ("module global", "process")


def test_an_exception_bound_after_global_is_a_write():
    graph = link_sources("""
        FLAG = None
        def f():
            global FLAG
            try: pass
            except Exception as FLAG: pass
    """)
    assert ("f", "except") in graph.writes("FLAG")


def test_a_match_capture_after_global_is_a_write():
    graph = link_sources("""
        FLAG = None
        def f(x):
            global FLAG
            match x:
                case [FLAG]: pass
    """)
    assert graph.writes("FLAG") == {("f", "match")}


def test_global_in_a_nested_function_is_that_function_s_write():
    graph = link_sources("""
        FLAG = None
        def f():
            def inner():
                global FLAG
                FLAG = 1
            inner()
    """)
    assert graph.writes("FLAG") == {("f.<locals>.inner", "global")}


def test_global_in_a_class_body_binds_the_global():
    graph = link_sources("""
        FLAG = None
        def f():
            class C:
                global FLAG
                FLAG = 1
    """)
    assert graph.writers("FLAG") == {"f"}


def test_a_global_that_only_a_function_binds_is_a_state():
    graph = link_sources("""
        def f():
            global FLAG
            FLAG = 1
    """)
    assert graph.writes("FLAG") == {("f", "global")}


def test_a_nonlocal_variable_is_no_state():
    graph = link_sources("""
        FLAG = None
        def f():
            FLAG = 1
            def inner():
                nonlocal FLAG
                FLAG = 2
    """)
    assert graph.writes("FLAG") == set()


def test_the_first_binding_in_the_module_body_is_the_definition_and_later_ones_are_writes():
    graph = link_sources("""
        FLAG = 1
        LEVEL = 1
        LEVEL = 2
    """)
    assert graph.writes("FLAG") == set()
    assert graph.writes("LEVEL") == {("<module>", "global")}


def test_an_annotated_first_binding_is_the_definition():
    graph = link_sources("""
        FLAG: int = 1
        LEVEL: int
        def f():
            global LEVEL
            LEVEL = 1
    """)
    assert graph.writes("FLAG") == set()
    assert graph.writes("LEVEL") == {("f", "global")}


@pytest.mark.parametrize(
    ("statement", "form"),
    [
        ("a.FLAG = 1", "attribute"),
        ("a.FLAG: int = 1", "annotated"),
        ("a.FLAG += 1", "augmented"),
        ("a.FLAG, other = x", "unpack"),
        ("for a.FLAG in x: pass", "for"),
        ("with x as a.FLAG: pass", "with"),
        ("del a.FLAG", "delete"),
        ("setattr(a, 'FLAG', 1)", "setattr"),
        ("delattr(a, 'FLAG')", "delete"),
        ("vars(a)['FLAG'] = 1", "subscript"),
        ("a.__dict__['FLAG'] = 1", "subscript"),
        ("a.__dict__.update(FLAG=1)", "mutating call"),
        ("vars(a).pop('FLAG')", "mutating call"),
        ("a.__setattr__('FLAG', 1)", "setattr"),
    ],
)
def test_every_binding_of_a_module_attribute_is_a_write(statement: str, form: str) -> None:
    graph = link_sources(
        {
            "m": f"""
            import a
            def f(x):
                {statement}
            def unrelated(x): x.FLAG = 1
        """,
            "a": "FLAG = None",
        }
    )
    assert graph.writes("a.FLAG") == {("f", form)}
    assert graph.state("a.FLAG") == ("module global", "process")


@pytest.mark.parametrize(
    "statement",
    ["globals()['FLAG'] = 1", "globals().update(FLAG=1)", "globals()['FLAG'] += 1"],
)
def test_binding_through_globals_is_a_write(statement: str) -> None:
    graph = link_sources(f"""
        FLAG = None
        def f(): {statement}
    """)
    assert graph.writers("FLAG") == {"f"}


@pytest.mark.parametrize(
    "module",
    ["a", "alias", "p.sub", "sys.modules['p.sub']", "importlib.import_module('p.sub')", "from_import"],
)
def test_a_module_is_written_under_every_name_that_it_has(module: str) -> None:
    target = "p.sub"
    graph = link_sources(
        {
            "m": f"""
            import importlib
            import sys
            import p.sub
            import p.sub as a
            from p import sub as from_import
            alias = a
            def f(): {module}.FLAG = 1
        """,
            "p": "",
            "p.sub": "FLAG = None",
        }
    )
    assert graph.writes(f"{target}.FLAG") == {("f", "attribute")}


def test_a_module_writes_itself_through_sys_modules():
    graph = link_sources("""
        import sys
        FLAG = None
        def f(): sys.modules[__name__].FLAG = 1
        def g(): setattr(sys.modules[__name__], "FLAG", 1)
    """)
    assert graph.writers("FLAG") == {"f", "g"}


def test_a_name_that_was_imported_is_another_binding():
    graph = link_sources(
        {
            "m": """
            from a import FLAG
            def f():
                global FLAG
                FLAG = 1
        """,
            "a": "FLAG = None",
        }
    )
    assert graph.writes("FLAG") == {("f", "global")}
    assert graph.writes("a.FLAG") == set()


def test_setattr_with_a_name_that_is_one_of_several_constants_writes_each():
    graph = link_sources(
        {
            "m": """
            import a
            def f():
                for name in ("FLAG", "LEVEL"):
                    setattr(a, name, 1)
        """,
            "a": "FLAG = None\nLEVEL = None\nOTHER = None",
        }
    )
    assert graph.writes("a.FLAG") == {("f", "setattr")}
    assert graph.writes("a.LEVEL") == {("f", "setattr")}
    assert graph.writes("a.OTHER") == set()


def test_setattr_with_an_unknown_name_may_write_any_attribute_of_the_module():
    graph = link_sources({"m": "import a\ndef f(name): setattr(a, name, 1)", "a": "FLAG = None"})
    assert graph.writes("a.*") == {("f", "setattr")}


def test_monkey_patching_a_function_of_a_module_is_a_write():
    graph = link_sources(
        {
            "m": """
            import a
            def mine(): pass
            def f(): a.g = mine
        """,
            "a": "def g(): pass",
        }
    )
    assert graph.writes("a.g") == {("f", "attribute")}


def test_binding_unknown_names_through_globals_may_bind_any():
    graph = link_sources("""
        def g(): pass
        def f(name): globals()[name] = g
        def h(): missing()
    """)
    assert graph.writes("*") == {("f", "subscript")}
    assert graph.callees("h") == {"g"}
