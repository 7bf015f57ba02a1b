"""What the reports of `diff` and `bisect` say, and that nothing of the analyzed code changes what is around it."""

from __future__ import annotations

from xml.etree import ElementTree

import click
import msgspec
import pytest
from asking_diff import version
from diff_examples import all_changes, answer, compared, null_answer
from hostile_names import HOSTILE
from rendered import rendered

from deepgrep.questions.answers import Verdict
from deepgrep.questions.bisect import BisectAnswer, On, Reply
from deepgrep.questions.changes_answers import ChangesAnswer
from deepgrep.questions.diff import compare
from deepgrep.questions.diff_answers import Change, DiffAnswer
from deepgrep.questions.diff_drawing import DiffDrawing, diff_drawing
from deepgrep.questions.diff_sides import Question
from deepgrep.reports.diff_sentences import diff_sentence
from deepgrep.reports.drawings.diff import diff_source
from deepgrep.reports.drawings.render import render
from deepgrep.reports.markdown.bisect import bisect_markdown
from deepgrep.reports.markdown.changes import changes_markdown
from deepgrep.reports.markdown.diff import MOST_BYTES, diff_markdown
from deepgrep.reports.text.bisect import bisect_text
from deepgrep.reports.text.changes import changes_text
from deepgrep.reports.text.diff import diff_text

WIDTH = 100
WORDS = {"new", "gone", "changed", "same", "write", "read", "call", "process", "certain", "dispatch", "flow", "verdict"}


def no_line(_file: str, _line: int) -> None:
    return None


def text(of: DiffAnswer) -> str:
    return click.unstyle(diff_text(of, no_line, WIDTH))


def poisoned(value: object, name: str) -> object:
    """The same data, every text that is none of our words replaced."""
    if isinstance(value, dict):
        return {key: poisoned(one, name) if key not in KEPT else one for key, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one, name) for one in value]
    return name if isinstance(value, str) else value


KEPT = {"schema", "change", "reason", "verdict", "via", "certainty", "access", "what", "missing", "kind", "scope", "on"}
KEPT |= {"before_certainty", "after_certainty", "address"}


def hostile(of: DiffAnswer, name: str) -> DiffAnswer:
    return msgspec.convert(poisoned(msgspec.to_builtins(of), name), DiffAnswer)


def test_the_text_says_what_became_of_verdict_paths_and_places_and_shows_both_lines() -> None:
    said = text(answer())
    assert said.startswith("different   ")
    assert "path gone" in said
    assert "- a call of m.goes was removed from m.root" in said
    assert "+ m.Child overrides run now: the line is the same, and goes on to that" in said
    assert "before  m.py:43" in said
    assert "m.old_name → m.new_name" in said


def test_a_function_of_a_path_that_has_another_name_in_the_other_version_says_so() -> None:
    one = answer()
    path = next(path for path in one.paths if path.change is Change.GONE)
    moved = msgspec.structs.replace(path, moved={path.path.hops[-1].function: "n.there"})
    assert "      moved to n.there\n" in text(msgspec.structs.replace(one, paths=[moved]))


def test_hops_that_a_path_shares_with_the_one_before_are_shown_once() -> None:
    one = answer()
    path = next(path for path in one.paths if path.change is Change.GONE)
    hops = path.path.hops
    long = msgspec.structs.replace(
        path, path=msgspec.structs.replace(path.path, hops=[*hops[:2], *hops]), lines=path.lines[:2] + path.lines
    )
    said = text(msgspec.structs.replace(one, paths=[long, long]))
    assert "path gone 2 of 2" in said
    assert "  … the first 4 hops are those of the path before\n" in said


def test_the_text_says_that_hops_stand_under_other_conditions_and_locks() -> None:
    said = text(answer())
    assert "now when deep" in said
    assert "was holding no lock, is holding _lock" in said


HELPED = """
_flag = False


def set_it():
    global _flag
    _flag = True


def root(deep):
    if deep:
        set_it()
"""


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (HELPED.replace("if deep", "if not deep"), "; 1 hop changed"),
        (
            "import contextvars\n"
            + HELPED.replace("_flag = False", '_flag = contextvars.ContextVar("f")')
            .replace("    global _flag\n", "")
            .replace("_flag = True", "_flag.set(True)"),
            "; the target is a context variable now, and was a module global, 1 writing place changed",
        ),
        (
            HELPED + "    elif by():\n        pass\n\n\ndef by():\n    set_it()\n",
            "; the paths shown are the same, but 0 functions are on no path any more, 1 newly is",
        ),
    ],
)
def test_the_first_line_says_what_differs_where_the_verdict_and_the_paths_do_not(after: str, said: str) -> None:
    found = compare(version(HELPED), version(after), Question("m.root", "m._flag")).answer
    assert diff_sentence(found) == f"reaches in both, from m.root to code that writes m._flag{said}"


