"""The chop as a picture, in the DOT language: functions in clusters by module, the target with its accesses."""

from __future__ import annotations

import html
import re
import textwrap
from typing import TYPE_CHECKING

from deepgrep.graph.rows import Certainty, Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction, ReachAnswer
from deepgrep.reports.reach_text import verdict_sentence
from deepgrep.reports.text import DOES, clean, plural, source_title

if TYPE_CHECKING:
    import graphviz

# Okabe and Ito's colours: told apart by colour-blind readers; the root also is dark and the target light in grey print.
_ROOT = "#0072B2"
_TARGET = "#E69F00"
_WRITER = "#FBE7C2"
_INK = "#222222"
_QUIET = "#666666"
_FONT = "Arial"

_LABEL_WIDTH = 32
_TITLE_WIDTH = 90
_LINES_SHOWN = 2
# Beyond this many functions the exact layout takes minutes; these settings draw 3,000 in seconds.
_LARGE = 300
_FAST_LAYOUT = {"nslimit": "1", "nslimit1": "1", "mclimit": "0.2", "splines": "line"}


def dot_source(drawing: Drawing, answer: ReachAnswer) -> str:
    """Write a drawing in the DOT language.

    Args:
        drawing: the functions and edges to draw.
        answer: the answer that they belong to; its question, verdict and versions are the title.

    Returns:
        DOT source. Names from the analyzed code are escaped and cannot add anything to it.
    """
    import graphviz

    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": "TB",
            "newrank": "true",
            "compound": "true",
            "fontname": _FONT,
            "fontcolor": _INK,
            "labelloc": "t",
            "labeljust": "l",
            "label": _head(drawing, answer),
            "nodesep": "0.3",
            "ranksep": "0.45",
            "pad": "0.2",
            "bgcolor": "white",
            **(_FAST_LAYOUT if len(drawing.functions) > _LARGE else {}),
        },
        node_attr={
            "shape": "box",
            "style": "rounded,filled",
            "fillcolor": "white",
            "color": _QUIET,
            "fontname": _FONT,
            "fontcolor": _INK,
            "fontsize": "11",
            "margin": "0.12,0.06",
            "height": "0.3",
        },
        edge_attr={
            "color": _QUIET,
            "fontname": _FONT,
            "fontcolor": _QUIET,
            "fontsize": "9",
            "arrowsize": "0.7",
        },
    )
    by_module = _by_module(drawing)
    for index in by_module.pop("", []):  # root code, which belongs to no module
        _draw_function(graph, drawing, index)
    for number, (module, members) in enumerate(by_module.items()):
        with graph.subgraph(name=f"cluster_{number}") as cluster:
            cluster.attr(
                label=_lines(_wrapped(module, _LABEL_WIDTH)),
                style="filled,rounded",
                color="#DDDDDD",
                fillcolor="#F5F5F5",
                fontcolor=_QUIET,
                fontsize="10",
                margin="10",
            )
            for index in members:
                _draw_function(cluster, drawing, index)
    for edge in drawing.edges:
        _draw_edge(graph, edge)
    _draw_target(graph, drawing, answer)
    return str(graph.source)


def _by_module(drawing: Drawing) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for index, function in enumerate(drawing.functions):
        members.setdefault(function.module, []).append(index)
    return members


def _draw_function(cluster: graphviz.Digraph, drawing: Drawing, index: int) -> None:
    function = drawing.functions[index]
    looks = {"tooltip": _lines([f"{function.name}  {function.file}:{function.line}"], end="")}
    if function.accesses:
        looks |= {"fillcolor": _WRITER}
    if function.chokepoint:
        looks |= {"penwidth": "2.5", "color": _INK}
    if index == drawing.root:
        looks |= {"fillcolor": _ROOT, "color": _ROOT, "fontcolor": "white", "shape": "box", "style": "filled"}
    cluster.node(f"f{index}", label=_lines(_function_label(function)), **looks)


def _function_label(function: DrawnFunction) -> list[str]:
    return [*_wrapped(function.label, _LABEL_WIDTH), f"line {function.line}"]


