"""Reads of shared state, and writes that put back a saved value."""

import pytest
from linked import link_sources


@pytest.mark.parametrize(
    "statement",
    ["return FLAG", "print(FLAG)", "if FLAG: pass", "x = FLAG", "return not FLAG", "return f'{FLAG}'", "return [FLAG]",
     "return [1 for _ in x if FLAG]", "while FLAG: pass", "assert FLAG", "return lambda y=FLAG: y"],
)  # fmt: skip
def test_every_load_of_a_global_is_a_read(statement: str) -> None:
    graph = link_sources(f"""
        FLAG = None
        def f(x):
            {statement}
        def unrelated(FLAG): return FLAG
    """)
    assert graph.readers("FLAG") == {"f"}
    assert graph.writes("FLAG") == set()


@pytest.mark.parametrize(
    "expression",
    [
        "a.FLAG",
        "getattr(a, 'FLAG')",
        "getattr(a, 'FLAG', None)",
        "vars(a)['FLAG']",
        "a.__dict__['FLAG']",
        "hasattr(a, 'FLAG')",
    ],
)
def test_every_look_at_a_module_attribute_is_a_read(expression: str) -> None:
    graph = link_sources(
        {
            "m": f"""
            import a
            def f(): return {expression}
        """,
            "a": "FLAG = None",
        }
    )
    assert "f" in graph.readers("a.FLAG")
    assert graph.writes("a.FLAG") == set()


def test_from_import_reads_the_value_once():
    graph = link_sources({"m": "from a import FLAG\ndef f(): return FLAG", "a": "FLAG = None"})
    assert graph.readers("a.FLAG") == {"<module>"}
    assert graph.readers("FLAG") == {"f"}


def test_an_augmented_assignment_reads_and_writes():
    graph = link_sources("""
        COUNT = 0
        def f():
            global COUNT
            COUNT += 1
    """)
    assert graph.readers("COUNT") == {"f"}
    assert graph.writers("COUNT") == {"f"}


def test_an_assignment_alone_is_no_read():
    graph = link_sources("""
        FLAG = None
        def f():
            global FLAG
            FLAG = 1
    """)
    assert graph.readers("FLAG") == set()


def test_calling_a_function_is_no_read_of_it():
    graph = link_sources("""
        def g(): pass
        def f(): g()
    """)
    assert graph.readers("g") == set()


def test_calling_what_a_global_holds_is_a_read_of_the_global():
    graph = link_sources("""
        hook = None
        def g(): pass
        def install():
            global hook
            hook = g
        def f(): hook()
    """)
    assert graph.readers("hook") == {"f"}


def test_a_class_attribute_is_read_through_class_and_instance():
    graph = link_sources("""
        class C:
            x = 1
            def f(self): return self.x
            @classmethod
            def g(cls): return cls.x
        def h(): return C.x
        def k(): return C().x
    """)
    assert graph.readers("C.x") == {"C.f", "C.g", "h", "k"}


def test_an_attribute_of_a_module_level_object_is_read():
    graph = link_sources("""
        class Config:
            def __init__(self): self.size = 1
        config = Config()
        other = Config()
        def f(): return config.size
        def g(): return getattr(config, "size")
        def h(): return other.size
    """)
    assert graph.readers("config.size") == {"f", "g"}


@pytest.mark.parametrize(
    "expression",
    ["X['a']", "X.get('a')", "'a' in X", "len(X)", "list(X)", "[k for k in X]", "X.items()", "bool(X)", "X or 1",
     "X.copy()", "{**X}"],
)  # fmt: skip
def test_every_look_into_a_container_is_a_read(expression: str) -> None:
    graph = link_sources(f"""
        X = {{}}
        def f(): return {expression}
    """)
    assert graph.readers("X") == {"f"}
    assert graph.writes("X") == set()


def test_a_container_is_read_under_another_name():
    graph = link_sources({"m": "from a import X as table\ndef f(): return table['a']", "a": "X = {}"})
    assert "f" in graph.readers("a.X")


# Restores


def test_putting_back_a_saved_global_is_a_restore():
    graph = link_sources("""
        FLAG = None
        def f():
            global FLAG
            saved = FLAG
            FLAG = True
            try: pass
            finally: FLAG = saved
        def g():
            global FLAG
            FLAG = None
    """)
    assert graph.writers("FLAG") == {"f", "g"}
    assert graph.restores("FLAG") == {"f"}


def _restores_per_line(source: str | dict[str, str], state: str) -> list[bool]:
    graph = link_sources(source)
    index = next(i for i, s in enumerate(graph.rows.states) if s.name in (state, f"m.{state}"))
    rows = [a for a in graph.rows.accesses if a.state == index and a.access == "write"]
    return [a.restore for a in sorted(rows, key=lambda a: a.line)]


