"""Names, code and sentences in Markdown: what they say, and that they say nothing else."""

import pytest
from rendered import rendered

from deepgrep.reports.markdown.escaping import cell, code, fenced, html_code, linked, prose, source_block, written

HOSTILE = [
    "`",
    "``",
    "`a",
    "a` `b``c",
    "__init__",
    "*args",
    "a|b",
    r"a\|b",
    "\\",
    "<locals>",
    "<script>alert(1)</script>",
    "</code></details>",
    "<!-- x",
    "&lt;&#96;",
    "@everyone",
    "#1",
    "](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "https://evil.example",
    "$x$",
    ":smile:",
    "~~x~~",
    "(((",
    ")]}",
    "...",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_code_span_shows_what_it_holds_and_nothing_else(text: str) -> None:
    page = rendered(f"before {code(text)} after")
    assert (page.tags, page.code, page.links) == (["p", "/p"], [text], [])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_stays_one_cell(text: str) -> None:
    page = rendered(f"| a | b |\n| --- | --- |\n| {cell(text)} | x |")
    assert page.code == [text]
    assert page.tags.count("td") == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_a_summary_holds_code_as_html(text: str) -> None:
    page = rendered(f"<details><summary>{html_code(text)}</summary>\n\nx\n\n</details>")
    assert page.code == [text]
    assert page.tags == ["details", "summary", "/summary", "p", "/p", "/details"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_sentence_keeps_its_words_and_those_that_are_not_plain_are_code(text: str) -> None:
    page = rendered(f"- note: {prose(f'the module {text} and ({text}), too')}")
    assert page.text.split() == f"note: the module {text} and ({text}), too".split()
    assert page.tags == ["ul", "li", "/li", "/ul"]
    assert page.links == []
    assert not set("@#<`*_|[]$~\\").intersection(page.plain)


@pytest.mark.parametrize("text", [*HOSTILE, "```", "`````python"])
def test_a_block_of_code_is_closed_by_nothing_in_it(text: str) -> None:
    page = rendered("\n".join(["1. x", *source_block(f"   {text}", "   "), "   after"]))
    assert [shown.rstrip("\n") for shown in page.code] == [text]
    assert page.tags == ["ol", "li", "pre", "/pre", "/li", "/ol"]


def test_plain_words_stay_plain() -> None:
    assert prose("3,002 calls (no monkeypatching) lead on; it's 1.5 of them: the caller's own") == (
        "3,002 calls (no monkeypatching) lead on; it's 1.5 of them: the caller's own"
    )


def test_punctuation_stays_outside_of_code() -> None:
    assert prose("has entered a_mode, (see b_c) or f(x): d_e.") == "has entered `a_mode`, (see `b_c`) or `f(x)`: `d_e`."


def test_what_cannot_be_seen_is_shown() -> None:
    assert code("a\u202eb\u2066c\x1b[0m\x00\ud800") == "`a\ufffdb\ufffdc\ufffd[0m\ufffd\ufffd`"
    assert code("a\nb") == "`a b`"


def test_huge_names_are_shortened_in_their_middle() -> None:
    assert len(code("x" * 100_000)) < 250
    assert "\n".join(source_block("x" * 100_000, "")).count("x") < 250


def test_a_place_has_a_link_where_there_is_one() -> None:
    page = rendered(linked(lambda file, line: f"https://example.org/{line}", "pkg/a_b_.py", 7))
    assert (page.code, page.links) == (["pkg/a_b_.py:7"], ["https://example.org/7"])
    assert linked(lambda file, line: None, "pkg/a_b_.py", 7) == "`pkg/a_b_.py:7`"


def test_a_link_that_is_too_long_is_left_out() -> None:
    assert linked(lambda file, line: "https://example.org/" + "x" * 1000, "a.py", 7) == "`a.py:7`"


def test_every_line_of_a_block_is_indented() -> None:
    assert fenced("a\nb", "sh", "  ") == ["  ```sh", "  a", "  b", "  ```"]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("with `--assume defaults` no path is left", "with `--assume defaults` no path is left"),
        ("(`a.b`), and torch.x_y.", "(`a.b`), and `torch.x_y`."),
        ("a ` b", "a `` ` `` b"),
        ("<b>`c`</b>", "``<b>`c`</b>``"),
    ],
)
def test_code_that_the_author_of_a_query_marked_stays_code_and_nothing_else_is_markup(text: str, markdown: str) -> None:
    assert written(text) == markdown


def test_the_name_of_native_code_is_one_name() -> None:
    assert prose("made torch._C.<tensor operation>: so") == "made `torch._C.<tensor operation>`: so"
