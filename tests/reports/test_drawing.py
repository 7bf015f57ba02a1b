import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest
from hostile_names import HOSTILE
from msgspec.structs import replace
from report_examples import REACHES, dot_source, drawing_of

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge
from deepgrep.questions.drawing_groups import by_cycle, by_package, each_function
from deepgrep.reports.drawings import render as render_module
from deepgrep.reports.drawings.dot import picture_source
from deepgrep.reports.drawings.head import not_drawn
from deepgrep.reports.drawings.map import place_boxes
from deepgrep.reports.drawings.render import render, scaled_down


def line_of(dot: str, start: str) -> str:
    return next(line for line in dot.splitlines() if line.strip().startswith(start))


def svg_texts(dot: str) -> list[str]:
    root = ElementTree.fromstring(render(dot, "svg"))
    return [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_picture_shows_question_versions_functions_and_target():
    texts = svg_texts(dot_source(drawing_of(5), REACHES))
    assert "reaches: pkg.api.start can reach code that writes pkg.tracer._flag" in texts
    assert "pkg 2.13.0, commit 0123456789ab, digest fedcba987654" in texts
    assert {"Class0.method_0", "Class4.method_4", "pkg.tracer._flag", "pkg.part2"} <= set(texts)


def test_root_writers_and_target_are_told_from_other_functions_by_shape_and_colour():
    dot = dot_source(drawing_of(5), REACHES)
    looks = {name: line_of(dot, f"{name} [") for name in ("f0", "f1", "f4", "target")}
    assert "style=filled" in looks["f0"]
    assert "shape=octagon" in looks["target"]
    fills = [re.findall(r'fillcolor="(#\w+)"', line) for line in looks.values()]
    assert fills[1] == []
    assert len({fill for found in fills for fill in found}) == 3


def test_functions_are_drawn_in_a_cluster_for_each_module():
    dot = dot_source(drawing_of(5), REACHES)
    cluster = dot.split("subgraph cluster_0 {")[1].split("}")[0]
    assert 'label="pkg.part0\\l"' in cluster
    assert re.findall(r"^\s+(f\d+) \[", cluster, re.MULTILINE) == ["f0", "f4"]


def test_uncertain_edges_are_dashed_and_all_carry_their_lines():
    edges = [
        ChopEdge(0, 1, [3], Via.CALL, Certainty.CERTAIN),
        ChopEdge(1, 2, [4, 5, 6], Via.PROPERTY, Certainty.DISPATCH),
    ]
    dot = dot_source(replace(drawing_of(3), edges=edges), REACHES)
    assert 'label=" 3 "' in line_of(dot, "f0 -> f1")
    assert "style=solid" in line_of(dot, "f0 -> f1")
    assert 'label=" 4, 5, +1 property "' in line_of(dot, "f1 -> f2")
    assert "style=dashed" in line_of(dot, "f1 -> f2")


def test_edge_into_the_target_carries_the_accessing_lines():
    assert 'label=" writes 25, 29 "' in line_of(dot_source(drawing_of(3), REACHES), "f2 -> target")


def test_what_is_left_out_is_said_in_the_picture():
    some = replace(drawing_of(5), left_out_functions=120, left_out_edges=1)
    said = "not drawn: 120 functions and 1 edge that also lie on paths (--all draws them)"
    assert said in svg_texts(dot_source(some, REACHES))
    assert "not drawn" not in dot_source(drawing_of(5), REACHES)


def test_long_names_are_wrapped_at_dots():
    drawing = drawing_of(2)
    label = "_TorchDynamoContext.__call__.<locals>.compile_wrapper"
    drawing = replace(drawing, functions=[replace(drawing.functions[0], label=label), drawing.functions[1]])
    lines = re.search(r'label="(.*?)"', line_of(dot_source(drawing, REACHES), "f0 ["))[1].split("\\l")
    assert lines[:3] == ["_TorchDynamoContext.__call__.", "<locals>.compile_wrapper", "line 1"]


def nothing(_file, _line):
    return None


def test_dispatch_and_flow_are_told_apart_without_colour():
    edges = [ChopEdge(0, 1, [3], Via.CALL, Certainty.DISPATCH), ChopEdge(1, 2, [4], Via.CALL, Certainty.FLOW)]
    dot = dot_source(replace(drawing_of(3), edges=edges), REACHES)
    assert "style=dashed" in line_of(dot, "f0 -> f1")
    assert "style=dotted" in line_of(dot, "f1 -> f2")
    assert {"dashed: one of several overrides", "dotted: one of several values"} <= set(svg_texts(dot))


def test_best_path_stands_out_where_other_calls_are_drawn_too():
    drawing = replace(drawing_of(5), best=[[0, 3, 4]])
    dot = dot_source(drawing, REACHES)
    assert "penwidth=2" in line_of(dot, "f0 -> f3")
    assert "penwidth" not in line_of(dot, "f0 -> f1")
    assert "thick: on a best path" in svg_texts(dot)
    only = replace(drawing_of(3), edges=drawing_of(3).edges[:2], best=[[0, 1, 2]])
    assert "thick: on a best path" not in svg_texts(dot_source(only, REACHES))


def test_native_code_has_no_line():
    first, second = drawing_of(2).functions
    edges = [ChopEdge(0, 1, [0], Via.NATIVE, Certainty.CERTAIN)]
    drawing = replace(drawing_of(2), functions=[replace(first, line=0), second], edges=edges)
    dot = dot_source(drawing, REACHES, nothing, lambda file, line: f"https://example.org/{file}#L{line}")
    assert 'label="Class0.method_0\\l"' in line_of(dot, "f0 [")
    assert "URL" not in line_of(dot, "f0 [")
    assert 'label=" native "' in line_of(dot, "f0 -> f1")


def test_a_tooltip_says_how_many_accesses_it_leaves_out():
    drawing = drawing_of(2)
    many = replace(drawing.functions[1], accesses=list(range(11, 22)))
    dot = dot_source(replace(drawing, functions=[drawing.functions[0], many]), REACHES)
    assert "pkg/part1.py:18\\nand 3 more\\n" in line_of(dot, "f1 -> target")


def test_a_tooltip_says_how_many_calls_it_leaves_out():
    edges = [ChopEdge(0, 1, list(range(11, 22)), Via.CALL, Certainty.CERTAIN)]
    dot = dot_source(replace(drawing_of(2), edges=edges), REACHES)
    assert "pkg/part0.py:18\\nand 3 more calls\\n" in line_of(dot, "f0 -> f1")


def test_several_calls_drawn_as_one_have_the_style_of_the_surest():
    edges = [ChopEdge(0, 1, [line], Via.CALL, sure) for line, sure in ((3, Certainty.FLOW), (4, Certainty.CERTAIN))]
    picture = each_function(replace(drawing_of(2), edges=edges))
    picture = replace(picture, links=[replace(picture.links[0], edges=[0, 1])])
    dot = picture_source(picture, REACHES, lambda file, line: None, lambda file, line: None)
    assert "style=solid" in line_of(dot, "f0 -> f1")


def test_chokepoints_have_a_thick_border():
    dot = dot_source(drawing_of(5), REACHES)
    assert ["penwidth=2.5" in line_of(dot, f"f{index} [") for index in range(5)] == [True, False, False, False, True]


def test_the_legend_has_the_styles_of_lines_that_are_drawn():
    assert any(said.startswith("dotted") for said in svg_texts(dot_source(drawing_of(3), REACHES)))
    assert not any(said.startswith("dashed") for said in svg_texts(dot_source(drawing_of(3), REACHES)))


def test_the_boxes_of_a_map_do_not_touch():
    sizes = [[(60.0 + 7 * index, 20.0)] * (1 + index % 5) for index in range(20)]
    boxes = [box.corners for box in place_boxes(sizes, dict.fromkeys(range(20), (90.0, 14.0)))]
    for one, other in combinations(boxes, 2):
        ((left, bottom), (right, top)), ((left_2, bottom_2), (right_2, top_2)) = one, other
        assert right < left_2 or right_2 < left or top < bottom_2 or top_2 < bottom


def test_links_between_packages_that_are_left_out_are_counted():
    said = not_drawn(replace(by_package(drawing_of(300)), thin=12))
    assert "not drawn: 12 links between packages that hold fewer calls than others" in said


def test_tooltips_hold_the_lines_of_source():
    def source(file, line):
        return f"    {file} holds {line}\n"

    svg = render(dot_source(drawing_of(3), REACHES, source), "svg").decode().replace("&#160;", " ")
    assert 'xlink:title="pkg.part1.Class1.method_1&#10;pkg/part1.py:11  pkg/part1.py holds 11' in svg
    assert 'xlink:title="pkg/part0.py:2  pkg/part0.py holds 2' in svg
    assert "pkg/part2.py:25  pkg/part2.py holds 25&#10;pkg/part2.py:29  pkg/part2.py holds 29" in svg


def links_in(svg):
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}a")
    return {link.get("{http://www.w3.org/1999/xlink}href"): link.get("target") for link in found}


