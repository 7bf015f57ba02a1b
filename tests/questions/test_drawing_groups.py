from __future__ import annotations

from msgspec.structs import replace

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.questions.drawing_groups import Grouped, Picture, by_cycle, by_package, each_function, readable


def drawn(*names: str, edges: list[tuple[int, int]], targets: tuple[int, ...] = (), lines: int = 1) -> Drawing:
    """A drawing of functions `module:name`, the first the root, the last (or `targets`) accessing the target."""
    targets = targets or (len(names) - 1,)
    functions = []
    for index, name in enumerate(names):
        module, _, label = name.partition(":")
        accesses = [9] if index in targets else []
        file = f"{module.replace('.', '/')}.py"
        functions.append(DrawnFunction(f"{module}.{label}", module, label, file, index + 1, False, accesses))
    chop = [ChopEdge(*ends, list(range(1, lines + 1)), Via.CALL, Certainty.CERTAIN) for ends in edges]
    return Drawing(0, list(targets), functions, chop, 0, 0)


def members(picture: Picture) -> list[list[int]]:
    return [node.functions for node in picture.nodes]


def test_functions_that_reach_each_other_are_one_node():
    picture = by_cycle(drawn("m:r", "m:a", "m:b", "m:c", "m:t", edges=[(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)]))
    assert members(picture) == [[0], [1, 2, 3], [4]]
    assert picture.grouped is Grouped.CYCLES
    assert [(link.caller, link.callee, link.edges) for link in picture.links] == [(0, 1, [0]), (1, 2, [4])]


def test_a_drawing_without_cycles_has_nothing_grouped():
    picture = by_cycle(drawn("m:r", "m:a", "m:t", edges=[(0, 1), (1, 2)]))
    assert members(picture) == [[0], [1], [2]]
    assert picture.grouped is Grouped.NOTHING


def test_best_paths_chokepoints_root_and_accesses_stay_apart_from_their_cycle():
    drawing = drawn("m:r", "m:a", "m:b", "m:c", "m:d", "m:t", edges=[(i, (i + 1) % 6) for i in range(6)])
    narrow = [replace(function, chokepoint=function.label == "d") for function in drawing.functions]
    picture = by_cycle(replace(drawing, functions=narrow, best=[[0, 1]]))
    assert members(picture) == [[0], [1], [2, 3], [4], [5]]


def test_a_cycle_is_drawn_in_a_module_only_if_all_of_it_is_there():
    edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3), (4, 5)]
    picture = by_cycle(drawn("m:r", "m:a", "m:b", "m:c", "n:d", "m:t", edges=edges))
    assert [node.module for node in picture.nodes if len(node.functions) > 1] == ["m", ""]


def test_links_on_a_best_path_are_told():
    drawing = replace(drawn("m:r", "m:a", "m:b", "m:t", edges=[(0, 1), (0, 2), (1, 3), (2, 3)]), best=[[0, 1, 3]])
    best = [(link.caller, link.callee) for link in each_function(drawing).links if link.is_best]
    assert best == [(0, 1), (1, 3)]


PACKAGES = ["p.a.x:f", "p.a.x:g", "p.a.y:f", "p.a.y:g", "p.b:f", "q:f"]


def packaged(most: int) -> Picture:
    chain = [(index, index + 1) for index in range(7)]
    return by_package(drawn("r:r", *PACKAGES, "t:t", edges=chain), most)


def test_packages_are_as_fine_as_there_is_room_for():
    assert [node.package for node in packaged(4).nodes] == ["", "p", "q", ""]
    assert [node.package for node in packaged(5).nodes] == ["", "p.a", "p", "q", ""]
    assert [node.package for node in packaged(9).nodes] == ["", "p.a.x", "p.a.y", "p.b", "q", ""]


def test_a_package_says_whether_parts_of_it_are_drawn_beside_it():
    assert {node.package: node.whole for node in packaged(5).nodes if node.package} == {
        "p.a": True,
        "p": False,
        "q": True,
    }


def test_every_function_is_in_just_one_node():
    for most in range(3, 12):
        assert sorted(index for node in packaged(most).nodes for index in node.functions) == list(range(8))


def test_of_many_links_between_packages_the_strong_ones_are_kept_and_the_others_counted():
    names = ["r:r", *(f"p{i}:f" for i in range(6)), "t:t"]
    edges = [(0, i) for i in range(1, 7)] + [(i, j) for i in range(1, 7) for j in range(1, 7) if i != j]
    picture = by_package(drawn(*names, edges=[*edges, (6, 7)]))
    assert picture.thin == len(edges) + 1 - len(picture.links) > 0
    entered = {link.callee for link in picture.links if link.caller < link.callee}
    assert entered == set(range(1, 8))


def chain(length: int) -> Drawing:
    names = [f"p{index % 70}.m:f{index}" for index in range(length)]
    return drawn(*names, edges=[(index, index + 1) for index in range(length - 1)])


def test_what_is_readable_depends_on_the_number_of_functions():
    loop = ChopEdge(5, 2, [1], Via.CALL, Certainty.CERTAIN)
    small, large = chain(40), chain(41)
    assert readable(replace(small, edges=[*small.edges, loop])).grouped is Grouped.NOTHING
    assert readable(replace(large, edges=[*large.edges, loop])).grouped is Grouped.CYCLES
    assert len(readable(chain(2000)).nodes) == 2000
    assert readable(chain(2001)).grouped is Grouped.PACKAGES
