"""The answer of `check` as JUnit XML, read by a parser of its own."""

import xml.etree.ElementTree as ElementTree

import pytest
from check_examples import GONE, MORE, NO_PATH, QUERY, REACHES, SOURCE, WRITE, baseline, checked
from msgspec.structs import replace

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.baseline import Baseline
from deepgrep.questions.checking import check
from deepgrep.reports.check.junit import junit


def cases(answer):
    return ElementTree.fromstring(junit(answer)).findall("testsuite/testcase")


def test_each_query_is_a_test_case():
    asked = [(replace(QUERY, name=name), found) for name, found in (("a", REACHES), ("b", NO_PATH), ("c", GONE))]
    root = ElementTree.fromstring(junit(check(asked, None, [SOURCE], [])))
    (suite,) = root
    assert (root.tag, suite.tag) == ("testsuites", "testsuite")
    assert root.attrib == {"name": "deepgrep"}
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    assert [(case.get("name"), case.get("classname")) for case in suite.findall("testcase")] == [
        ("a", "deepgrep.check"),
        ("b", "deepgrep.check"),
        ("c", "deepgrep.check"),
    ]
    assert [(one.get("name"), one.get("value")) for one in suite.findall("properties/property")] == [
        ("pkg", "pkg 2.13.0, commit 0123456789ab, digest fedcba987654")
    ]


def test_what_is_as_expected_passes():
    (case,) = cases(checked(REACHES))
    assert [child.tag for child in case] == ["system-out"]


def test_what_is_different_fails_and_says_what_is_new_and_gone():
    now = replace(MORE, accesses=MORE.accesses[1:], paths=MORE.paths[1:])
    (case,) = cases(checked(now, baseline(flag=REACHES)))
    (failure,) = case
    assert (failure.tag, failure.get("type")) == ("failure", "different")
    assert failure.get("message") == "found reaches, as the baseline expects, but by other accesses"
    assert failure.text == (
        "Can start change the flag?\n"
        "found reaches, as the baseline expects, but by other accesses\n"
        "new: pkg/other.py:9  undo (global)\n"
        "gone: pkg.tracer.Tracer.trace (global)\n"
        "https://example.org/issues/1"
    )


def test_what_does_not_count_is_told_as_that():
    now = replace(MORE, chokepoints=["pkg.m"])
    (case,) = cases(checked(now, baseline(flag=REACHES)))
    lines = (case[0].text or "").splitlines()
    assert "new: pkg/other.py:9  undo (global)" in lines
    assert "also new: chokepoint pkg.m" in lines


def test_what_cannot_be_answered_is_an_error():
    (case,) = cases(checked(GONE))
    assert [(child.tag, child.get("type")) for child in case] == [("error", "not-answered")]


@pytest.mark.parametrize("answer", [checked(REACHES, expect=None), checked(REACHES, Baseline())])
def test_what_nothing_was_expected_of_fails(answer):
    (case,) = cases(answer)
    assert [(child.tag, child.get("type")) for child in case] == [("failure", "not-compared")]


@pytest.mark.parametrize(
    "name", ["]]>", '<a href="x">&lt;', "\x00\x08\x1b\x7f\x9f", "\ufffe\uffff\ud800", "line\nbreak", "x" * 100_000]
)
def test_hostile_names_are_text_and_the_document_stays_xml(name):
    found = replace(REACHES, accesses=[replace(WRITE, function=name, file=f"{name}.py")])
    asked = [
        (replace(QUERY, name=name, question=name, expect=Verdict.NO_PATH), found),
        (replace(QUERY, name="other"), DeepgrepError(name)),
    ]
    document = junit(check(asked, None, [replace(SOURCE, name=name, version=name)], []))
    first, second = ElementTree.fromstring(document).findall("testsuite/testcase")
    assert [child.tag for case in (first, second) for child in case] == ["failure", "error"]
    assert (first.get("name") or "").isprintable()
    assert (first[0].text or "").replace("\n", "").isprintable()


def test_nothing_in_it_changes_from_run_to_run():
    assert junit(checked(MORE)) == junit(checked(MORE))
    assert b"timestamp" not in junit(checked(MORE))


def test_it_is_spelled_in_the_same_way_with_and_without_lxml():
    document = junit(checked(REACHES)).partition(b"\n")[2]
    assert document == ElementTree.tostring(ElementTree.fromstring(document), encoding="unicode").encode() + b"\n"
