"""Many subclasses, and many keys: what they hold is read as one, and as right as that of few."""

from linked import link_sources

MANY = range(9)
SUBCLASSES = "\n".join(f"class C{i}(Base):\n    def run(self): pass" for i in MANY)


def test_a_method_of_many_subclasses_is_any_of_theirs():
    graph = link_sources(f"class Base:\n    def run(self): pass\n{SUBCLASSES}\ndef f(x: Base): x.run()")
    assert graph.callees("f") == {"Base.run", *(f"C{i}.run" for i in MANY)}


def test_what_one_of_many_subclasses_is_given_later_is_found():
    graph = link_sources(f"""
class Base:
    def run(self): pass
{SUBCLASSES}
class Late(Base): pass
def later(self): pass
def f(x: Base): x.run()
def patch(): Late.run = later
""")
    assert "later" in graph.callees("f")


def test_a_field_of_many_classes_is_what_any_of_them_assigns():
    functions = "\n".join(f"def g{i}(): pass" for i in range(6))
    subclasses = "\n".join(f"class C{i}(Base):\n    def __init__(self): self.run = g{i}" for i in range(6))
    graph = link_sources(f"class Base: pass\n{functions}\n{subclasses}\ndef f(x: Base): x.run()")
    assert graph.callees("f") == {f"g{i}" for i in range(6)}


def test_a_static_method_among_many_overrides_is_called_as_it_is():
    graph = link_sources(f"""
class Base:
    def run(self): pass
{SUBCLASSES}
class Static(Base):
    @staticmethod
    def run(): pass
def f(x: Base): x.run()
""")
    assert "Static.run" in graph.callees("f")


def test_a_key_that_a_table_of_many_is_given_later_is_found():
    functions = "\n".join(f"def g{i}(): pass" for i in MANY)
    table = ", ".join(f'"g{i}": g{i}' for i in range(6))
    graph = link_sources(f"""
{functions}
def late(): pass
table = {{{table}}}
def f(name): table[name]()
def add(): table["late"] = late
""")
    assert graph.callees("f") == {"late", *(f"g{i}" for i in range(6))}


def test_super_leads_to_a_sibling_whose_method_is_assigned_later():
    graph = link_sources("""
        class Base:
            def run(self): pass
        class A(Base):
            def run(self): super().run()
        class B(Base): pass
        class Both(A, B): pass
        def late(self): pass
        def patch(): B.run = late
        def f(): Both().run()
    """)
    assert graph.callees("A.run") == {"Base.run", "late"}
