import io

import pypdf
import pytest
from report_examples import REACHES, dot_source, drawing_of

from deepgrep.errors import DeepgrepError
from deepgrep.reports.drawings.pdf import pdf_of
from deepgrep.reports.drawings.render import render, scaled_down


def page_of(pdf: bytes) -> pypdf.PageObject:
    return pypdf.PdfReader(io.BytesIO(pdf)).pages[0]


def linked(file, line):
    return f"https://example.org/{file}#L{line}"


def test_text_stays_text():
    text = page_of(render(dot_source(drawing_of(5), REACHES), "pdf")).extract_text()
    for said in ("reaches: pkg.api.start can reach code that writes", "Class3.method_3", "line 31", "pkg.part2"):
        assert said in text


def test_links_lie_on_the_names_that_they_belong_to():
    page = page_of(render(dot_source(drawing_of(2), REACHES, lambda file, line: None, linked), "pdf"))
    boxes = {note.get_object()["/A"]["/URI"]: note.get_object()["/Rect"] for note in page["/Annots"]}
    left, bottom, right, top = boxes["https://example.org/pkg/part1.py#L11"]
    places = {}
    page.extract_text(visitor_text=lambda text, cm, tm, *_: places.setdefault(text.strip(), place(cm, tm)))
    x, y = places["line 11"]
    assert left - 1 <= x <= right
    assert bottom <= y <= top


def place(cm, tm):
    return tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]


def test_characters_that_the_fonts_lack_are_escaped():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="300pt" height="50pt" viewBox="0 0 300 50">'
        '<g transform="scale(1 1) rotate(0) translate(4 40)"><text x="1" y="1" font-size="9">日 é</text></g></svg>'
    )
    assert page_of(pdf_of(svg.encode())).extract_text().strip() == "\\u65e5 é"


def test_page_is_bounded_in_size_and_tells_that_it_was():
    dot = dot_source(drawing_of(2), REACHES)
    small, large = render(dot, "pdf"), render(dot.replace("ranksep=0.45", "ranksep=400"), "pdf")
    assert scaled_down(small, "pdf") == ""
    assert scaled_down(large, "pdf") == "the largest page, 14,400 points"
    assert float(page_of(large).mediabox.height) == pytest.approx(14_400, abs=1)


def test_missing_extra_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "reportlab.graphics", None)
    with pytest.raises(DeepgrepError, match=r"^--format pdf needs svglib: pip install svglib, or use --format svg"):
        render("digraph {}", "pdf")
