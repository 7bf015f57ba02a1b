"""A drawing as PDF, made from its SVG: text stays text, and links stay links."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from deepgrep.errors import DeepgrepError

PAGE_LIMIT = 14_400
"""Points: the largest page that the format knows."""

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_FONT, _ENCODING = "Helvetica", "cp1252"


def pdf_of(svg: bytes) -> bytes:
    """Turn a picture of the renderer's into a PDF of one page.

    The fonts are those that every reader has; characters they lack are written as escapes.

    Args:
        svg: what the renderer drew, at most `PAGE_LIMIT` points wide and high.

    Returns:
        The contents of the file, the same for the same picture.

    Raises:
        DeepgrepError: what it takes is not installed.
    """
    try:
        from reportlab.graphics import renderPDF
        from reportlab.pdfgen.canvas import Canvas
        from svglib.svglib import svg2rlg
    except ImportError as error:
        raise DeepgrepError("--format pdf needs svglib: pip install svglib, or use --format svg") from error
    picture = ElementTree.fromstring(svg)
    for text in picture.iter(f"{_SVG}text"):
        text.text = (text.text or "").encode(_ENCODING, "backslashreplace").decode(_ENCODING)
    links = list(_links(picture))
    for part in picture.iter():
        for title in part.findall(f"{_SVG}title"):  # what a pointer shows: there is none on paper
            part.remove(title)
        if part.tag == f"{_SVG}a":
            part.tag = f"{_SVG}g"
    drawing: Any = svg2rlg(io.BytesIO(ElementTree.tostring(picture)))
    file = io.BytesIO()
    # Invariant: no date, no random identifier.
    canvas = Canvas(file, pagesize=(drawing.width, drawing.height), pageCompression=1, invariant=1)
    renderPDF.draw(drawing, canvas, 0, 0)
    for address, (left, top, right, bottom) in links:
        canvas.linkURL(address, (left, drawing.height - bottom, right, drawing.height - top))
    canvas.showPage()
    canvas.save()
    return file.getvalue()


def _links(picture: ElementTree.Element) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Each address with the box of a text that leads there: left, top, right, bottom in points of the page."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    graph = picture.find(f"{_SVG}g")
    transform = graph.get("transform", "") if graph is not None else ""
    scale, _, _, across, down = (float(number) for number in re.findall(r"-?[\d.]+", transform))
    for link in picture.iter(f"{_SVG}a"):
        address = link.get(_HREF, "")
        for text in link.iter(f"{_SVG}text") if address else ():
            size = float(text.get("font-size", "10"))
            width = stringWidth(text.text or "", _FONT, size)
            left, base = float(text.get("x", "0")), float(text.get("y", "0"))
            if text.get("text-anchor") == "middle":
                left -= width / 2
            yield (
                address,
                (
                    scale * (left + across),
                    scale * (base - size + down),
                    scale * (left + width + across),
                    scale * (base + size / 4 + down),
                ),
            )