def test_functions_calls_and_accesses_link_to_the_public_source():
    dot = dot_source(drawing_of(2), REACHES, nothing, lambda file, line: f"https://example.org/{file}#L{line}")
    places = ["part0.py#L1", "part1.py#L11", "part0.py#L2", "part1.py#L15"]
    links = links_in(render(dot, "svg"))
    assert {f"https://example.org/pkg/{place}": "_blank" for place in places}.items() <= links.items()


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//example.org", "file:///etc/passwd"])
def test_only_addresses_on_the_web_become_links(address):
    svg = render(dot_source(drawing_of(2), REACHES, nothing, lambda file, line: address), "svg")
    assert set(links_in(svg)) == {None}


@pytest.mark.parametrize("address", ['https://x.org/"onclick="alert(1)', "https://x.org/\\N&lt;<script>"])
def test_addresses_cannot_leave_their_attribute(address):
    svg = render(dot_source(drawing_of(2), REACHES, nothing, lambda file, line: address), "svg")
    assert set(links_in(svg)) == {None, address}
    assert not [part for part in ElementTree.fromstring(svg).iter() if "script" in part.tag or part.get("onclick")]


def test_cycle_is_one_node_with_its_size_and_first_members():
    drawing = drawing_of(9)
    back = [ChopEdge(7, 1, [72], Via.CALL, Certainty.CERTAIN)]
    picture = by_cycle(replace(drawing, edges=[*drawing.edges, *back]))
    texts = svg_texts(picture_source(picture, REACHES, nothing, nothing))
    assert {"cycle of 7 functions", "pkg.part1.Class1.method_1", "and 4 more"} <= set(texts)
    assert any("those that can each reach all the others are one node, a cycle" in text for text in texts)


