"""Where everything in a drawing stands, for pages that draw it themselves.

Few functions are laid out in layers, calls downwards, in a box for each module. Many calls would make that very wide
and take minutes: then the modules are laid out, each a box as large as its functions need in rows, and these fill it;
very many modules stand in rows themselves.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from deepgrep.questions.answers import Drawing
from deepgrep.reports.drawings.render import render
from deepgrep.reports.words import clean, shorten

Point = tuple[float, float]
Size = tuple[float, float]

LABEL_WIDTH = 40
_LAYERED_EDGES = 200
# The renderer places 500 boxes in 5 s at worst, 800 in 15 s.
_PLACED_MODULES = 500
_TIME_LIMIT = 30.0

# In points, as the page draws them.
_HEIGHT = 24.0
_CHARACTER, _PADDING = 6.3, 16.0
_NARROWEST = 48.0
_GAP = 8.0
_MARGIN = 12.0
_TITLE = 20.0
_PER_INCH = 72.0
_ASPECT = 1.6
_CURVE_SAMPLES = 2


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its middle; y grows downwards."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything in a drawing stands.

    Attributes:
        functions: a box for each function of the drawing.
        modules: the box around the functions of each module, by name; root code stands in none.
        target: the box of the target.
        routes: for each edge of the drawing the points it should pass, without its ends; none for a straight one.
    """

    functions: list[Box]
    modules: dict[str, Box]
    target: Box
    routes: list[list[Point]]


def layout(drawing: Drawing, target: str) -> Layout:
    """Lay out a drawing.

    Args:
        drawing: what is drawn.
        target: the target's name.

    Raises:
        DeepgrepError: the renderer is missing, failed, or took too long.
    """
    members: dict[str, list[int]] = {}
    for index, function in enumerate(drawing.functions):
        members.setdefault(function.module, []).append(index)
    widths = [label_width(function.label) for function in drawing.functions]
    if len(drawing.edges) <= _LAYERED_EDGES:
        return _layered(drawing, members, widths, label_width(target))
    return _packed(drawing, members, widths, label_width(target))


def label_width(label: str) -> float:
    """How wide a label of analyzed code is drawn, with some room around it."""
    return max(_NARROWEST, len(shorten(clean(label), LABEL_WIDTH)) * _CHARACTER + _PADDING)


def _layered(drawing: Drawing, members: dict[str, list[int]], widths: list[float], target: float) -> Layout:
    """In layers, by the renderer's own layout of clusters."""
    lines = ["digraph { newrank=true; nodesep=0.25; ranksep=0.55; node [shape=box, fixedsize=true]; edge [dir=none];"]
    for number, (module, functions) in enumerate(members.items()):
        nodes = " ".join(_node(f"f{index}", widths[index], _HEIGHT) for index in functions)
        cluster = f'subgraph cluster_{number} {{ margin={_MARGIN:g}; label="m"; {nodes} }}'
        lines.append(cluster if module else nodes)
    lines.append(_node("target", target, 1.5 * _HEIGHT))
    lines += [f"f{edge.caller} -> f{edge.callee};" for edge in drawing.edges]
    lines += [f"f{index} -> target;" for index in drawing.targets]
    boxes, routes = _placed("\n".join([*lines, "}"]))
    functions_at = [boxes[f"f{index}"] for index in range(len(drawing.functions))]
    modules = {name: _around([functions_at[index] for index in these]) for name, these in members.items() if name}
    along = [routes.get((f"f{edge.caller}", f"f{edge.callee}"), []) for edge in drawing.edges]
    return Layout(functions_at, modules, boxes["target"], along)


def _packed(drawing: Drawing, members: dict[str, list[int]], widths: list[float], target: float) -> Layout:
    """By module: the renderer places the modules, and their functions fill them in rows."""
    packed = [_in_rows([(widths[index], _HEIGHT) for index in functions], _GAP) for functions in members.values()]
    sizes = [(size[0] + 2 * _MARGIN, size[1] + 2 * _MARGIN + _TITLE) for size, _ in packed]
    target_size = target, 1.5 * _HEIGHT
    if len(sizes) <= _PLACED_MODULES:
        *boxes, target_box = _placed_modules(drawing, members, [*sizes, target_size])
    else:
        *boxes, target_box = _in_rows([*sizes, target_size], 4 * _MARGIN)[1]
    functions_at: dict[int, Box] = {}
    for around, these, (_, places) in zip(boxes, members.values(), packed, strict=True):
        left, top = around.x - around.width / 2 + _MARGIN, around.y - around.height / 2 + _MARGIN + _TITLE
        for index, box in zip(these, places, strict=True):
            functions_at[index] = Box(round(left + box.x, 1), round(top + box.y, 1), box.width, box.height)
    modules = {name: box for name, box in zip(members, boxes, strict=True) if name}
    in_order = [functions_at[index] for index in range(len(drawing.functions))]
    return Layout(in_order, modules, target_box, [[] for _ in drawing.edges])


