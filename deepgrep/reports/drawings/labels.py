"""The texts of a drawing: labels, tooltips and links, so that names of the analyzed code are text and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from deepgrep.graph.rows import Via
from deepgrep.questions.answers import ChopEdge, Drawing, DrawnFunction
from deepgrep.reports.links import Permalink
from deepgrep.reports.words import SourceLine, clean, cut, place

LABEL_WIDTH = 32
_LONGEST_NAME = 160
_LINES_SHOWN = 2
_TOOLTIP_CALLS = 8
_TOOLTIP_WIDTH = 120


def literal(lines: Iterable[str], end: str = r"\l") -> str:
    r"""A label in the DOT language of literal text: each line ended as given (`\l` sets it to the left)."""
    import graphviz

    # The renderer reads `&lt;` in a label as `<`.
    escaped = (graphviz.escape(clean(line).replace("&", "&amp;")) for line in lines)
    label: str = graphviz.nohtml("".join(line + end for line in escaped))
    return label


def tooltip(lines: Iterable[str]) -> str:
    """Literal text for a tooltip."""
    return literal((cut(line, _TOOLTIP_WIDTH) for line in lines), end=r"\n")


def web_link(address: str | None) -> dict[str, str]:
    """The attributes that make something a link; none for what is not an address on the web, such as `javascript:`."""
    if address is None or not address.startswith("https://"):
        return {}
    return {"URL": literal([address], end=""), "target": "_blank"}


def wrapped(name: str, width: int = LABEL_WIDTH) -> list[str]:
    """Break a name after dots, and a part too long for that after underscores, into lines of about `width`.

    What has neither is broken anywhere; a name that would fill a page is cut.
    """
    lines = [""]
    for part in re.findall(r"[^.]+\.?|\.", cut(clean(name), _LONGEST_NAME)):
        pieces = [part] if len(part) <= 1.5 * width else re.findall(r"[^_]{1,32}_*|_{1,32}", part)
        for piece in pieces:
            if lines[-1] and len(lines[-1]) + len(piece) > width:
                lines.append("")
            lines[-1] += piece
    return lines


def function_label(function: DrawnFunction) -> list[str]:
    """Name and line; what is native has no line."""
    return [*wrapped(function.label), *([f"line {function.line}"] if function.line else [])]


def function_tooltip(function: DrawnFunction, source_line: SourceLine) -> list[str]:
    """The full name, the place, and the line of source there."""
    return [function.name, _sourced(function.file, function.line, source_line)]


def call_label(edge: ChopEdge) -> str:
    """The lines of the calls, and how control passes where that is not a plain call."""
    return " ".join(filter(None, [line_numbers(edge.lines), "" if edge.via is Via.CALL else edge.via.value]))


def call_tooltip(drawing: Drawing, edges: Iterable[int], source_line: SourceLine) -> list[str]:
    """The place of each call, with its line of source; of many the first ones, and how many more there are."""
    calls = [(drawing.functions[drawing.edges[n].caller], line) for n in edges for line in drawing.edges[n].lines]
    shown = list(dict.fromkeys(_sourced(caller.file, line, source_line) for caller, line in calls[:_TOOLTIP_CALLS]))
    return shown if len(calls) <= _TOOLTIP_CALLS else [*shown, f"and {len(calls) - _TOOLTIP_CALLS:,} more calls"]


def access_tooltip(function: DrawnFunction, source_line: SourceLine) -> list[str]:
    """The places in a function where it accesses the target, as those of calls."""
    shown = [_sourced(function.file, line, source_line) for line in function.accesses[:_TOOLTIP_CALLS]]
    more = len(function.accesses) - len(shown)
    return [*shown, f"and {more:,} more"] if more else shown


def link_to(permalink: Permalink, file: str, lines: Iterable[int]) -> dict[str, str]:
    """The attributes of a link to the first of some lines."""
    line = next((line for line in lines if line), 0)
    return web_link(permalink(file, line)) if line else {}


def line_numbers(lines: Iterable[int]) -> str:
    """The first of some lines, and how many more there are; native code has none."""
    real = [line for line in lines if line]
    shown = ", ".join(str(line) for line in real[:_LINES_SHOWN])
    return f"{shown}, +{len(real) - _LINES_SHOWN}" if len(real) > _LINES_SHOWN else shown


def _sourced(file: str, line: int, source_line: SourceLine) -> str:
    text = source_line(file, line) if line else None
    return f"{place(file, line)}  {text.strip()}" if text and text.strip() else place(file, line)