def test_packages_are_drawn_with_their_functions_and_calls_counted():
    texts = svg_texts(picture_source(by_package(drawing_of(30)), REACHES, nothing, nothing))
    assert {"pkg.part2", "7 functions", "Class0.method_0", "Class29.method_29"} <= set(texts)
    assert any(re.fullmatch(r" ?\d+ calls ?", text) for text in texts)
    assert any("too many to draw, so they are summarised by package or module" in text for text in texts)


def test_large_picture_is_a_map_on_which_no_two_functions_overlap():
    svg = ElementTree.fromstring(render(dot_source(drawing_of(400), REACHES), "svg"))
    boxes = []
    for node in svg.findall(".//*[@class='node']"):
        if node[0].text.startswith("f"):
            shape = next(part for part in node.iter() if part.get("d") or part.get("points"))
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", shape.get("d") or shape.get("points"))]
            boxes.append((min(numbers[::2]), max(numbers[::2]), min(numbers[1::2]), max(numbers[1::2])))
    assert len(boxes) == 400
    for i, (left, right, top, bottom) in enumerate(boxes):
        assert not [b for b in boxes[:i] if left < b[1] and b[0] < right and top < b[3] and b[2] < bottom]
    assert float(svg.get("width")[:-2]) < 4000 > float(svg.get("height")[:-2])


