"""What the page's scripts are given: source lines, the paths, and the drawing with its positions; as JSON."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Drawing, ReachAnswer
from deepgrep.reports.html.layout import LABEL_WIDTH, Layout
from deepgrep.reports.html.paths import hidden_hops
from deepgrep.reports.links import Permalink
from deepgrep.reports.words import DOES, SourceLine, clean, shorten
from deepgrep.reports.words import cut as cut_off

_LEVELS = list(Certainty)
_AROUND_HOP, _AROUND_CALL = 3, 1
_LINE_WIDTH = 200
_FIRST_LINE = "#L1"


def page_data(
    answer: ReachAnswer,
    drawing: Drawing | None,
    layout: Layout | None,
    source_line: SourceLine,
    permalink: Permalink,
) -> str:
    """Write the data as JSON that can stand in a script element: no `<`, `>` or `&` in it."""
    wanted: dict[tuple[str, int], None] = {}
    for path in answer.paths:
        hidden = hidden_hops(path)
        for position, hop in enumerate(path.hops):
            if position not in hidden:
                wanted |= _near(hop.file, hop.call_line, _AROUND_HOP)
    if answer.rests_on is not None:
        wanted |= _near(answer.rests_on.file, answer.rests_on.call_line, _AROUND_HOP)
    if drawing is not None:
        for function in drawing.functions:
            for line in (function.line, *function.accesses):
                wanted |= _near(function.file, line, _AROUND_CALL)
        for edge in drawing.edges:
            for line in edge.lines:
                wanted |= _near(drawing.functions[edge.caller].file, line, _AROUND_CALL)
    lines: dict[str, dict[int, str]] = {}
    for file, line in sorted(wanted):
        text = source_line(file, line)
        if text is not None:
            lines.setdefault(clean(file), {})[line] = cut_off(clean(text.rstrip("\r\n").expandtabs(4)), _LINE_WIDTH)
    data = {
        "lines": lines,
        "addresses": _addresses(dict.fromkeys(file for file, _ in wanted), permalink),
        "paths": drawn_paths(answer, drawing),
        "drawing": None if drawing is None or layout is None else _drawing(answer, drawing, layout),
    }
    text = msgspec.json.encode(data).decode()
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _near(file: str, line: int, around: int) -> dict[tuple[str, int], None]:
    return {(file, near): None for near in range(max(1, line - around), line + around + 1)}


def _addresses(files: Iterable[str], permalink: Permalink) -> dict[str, str]:
    """For each file that has one, its public address up to the number of a line."""
    found = {}
    for file in files:
        address = permalink(file, 1)
        if address is not None and address.startswith(("https://", "http://")) and address.endswith(_FIRST_LINE):
            found[clean(file)] = address.removesuffix("1")
    return found


def drawn_paths(answer: ReachAnswer, drawing: Drawing | None) -> list[list[int]]:
    """For each path the functions of the drawing that it passes through, in order; -1 for one that is not drawn."""
    functions = [] if drawing is None else drawing.functions
    drawn = {(function.name, function.line): index for index, function in enumerate(functions)}
    return [
        [
            drawn.get((hop.function, hop.line), -1)
            for position, hop in enumerate(path.hops)
            if position not in hidden_hops(path)
        ]
        for path in answer.paths
    ]


def _drawing(answer: ReachAnswer, drawing: Drawing, layout: Layout) -> dict[str, object]:
    modules = {name: number for number, name in enumerate(layout.modules)}
    return {
        "root": drawing.root,
        "targets": drawing.targets,
        "target": {"name": shorten(clean(answer.target.name), LABEL_WIDTH), "box": layout.target},
        "does": DOES[answer.target.access],
        "modules": [{"name": clean(name), "box": box} for name, box in layout.modules.items()],
        "functions": [
            {
                "name": clean(function.name),
                "label": shorten(clean(function.label), LABEL_WIDTH),
                "module": modules.get(function.module, -1),
                "file": clean(function.file),
                "line": function.line,
                "chokepoint": function.chokepoint,
                "accesses": function.accesses,
                "box": box,
            }
            for function, box in zip(drawing.functions, layout.functions, strict=True)
        ],
        "edges": [
            {
                "caller": edge.caller,
                "callee": edge.callee,
                "lines": edge.lines,
                "via": edge.via,
                "level": _LEVELS.index(edge.certainty),
                "route": route,
            }
            for edge, route in zip(drawing.edges, layout.routes, strict=True)
        ],
    }
