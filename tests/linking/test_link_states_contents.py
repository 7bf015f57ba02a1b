"""Shared state that is changed in place: what a module-level container or object holds."""

import pytest
from linked import link_sources


@pytest.mark.parametrize(
    ("value", "statement", "form"),
    [
        ("{}", "X[k] = 1", "subscript"),
        ("{}", "X['a'] += 1", "subscript"),
        ("{}", "X['a'], y = 1, 2", "subscript"),
        ("{}", "del X['a']", "delete"),
        ("[]", "X[0] = 1", "subscript"),
        ("[]", "X[1:] = []", "subscript"),
        ("[]", "X.append(1)", "mutating call"),
        ("[]", "X.extend(k)", "mutating call"),
        ("[]", "X.insert(0, k)", "mutating call"),
        ("[]", "X.pop()", "mutating call"),
        ("[]", "X.remove(k)", "mutating call"),
        ("[]", "X.clear()", "mutating call"),
        ("[]", "X.sort()", "mutating call"),
        ("[]", "X.reverse()", "mutating call"),
        ("set()", "X.add(k)", "mutating call"),
        ("{1}", "X.discard(k)", "mutating call"),
        ("{1}", "X.update(k)", "mutating call"),
        ("{1}", "X.difference_update(k)", "mutating call"),
        ("{}", "X.update(k)", "mutating call"),
        ("{}", "X.setdefault(k, 1)", "mutating call"),
        ("{}", "X.pop(k)", "mutating call"),
        ("{}", "X.popitem()", "mutating call"),
        ("{}", "X.clear()", "mutating call"),
        ("dict(a=1)", "X.update(k)", "mutating call"),
        ("list(range(3))", "X.append(k)", "mutating call"),
        ("[None] * 3", "X[0] = k", "subscript"),
        ("[] + [1]", "X.append(k)", "mutating call"),
        ("{} if __debug__ else {1: 2}", "X[1] = k", "subscript"),
        ("[x for x in range(3)]", "X.append(k)", "mutating call"),
        ("{x: 1 for x in range(3)}", "X[k] = 1", "subscript"),
        ("collections.defaultdict(list)", "X[k] = 1", "subscript"),
        ("collections.OrderedDict()", "X.move_to_end(k)", "mutating call"),
        ("collections.deque()", "X.appendleft(k)", "mutating call"),
        ("collections.Counter()", "X.update(k)", "mutating call"),
        ("weakref.WeakKeyDictionary()", "X[k] = 1", "subscript"),
        ("weakref.WeakSet()", "X.add(k)", "mutating call"),
        ("queue.Queue()", "X.put(k)", "mutating call"),
        ("itertools.count()", "next(X)", "mutating call"),
    ],
)
def test_every_change_of_a_module_level_container_is_a_write(value: str, statement: str, form: str) -> None:
    graph = link_sources(f"""
        import collections
        import itertools
        import queue
        import weakref
        X = {value}
        Y = {value}
        def f(k):
            {statement}
        def unrelated(X, k):
            {statement}
    """)
    assert graph.writes("X") == {("f", form)}
    assert graph.writes("Y") == set()
    assert graph.state("X") == ("module global", "process")


def test_an_augmented_assignment_after_global_writes_once():
    graph = link_sources("""
        X = []
        def f():
            global X
            X += [1]
    """)
    assert graph.writes("X") == {("f", "augmented")}


def test_in_place_union_of_a_container_without_global_is_a_write():
    graph = link_sources("""
        X = set()
        class C:
            names = set()
            def f(self): self.names |= {1}
        def g():
            alias = X
            alias |= {1}
    """)
    assert graph.writers("X") == {"g"}
    assert "C.f" in graph.writers("C.names")


@pytest.mark.parametrize("name", ["X", "a.X", "renamed", "alias", "p.X"])
def test_a_container_is_changed_under_every_name_that_it_has(name: str) -> None:
    graph = link_sources(
        {
            "m": f"""
            import a
            import p
            from a import X
            from a import X as renamed
            alias = a.X
            def f(): {name}.append(1)
            def g(): {name}[0] = 1
        """,
            "a": "X = []",
            "p": "from a import X",
        }
    )
    assert graph.writes("a.X") == {("f", "mutating call"), ("g", "subscript")}


@pytest.mark.parametrize("annotation", ["dict[str, int]", "'dict[str, int]'", "Final", "Any"])
def test_a_container_whose_name_is_annotated_is_changed(annotation: str) -> None:
    graph = link_sources(f"""
        from typing import Any, Final
        X: {annotation} = {{}}
        def f(): X["a"] = 1
        def g(): X.clear()
    """)
    assert graph.writes("X") == {("f", "subscript"), ("g", "mutating call")}


