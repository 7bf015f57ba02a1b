"""The chop as a picture, in the DOT language: functions in clusters by module, the target with its accesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Drawing, ReachAnswer
from deepgrep.questions.drawing_groups import Grouped, Link, Node, Picture, calls_of
from deepgrep.reports.drawings.canvas import LAYERS, canvas, draw_target, target_label
from deepgrep.reports.drawings.head import ACCESS, INK, LINES, QUIET, ROOT, head
from deepgrep.reports.drawings.labels import (
    access_tooltip,
    call_label,
    call_tooltip,
    function_label,
    function_tooltip,
    line_numbers,
    link_to,
    literal,
    tooltip,
    wrapped,
)
from deepgrep.reports.drawings.map import Point, Size, place_boxes
from deepgrep.reports.links import Permalink
from deepgrep.reports.words import DOES, SourceLine, clean, plural, shorten

if TYPE_CHECKING:
    import graphviz

_PALE = "#BBBBBB"
_DOUBT = list(Certainty)

_MEMBERS_SHOWN, _MEMBER_WIDTH = 3, 44
_MEMBERS_TOLD = 20
# Beyond either, a layout by calls is a ribbon that nobody can read, and beyond 3,000 calls it takes minutes.
_MOST_NODES, _MOST_LINKS = 150, 300
# How the renderer sets a label, roughly: points for each character and line, and around them.
_CHARACTER, _LINE, _AROUND = 6.0, 13.5, (20.0, 12.0)


def picture_source(picture: Picture, answer: ReachAnswer, source_line: SourceLine, permalink: Permalink) -> str:
    """Write a picture in the DOT language.

    A small one is laid out by the renderer, from the root down. A large one is a map of its modules, and says itself
    where everything stands.

    Args:
        picture: the functions and calls to draw, and which of them are one node.
        answer: the answer that they belong to; its question, verdict and versions are the title.
        source_line: gives the lines of source for the tooltips.
        permalink: gives the links of functions and calls.

    Returns:
        DOT source. Names from the analyzed code are escaped and cannot add anything to it.
    """
    is_map = len(picture.nodes) > _MOST_NODES or len(picture.links) > _MOST_LINKS
    return _Source(picture, answer, source_line, permalink, is_map).write()


@dataclass(frozen=True)
class _Source:
    picture: Picture
    answer: ReachAnswer
    source_line: SourceLine
    permalink: Permalink
    is_map: bool

    @property
    def drawing(self) -> Drawing:
        return self.picture.drawing

    @property
    def _direction(self) -> str:
        """Down, like source code; what calls many packages needs the height of a page for them."""
        return "LR" if self.picture.grouped is Grouped.PACKAGES else "TB"

    def write(self) -> str:
        title = head(self.picture, self.answer)
        layers = {**LAYERS, "label": title, "rankdir": self._direction}
        graph = canvas(_MAP if self.is_map else layers)
        labels = [self._label(node) for node in self.picture.nodes]
        boxes = self._boxes()
        target = target_label(self.answer.target)
        places, frames = self._map(boxes, labels, target) if self.is_map else ({}, {})
        if self.is_map:
            graph.node("title", label=title, shape="plain", style="", pos=f"{_MAP_TITLE[0]},{_MAP_TITLE[1]}")
        for number, (module, members) in enumerate(boxes):
            if not module:
                for index in members:
                    self._draw_node(graph, index, labels[index], places)
                continue
            with graph.subgraph(name=f"cluster_{number}") as cluster:
                cluster.attr(
                    label=literal(wrapped(module)),
                    tooltip=tooltip([module]),
                    style="filled,rounded",
                    color="#DDDDDD",
                    fillcolor="#F5F5F5",
                    fontcolor=QUIET,
                    fontsize="10",
                    margin="10",
                    **frames.get(number, {}),
                )
                for index in members:
                    self._draw_node(cluster, index, labels[index], places)
        all_best = all(link.is_best for link in self.picture.links)
        for link in self.picture.links:
            self._draw_link(graph, link, stands_out=link.is_best and not all_best)
        self._draw_target(graph, places)
        return str(graph.source)

    def _boxes(self) -> list[tuple[str, list[int]]]:
        """The nodes by the module that they are drawn in, nearest first; each that is in none by itself."""
        boxes: list[tuple[str, list[int]]] = []
        known: dict[str, list[int]] = {}
        for index, node in enumerate(self.picture.nodes):
            if not node.module:
                boxes.append(("", [index]))
            elif node.module in known:
                known[node.module].append(index)
            else:
                known[node.module] = [index]
                boxes.append((node.module, known[node.module]))
        return boxes

    def _map(
        self, boxes: list[tuple[str, list[int]]], labels: list[list[str]], target: list[str]
    ) -> tuple[Mapping[str, Point], Mapping[int, dict[str, str]]]:
        """The centre of each node, and the frames of the clusters."""
        sizes = [[_size(labels[index]) for index in members] for _, members in boxes]
        titles = {number: _size(wrapped(module)) for number, (module, _) in enumerate(boxes) if module}
        placed = place_boxes([*sizes, [_size(target, 1.6)]], titles)
        places = {
            f"f{index}": centre
            for (_, members), box in zip(boxes, placed, strict=False)
            for index, centre in zip(members, box.centres, strict=True)
        }
        places["target"] = placed[-1].centres[0]
        frames = {}
        for number, (width, height) in titles.items():
            (left, bottom), (right, top) = placed[number].corners
            frames[number] = {
                "bb": f"{left:.0f},{bottom:.0f},{right:.0f},{top:.0f}",
                "lp": f"{left + 6 + width / 2:.0f},{top - 4 - height / 2:.0f}",
            }
        return places, frames

    def _label(self, node: Node) -> list[str]:
        functions = [self.drawing.functions[index] for index in node.functions]
        if node.package:
            rest = [] if node.whole else ["without what is drawn apart"]
            return [*wrapped(node.package), plural(len(functions), "function"), *rest]
        if len(functions) == 1:
            return function_label(functions[0])
        shown = [shorten(clean(function.name), _MEMBER_WIDTH) for function in functions[:_MEMBERS_SHOWN]]
        more = [f"and {len(functions) - len(shown):,} more"] if len(functions) > len(shown) else []
        return [f"cycle of {plural(len(functions), 'function')}", *shown, *more]

    def _draw_node(self, graph: graphviz.Digraph, index: int, label: list[str], places: Mapping[str, Point]) -> None:
        node = self.picture.nodes[index]
        functions = [self.drawing.functions[i] for i in node.functions]
        first = functions[0]
        if len(functions) > 1 or node.package:
            told = [f"{function.name}  {function.file}:{function.line}" for function in functions[:_MEMBERS_TOLD]]
            more = [f"and {len(functions) - len(told):,} more"] if len(functions) > len(told) else []
            looks = {"tooltip": tooltip([*told, *more]), "style": "filled"}
            looks["shape"] = "folder" if node.package else "box3d"
        else:
            looks = {"tooltip": tooltip(function_tooltip(first, self.source_line))}
            looks |= link_to(self.permalink, first.file, [first.line])
        if any(function.accesses for function in functions):
            looks |= {"fillcolor": ACCESS}
        if any(function.chokepoint for function in functions):
            looks |= {"penwidth": "2.5", "color": INK}
        if self.drawing.root in node.functions:
            looks |= {"fillcolor": ROOT, "color": ROOT, "fontcolor": "white", "shape": "box", "style": "filled"}
        graph.node(f"f{index}", label=literal(label), **looks, **_at(places, f"f{index}"))

    def _draw_link(self, graph: graphviz.Digraph, link: Link, *, stands_out: bool) -> None:
        edges = [self.drawing.edges[number] for number in link.edges]
        is_one = len(edges) == 1 and self.picture.grouped is not Grouped.PACKAGES
        said = call_label(edges[0]) if is_one else plural(calls_of(self.drawing, link), "call")
        looks = {"tooltip": tooltip(call_tooltip(self.drawing, link.edges, self.source_line))}
        looks["style"] = LINES[min((edge.certainty for edge in edges), key=_DOUBT.index)]
        if stands_out:
            looks |= {"color": INK, "fontcolor": INK, "penwidth": "2"}
        elif self.is_map:
            looks |= {"color": _PALE, "penwidth": "0.6", "arrowsize": "0.5"}
        if stands_out or not self.is_map:
            looks["label"] = f" {said} "
        looks["labeltooltip"] = looks["tooltip"]
        caller = self.drawing.functions[edges[0].caller]
        looks |= link_to(self.permalink, caller.file, edges[0].lines if is_one else [])
        graph.edge(f"f{link.caller}", f"f{link.callee}", **looks)

    def _draw_target(self, graph: graphviz.Digraph, places: Mapping[str, Point]) -> None:
        target = self.answer.target
        draw_target(graph, target, _at(places, "target"))
        node_of = {i: number for number, node in enumerate(self.picture.nodes) for i in node.functions}
        for index in self.drawing.targets:
            function = self.drawing.functions[index]
            told = tooltip(access_tooltip(function, self.source_line))
            graph.edge(
                f"f{node_of[index]}",
                "target",
                label=f" {DOES[target.access]} {line_numbers(function.accesses)} ",
                tooltip=told,
                labeltooltip=told,
                color=INK,
                fontcolor=INK,
                penwidth="1.5",
                **link_to(self.permalink, function.file, function.accesses),
            )


# `nop2`: everything stands where it is said to; edges lie under the nodes.
_MAP = {"layout": "nop2", "outputorder": "edgesfirst", "labelloc": "t", "labeljust": "l"}
_MAP_TITLE = (330, 110)


def _size(label: list[str], wider: float = 1.0) -> Size:
    return max(map(len, label)) * _CHARACTER * wider + _AROUND[0], len(label) * _LINE * wider + _AROUND[1]


def _at(places: Mapping[str, Point], name: str) -> dict[str, str]:
    return {"pos": f"{places[name][0]:.1f},{places[name][1]:.1f}"} if name in places else {}
