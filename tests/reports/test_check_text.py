"""The answer of `check` for people."""

import click
import pytest
from check_examples import GONE, MORE, NO_PATH, QUERY, REACHES, SOURCE, WRITE, baseline, checked
from msgspec.structs import replace
from report_examples import PATH

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.baseline import Baseline
from deepgrep.questions.checking import check
from deepgrep.reports.text.check import check_text


def text(answer, width=100, **rest):
    return click.unstyle(check_text(answer, width, **rest))


def test_all_as_expected_is_one_line_for_each_query():
    assert text(checked(REACHES)) == (
        "1 query: 1 as expected\n"
        "\n"
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654\n"
        "expected  the verdicts that the queries expect\n"
        "\n"
        "as expected\n"
        "  reaches       flag\n"
        "\n"
        "more: `deepgrep run QUERY` shows a whole answer; --format json has everything\n"
    )


def test_what_is_new_and_gone_is_shown_with_its_place_and_path():
    now = replace(MORE, accesses=[replace(MORE.accesses[2], form="item"), *MORE.accesses[1:2]], paths=MORE.paths[1:])
    assert text(checked(now, baseline(flag=REACHES))) == (
        "1 query: 1 different\n"
        "\n"
        "sources   pkg 2.13.0, commit 0123456789ab, digest fedcba987654\n"
        "expected  the baseline, made with pkg 2.13.0, commit 0123456789ab\n"
        "\n"
        "different  flag\n"
        "  asks      Can start change the flag?\n"
        "  verdict   found reaches, as the baseline expects, but by other accesses\n"
        "  new       pkg/other.py:9  undo (item)\n"
        "            flow: start → undo\n"
        "  gone      pkg.tracer.Tracer.trace (global)\n"
        "  report    https://example.org/issues/1\n"
        "\n"
        "more: --update-baseline accepts what is different; `deepgrep run QUERY` shows a whole answer;\n"
        "  --format json has everything\n"
    )


def test_an_access_that_is_still_there_and_no_longer_reached_says_so():
    now = replace(MORE, accesses=[replace(access, reached=access is MORE.accesses[0]) for access in MORE.accesses])
    assert "  gone      pkg.other.undo (global, still there but not reached)\n" in text(
        checked(now, baseline(flag=MORE))
    )


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (checked(REACHES, expect=Verdict.NO_PATH), "  verdict   found reaches, where the query expects no-path\n"),
        (checked(NO_PATH, baseline(flag=REACHES)), "  verdict   found no-path, where the baseline expects reaches\n"),
        (checked(NO_PATH, expect=Verdict.REACHES), "  gone      every path\n"),
        (
            checked(REACHES, expect=None),
            '  verdict   found reaches, and the query expects nothing: add expect = "reaches"\n',
        ),
        (checked(REACHES, Baseline()), "  verdict   found reaches, and it is not in the baseline\n"),
        (checked(GONE), "  error     cannot be answered: nothing is named 'start' in pkg: no name is near to it\n"),
        (checked(REACHES, baseline(flag=REACHES), root="begin"), "  asked     root was start, and is begin\n"),
        (
            checked(REACHES, baseline(flag=replace(REACHES, chokepoints=[])), expect=None),
            "  reaches       flag\n                also new: 1 chokepoint\n",
        ),
        (
            checked(REACHES, baseline(flag=REACHES, b=REACHES)),
            "\nnote: in the baseline, but not asked: b\n",
        ),
        (
            checked(replace(NO_PATH, lead_count=300), baseline(flag=NO_PATH)),
            "\nnote: flag: 300 leads are not listed, so leads are not compared\n",
        ),
    ],
)
def test_each_outcome_says_what_it_is(answer, line):
    assert line in text(answer)


def test_what_cannot_be_answered_comes_first_and_what_is_as_expected_last():
    asked = [(replace(QUERY, name=name), found) for name, found in (("a", REACHES), ("b", NO_PATH), ("c", GONE))]
    lines = text(check(asked, None, [SOURCE], [])).splitlines()
    assert lines[0] == "3 queries: 1 as expected, 1 different, 1 not answered"
    order = [lines.index(line) for line in ("not answered  c", "different  b", "  reaches       a")]
    assert order == sorted(order)


def test_what_does_not_count_is_told_apart():
    now = replace(MORE, chokepoints=["pkg.m"])
    lines = text(checked(now, baseline(flag=REACHES)))
    assert "  also new  chokepoint pkg.m\n" in lines
    assert "  also gone chokepoint pkg.tracer.Tracer.trace\n" in lines


def test_the_path_to_a_function_is_shown_once_for_all_its_accesses():
    twice = [WRITE, replace(WRITE, form="item", line=45)]
    lines = text(checked(replace(REACHES, accesses=twice), expect=Verdict.NO_PATH)).splitlines()
    assert lines.count("            certain: start → Tracer.trace") == 1


def test_long_lists_are_cut_and_counted():
    many = [replace(WRITE, function=f"pkg.f{index}", line=index) for index in range(1, 31)]
    lines = text(checked(replace(REACHES, accesses=many), expect=Verdict.NO_PATH))
    assert lines.count("pkg/tracer.py:") == 10
    assert "… 20 more: --format json lists all" in lines


def test_an_updated_baseline_is_said():
    assert text(checked(REACHES, Baseline()), is_updated=True).endswith(
        "\nupdated: what was found is in the baseline now, 1 query\n"
    )


def test_hostile_names_stay_on_their_lines_and_within_the_width():
    name = "pkg.\x1b[2Jevil\n<b>" + "x" * 400
    access = replace(WRITE, function=name, file="pkg/\x07.py")
    path = replace(PATH, hops=[PATH.hops[0], replace(PATH.hops[1], function=name)])
    answer = checked(
        replace(REACHES, accesses=[access], paths=[path]), baseline(flag=NO_PATH), name="q\x1b\n" + "n" * 300
    )
    gone = checked(DeepgrepError("no \x1b[1m\u202e" + "e " * 200))
    for one in (answer, gone):
        plain = text(one, 80)
        assert plain.replace("\n", "").isprintable()
        assert max(len(line) for line in plain.splitlines()) <= 80


def test_what_still_cannot_be_answered_is_counted_in_the_first_line():
    (query,) = checked(GONE).queries
    answer = checked(GONE, Baseline(queries={"flag": query.found}))
    assert text(answer).startswith("1 query: 1 as expected (1 of them cannot be answered, as before)\n")
