"""What drawings in the DOT language share: how nodes and edges look where nothing else is said, and the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from deepgrep.questions.answers import TargetRef
from deepgrep.reports.drawings.head import INK, QUIET, TARGET
from deepgrep.reports.drawings.labels import literal, tooltip, wrapped

if TYPE_CHECKING:
    import graphviz

_FONT = "Arial"

LAYERS = {
    "newrank": "true",
    "compound": "true",
    "labelloc": "t",
    "labeljust": "l",
    "nodesep": "0.3",
    "ranksep": "0.45",
}
"""Laid out by the renderer, from the root down."""


def canvas(attributes: Mapping[str, str]) -> graphviz.Digraph:
    """Begin a drawing.

    Args:
        attributes: how it is laid out, and its title.
    """
    import graphviz

    return graphviz.Digraph(
        graph_attr={
            "fontname": _FONT,
            "fontcolor": INK,
            "pad": "0.2",
            "bgcolor": "white",
            "tooltip": " ",
            **attributes,
        },
        node_attr={
            "shape": "box",
            "style": "rounded,filled",
            "fillcolor": "white",
            "color": QUIET,
            "fontname": _FONT,
            "fontcolor": INK,
            "fontsize": "11",
            "margin": "0.12,0.06",
            "height": "0.3",
        },
        edge_attr={"color": QUIET, "fontname": _FONT, "fontcolor": QUIET, "fontsize": "9", "arrowsize": "0.7"},
    )


def target_label(target: TargetRef) -> list[str]:
    """The lines in the node of a target."""
    return [*wrapped(target.name), target.kind]


def draw_target(graph: graphviz.Digraph, target: TargetRef, placed: Mapping[str, str]) -> None:
    """Draw a target, as the node `target`; `placed` says where, in a drawing that is not laid out."""
    graph.node(
        "target",
        label=literal(target_label(target), end=r"\n"),
        shape="octagon",
        style="filled",
        peripheries="2",
        fillcolor=TARGET,
        color=INK,
        tooltip=tooltip([target.name]),
        **placed,
    )
