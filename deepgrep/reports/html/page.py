"""The page put together: one file that needs nothing else, and may run nothing but its own scripts."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from string import Template

from deepgrep.questions.answers import Drawing, ReachAnswer
from deepgrep.reports.html import asked, evidence, paths
from deepgrep.reports.html.data import drawn_paths, page_data
from deepgrep.reports.html.drawn import drawing_section, functions_section
from deepgrep.reports.html.elements import Element, element, markup
from deepgrep.reports.html.layout import Layout, layout
from deepgrep.reports.html.picture import still_picture
from deepgrep.reports.links import Permalink
from deepgrep.reports.provenance import Provenance
from deepgrep.reports.sentences import verdict_sentence
from deepgrep.reports.words import SourceLine, clean

_WHAT_IT_IS = (
    "What a static analysis of the source code found, without running it: an attachment to a bug report, beside a "
    "reproducer, not a report by itself."
)
_SCRIPTS = ("source.js", "scene.js", "drawing.js", "page.js")


def html_page(
    answer: ReachAnswer,
    drawing: Drawing | None,
    source_line: SourceLine,
    permalink: Permalink,
    provenance: Provenance,
    question: str = "",
    note: str = "",
) -> str:
    """Write the answer of `reach` as a page that opens from disk and needs no network.

    Args:
        answer: what was found.
        drawing: what to draw of it, or None.
        source_line: gives the lines of source that the page shows.
        permalink: gives the public address of a line.
        provenance: what the page says of itself.
        question: what a stored query asks, as its heading.
        note: what that says of its answer.

    Returns:
        The HTML file. All that comes from the analyzed code is text in it, never markup or script.

    Raises:
        DeepgrepError: the drawing cannot be laid out.
    """
    placed = None if drawing is None else layout(drawing, answer.target.name)
    main = _main(answer, drawing, placed, source_line, permalink, provenance)
    body = [_header(answer, question, note), main]
    script, style = "\n".join(map(_own, _SCRIPTS)), _own("page.css")
    return Template(_own("page.html")).substitute(
        title=markup([element("title", f"{answer.verdict}: {verdict_sentence(answer)}")]),
        script_digest=_digest(script),
        style_digest=_digest(style),
        style=style,
        body=markup(body),
        data=page_data(answer, drawing, placed, source_line, permalink),
        script=script,
    )


def _header(answer: ReachAnswer, question: str, note: str) -> Element:
    sentence = clean(verdict_sentence(answer))
    verdict = element("strong", str(answer.verdict), class_=f"verdict {answer.verdict}")
    heading = question or f"{clean(answer.root.name)} → {clean(answer.target.name)}"
    said = element("p", verdict, " ", sentence, class_="answer")
    what = element("p", element("small", _WHAT_IT_IS))
    return element("header", element("h1", heading), said, element("p", clean(note)) if note else None, what)


def _main(
    answer: ReachAnswer,
    drawing: Drawing | None,
    placed: Layout | None,
    source_line: SourceLine,
    permalink: Permalink,
    provenance: Provenance,
) -> Element:
    found = []
    if answer.paths:
        found.append(element("div", *_found(answer, drawing, placed, source_line, permalink), class_="found"))
    return element(
        "main",
        asked.about(answer, source_line, permalink, provenance),
        *found,
        evidence.accesses(answer, source_line, permalink),
        evidence.removed(answer, permalink),
        paths.rests_on(answer, source_line, permalink),
        *evidence.structure(answer, permalink),
        evidence.null_result(answer, permalink),
        evidence.remarks(answer),
        None if drawing is None else functions_section(answer, drawing, permalink),
        id="main",
    )


def _found(
    answer: ReachAnswer,
    drawing: Drawing | None,
    placed: Layout | None,
    source_line: SourceLine,
    permalink: Permalink,
) -> list[Element]:
    """The paths, and beside them the drawing and the source of what is looked at."""
    beside = [element("aside", element("h2", "Source"), element("div", id="source"), id="source-pane")]
    if drawing is not None and placed is not None:
        best = [index for index in drawn_paths(answer, drawing)[0] if index >= 0]
        picture = still_picture(drawing, placed, answer.target.name, best)
        beside.insert(0, drawing_section(answer, drawing, picture))
    return [paths.paths(answer, source_line, permalink), element("div", *beside, class_="beside")]


def _own(name: str) -> str:
    """A file that belongs to the page."""
    return (resources.files(__package__) / name).read_text("utf-8")


def _digest(text: str) -> str:
    """What the page's own policy calls a script or style that it allows."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
