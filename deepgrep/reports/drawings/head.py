"""The title and legend of a drawing: question, verdict, versions, what is not drawn, and what the looks mean."""

from __future__ import annotations

import html
import textwrap

from deepgrep.graph.rows import Certainty
from deepgrep.questions.answers import ReachAnswer
from deepgrep.questions.drawing_groups import Grouped, Picture
from deepgrep.reports.sentences import verdict_sentence
from deepgrep.reports.words import SEVERAL, cut, plural, source_title

# Okabe and Ito's colours: told apart by colour-blind readers; the root also is dark and the target light in grey print.
ROOT = "#0072B2"
TARGET = "#E69F00"
ACCESS = "#FBE7C2"
INK = "#222222"
QUIET = "#666666"

_WIDTH, _LONGEST = 90, 450
LINES = {Certainty.CERTAIN: "solid", Certainty.DISPATCH: "dashed", Certainty.FLOW: "dotted"}


def head(picture: Picture, answer: ReachAnswer) -> str:
    """The head of a picture, as an HTML-like label of the DOT language."""
    sources = "; ".join(source_title(source) for source in answer.sources)
    title = cut(f"{answer.verdict}: {verdict_sentence(answer)}", _LONGEST)
    # Names are not broken.
    lines = textwrap.wrap(title, _WIDTH, break_long_words=False, break_on_hyphens=False)
    rows = [f"<b>{html.escape(line)}</b>" for line in lines]
    rows.append(f'<font point-size="10" color="{QUIET}">{html.escape(sources)}</font>')
    rows += [f'<font point-size="10">{html.escape(said)}</font>' for said in not_drawn(picture)]
    rows += [_legend(picture), _lines_legend(picture)]
    cells = "".join(f'<tr><td align="left">{row}</td></tr>' for row in rows)
    return f'<<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{cells}</table>>'


def not_drawn(picture: Picture) -> list[str]:
    """What a picture leaves out or draws together, in words: no line for what it draws as it is."""
    drawing = picture.drawing
    said = []
    if drawing.left_out_functions or drawing.left_out_edges:
        functions, edges = plural(drawing.left_out_functions, "function"), plural(drawing.left_out_edges, "edge")
        more = "--format json lists all" if drawing.is_too_long else "--all draws them"
        said.append(f"not drawn: {functions} and {edges} that also lie on paths ({more})")
    whole = f"{plural(len(drawing.functions), 'function')} and {plural(len(drawing.edges), 'edge')}"
    if picture.grouped is Grouped.CYCLES:
        said.append(f"{whole} lie on paths; those that can each reach all the others are one node, a cycle")
    if picture.grouped is Grouped.PACKAGES:
        said.append(f"{whole} lie on paths: too many to draw, so they are summarised by package or module")
    if picture.thin:
        said.append(f"not drawn: {plural(picture.thin, 'link')} between packages that hold fewer calls than others")
    return said


def _legend(picture: Picture) -> str:
    cells = [
        f'<td bgcolor="{ROOT}" border="1"><font color="white"> root </font></td>',
        f'<td bgcolor="{ACCESS}" border="1"> accesses the target </td>',
        f'<td bgcolor="{TARGET}" border="2"> target </td>',
        '<td border="3"> on every path </td>',
    ]
    return _row(cells)


def _lines_legend(picture: Picture) -> str:
    used = {edge.certainty for edge in picture.drawing.edges}
    said = [
        f"{LINES[c]}: {SEVERAL[c].partition(': ')[2] if c in SEVERAL else 'the only callee'}"
        for c in Certainty
        if c in used
    ]
    if not all(link.is_best for link in picture.links):
        said.append("thick: on a best path")
    said.append("number: line of the call")
    return _row([f"<td>{html.escape(text)}</td>" for text in said])


def _row(cells: list[str]) -> str:
    table = f'<table border="0" cellspacing="4" cellpadding="2"><tr>{"".join(cells)}</tr></table>'
    return f'<font point-size="9">{table}</font>'
