"""The text of the HTML page."""

import base64
import hashlib
import json
import re
from collections import Counter

import click
import pytest
from msgspec.structs import replace
from page_examples import PROVENANCE, Page, answer_about, page, permalink
from report_examples import LINES, NO_PATH, REACHES, RESTORE, WRITE, drawing_of, hop, source_line

from deepgrep.graph.rows import Certainty, Skipped, Via
from deepgrep.questions.answers import Lead, NativeExitRef, Path, Removed, RootRef, Verdict
from deepgrep.reports.html import html_page
from deepgrep.reports.text.reach import reach_text
from deepgrep.sources.released import Released

RICH = replace(
    REACHES,
    filters=["pkg.testing is left out"],
    removed=[Removed("pkg.api.start", "pkg/api.py", 11, "enabled", "enabled=False", leads_on=True)],
    rests_on=hop("pkg.api.start", "pkg/api.py", 10, 12, via=Via.CALLBACK, certainty=Certainty.FLOW),
    assumptions=["pkg has been imported"],
    notes=["the search was given up"],
    skipped=[Skipped("pkg/bad.py", "invalid syntax")],
    cut=["pkg.tracer.Tracer.trace", "pkg.api.start"],
)
REQUIRING = replace(
    RICH,
    paths=[
        replace(
            RICH.paths[0],
            certainty=Certainty.DISPATCH,
            hops=[
                hop(
                    "pkg.api.start",
                    "pkg/api.py",
                    10,
                    12,
                    via=Via.WITH,
                    certainty=Certainty.DISPATCH,
                    depends_on=["fn"],
                    requires=["pkg.a.A.__init__", "pkg.b.B.__init__"],
                    met_along=["pkg.api.start", "pkg.mid", "pkg.a.A.__init__"],
                ),
                hop("pkg.api.start", "pkg/api.py", 10, 12, via=Via.PROCESS),
                RICH.paths[0].hops[-1],
            ],
        )
    ],
)
LEADING = replace(
    NO_PATH,
    leads=[
        Lead("pkg.api.start", "pkg/api.py", 12, "self.fn(x)", "parameter", ["pkg.a.f", "pkg.b.f"], ["ready"], True),
        Lead("pkg.api.other", "pkg/api.py", 30, "g()", "unknown name", ["pkg.b.g"]),
    ],
    lead_count=2,
    native_exits=[
        NativeExitRef("pkg.api.start", "pkg/api.py", 14, "pkg._C.go", True),
        NativeExitRef("pkg.api.start", "pkg/api.py", 15, "pkg._C.go"),
    ],
    open_parameters=["fn"],
)
EXCLUDED = replace(NO_PATH, verdict=Verdict.EXCLUDED)


LABELS = (
    "sources|root|target|filter|writes|removed|rests on|all paths|passes|cut|unknown|assumes|skipped|leads|native|open|"
    "searched|blind"
)


def pieces(text: str) -> list[str]:
    """The parts that a text report sets apart by columns; without labels, and what is about the report itself."""
    lines = [line for line in click.unstyle(text).splitlines() if not line.startswith("more:")]
    unlabelled = [re.sub(f"^({LABELS})\\s+", "", line).strip() for line in lines]
    return [piece for line in unlabelled for piece in re.split(r"\s{2,}", line) if piece]


@pytest.mark.parametrize("answer", [REACHES, RICH, REQUIRING, NO_PATH, LEADING, EXCLUDED])
def test_the_page_says_all_that_the_text_report_says(answer):
    text = Page(page(answer)).text.lower()
    said = pieces(reach_text(answer, source_line, 10_000))
    assert [piece for piece in said if piece.lower() not in text] == []


def test_the_question_of_a_stored_query_is_the_heading():
    assert "<h1>Does start leave the flag set?</h1>" in page(REACHES, question="Does start leave the flag set?")


def test_a_command_of_several_lines_keeps_them():
    provenance = replace(PROVENANCE, command="deepgrep report 'a\n  b' _flag")
    text = html_page(REACHES, None, source_line, permalink, provenance)
    line = '<span class="line">'
    assert f"{line}deepgrep report 'a</span>{line}  b' _flag</span>" in text


def test_the_page_says_where_it_comes_from_and_how_to_repeat_it():
    text = Page(page(REACHES)).text
    assert PROVENANCE.command in text
    assert "deepgrep 0.1.0, Python 3.11.9" in text
    assert "pkg: 120 files compared with the release: 1 changed" in text
    assert "torch" not in text


def test_the_page_says_first_what_it_is_and_explains_its_words():
    text = Page(page(REACHES)).text
    assert text.index("without running it") < text.index("Question") < text.index("How to read this")
    assert text.index("blind spot") < text.index("Paths")


