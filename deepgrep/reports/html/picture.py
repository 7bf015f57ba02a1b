"""The drawing as a still picture, for print and for where no script runs: functions, or modules if there are many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Drawing
from deepgrep.reports.html.elements import Element, element
from deepgrep.reports.html.layout import LABEL_WIDTH, Box, Layout, Point
from deepgrep.reports.words import shorten

_FUNCTIONS_DRAWN = 150
_EDGE = 40.0
_ARROW = 7.0
_DASHES = {Certainty.CERTAIN: "none", Certainty.DISPATCH: "7 4", Certainty.FLOW: "2 3"}
_CHARACTER = 0.6


def still_picture(drawing: Drawing, layout: Layout, target: str, path: Sequence[int]) -> Element:
    """Draw functions and edges where they were laid out; of many functions, only their modules.

    Args:
        drawing: what is drawn.
        layout: where.
        target: the target's name.
        path: the positions in the drawing of the functions on the path to highlight.
    """
    whole = len(drawing.functions) <= _FUNCTIONS_DRAWN
    boxes = [*layout.functions, *layout.modules.values(), layout.target]
    left = min(box.x - box.width / 2 for box in boxes) - _EDGE
    top = min(box.y - box.height / 2 for box in boxes) - _EDGE
    right = max(box.x + box.width / 2 for box in boxes) + _EDGE
    bottom = max(box.y + box.height / 2 for box in boxes) + _EDGE
    parts = _functions(drawing, layout, path) if whole else _modules(drawing, layout, path)
    parts += [_rectangle(layout.target, "target"), _label(layout.target, target, "target-name")]
    return element(
        "svg",
        element("title", "The calls as a picture; the paths and the list of functions say the same"),
        *parts,
        viewBox=f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}",
        width=f"{right - left:.0f}",
        role="img",
    )


def _functions(drawing: Drawing, layout: Layout, path: Sequence[int]) -> list[Element]:
    parts = []
    steps = set(pairwise(path))
    for name, box in layout.modules.items():
        parts += [_rectangle(box, "module"), _title(box, name)]
    for edge, route in zip(drawing.edges, layout.routes, strict=True):
        ends = layout.functions[edge.caller], layout.functions[edge.callee]
        looks = "edge on-path" if (edge.caller, edge.callee) in steps else "edge"
        parts += _arrow(*ends, route, _DASHES[edge.certainty], looks)
    for index in drawing.targets:
        looks = "edge on-path" if path and index == path[-1] else "edge"
        parts += _arrow(layout.functions[index], layout.target, [], "none", looks)
    for index, (function, box) in enumerate(zip(drawing.functions, layout.functions, strict=True)):
        looks = "function"
        looks += " access" if function.accesses else ""
        looks += " chokepoint" if function.chokepoint else ""
        looks += " on-path" if index in path else ""
        looks += " root" if index == drawing.root else ""
        parts += [_rectangle(box, looks), _label(box, function.label, "root-name" if index == drawing.root else "name")]
    return parts


def _modules(drawing: Drawing, layout: Layout, path: Sequence[int]) -> list[Element]:
    parts = []
    modules = [function.module for function in drawing.functions]
    counts = Counter(modules)
    pairs = {(modules[edge.caller], modules[edge.callee]) for edge in drawing.edges}
    steps = {(modules[caller], modules[callee]) for caller, callee in pairwise(path)}
    for caller, callee in sorted(pairs, key=lambda pair: (pair in steps, pair)):
        if caller and callee and caller != callee:
            looks = "edge on-path" if (caller, callee) in steps else "edge"
            parts += _arrow(layout.modules[caller], layout.modules[callee], [], "none", looks)
    for module in dict.fromkeys(modules[index] for index in drawing.targets):
        if module:
            looks = "edge on-path" if path and module == modules[path[-1]] else "edge"
            parts += _arrow(layout.modules[module], layout.target, [], "none", looks)
    passed = {modules[index] for index in path}
    for name, box in layout.modules.items():
        looks = "module root" if name == modules[drawing.root] else "module"
        looks += " on-path" if name in passed else ""
        text = "root-name" if name == modules[drawing.root] else "name"
        said = f"{'.'.join(name.split('.')[-2:])} ({counts[name]:,})"
        parts += [_rectangle(box, looks), _label(box, said, text, box.height / 2)]
    return parts


def _rectangle(box: Box, looks: str) -> Element:
    corner = {"x": f"{box.x - box.width / 2:.1f}", "y": f"{box.y - box.height / 2:.1f}"}
    size = {"width": f"{box.width:.1f}", "height": f"{box.height:.1f}"}
    return element("rect", class_=looks, rx="3", **corner, **size)


def _label(box: Box, text: str, looks: str, largest: float = 11.0) -> Element:
    shown = shorten(text, LABEL_WIDTH)
    size = min(largest, (box.width - 6) / (_CHARACTER * max(1, len(shown))))
    at = {"x": f"{box.x:.1f}", "y": f"{box.y + size / 3:.1f}", "font-size": f"{size:.1f}"}
    return element("text", shown, class_=looks, text_anchor="middle", **at)


def _title(box: Box, text: str) -> Element:
    at = {"x": f"{box.x - box.width / 2 + 6:.1f}", "y": f"{box.y - box.height / 2 + 13:.1f}"}
    size = min(10.0, (box.width - 12) / (_CHARACTER * max(1, len(text))))
    return element("text", text, class_="module-name", font_size=f"{size:.1f}", **at)


def _arrow(start: Box, end: Box, route: list[Point], dashes: str, looks: str) -> list[Element]:
    """A line between the edges of two boxes, and its head."""
    first, last = (route[0], route[-1]) if route else ((end.x, end.y), (start.x, start.y))
    points = [_leaves(start, first), *route, _leaves(end, last)]
    (x0, y0), (x1, y1) = points[-2:]
    length = math.dist((x0, y0), (x1, y1)) or 1.0
    dx, dy = (x1 - x0) / length * _ARROW, (y1 - y0) / length * _ARROW
    head = [(x1, y1), (x1 - dx - dy / 2, y1 - dy + dx / 2), (x1 - dx + dy / 2, y1 - dy - dx / 2)]
    return [
        element("polyline", class_=looks, points=_points(points), stroke_dasharray=dashes),
        element("polygon", class_=looks.replace("edge", "head"), points=_points(head)),
    ]


def _points(points: list[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _leaves(box: Box, towards: Point) -> Point:
    """Where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - box.x, towards[1] - box.y
    scale = max(abs(dx) / (box.width / 2), abs(dy) / (box.height / 2))
    return (box.x + dx / scale, box.y + dy / scale) if scale else (box.x, box.y)