def test_drawing_of_2000_functions_and_6000_calls_is_drawn_in_time():
    drawing = drawing_of(2000)
    more = [ChopEdge(i, (i * 7 + k) % 2000, [1], Via.CALL, Certainty.FLOW) for i in range(1000) for k in (11, 400, 900)]
    dot = dot_source(replace(drawing, edges=[*drawing.edges, *more]), REACHES)
    assert render(dot, "svg", time_limit=15).startswith(b"<?xml")


SAME = """
import sys
sys.path[:0] = [{tests!r}, {code!r}]
from report_examples import REACHES, drawing_of
from deepgrep.questions.drawing_groups import by_cycle, by_package, each_function
from deepgrep.reports.drawings.dot import picture_source
from deepgrep.reports.drawings.mermaid import mermaid_source
from deepgrep.reports.drawings.render import render

source, link = lambda f, n: f"{{f}} {{n}}", lambda f, n: f"https://example.org/{{f}}#L{{n}}"
for picture in (by_cycle(drawing_of(30)), by_package(drawing_of(300)), by_cycle(drawing_of(300))):
    dot = picture_source(picture, REACHES, source, link)
    for made in (dot.encode(), *(render(dot, kind) for kind in ("svg", "png", "pdf"))):
        sys.stdout.buffer.write(made)
sys.stdout.write(mermaid_source(drawing_of(30), REACHES, link))
"""


def test_same_drawing_gives_the_same_bytes_in_every_run():
    script = SAME.format(tests=str(Path(__file__).parent), code=str(Path(__file__).parents[2]))
    runs = [
        subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True)
        for seed in ("1", "2")
    ]
    assert [run.stderr for run in runs] == [b"", b""]
    assert len(runs[0].stdout) > 100_000
    assert runs[0].stdout == runs[1].stdout


SHAPES = {"svg", "g", "a", "title", "text", "polygon", "polyline", "path", "ellipse"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_and_nothing_else(name):
    drawing = drawing_of(2)
    evil = replace(drawing.functions[0], name=name, module=name, label=name, file=name)
    answer = replace(REACHES, root=replace(REACHES.root, name=name), target=replace(REACHES.target, name=name))
    dot = dot_source(replace(drawing, functions=[evil, drawing.functions[1]]), answer, lambda file, line: name)
    svg = render(dot, "svg")
    picture = ElementTree.fromstring(svg)
    nodes = picture.findall(".//*[@class='node']")
    assert len(nodes) == 3
    assert {part.tag.partition("}")[2] for part in picture.iter()} <= SHAPES
    assert not [key for part in picture.iter() for key in part.attrib if key.startswith("on")]
    assert float(picture.get("width")[:-2]) < 4000


@pytest.mark.parametrize("name", ['a"b', "<b>bold</b>", "back\\slash\\", "\\N", "&lt;"])
def test_hostile_names_are_shown_as_they_are(name):
    drawing = drawing_of(2)
    evil = replace(drawing.functions[0], label=name)
    assert name in svg_texts(dot_source(replace(drawing, functions=[evil, drawing.functions[1]]), REACHES))


def test_png_is_bounded_in_size_and_tells_that_it_was():
    dot = dot_source(drawing_of(2), REACHES)
    small, large = render(dot, "png"), render(dot.replace("ranksep=0.45", "ranksep=300"), "png")
    assert scaled_down(small, "png") == ""
    assert scaled_down(large, "png") == "7,200 pixels"
    assert int.from_bytes(large[20:24]) == 7200


def test_drawing_that_takes_too_long_ends_with_advice():
    with pytest.raises(DeepgrepError, match=r"drawing took longer than 0.001 s; draw fewer functions"):
        render(dot_source(drawing_of(300), REACHES), "svg", time_limit=0.001)


def test_missing_renderer_says_what_to_install(monkeypatch):
    monkeypatch.setattr(render_module, "_PACKAGE", "no-such-renderer")
    with pytest.raises(DeepgrepError, match="pip install no-such-renderer, or use --format dot"):
        render("digraph {}", "svg")


def test_failure_of_the_renderer_is_reported_in_its_own_words():
    with pytest.raises(DeepgrepError, match=r"the renderer failed: .*syntax error"):
        render("digraph {", "svg")
