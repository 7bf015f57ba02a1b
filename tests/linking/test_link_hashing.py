"""Keys are hashed and compared by whatever looks them up."""

import pytest
from linked import link_sources

_KEY = """
    import functools
    class Key:
        def __hash__(self): pass
        def __eq__(self, other): pass
    class Plain: pass
    class Own:
        def __getitem__(self, key): pass
        def __contains__(self, key): pass
    D = {}
    S = set()
    @functools.lru_cache(None)
    def cached(key): pass
    k = Key()
"""


@pytest.mark.parametrize(
    "expression",
    [
        "D[k]",
        "D.get(k)",
        "D.setdefault(k, 1)",
        "D.pop(k)",
        "k in D",
        "k not in D",
        "S.add(k)",
        "S.discard(k)",
        "k in S",
        "{k: 1}",
        "{k}",
        "{k for _ in x}",
        "{k: 1 for _ in x}",
        "set([k])",
        "frozenset((k,))",
        "S | {1, k}",
        "D[1, k]",
        "D[(1, (2, k))]",
        "dict.fromkeys([k])",
        "x[k]",
        "k in x",
    ],
)
def test_a_key_is_hashed(expression: str) -> None:
    graph = link_sources(f"{_KEY}\n    def f(x): return {expression}")
    assert {("Key.__hash__", "operator", "certain"), ("Key.__eq__", "operator", "certain")} <= graph.edges("f")


@pytest.mark.parametrize("statement", ["D[k] = 1", "del D[k]", "x[k] = 1", "cached(k)", "cached(key=k)"])
def test_a_key_is_hashed_by_a_statement(statement: str) -> None:
    graph = link_sources(f"{_KEY}\n    def f(x):\n        {statement}")
    assert "Key.__hash__" in graph.callees("f")


@pytest.mark.parametrize("expression", ["D[Plain()]", "[k]", "(k,)", "D[0]", "[1, 2][k]", "Own()[k]", "k in Own()"])
def test_nothing_is_hashed(expression: str) -> None:
    graph = link_sources(f"{_KEY}\n    def f(x): return {expression}")
    assert "Key.__hash__" not in graph.callees("f")


@pytest.mark.parametrize("expression", ["hash(k)", "hash((1, k))"])
def test_hash_only_hashes(expression: str) -> None:
    graph = link_sources(f"{_KEY}\n    def f(x): return {expression}")
    assert graph.edges("f") == {("Key.__hash__", "operator", "certain")}


@pytest.mark.parametrize("expression", ["k in (1, 2)", "x in (1, k)", "x in [k]", "k not in [1]"])
def test_looking_for_an_item_in_a_sequence_only_compares(expression: str) -> None:
    graph = link_sources(f"{_KEY}\n    def f(x): return {expression}")
    assert graph.edges("f") == {("Key.__eq__", "operator", "certain")}


def test_a_class_as_a_key_is_hashed_by_its_metaclass():
    graph = link_sources("""
        class Meta(type):
            def __hash__(cls): pass
        class A(metaclass=Meta): pass
        def f(x): return x[A]
    """)
    assert graph.callees("f") == {"Meta.__hash__"}


def test_a_tuple_that_holds_itself_is_a_key():
    graph = link_sources("""
        class Key:
            def __hash__(self): pass
        def f(d):
            t = (Key(),)
            while d: t = (t, t)
            return d[t]
    """)
    assert graph.callees("f") == {"Key.__hash__"}