def test_a_container_with_two_names_is_changed_under_both():
    graph = link_sources("""
        X = Y = {}
        def f(): X["a"] = 1
        def g(): Y["a"] = 1
    """)
    assert graph.writers("X") == {"f", "g"}
    assert graph.writers("Y") == {"f", "g"}


def test_what_is_made_of_a_container_is_another_one():
    graph = link_sources("""
        X = []
        Y = X + [1]
        Z = list(X)
        def f(): Y.append(1)
        def g(): Z.append(1)
    """)
    assert graph.writes("X") == set()
    assert graph.writers("Y") == {"f"}
    assert graph.writers("Z") == {"g"}


def test_a_container_that_a_function_makes_for_a_global_is_changed():
    graph = link_sources("""
        X = None
        def start():
            global X
            X = {}
        def f(): X["a"] = 1
    """)
    assert graph.writes("X") == {("start", "global"), ("f", "subscript")}


def test_a_container_is_changed_through_a_local_name():
    graph = link_sources("""
        X = {}
        def f():
            table = X
            table["a"] = 1
    """)
    assert graph.writes("X") == {("f", "subscript")}


def test_a_container_is_changed_through_a_parameter():
    graph = link_sources("""
        X = []
        def put(items): items.append(1)
        def f(): put(X)
    """)
    assert graph.writes("X") == {("put", "mutating call")}


def test_a_container_is_changed_through_what_a_function_returns():
    graph = link_sources("""
        X = {}
        def table(): return X
        def f(): table()["a"] = 1
    """)
    assert graph.writes("X") == {("f", "subscript")}


def test_a_container_in_a_class_is_changed():
    graph = link_sources("""
        class C:
            names = []
            @classmethod
            def put(cls): cls.names.append(1)
            def add(self): self.names.append(1)
        def f(): C.names.append(1)
    """)
    assert graph.writers("C.names") == {"C.put", "C.add", "f"}
    assert graph.state("C.names") == ("class attribute", "process")


def test_a_container_in_a_module_level_object_is_changed():
    graph = link_sources("""
        class Registry:
            def __init__(self): self.items = {}
            def put(self, name): self.items[name] = 1
        registry = Registry()
        def f(): registry.put("a")
    """)
    assert "Registry.put" in graph.writers("Registry.items")


def test_a_container_in_a_container_is_changed():
    graph = link_sources("""
        from collections import defaultdict
        X = {"a": []}
        Y = defaultdict(list)
        def f(): X["a"].append(1)
        def g(name): Y[name].append(1)
    """)
    assert graph.writers("X") == {"f"}
    assert graph.writers("Y") == {"g"}


def test_a_module_level_object_that_extends_a_container_is_changed():
    graph = link_sources("""
        class Registry(dict): pass
        X = Registry()
        def f(): X["a"] = 1
        def g(): X.update(b=2)
    """)
    assert graph.writers("X") == {"f", "g"}


def test_a_module_level_object_with_its_own_setitem_runs_it_and_is_changed():
    graph = link_sources("""
        class Registry:
            def __init__(self): self.items = {}
            def __setitem__(self, key, value): self.items[key] = value
        X = Registry()
        def f(): X["a"] = 1
    """)
    assert graph.callees("f") == {"Registry.__setitem__"}
    assert graph.writers("Registry.items") == {"Registry.__init__", "Registry.__setitem__"}


def test_looking_at_a_container_is_no_write():
    graph = link_sources("""
        X = {}
        Y = []
        def f(k):
            X[k]
            X.get(k)
            X.items()
            k in X
            len(X)
            Y.index(k)
            Y + [1]
            Y.copy().append(1)
            list(Y).append(1)
            sorted(Y)
    """)
    assert graph.writes("X") == set()
    assert graph.writes("Y") == set()


def test_a_local_container_is_no_state():
    graph = link_sources("""
        X = []
        def f():
            X = []
            X.append(1)
    """)
    assert graph.writes("X") == set()


def test_what_the_module_body_puts_in_is_a_write_of_the_module_body():
    graph = link_sources("""
        X = {}
        X["a"] = 1
    """)
    assert graph.writes("X") == {("<module>", "subscript")}


def test_a_mutable_default_is_a_state_of_its_own():
    graph = link_sources("""
        X = []
        def f(seen=[]): seen.append(1)
    """)
    assert graph.writes("X") == set()


def test_what_is_put_into_a_container_is_changed_under_its_name():
    graph = link_sources("""
        X = {}
        Y = {}
        def start(k): X[k] = []
        def f(k): X[k].append(1)
        def g(k): X.setdefault(k, set()).add(1)
        def h():
            for value in X.values(): value.clear()
        def unrelated(k): [].append(X[k])
    """)
    assert graph.writers("X") == {"start", "f", "g", "h"}
    assert graph.writers("Y") == set()