@pytest.mark.parametrize(
    ("save", "change", "restore"),
    [
        ("saved = a.FLAG", "a.FLAG = 1", "a.FLAG = saved"),
        ("saved = getattr(a, 'FLAG')", "setattr(a, 'FLAG', 1)", "setattr(a, 'FLAG', saved)"),
        ("saved = getattr(a, 'FLAG', None)", "a.FLAG = 1", "a.FLAG = saved"),
        ("saved, other = a.FLAG, 1", "a.FLAG = 1", "a.FLAG = saved"),
        ("saved, a.FLAG = a.FLAG, 1", "pass", "a.FLAG = saved"),
        ("(saved := a.FLAG)", "a.FLAG = 1", "a.FLAG = saved"),
        ("saved: int = a.FLAG", "a.FLAG = 1", "a.FLAG = saved"),
        ("saved = copy.copy(a.FLAG)", "a.FLAG = 1", "a.FLAG = saved"),
    ],
)
def test_only_the_write_of_the_saved_value_is_a_restore(save: str, change: str, restore: str) -> None:
    source = {
        "m": f"""
            import a
            import copy
            def f():
                {save}
                {change}
                {restore}
        """,
        "a": "FLAG = None",
    }
    assert _restores_per_line(source, "a.FLAG") == [False, True]


def test_a_closure_restores_what_the_function_around_it_saved():
    graph = link_sources(
        {
            "m": """
            import a
            def f():
                saved = a.FLAG
                a.FLAG = 1
                def undo(): a.FLAG = saved
                return undo
        """,
            "a": "FLAG = None",
        }
    )
    assert graph.restores("a.FLAG") == {"f.<locals>.undo"}


def test_exit_restores_what_enter_saved_in_self():
    graph = link_sources(
        {
            "m": """
            import a
            class Scope:
                def __enter__(self):
                    self.saved = a.FLAG
                    a.FLAG = 1
                def __exit__(self, *exc): a.FLAG = self.saved
        """,
            "a": "FLAG = None",
        }
    )
    assert graph.writers("a.FLAG") == {"Scope.__enter__", "Scope.__exit__"}
    assert graph.restores("a.FLAG") == {"Scope.__exit__"}


def test_an_environment_variable_is_restored():
    source = """
        import os
        def f():
            saved = os.environ.get("A")
            os.environ["A"] = "1"
            os.environ["A"] = saved
    """
    assert _restores_per_line(source, "os.environ[A]") == [False, True]


def test_an_item_is_restored():
    source = """
        X = {}
        def f():
            saved = X["a"]
            X["a"] = 1
            X["a"] = saved
    """
    assert _restores_per_line(source, "X") == [False, True]


def test_a_library_setting_is_restored():
    source = """
        import sys
        def f(hook):
            saved = sys.excepthook
            sys.excepthook = hook
            sys.excepthook = saved
    """
    assert _restores_per_line(source, "sys.excepthook") == [False, True]


def test_a_native_setting_is_restored():
    source = {
        "torch": "",
        "torch.a": """
            import torch
            def f():
                saved = torch._C.is_grad_enabled()
                torch._C._set_grad_enabled(False)
                torch._C._set_grad_enabled(saved)
        """,
    }
    assert _restores_per_line(source, "torch._C.grad_enabled") == [False, True]


def test_writing_a_parameter_is_no_restore():
    graph = link_sources("""
        FLAG = None
        def f(FLAG_value):
            global FLAG
            FLAG = FLAG_value
    """)
    assert graph.restores("FLAG") == set()


def test_writing_a_value_saved_from_another_state_is_no_restore():
    graph = link_sources("""
        FLAG = None
        OTHER = None
        def f():
            global FLAG
            saved = OTHER
            FLAG = saved
    """)
    assert graph.restores("FLAG") == set()


def test_the_attribute_of_that_name_of_another_object_is_no_restore():
    graph = link_sources(
        {
            "m": """
            import a
            import b
            def f():
                saved = b.FLAG
                a.FLAG = saved
        """,
            "a": "FLAG = None",
            "b": "FLAG = None",
        }
    )
    assert graph.restores("a.FLAG") == set()


def test_a_native_setting_saved_in_self_is_restored():
    graph = link_sources(
        {
            "torch": "",
            "torch.a": """
            import torch
            from torch import _C
            class Off:
                def __init__(self): self.saved = torch._C.is_grad_enabled()
                def __enter__(self):
                    torch._C._set_grad_enabled(False)
                def __exit__(self, *exc):
                    torch._C._set_grad_enabled(self.saved)
            class On:
                def __enter__(self):
                    self.saved = _C.is_grad_enabled()
                    _C._set_grad_enabled(True)
                def __exit__(self, *exc):
                    _C._set_grad_enabled(self.saved)
        """,
        }
    )
    assert graph.restores("torch._C.grad_enabled") == {"torch.a.Off.__exit__", "torch.a.On.__exit__"}