def test_a_name_is_never_broken_into_two_lines() -> None:
    name = "torch." + "a_long_part." * 12 + "end"
    one = answer()
    moved = [msgspec.structs.replace(move, after=name) for move in one.moved]
    assert f" {name}" in text(msgspec.structs.replace(one, moved=moved))


def test_the_text_of_null_results_says_what_they_rest_on() -> None:
    said = text(null_answer())
    assert "excluded before, no-path after" in said
    assert "the target was excluded; now calls remain that could not be followed" in said
    assert "lead: fn.set_it (attribute of a parameter) could be" in said or "lead: fn.set_it" in said


@pytest.mark.parametrize("width", [60, 100])
def test_lines_stay_within_the_width(width: int) -> None:
    for said in (diff_text(answer(), no_line, width), changes_text(all_changes(), width)):
        assert max(len(click.unstyle(line)) for line in said.splitlines()) <= width


@pytest.mark.parametrize("name", HOSTILE)
def test_no_control_character_of_the_analyzed_code_is_printed(name: str) -> None:
    for said in (text(hostile(answer(), name)), text(hostile(null_answer(), name))):
        assert all(line.isprintable() for line in said.splitlines())


def test_markdown_links_both_lines_of_a_difference() -> None:
    page = rendered(diff_markdown(answer(), no_line))
    assert {"https://code.example/m.py#L39", "https://code.example/m.py#L48"} <= set(page.links)
    assert page.plain.startswith("different: ")
    assert "m.Child" in page.code


MARKUP = ["`", "a```b", "|", "<script>alert(1)</script>", "</details>", "<!--", "@everyone", "#123", "](javascript:x)"]


@pytest.mark.parametrize("name", [*MARKUP, "\n# x\n", "http://evil.example", "**bold**"])
def test_nothing_of_the_analyzed_code_is_markup(name: str) -> None:
    def page(text: str):
        shown = hostile(answer(), text)
        return rendered(diff_markdown(shown, lambda file, line: text))

    ours, theirs = page("a_name"), page(name)
    assert theirs.tags == ours.tags
    assert theirs.links == ours.links
    assert not any(sign in theirs.plain for sign in ("@", "#", "evil", "alert", "<", "`", "**"))


@pytest.mark.parametrize("name", MARKUP)
def test_nothing_of_the_analyzed_code_is_markup_in_what_changed(name: str) -> None:
    def page(text: str):
        shown = msgspec.convert(poisoned(msgspec.to_builtins(all_changes()), text), ChangesAnswer)
        return rendered(changes_markdown(shown))

    ours, theirs = page("a_name"), page(name)
    assert theirs.tags == ours.tags
    assert theirs.links == []
    assert not any(sign in theirs.plain for sign in ("@", "#", "alert", "<", "`"))


def test_a_large_answer_fits_a_tracker_and_says_what_it_leaves_out() -> None:
    one = answer()
    large = msgspec.structs.replace(one, accesses=one.accesses * 2000, paths=one.paths * 300, moved=one.moved * 500)
    said = diff_markdown(large, no_line)
    assert len(said.encode()) <= MOST_BYTES
    assert "`--format json` lists all" in said


def test_a_drawing_tells_what_is_gone_and_new_without_colour() -> None:
    drawing = diff_drawing(compared())
    assert drawing is not None
    changes = {node.function.name: node.change for node in drawing.nodes}
    assert changes["m.also"] is Change.NEW
    assert changes["m.root"] is Change.SAME
    assert [node.before for node in drawing.nodes if node.function.name == "m.new_name"] == ["m.old_name"]
    dot = diff_source(drawing, answer())
    edges = [line for line in dot.splitlines() if "->" in line]
    gone, new = [line for line in edges if "− " in line], [line for line in edges if "+ " in line]
    assert gone
    assert new
    assert all("style=dashed" in line and "arrowhead=empty" in line for line in gone)
    assert all("style=solid" in line and "penwidth=2.5" in line for line in new)
    picture = ElementTree.fromstring(render(dot, "svg"))
    said = " ".join(picture.itertext())
    assert "+ thick: after only" in said
    assert "− dashed, open arrow: before only" in said


