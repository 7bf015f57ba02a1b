"""Hierarchies deeper than Python's stack."""

import pytest
from linked import link_sources

from deepgrep.linking import hierarchy
from deepgrep.linking.hierarchy import Hierarchy


def test_a_method_is_found_at_the_top_of_a_long_chain() -> None:
    classes = "".join(f"class C{k}(C{k - 1}): pass\n" for k in range(1, 600))
    linked = link_sources(
        f"def change(): pass\nclass C0:\n    def m(self): change()\n{classes}def start():\n    C599().m()\n"
    )
    assert any(callee.startswith("C0.m") for callee in linked.callees("start"))


def test_a_type_that_is_one_of_very_many_is_followed() -> None:
    union = " | ".join(["int"] * 600)
    linked = link_sources(f"class A:\n    def m(self): pass\ndef start(a: A | {union}):\n    a.m()\n")
    assert "A.m" in linked.callees("start")


def test_super_leads_through_every_class_of_a_long_chain() -> None:
    classes = "".join(f"class C{k}(C{k - 1}):\n    def m(self): super().m()\n" for k in range(1, 300))
    linked = link_sources(f"class C0:\n    def m(self): pass\n{classes}")
    assert linked.callees("C299.m") == {"C298.m"}
    assert linked.callees("C1.m") == {"C0.m"}


def test_super_leads_to_the_sibling_in_every_diamond_of_a_chain() -> None:
    override = "    def m(self): super().m()\n"
    classes = "".join(
        f"class A{k}(D{k - 1}):\n{override}class B{k}(D{k - 1}):\n{override}class D{k}(A{k}, B{k}):\n{override}"
        for k in range(1, 40)
    )
    linked = link_sources(f"class D0:\n    def m(self): pass\n{classes}class E(A7):\n{override}")
    assert linked.callees("A7.m") == {"B7.m", "D6.m"}
    assert linked.callees("A8.m") == {"B8.m", "D7.m"}
    assert linked.callees("B8.m") == {"D7.m"}
    assert linked.callees("D8.m") == {"A8.m"}


def test_where_each_of_a_long_chain_is_looked_up_the_orders_say_each_step_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class overrides, and calls the one before: what is looked at must not grow with the square of the chain."""
    looked = []
    found = Hierarchy.find_after
    monkeypatch.setattr(Hierarchy, "find_after", lambda *args: looked.append(args) or found(*args))
    classes = "".join(f"class C{k}(C{k - 1}):\n    def m(self): super().m()\n" for k in range(1, 300))
    link_sources(f"class C0:\n    def m(self): pass\n{classes}")
    assert len(looked) < 10 * 300


CALLING = "".join(
    f"class C{k}(C{k - 1}):\n    def m(self): super().m()\n    @property\n    def p(self): return 1\n"
    f"    def r{k}(self): self.m()\n    def q{k}(self): self.p\n"
    for k in range(1, 60)
)


def test_calls_of_a_method_with_few_overrides_lead_to_each() -> None:
    linked = link_sources(f"class C0:\n    def m(self): pass\n    p = 0\n{CALLING}")
    assert linked.callees("C50.r50") == {f"C{k}.m" for k in range(50, 60)}


def test_where_overrides_are_very_many_each_leads_to_one_place_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hierarchy, "MOST_TOLD_APART", 200)
    linked = link_sources(f"class C0:\n    def m(self): pass\n    p = 0\n{CALLING}")
    assert linked.callees("C30.r30") == {"C30.m", "<one of 59>"}
    assert linked.callees("C30.q30") >= {"C30.p", "<one of 59>"}
    reached = {callee for callee in linked.functions if callee == "<one of 59>"}
    assert reached == {"<one of 59>"}
    assert {f"C{k}.m" for k in range(1, 60)} <= linked.callees("<one of 59>")
    assert linked.callees("C58.r58") == {"C58.m", "C59.m"}  # few, as before


def test_a_class_is_made_by_the_constructor_of_one_of_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchy, "MOST_TOLD_APART", 5)
    classes = "".join(f"class C{k}(C0):\n    def __init__(self): change()\n" for k in range(1, 20))
    linked = link_sources(f"def change(): pass\nclass C0:\n    def copy(self): return type(self)()\n{classes}")
    assert linked.callees("C0.copy") == {"<one of 19>"}
    assert linked.callees("<one of 19>") == {f"C{k}.__init__" for k in range(1, 20)}