def _draw_edge(graph: graphviz.Digraph, edge: ChopEdge) -> None:
    text = _line_numbers(edge.lines)
    if edge.via is not Via.CALL:
        text = f"{text} {edge.via}"
    style = "solid" if edge.certainty is Certainty.CERTAIN else "dashed"
    graph.edge(f"f{edge.caller}", f"f{edge.callee}", label=f" {text} ", style=style)


def _draw_target(graph: graphviz.Digraph, drawing: Drawing, answer: ReachAnswer) -> None:
    target = answer.target
    graph.node(
        "target",
        label=_lines([*_wrapped(target.name, _LABEL_WIDTH), target.kind], end=r"\n"),
        shape="octagon",
        style="filled",
        peripheries="2",
        fillcolor=_TARGET,
        color=_INK,
        tooltip=_lines([target.name], end=""),
    )
    for index in drawing.targets:
        text = f" {DOES[target.access]} {_line_numbers(drawing.functions[index].accesses)} "
        graph.edge(f"f{index}", "target", label=text, color=_INK, fontcolor=_INK, penwidth="1.5")


def _line_numbers(lines: list[int]) -> str:
    shown = ", ".join(str(line) for line in lines[:_LINES_SHOWN])
    return f"{shown}, +{len(lines) - _LINES_SHOWN}" if len(lines) > _LINES_SHOWN else shown


def _wrapped(name: str, width: int) -> list[str]:
    """Break a name after dots, and a part too long for that after underscores, into lines of about `width`."""
    lines = [""]
    for part in re.findall(r"[^.]+\.?|\.", clean(name)):
        pieces = [part] if len(part) <= 1.5 * width else re.findall(r"[^_]+_*|_+", part)
        for piece in pieces:
            if lines[-1] and len(lines[-1]) + len(piece) > width:
                lines.append("")
            lines[-1] += piece
    return lines


def _lines(lines: list[str], end: str = r"\l") -> str:
    r"""A label of literal text: each line ended as given (`\l` sets it to the left)."""
    import graphviz

    # The renderer reads `&lt;` in a label as `<`.
    literal = (graphviz.escape(clean(line).replace("&", "&amp;")) for line in lines)
    label: str = graphviz.nohtml("".join(line + end for line in literal))
    return label


def _head(drawing: Drawing, answer: ReachAnswer) -> str:
    """Title and legend: question, verdict, versions, what is not drawn, and what the looks mean."""
    sources = "; ".join(source_title(source) for source in answer.sources)
    title = _title_lines(f"{answer.verdict}: {verdict_sentence(answer)}")
    rows = [f'<tr><td align="left"><b>{html.escape(line)}</b></td></tr>' for line in title]
    rows.append(f'<tr><td align="left"><font point-size="10" color="{_QUIET}">{html.escape(sources)}</font></td></tr>')
    if drawing.left_out_functions or drawing.left_out_edges:
        functions, edges = plural(drawing.left_out_functions, "function"), plural(drawing.left_out_edges, "edge")
        said = f"not drawn: {functions} and {edges} that also lie on paths (--all draws them)"
        rows.append(f'<tr><td align="left"><font point-size="10">{said}</font></td></tr>')
    rows.append(f'<tr><td align="left">{_legend()}</td></tr>')
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{"".join(rows)}</table>>'


def _title_lines(sentence: str) -> list[str]:
    """Wrap the verdict's sentence; names are not broken."""
    return textwrap.wrap(sentence, _TITLE_WIDTH, break_long_words=False, break_on_hyphens=False)


def _legend() -> str:
    swatches = [
        f'<td bgcolor="{_ROOT}" border="1"><font color="white"> root </font></td>',
        f'<td bgcolor="{_WRITER}" border="1"> accesses the target </td>',
        f'<td bgcolor="{_TARGET}" border="2"> target </td>',
        '<td border="3"> on every path </td>',
        "<td>- - - one of several possible callees</td>",
        "<td>number: line of the call</td>",
    ]
    table = f'<table border="0" cellspacing="4" cellpadding="2"><tr>{"".join(swatches)}</tr></table>'
    return f'<font point-size="9">{table}</font>'
