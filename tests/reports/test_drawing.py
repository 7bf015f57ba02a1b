import re
import xml.etree.ElementTree as ElementTree

import pytest
from msgspec.structs import replace
from report_examples import REACHES, drawing_of

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge
from deepgrep.reports import render as render_module
from deepgrep.reports.drawing import dot_source
from deepgrep.reports.render import is_scaled_down, render


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
    assert line_of(dot, "f0 -> f1") == '\tf0 -> f1 [label=" 3 " style=solid]'
    assert line_of(dot, "f1 -> f2") == '\tf1 -> f2 [label=" 4, 5, +1 property " style=dashed]'


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


HOSTILE = [
    'a"]; evil [label="x',
    "<b>bold</b>",
    "<<b>bold</b>>",
    "back\\slash\\",
    '\\"',
    "\\N\\G\\l",
    "a\nb\x00\x1b",
    "a:b:c",
    "</svg><script>alert(1)</script>",
    "&lt;&amp;",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_and_nothing_else(name):
    drawing = drawing_of(2)
    evil = replace(drawing.functions[0], name=name, module=name, label=name, file=name)
    answer = replace(REACHES, root=replace(REACHES.root, name=name), target=replace(REACHES.target, name=name))
    svg = render(dot_source(replace(drawing, functions=[evil, drawing.functions[1]]), answer), "svg")
    picture = ElementTree.fromstring(svg)
    nodes = picture.findall(".//*[@class='node']")
    assert len(nodes) == 3
    assert picture.findall(".//{http://www.w3.org/2000/svg}script") == []


@pytest.mark.parametrize("name", ['a"b', "<b>bold</b>", "back\\slash\\", "\\N", "&lt;"])
def test_hostile_names_are_shown_as_they_are(name):
    drawing = drawing_of(2)
    evil = replace(drawing.functions[0], label=name)
    assert name in svg_texts(dot_source(replace(drawing, functions=[evil, drawing.functions[1]]), REACHES))


def test_png_is_bounded_in_size_and_tells_that_it_was():
    dot = dot_source(drawing_of(2), REACHES)
    small, large = render(dot, "png"), render(dot.replace("ranksep=0.45", "ranksep=300"), "png")
    assert not is_scaled_down(small)
    assert is_scaled_down(large)
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