def _placed_modules(drawing: Drawing, members: dict[str, list[int]], sizes: list[Size]) -> list[Box]:
    """The boxes of the modules and, last, of the target: what calls each other stands near."""
    module_of = {index: number for number, functions in enumerate(members.values()) for index in functions}
    target = len(members)
    pairs = {(module_of[edge.caller], module_of[edge.callee]) for edge in drawing.edges}
    pairs |= {(module_of[index], target) for index in drawing.targets}
    lines = [f'graph {{ layout=sfdp; overlap=prism; sep="+{_MARGIN:g}"; node [shape=box, fixedsize=true];']
    lines += [_node(f"m{number}", *size) for number, size in enumerate(sizes)]
    lines += [f"m{one} -- m{other};" for one, other in sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]})]
    boxes, _ = _placed("\n".join([*lines, "}"]))
    return [boxes[f"m{number}"] for number in range(len(sizes))]


def _in_rows(sizes: list[Size], gap: float) -> tuple[Size, list[Box]]:
    """Set boxes in rows, from 0 on: how much room they take, and each of them."""
    area = sum((width + gap) * (height + gap) for width, height in sizes)
    wide = max(max(width for width, _ in sizes), math.sqrt(area * _ASPECT))
    boxes: list[Box] = []
    x = y = used = row = 0.0
    for width, height in sizes:
        if x and x + width > wide:
            x, y, row = 0.0, y + row + gap, 0.0
        boxes.append(Box(x + width / 2, y + height / 2, width, height))
        x, used, row = x + width + gap, max(used, x + width), max(row, height)
    return (used, y + row), boxes


def _around(boxes: list[Box]) -> Box:
    """The box of a module around its functions, with room for its name above them."""
    left = min(box.x - box.width / 2 for box in boxes) - _MARGIN
    right = max(box.x + box.width / 2 for box in boxes) + _MARGIN
    top = min(box.y - box.height / 2 for box in boxes) - _TITLE
    bottom = max(box.y + box.height / 2 for box in boxes) + _MARGIN
    return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


def _node(name: str, width: float, height: float) -> str:
    return f"{name} [width={width / _PER_INCH:.3f}, height={height / _PER_INCH:.3f}];"


def _placed(dot: str) -> tuple[dict[str, Box], dict[tuple[str, str], list[Point]]]:
    """Run the renderer, and read its plain format: a line for each node and edge, in inches, y upwards."""
    boxes: dict[str, Box] = {}
    routes: dict[tuple[str, str], list[Point]] = {}
    height = 0.0
    plain = render(dot, "plain", _TIME_LIMIT).decode()
    for line in re.sub(r"\\\r?\n", "", plain).splitlines():  # long lines are continued
        kind, *words = line.split()
        if kind == "graph":
            height = float(words[2])
        elif kind == "node":
            x, y, wide, high = (float(word) for word in words[1:5])
            boxes[words[0]] = Box(*_scaled(x, height - y), *_scaled(wide, high))
        elif kind == "edge":
            numbers = [float(word) for word in words[3 : 3 + 2 * int(words[2])]]
            curve = [_scaled(x, height - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
            routes[words[0], words[1]] = _bends(curve)
    return boxes, routes


def _scaled(x: float, y: float) -> Point:
    return round(x * _PER_INCH, 1), round(y * _PER_INCH, 1)


def _bends(curve: list[Point]) -> list[Point]:
    """Points on a curve of cubic pieces, without its ends; none where it is straight."""
    first, last = curve[0], curve[-1]
    length = math.dist(first, last) or 1.0
    away = max(abs((last[0] - first[0]) * (y - first[1]) - (last[1] - first[1]) * (x - first[0])) for x, y in curve)
    if away / length < _GAP / 2:
        return []
    points: list[Point] = []
    for start in range(0, len(curve) - 1, 3):
        piece = curve[start : start + 4]
        points += (_on_curve(piece, step / _CURVE_SAMPLES) for step in range(1, _CURVE_SAMPLES + 1))
    return points[:-1]


def _on_curve(piece: list[Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, piece, strict=True)) for axis in (0, 1))
    return round(x, 1), round(y, 1)
