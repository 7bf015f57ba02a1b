"""Mappings: what one takes over from another is told apart by key as it was there."""

import pytest
from linked import link_sources

_BOTH = """
    import collections
    def g(): pass
    def h(): pass
    table = {"g": g}
    more = {"h": h}
    made = {}
    def f(): made["g"]()
    def all(name): made[name]()
"""


@pytest.mark.parametrize(
    "made",
    [
        "{**table, **more}",
        "table | more",
        "dict(table, **more)",
        "dict(more, g=g)",
        "dict([('g', g), ('h', h)])",
        "dict(zip(['g'], [g]), h=h)",
        "collections.OrderedDict(table, h=h)",
        "collections.defaultdict(None, table, h=h)",
        "collections.ChainMap(table, more)",
        "table.copy() | more",
    ],
)
def test_a_new_mapping_of_several_others(made: str) -> None:
    graph = link_sources(_BOTH.replace("made = {}", f"made = {made}"))
    assert graph.callees("f") == {"g"}
    assert graph.callees("all") == {"g", "h"}


@pytest.mark.parametrize(
    "change",
    [
        "made |= table; made |= more",
        "made.update(table, h=h)",
        "made.update([('g', g), ('h', h)])",
        "made.setdefault('g', g); made.setdefault('h', h)",
        "made.__setitem__('g', g); made.__setitem__('h', h)",
    ],
)
def test_a_mapping_that_is_added_to(change: str) -> None:
    graph = link_sources(_BOTH.replace("made = {}", f"made = {{}}; {change}"))
    assert graph.callees("f") == {"g"}
    assert graph.callees("all") == {"g", "h"}


def test_an_object_in_a_display_is_asked_for_its_items():
    graph = link_sources("""
        class Options:
            def keys(self): return ["a"]
            def __getitem__(self, key): return g
        def g(): pass
        def f(): {**Options()}["a"]()
    """)
    assert graph.callees("f") >= {"Options.keys", "Options.__getitem__", "g"}


def test_the_items_of_a_class_that_extends_dict():
    graph = link_sources("""
        class Table(dict): pass
        def g(): pass
        def h(): pass
        table = Table(g=g)
        table["h"] = h
        made = {**table}
        def f(): made["g"]()
    """)
    assert "g" in graph.callees("f")


def test_options_that_are_handed_on():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def use(a, b): a()
        def inner(**options): use(**{**options, "b": h})
        def f(): inner(a=g)
    """)
    assert graph.callees("use") == {"g"}


def test_the_options_of_a_function_are_no_dict_that_it_makes():
    graph = link_sources("""
        def g(): pass
        def h(): pass
        def f(a, b, **options):
            table = {"g": g}
            options["g"]()
        f(1, 2, g=h)
    """)
    assert graph.callees("f") == {"h"}


def test_a_name_that_a_mapping_adds_is_called_by_it():
    graph = link_sources("""
        def g(): pass
        class C: pass
        def install(c: C):
            for name, value in dict({"run": g}, **{}).items(): setattr(c, name, value)
        def f(c: C): c.run()
    """)
    assert graph.callees("f") == {"g"}