def test_nothing_is_drawn_where_neither_version_has_a_path() -> None:
    source = "_flag = False\n\ndef set_it():\n    global _flag\n    _flag = True\n\ndef root():\n    pass\n"
    assert diff_drawing(compare(version(source), version(source), Question("m.root", "m._flag"))) is None


SHAPES = {"svg", "g", "a", "title", "text", "polygon", "polyline", "path", "ellipse"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_in_a_drawing(name: str) -> None:
    drawing = diff_drawing(compared())
    shown = msgspec.convert(poisoned(msgspec.to_builtins(drawing), name), DiffDrawing)
    picture = ElementTree.fromstring(render(diff_source(shown, hostile(answer(), name)), "svg"))
    assert {part.tag.partition("}")[2] for part in picture.iter()} <= SHAPES
    assert not [key for part in picture.iter() for key in part.attrib if key.startswith("on")]
    assert len(picture.findall(".//*[@class='node']")) == len(shown.nodes) + 1


def test_the_text_of_what_changed_has_all_packages_and_counts_what_it_does_not_show() -> None:
    said = click.unstyle(changes_text(all_changes(), WIDTH))
    assert "m  1 new, 1 with other writers" in said
    assert "no longer written by m.looks_back" in said
    assert "now written by m.also" in said
    assert "note: what public functions change is compared by certain calls alone" in said


def bisect_answer(
    *replies: Reply, before: str | None = "2.0", after: str | None = "2.1", several: bool = False
) -> BisectAnswer:
    diff = answer() if after else None
    return BisectAnswer(
        on=On.VERDICT, versions=9, replies=list(replies), before=before, after=after, several=several, diff=diff
    )


def bisected(*replies: Reply, before: str | None = "2.0", after: str | None = "2.1", several: bool = False) -> str:
    return click.unstyle(bisect_text(bisect_answer(*replies, before=before, after=after, several=several), WIDTH))


NO = Reply(version="2.0", verdict=Verdict.NO_PATH)
YES = Reply(version="2.1", verdict=Verdict.REACHES, functions=3, edges=2, paths="d")


def test_the_text_of_bisect_says_what_was_asked_and_what_changed() -> None:
    said = bisected(NO, YES)
    assert said.startswith("changed   the verdict changes at 2.1: no-path in 2.0, reaches in 2.1\n")
    assert "asked     2 of 9 versions" in said
    assert "  2.0  no-path  ← the last as before\n" in said
    assert "  2.1  reaches, 3 functions and 2 edges on paths  ← the first that differs\n" in said
    assert "path gone" in said


def test_markdown_of_bisect_has_what_was_asked_and_the_difference() -> None:
    page = rendered(bisect_markdown(bisect_answer(NO, YES)))
    assert page.plain.startswith("changed: the verdict changes at : no-path in , reaches in .")
    assert "the first that differs" in page.plain
    assert "different: " in page.plain
    assert {"2.0", "2.1"} <= set(page.code)


@pytest.mark.parametrize("name", MARKUP)
def test_nothing_of_a_version_is_markup_in_the_markdown_of_bisect(name: str) -> None:
    def page(text: str):
        replies = [msgspec.structs.replace(NO, version=text), msgspec.structs.replace(NO, verdict=None, error=text)]
        return rendered(bisect_markdown(bisect_answer(*replies, before=text, after="2.0")))

    ours, theirs = page("a_name"), page(name)
    assert theirs.tags == ours.tags
    assert theirs.links == ours.links


def test_the_text_of_bisect_says_where_the_question_cannot_be_asked() -> None:
    said = bisected(Reply(version="2.0", verdict=None, missing=["target"]), YES)
    assert "  2.0  cannot be asked: the target is not there" in said
    said = bisected(Reply(version="2.0", verdict=None, error="torch 2.0: no\nmore"), YES)
    assert "  2.0  cannot be asked: torch 2.0: no  ←" in said


def test_the_text_of_bisect_says_how_far_it_can_be_trusted() -> None:
    assert "this is one change of several" in bisected(NO, YES, several=True)
    assert "it could change, and change back, between versions that were not asked" in bisected(NO, YES)
    assert "only both ends were asked" in bisected(NO, NO, before=None, after=None)


def test_a_drawing_counts_what_it_leaves_out_among_the_functions_that_the_answer_counts() -> None:
    found = compared()
    drawing = diff_drawing(found)
    assert drawing is not None
    drawn = {node.function.name for node in drawing.nodes}
    after = found.after.answer
    assert after is not None
    assert drawing.left_out_after == len([name for name in after.chop.functions if name not in drawn])
