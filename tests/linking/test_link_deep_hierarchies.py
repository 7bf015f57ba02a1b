"""Hierarchies deeper than Python's stack."""

from linked import link_sources


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
