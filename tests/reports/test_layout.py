"""Where everything in a drawing stands."""

from itertools import combinations

import pytest
from msgspec.structs import replace
from page_examples import large_drawing
from report_examples import drawing_of

from deepgrep.errors import DeepgrepError
from deepgrep.reports.drawings import render as render_module
from deepgrep.reports.html import layout as layout_module
from deepgrep.reports.html.layout import Box, layout

LAYERED, PACKED = drawing_of(40), large_drawing(300, 900)


def ids(drawing):
    return f"{len(drawing.functions)} functions"


def overlap(one: Box, other: Box) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2 - 1
        and abs(one.y - other.y) < (one.height + other.height) / 2 - 1
    )


def holds(outer: Box, inner: Box) -> bool:
    return (
        abs(outer.x - inner.x) <= (outer.width - inner.width) / 2 + 1
        and abs(outer.y - inner.y) <= (outer.height - inner.height) / 2 + 1
    )


DRAWINGS = pytest.mark.parametrize("drawing", [drawing_of(1), drawing_of(5), LAYERED, PACKED], ids=ids)


@DRAWINGS
def test_no_function_covers_another_or_the_target(drawing):
    placed = layout(drawing, "pkg.flag")
    assert not any(overlap(*two) for two in combinations([*placed.functions, placed.target], 2))


@DRAWINGS
def test_every_function_stands_in_the_box_of_its_module(drawing):
    placed = layout(drawing, "pkg.flag")
    assert len(placed.functions) == len(drawing.functions)
    assert all(
        holds(placed.modules[one.module], box) for one, box in zip(drawing.functions, placed.functions, strict=True)
    )


@pytest.mark.parametrize("limit", [500, 10])
def test_the_boxes_of_modules_do_not_cover_each_other(monkeypatch, limit):
    monkeypatch.setattr(layout_module, "_PLACED_MODULES", limit)
    assert not any(overlap(*two) for two in combinations(layout(PACKED, "pkg.flag").modules.values(), 2))


def test_calls_of_a_small_drawing_lead_down():
    placed = layout(drawing_of(5), "pkg.flag")
    ys = [box.y for box in placed.functions]
    assert ys == sorted(ys)
    assert placed.target.y > ys[-1]


def test_a_line_that_would_pass_through_others_is_led_around_them():
    assert any(layout(LAYERED, "pkg.flag").routes)
    assert not any(layout(PACKED, "pkg.flag").routes)


def test_code_that_was_given_stands_in_no_module():
    drawing = drawing_of(5)
    functions = [replace(drawing.functions[0], module=""), *drawing.functions[1:]]
    for edges in (drawing.edges, drawing.edges * 100):
        placed = layout(replace(drawing, functions=functions, edges=edges), "pkg.flag")
        assert set(placed.modules) == {"pkg.part0", "pkg.part1", "pkg.part2", "pkg.part3"}
        assert len(placed.functions) == 5


@pytest.mark.parametrize("drawing", [LAYERED, PACKED], ids=ids)
def test_the_same_drawing_is_laid_out_the_same_way(drawing):
    assert layout(drawing, "pkg.flag") == layout(drawing, "pkg.flag")


def test_a_layout_that_takes_too_long_ends_with_a_message(monkeypatch):
    monkeypatch.setattr(layout_module, "_TIME_LIMIT", 0.001)
    with pytest.raises(DeepgrepError, match=r"took longer than 0\.001 s"):
        layout(PACKED, "pkg.flag")


def test_a_missing_renderer_is_named(monkeypatch):
    monkeypatch.setattr(render_module, "_PACKAGE", "no-such-renderer")
    with pytest.raises(DeepgrepError, match="no renderer found"):
        layout(LAYERED, "pkg.flag")


def test_a_call_that_bends_is_led_around_and_leaves_its_ends_to_who_draws_it():
    placed = layout(LAYERED, "pkg.flag")
    bent = [(edge, route) for edge, route in zip(LAYERED.edges, placed.routes, strict=True) if route]
    assert bent
    for edge, route in bent:
        end = placed.functions[edge.callee]
        assert not holds(end, Box(*route[-1], 0, 0))