def test_the_commit_is_linked_where_it_is_public():
    made = replace(REACHES, sources=[replace(REACHES.sources[0], commit="0" * 40)])
    public = replace(PROVENANCE, released=[Released("pkg", "https://github.com/pkg/pkg", 120, (), (), ())])
    address = f"https://github.com/pkg/pkg/commit/{'0' * 40}"
    assert address in Page(html_page(made, None, source_line, permalink, public)).attributes("href")
    assert address not in html_page(made, None, source_line, permalink, PROVENANCE)


def test_many_places_that_are_not_reached_are_folded():
    many = [replace(RESTORE, line=line) for line in range(30)]
    text = page(replace(REACHES, accesses=[WRITE, *many]))
    assert '<details class="rest"><summary>30 places that are not reached</summary>' in text
    assert text.index("pkg/tracer.py:44") < text.index("30 places that are not reached") < text.index("pkg/other.py:29")
    assert "places that are not reached" not in page(replace(REACHES, accesses=[WRITE, *many[:10]]))


def test_a_root_that_is_code_is_shown_as_it_was_typed():
    lines = {("<root>", 1): "x = 1", ("<root>", 2): "<b>start(x)</b>"}
    answer = replace(REACHES, root=RootRef("<root>", "<root>", 1))
    text = html_page(answer, None, lambda file, line: lines.get((file, line)), permalink, PROVENANCE)
    assert '<span class="line">&lt;b&gt;start(x)&lt;/b&gt;</span>' in text


def test_places_link_to_the_public_source_where_there_is_one():
    text = page(REACHES)
    assert 'href="https://example.org/pkg/blob/0123456789/pkg/api.py#L12"' in text
    addresses = Page(html_page(REACHES, None, source_line, lambda *_: None, PROVENANCE)).attributes("href")
    assert addresses == ["#main", "https://example.org/pkg"]


def test_no_link_leads_anywhere_but_to_the_web():
    text = html_page(REACHES, drawing_of(5), source_line, lambda *_: "javascript:alert(1)#L1", PROVENANCE)
    assert "javascript:" not in text


def test_what_is_not_drawn_is_told():
    drawing = replace(drawing_of(5), left_out_functions=11_000, left_out_edges=1)
    text = Page(page(REACHES, drawing)).text
    assert "Not drawn: 11,000 functions and 1 edge that also lie on paths." in text


def test_accesses_that_are_reached_come_first_and_doubtful_ones_last():
    lines = {11: (False, False), 12: (True, False), 13: (False, True), 14: (True, True)}
    accesses = [
        replace(REACHES.accesses[0], line=line, reached=reached, is_sure=is_sure)
        for line, (reached, is_sure) in lines.items()
    ]
    text = page(replace(NO_PATH, accesses=accesses))
    assert re.findall(r">pkg/tracer\.py:(\d+)<", text) == ["14", "12", "13", "11"]


def test_leads_that_are_not_listed_are_counted():
    assert "… 5 more: --format json lists all" in Page(page(replace(LEADING, lead_count=7))).text


def test_files_that_differ_from_the_release_are_named():
    release = Released("pkg", "", 120, ("pkg/a.py",), ("pkg/b.py", "pkg/c.py"), ("pkg/d.py",))
    text = html_page(REACHES, None, source_line, permalink, replace(PROVENANCE, released=[release]))
    assert "compared with the release: 1 changed, 2 missing, 1 added" in Page(text).text
    assert all(f"pkg/{name}.py" in Page(text).text for name in "abcd")


def still_picture_of(drawing):
    """The picture that the page shows where no script runs: how often it has each look."""
    text = page(answer_about(drawing), drawing)
    return Counter(re.findall(r'<rect[^>]*class="([^"]*)"', text[text.index("<svg") : text.index("</svg>")]))


def test_the_still_picture_shows_functions_and_marks_the_path():
    looks = still_picture_of(drawing_of(10))
    assert sum(count for look, count in looks.items() if "function" in look) == 10
    assert sum(count for look, count in looks.items() if "on-path" in look) == 7


def test_the_still_picture_shows_the_modules_of_many_functions():
    looks = still_picture_of(drawing_of(160))
    assert not any("function" in look for look in looks)
    assert sum(count for look, count in looks.items() if "module" in look) == 4


def test_without_a_path_nothing_is_drawn():
    assert 'id="canvas"' not in page(NO_PATH)


def test_every_function_drawn_is_listed_with_its_place():
    found = Page(page(REACHES, drawing_of(40)))
    assert sorted(map(int, filter(str.isdigit, found.attributes("data-function")))) == list(range(40))
    assert "Class39.method_39 pkg/part3.py:391 (on every path; writes the target at line 395, 399)" in found.text


