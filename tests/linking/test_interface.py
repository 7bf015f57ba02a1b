"""What linking leaves behind for code on top of it, as far as no question shows it (see tests/questions/test_code)."""

from __future__ import annotations

import dataclasses

import pytest
from linked import link_sources

from deepgrep.linking.interface import INDEX, section
from deepgrep.linking.library import Library
from deepgrep.linking.program import ClassInfo, Frame, ModuleInfo, Program, UnitInfo
from deepgrep.linking.solver import Solver
from deepgrep.linking.values import ClassValue, Container, FunctionValue, InstanceValue, Many, Partial
from deepgrep.models import load

# What code on top does not need of a library, as its functions are not evaluated, or as it is made anew.
NOT_STORED = {
    ModuleInfo: {"facts"},
    ClassInfo: {"stated_bases", "or_outside", "_stored"},
    UnitInfo: {
        "shared", "stated", "closed", "states_contents", "_places", "_positional", "_users", "_made_for_globals",
        "_given_back", "_returned_tuples",
    },
    Frame: {
        "number", "cells", "stated", "values", "variables", "pending", "is_cut", "base", "own", "clones", "is_rest",
        "at_import", "declared",
    },
    Container: {"_number", "pool", "site"},
    Partial: {"_number"},
}  # fmt: skip
STORED = {
    ModuleInfo: {
        "name", "path", "is_package", "order", "names", "late", "stars", "units", "classes", "replaced_class",
        "unnamed", "deleted", "listed",
    },
    ClassInfo: {
        "name", "module", "facts", "order", "bases", "metaclass", "attributes", "fields", "makes", "declared",
        "factories", "late_fields",
    },
    UnitInfo: {
        "module", "index", "facts", "order", "cls", "binding", "predicate", "states_result", "is_inert", "returned",
    },
    Frame: {"unit", "parent", "context", "depth", "order", "result", "yielded"},
    Container: {"class_name", "element", "key", "items"},
    Partial: {"frame", "callee", "star", "double_star", "args", "keywords"},
}  # fmt: skip


@pytest.mark.parametrize("kind", NOT_STORED)
def test_every_attribute_is_part_of_the_interface_or_not_needed(kind: type) -> None:
    # One that is new here must be added to interface.py, publishing.py and library.py, if code on top can see it.
    assert {field.name for field in dataclasses.fields(kind)} | ({"_number"} & NOT_STORED[kind]) == (
        STORED[kind] | NOT_STORED[kind]
    )


def opened(sources: str | dict[str, str]) -> tuple[Library, Solver]:
    sections = link_sources(sources).rows.interface
    library = Library(sections.__getitem__)
    return library, Solver(Program([], library), load())


def held(library: Library, module: str, name: str) -> object:
    info = library.module(module)
    assert info is not None
    (value,) = info.names[name].values
    return value


def test_a_module_is_made_when_it_is_first_looked_at() -> None:
    loaded = []
    sections = link_sources({"a": "import b\nx = b.C()", "b": "class C: pass"}).rows.interface

    def load_section(name: str) -> bytes:
        loaded.append(name)
        return sections[name]

    library = Library(load_section)
    Solver(Program([], library), load())
    module = library.module("a")
    assert module is not None
    assert loaded == [INDEX, section(0)]
    assert [type(value) for value in module.names["x"].values] == [InstanceValue]
    assert loaded == [INDEX, section(0), section(1)]


def test_an_object_is_the_same_from_wherever_it_is_looked_at() -> None:
    library, _ = opened({"a": "from b import registry, C, f", "b": "registry = {}\nclass C: pass\ndef f(): pass"})
    for name, kind in (("registry", Container), ("C", ClassValue), ("f", FunctionValue)):
        value = held(library, "b", name)
        assert isinstance(value, kind)
        assert held(library, "a", name) is value


def test_containers_and_partials_may_hold_themselves() -> None:
    library, _ = opened("import functools\nx = []\nx.append(x)\ndef f(): pass\np = functools.partial(f, x)\nf.p = p")
    x = held(library, "m", "x")
    assert isinstance(x, Container)
    assert x.element.values == {x}
    partial = held(library, "m", "p")
    assert isinstance(partial, Partial)
    assert partial.args[0].values == {x}


def test_what_holds_an_object_is_known() -> None:
    library, solver = opened("registry = {}")
    assert solver.objects[held(library, "m", "registry")] == {"m.registry": None}  # type: ignore[index]


def test_classes_know_their_bases_members_and_subclasses() -> None:
    library, solver = opened("class A:\n  x = 1\n  def f(self): self.y = 2\nclass B(A): pass\nclass C(B): pass")
    a, b, c = (held(library, "m", name) for name in "ABC")
    assert isinstance(a, ClassValue)
    assert isinstance(b, ClassValue)
    assert isinstance(c, ClassValue)
    assert solver.hierarchy.mro(c.cls) == (c.cls, b.cls, a.cls)
    assert solver.hierarchy.subclasses(a.cls) == (b.cls, c.cls)
    assert (set(a.cls.attributes), set(a.cls.fields)) == ({"x", "f"}, {"y"})
    assert solver.hierarchy.find(c.cls, "y", False).fields


def test_a_place_that_was_cut_stays_cut() -> None:
    functions = "\n".join(f"def f{i}(): pass\nx.append(f{i})" for i in range(12))
    library, solver = opened(f"x = []\n{functions}")
    x = held(library, "m", "x")
    assert isinstance(x, Container)
    (many,) = [value for value in x.element.values if isinstance(value, Many)]
    assert len(solver.members(many)) == 4
    assert x.element.is_full


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x): return x", (0,)),
        ("def f(x, y): return y if x else y", (1,)),
        ("def f(*x): return x", ()),
        ("def f(x): return x()", ()),
        ("def f(x):\n  def g(): return x\n  return g", ()),
    ],
)
def test_the_parameters_that_a_function_gives_back(source: str, expected: tuple[int, ...]) -> None:
    library, _ = opened(source)
    function = held(library, "m", "f")
    assert isinstance(function, FunctionValue)
    assert function.unit.returned == expected


def test_a_method_gives_back_self_through_other_methods() -> None:
    library, _ = opened(
        "class C:\n  def f(self): return self.g(1)\n  def g(self, x): return self\n  def h(self): return 1"
    )
    cls = held(library, "m", "C")
    assert isinstance(cls, ClassValue)
    returned = {}
    for name, cell in cls.cls.attributes.items():
        (function,) = cell.values
        assert isinstance(function, FunctionValue)
        returned[name] = function.unit.returned
    assert returned == {"f": (0,), "g": (0,), "h": ()}
