"""Two versions in one picture, in the DOT language: what is gone and what is new in styles that need no colour."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

from deepgrep.questions.diff_answers import Change, DiffAnswer
from deepgrep.questions.diff_drawing import DiffDrawing, DiffEdge, DiffNode
from deepgrep.reports.diff_sentences import diff_sentence
from deepgrep.reports.drawings.canvas import LAYERS, canvas, draw_target
from deepgrep.reports.drawings.head import QUIET, ROOT, TARGET
from deepgrep.reports.drawings.labels import function_label, line_numbers, literal, tooltip, wrapped
from deepgrep.reports.words import DOES, cut, place, plural, source_title

if TYPE_CHECKING:
    import graphviz

# Okabe and Ito's; in grey print the new is the darker.
_NEW, _GONE = "#006D4E", "#B8480A"
_WIDTH, _LONGEST = 90, 450
_NODES = {
    Change.NEW: {"color": _NEW, "penwidth": "2.5", "style": "rounded,filled", "fillcolor": "#E3F3EC"},
    Change.GONE: {"color": _GONE, "style": "rounded,filled,dashed", "fillcolor": "#FBEBE1"},
    Change.SAME: {},
}
_EDGES = {
    Change.NEW: {"color": _NEW, "fontcolor": _NEW, "penwidth": "2.5", "style": "solid"},
    Change.GONE: {"color": _GONE, "fontcolor": _GONE, "penwidth": "1.5", "style": "dashed", "arrowhead": "empty"},
    Change.SAME: {},
}
_SIGNS = {Change.NEW: "+", Change.GONE: "−", Change.SAME: ""}


def diff_source(drawing: DiffDrawing, answer: DiffAnswer) -> str:
    """Write a drawing of two versions in the DOT language.

    Args:
        drawing: what to draw.
        answer: the answer that it belongs to.

    Returns:
        DOT source. Names from the analyzed code are escaped and cannot add anything to it.
    """
    graph = canvas({**LAYERS, "label": _head(drawing, answer)})
    for index, node in enumerate(drawing.nodes):
        _draw_node(graph, index, node, is_root=index in drawing.root)
    target = answer.after.target or answer.before.target
    assert target is not None
    draw_target(graph, target, {})
    for edge in drawing.edges:
        _draw_edge(graph, edge, drawing, DOES[target.access])
    return str(graph.source)


def _draw_node(graph: graphviz.Digraph, index: int, node: DiffNode, *, is_root: bool) -> None:
    function = node.function
    sign = {Change.NEW: ["+ after only"], Change.GONE: ["− before only"], Change.SAME: []}[node.change]
    module = wrapped(function.module) if function.module else []
    looks = dict(_NODES[node.change])
    if is_root:
        looks |= {"fillcolor": ROOT, "fontcolor": "white", "shape": "box"}
    moved = [f"moved from {node.before}"] if node.before else []
    told = tooltip([function.name, *moved, place(function.file, function.line)])
    label = literal([*sign, *function_label(function), *module])
    graph.node(f"f{index}", label=label, tooltip=told, **looks)


def _draw_edge(graph: graphviz.Digraph, edge: DiffEdge, drawing: DiffDrawing, does: str) -> None:
    lines = {
        Change.NEW: line_numbers(edge.after_lines),
        Change.GONE: line_numbers(edge.before_lines),
        Change.SAME: line_numbers(edge.after_lines or edge.before_lines),
    }[edge.change]
    said = " ".join(filter(None, [_SIGNS[edge.change], does if edge.callee < 0 else "", lines]))
    caller = drawing.nodes[edge.caller].function
    told = [f"before: line {line_numbers(edge.before_lines)}"] if edge.before_lines else []
    told += [f"after: line {line_numbers(edge.after_lines)}"] if edge.after_lines else []
    text = tooltip([caller.file, *told])
    callee = "target" if edge.callee < 0 else f"f{edge.callee}"
    looks = {"tooltip": text, "labeltooltip": text, **_EDGES[edge.change]}
    graph.edge(f"f{edge.caller}", callee, label=f" {said} ", **looks)


def _head(drawing: DiffDrawing, answer: DiffAnswer) -> str:
    """The title, both versions, what is not drawn, and what the styles mean, as an HTML-like label."""
    word = "same" if answer.same else "different"
    title = cut(f"{word}: {diff_sentence(answer)}", _LONGEST)
    rows = [
        f"<b>{html.escape(line)}</b>"
        for line in textwrap.wrap(title, _WIDTH, break_long_words=False, break_on_hyphens=False)
    ]
    for label, side in (("before", answer.before), ("after", answer.after)):
        said = "; ".join(source_title(source) for source in side.sources)
        rows.append(f'<font point-size="10" color="{QUIET}">{html.escape(f"{label}: {said}")}</font>')
    left_out = (("before", drawing.left_out_before), ("after", drawing.left_out_after))
    counts = [f"{plural(count, 'function')} {label}" for label, count in left_out if count]
    if counts:
        said = f"not drawn: {', '.join(counts)} that also lie on paths; of these the best paths are drawn"
        rows.append(f'<font point-size="10">{html.escape(said)}</font>')
    rows.append(_legend())
    cells = "".join(f'<tr><td align="left">{row}</td></tr>' for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{cells}</table>>'


def _legend() -> str:
    cells = [
        f'<td bgcolor="{ROOT}" border="1"><font color="white"> root </font></td>',
        f'<td bgcolor="{TARGET}" border="2"> target </td>',
        f'<td><font color="{_NEW}"><b>+ thick: after only</b></font></td>',
        f'<td><font color="{_GONE}">− dashed, open arrow: before only</font></td>',
        "<td>thin: in both</td>",
        "<td>number: line of the call</td>",
    ]
    table = f'<table border="0" cellspacing="4" cellpadding="2"><tr>{"".join(cells)}</tr></table>'
    return f'<font point-size="9">{table}</font>'