def test_headings_and_landmarks_name_the_parts_of_the_page():
    found = Page(page(REACHES, drawing_of(5)))
    assert {"header", "main", "h1"} <= set(found.tags)
    titles = found.attributes("aria-labelledby")
    assert {"paths-title", "drawing-title", "accesses-title", "functions-title"} <= set(titles)
    identifiers = found.attributes("id")
    assert set(titles) <= set(identifiers)
    assert len(identifiers) == len(set(identifiers))


def test_the_page_allows_only_its_own_script_and_style_and_no_network():
    text = page(REACHES, drawing_of(5))
    (policy,) = (content for content in Page(text).attributes("content") if "default-src" in content)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (script, style)]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digests[0]}'; style-src 'sha256-{digests[1]}'; "
        "img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def test_the_page_loads_nothing():
    found = Page(page(answer_about(drawing_of(40)), drawing_of(40)))
    assert not {"link", "img", "iframe", "object", "base"} & set(found.tags)
    assert found.attributes("src") == []
    assert found.attributes("style") == []


def test_the_same_answer_gives_the_same_page():
    drawing = drawing_of(300)
    assert page(answer_about(drawing), drawing) == page(answer_about(drawing), drawing)


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "a\u2028b\u2029c\x00d",
    "\u202egnirts\u202c",
    "\ud800 lone",
    "$body ${data} %s {0}",
    "<!--<script>",
    "]]>&lt;b&gt;",
]


def hostile_answer(name):
    """Everything that comes from the analyzed code is this name."""
    path = replace(
        REACHES.paths[0],
        hops=[
            replace(one, function=f"{name}.{index}", file=name, conditions=[name], locks=[name], depends_on=[name])
            for index, one in enumerate(REACHES.paths[0].hops)
        ],
    )
    return replace(
        REACHES,
        paths=[path],
        root=RootRef(name, name, 1),
        target=replace(REACHES.target, name=name),
        accesses=[replace(REACHES.accesses[0], function=name, file=name, conditions=[name], form=name)],
        chokepoints=[name],
        cut=[name],
        places={name: f"{name}:3"},
        notes=[name],
        assumptions=[name],
        filters=[name],
        removed=[Removed(name, name, 1, name, name, leads_on=True)],
        skipped=[Skipped(name, name)],
        rests_on=path.hops[0],
    )


def hostile_null(name):
    return replace(
        hostile_answer(name),
        verdict=Verdict.NO_PATH,
        paths=[],
        leads=[Lead(name, name, 1, name, name, [name] * 5, [name])],
        lead_count=1,
        native_exits=[NativeExitRef(name, name, 1, name)] * 2,
        open_parameters=[name],
    )


def hostile_drawing(name):
    drawing = drawing_of(5)
    functions = [
        replace(one, name=f"{name}.{index}", module=name, label=name, file=name)
        for index, one in enumerate(drawing.functions)
    ]
    return replace(drawing, functions=functions)


def hostile_page(name, make=hostile_answer):
    provenance = replace(PROVENANCE, command=name)
    drawing = hostile_drawing(name) if make is hostile_answer else None
    return html_page(make(name), drawing, lambda *_: name, lambda *_: None, provenance, question=name)


@pytest.mark.parametrize("make", [hostile_answer, hostile_null])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_add_no_element_and_no_attribute(name, make):
    hostile, harmless = Page(hostile_page(name, make)), Page(hostile_page("harmless", make))
    assert hostile.tags == harmless.tags
    assert {key for _, attributes in hostile.elements for key in attributes} == {
        key for _, attributes in harmless.elements for key in attributes
    }


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_within_the_data(name):
    text = hostile_page(name)
    data = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert len(data) == 1
    assert not re.search("[<>&\u2028\u2029]", data[0])
    assert len(json.loads(data[0])["drawing"]["functions"]) == 5
    text.encode()


def test_text_is_never_turned_around_or_hidden():
    text = hostile_page("\u202egnirts\u202c\u200b\x1b[31m")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x1b]", text)


def test_source_lines_stand_in_the_page_with_those_around_them():
    lines = {**LINES, ("pkg/tracer.py", 43): "        # before", ("pkg/tracer.py", 47): "        # after"}
    text = html_page(REACHES, None, lambda file, line: lines.get((file, line)), permalink, PROVENANCE)
    (data,) = re.findall(r'id="data">(.*?)</script>', text, re.DOTALL)
    held = json.loads(data)["lines"]["pkg/tracer.py"]
    assert held == {"43": "        # before", "44": "        _flag = True", "47": "        # after"}


def test_of_a_path_of_very_many_hops_those_at_both_ends_are_shown():
    hops = [hop(f"pkg.f{i}", "pkg/api.py", i, i + 1) for i in range(1_500)]
    text = page(replace(REACHES, paths=[Path(Certainty.CERTAIN, hops)], path_count=1))
    assert text.count('class="hop"') == 1_000
    assert "… 500 hops between: --format json lists all" in text
