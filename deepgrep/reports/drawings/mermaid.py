"""A small drawing in Mermaid, which trackers show as a picture where it stands in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import Drawing, ReachAnswer
from deepgrep.reports.drawings.head import ACCESS, INK, ROOT, TARGET
from deepgrep.reports.drawings.labels import call_label, function_label, line_numbers, wrapped
from deepgrep.reports.links import Permalink
from deepgrep.reports.sentences import verdict_sentence
from deepgrep.reports.words import DOES, clean, source_title

MOST_FUNCTIONS = 40
# What trackers accept: Mermaid's own defaults, `maxTextSize` and `maxEdges`.
_MOST_CHARACTERS, _MOST_EDGES = 50_000, 500

_PLAIN = re.compile(r"[^A-Za-z0-9 .,:+]")
_ADDRESS = re.compile(r"https://[A-Za-z0-9._~:/?@!$&'()*+,=%#-]+")
_ARROWS = {Certainty.CERTAIN: "-->", Certainty.DISPATCH: "-.->", Certainty.FLOW: "-.->"}


def mermaid_source(drawing: Drawing, answer: ReachAnswer, permalink: Permalink) -> str | None:
    """Write a drawing in Mermaid.

    Args:
        drawing: the functions and edges to draw.
        answer: the answer that they belong to.
        permalink: gives the links of functions; these are left out where there is no room for them.

    Returns:
        A flowchart within the limits of trackers, or None where the drawing is too large for them. Names from the
        analyzed code are escaped and cannot add anything to it.
    """
    edges = len(drawing.edges) + len(drawing.targets)
    if len(drawing.functions) > MOST_FUNCTIONS or edges > _MOST_EDGES:
        return None
    lines = [*_graph(drawing, answer), *_looks(drawing)]
    for written in ([*lines, *_links(drawing, permalink)], lines):
        source = "".join(f"{line}\n" for line in written)
        if len(source) <= _MOST_CHARACTERS:
            return source
    return None


def _graph(drawing: Drawing, answer: ReachAnswer) -> Iterator[str]:
    yield _comment(f"{answer.verdict}: {verdict_sentence(answer)}")
    yield from (_comment(source_title(source)) for source in answer.sources)
    yield "%% numbers: lines of the calls; dotted: one of several possible callees; thick border: on every path"
    yield "flowchart TD"
    members: dict[str, list[int]] = {}
    for index, function in enumerate(drawing.functions):
        members.setdefault(function.module, []).append(index)
    for number, (module, inside) in enumerate(members.items()):
        nodes = [f"f{index}[{_label(function_label(drawing.functions[index]))}]" for index in inside]
        if module:
            yield f"  subgraph m{number}[{_label([module])}]"
            yield from (f"    {node}" for node in nodes)
            yield "  end"
        else:  # root code, which belongs to no module
            yield from (f"  {node}" for node in nodes)
    yield f"  target{{{{{_label([*wrapped(answer.target.name), answer.target.kind])}}}}}"
    for edge in drawing.edges:
        said = call_label(edge)
        yield f"  f{edge.caller} {_ARROWS[edge.certainty]}{f'|{_label([said])}|' if said else ''} f{edge.callee}"
    for index in drawing.targets:
        said = f"{DOES[answer.target.access]} {line_numbers(drawing.functions[index].accesses)}"
        yield f"  f{index} ==>|{_label([said])}| target"


def _looks(drawing: Drawing) -> Iterator[str]:
    # Not a class `root`: Mermaid has one of its own, around everything.
    yield f"  classDef isRoot fill:{ROOT},stroke:{ROOT},color:#FFFFFF"
    yield f"  classDef isTarget fill:{TARGET},stroke:{INK},color:{INK}"
    yield f"  classDef doesAccess fill:{ACCESS},stroke:{INK},color:{INK}"
    yield f"  classDef isChokepoint stroke:{INK},stroke-width:4px"
    yield "  class target isTarget"
    for index, function in enumerate(drawing.functions):
        if function.accesses and index != drawing.root:
            yield f"  class f{index} doesAccess"
        if function.chokepoint:
            yield f"  class f{index} isChokepoint"
    yield f"  class f{drawing.root} isRoot"


def _links(drawing: Drawing, permalink: Permalink) -> Iterator[str]:
    for index, function in enumerate(drawing.functions):
        address = permalink(function.file, function.line) if function.line else None
        if address is not None and _ADDRESS.fullmatch(address):
            yield f'  click f{index} href "{address}" _blank'


def _comment(text: str) -> str:
    """A line that is not drawn; Mermaid takes a directive (`%%{init: …}%%`) wherever it stands, so here is none."""
    return f"%% {clean(text).replace('%{', '% {')}"


def _label(lines: list[str]) -> str:
    """Literal text: all but letters, digits and a few signs as entity codes, so that nothing is markup."""
    escaped = (_PLAIN.sub(lambda found: f"#{ord(found[0])};", clean(line)) for line in lines)
    return f'"{"<br/>".join(escaped)}"'
