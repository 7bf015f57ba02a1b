"""What makes a query different, and what is new or gone."""

import json
from pathlib import Path

import pytest
from check_examples import (
    GONE,
    MORE,
    NO_PATH,
    OTHER_PATH,
    QUERY,
    REACHES,
    RESTORE,
    SOURCE,
    WITH_LEAD,
    WRITE,
    baseline,
    checked,
)
from msgspec.structs import replace
from report_examples import PATH, hop

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.baseline import Baseline, encode_baseline, kept_answer, load_baseline
from deepgrep.questions.checking import check
from deepgrep.questions.filters import Filters


def outcome(answer):
    return answer.queries[0].outcome


def changes(answer):
    """What is new and gone: its sort, its last function, and whether it counts."""
    query = answer.queries[0]
    return [
        [(str(change.kind), change.functions[-1], change.counts) for change in changed]
        for changed in (query.new, query.gone)
    ]


def test_the_verdict_that_the_query_expects_is_as_expected():
    answer = checked(REACHES)
    assert outcome(answer) == "as-expected"
    assert answer.compared_with == "expectations"
    assert changes(answer) == [[], []]


def test_another_verdict_is_different():
    answer = checked(REACHES, expect=Verdict.MAY_REACH)
    assert outcome(answer) == "different"
    assert answer.queries[0].expected == "may-reach"
    assert answer.queries[0].found.verdict == "reaches"


def test_where_no_path_was_expected_each_reached_access_is_new_with_its_place():
    answer = checked(REACHES, expect=Verdict.NO_PATH)
    assert changes(answer) == [[("access", "pkg.tracer.Tracer.trace", True)], []]
    assert [(change.file, change.line, change.detail) for change in answer.queries[0].new] == [
        ("pkg/tracer.py", 44, "global")
    ]


def test_a_query_that_expects_nothing_is_not_compared():
    assert outcome(checked(REACHES, expect=None)) == "not-compared"


def test_a_query_that_cannot_be_answered_does_not_stop_the_others():
    answer = check([(QUERY, GONE), (replace(QUERY, name="other"), REACHES)], None, [SOURCE], [])
    assert [query.outcome for query in answer.queries] == ["not-answered", "as-expected"]
    assert answer.queries[0].found.error == str(GONE)
    assert answer.outcomes == {"as-expected": 1, "different": 0, "not-compared": 0, "not-answered": 1}


def test_the_baseline_counts_where_there_is_one():
    answer = checked(REACHES, baseline(flag=REACHES), expect=Verdict.NO_PATH)
    assert outcome(answer) == "as-expected"
    assert answer.compared_with == "baseline"


def test_a_query_that_the_baseline_does_not_have_is_not_compared():
    assert outcome(checked(REACHES, Baseline())) == "not-compared"


def test_an_access_that_was_not_reached_before_is_new_and_counts():
    answer = checked(MORE, baseline(flag=REACHES))
    assert outcome(answer) == "different"
    assert changes(answer) == [[("access", "pkg.other.undo", True)], []]


def test_an_access_that_is_no_longer_reached_is_gone_and_counts():
    answer = checked(REACHES, baseline(flag=MORE))
    assert outcome(answer) == "different"
    assert changes(answer) == [[], [("access", "pkg.other.undo", True)]]


def test_what_is_reached_by_the_same_verdict_in_another_form_counts():
    item = replace(REACHES, accesses=[replace(WRITE, form="item"), RESTORE])
    answer = checked(item, baseline(flag=REACHES))
    assert outcome(answer) == "different"
    assert [change.detail for change in answer.queries[0].new + answer.queries[0].gone] == ["item", "global"]


def test_an_access_that_may_be_of_another_state_does_not_count():
    unsure = replace(REACHES, accesses=[*REACHES.accesses, replace(WRITE, function="pkg.any", is_sure=False)])
    answer = checked(unsure, baseline(flag=REACHES))
    assert outcome(answer) == "as-expected"
    assert changes(answer) == [[("access", "pkg.any", False)], []]


def test_lines_that_moved_change_nothing():
    moved = replace(
        REACHES,
        accesses=[replace(access, line=access.line + 7) for access in REACHES.accesses],
        paths=[replace(PATH, hops=[replace(one, line=one.line + 7, call_line=one.call_line + 7) for one in PATH.hops])],
    )
    assert changes(checked(moved, baseline(flag=REACHES))) == [[], []]


@pytest.mark.parametrize(
    ("now", "new", "gone"),
    [
        (
            replace(REACHES, accesses=[WRITE, RESTORE, replace(WRITE, function="pkg.new", reached=False)]),
            [("unreached access", "pkg.new", False)],
            [],
        ),
        (
            replace(REACHES, paths=[replace(PATH, hops=[PATH.hops[0], hop("pkg.m", "pkg/m.py", 1, 2), PATH.hops[1]])]),
            [("path", "pkg.tracer.Tracer.trace", False)],
            [("path", "pkg.tracer.Tracer.trace", False)],
        ),
        (
            replace(REACHES, chokepoints=["pkg.m"]),
            [("chokepoint", "pkg.m", False)],
            [("chokepoint", "pkg.tracer.Tracer.trace", False)],
        ),
    ],
)
def test_what_code_around_can_change_is_told_and_does_not_count(now, new, gone):
    answer = checked(now, baseline(flag=REACHES))
    assert outcome(answer) == "as-expected"
    assert changes(answer) == [new, gone]


def test_leads_of_a_null_result_are_told_and_do_not_count():
    answer = checked(WITH_LEAD, baseline(flag=NO_PATH))
    assert outcome(answer) == "as-expected"
    assert changes(answer) == [[("lead", "pkg.api.start", False)], []]


def test_leads_that_are_not_all_listed_are_not_compared():
    answer = checked(replace(WITH_LEAD, lead_count=300), baseline(flag=NO_PATH))
    assert answer.queries[0].found.more_leads == 299
    assert changes(answer) == [[], []]


def test_a_verdict_that_loses_all_paths_is_different_and_names_what_was_reached():
    none = replace(NO_PATH, accesses=[*NO_PATH.accesses, RESTORE])
    answer = checked(none, baseline(flag=REACHES))
    assert outcome(answer) == "different"
    assert changes(answer) == [[], [("access", "pkg.tracer.Tracer.trace", True)]]


def test_no_path_and_excluded_are_different():
    assert outcome(checked(replace(NO_PATH, verdict=Verdict.EXCLUDED), baseline(flag=NO_PATH))) == "different"


@pytest.mark.parametrize("field", [{"root": "other"}, {"target": "_other"}, {"filters": Filters(exclude=("pkg.m",))}])
def test_another_question_of_the_same_name_is_different(field):
    answer = checked(REACHES, baseline(flag=REACHES), **field)
    assert outcome(answer) == "different"
    assert answer.queries[0].is_asked_differently


def test_what_could_not_be_answered_before_is_as_expected():
    before = Baseline(queries={"flag": checked(GONE).queries[0].found})
    assert outcome(checked(GONE, before)) == "as-expected"
    assert outcome(checked(REACHES, before)) == "different"
    assert outcome(checked(GONE, before, root="other")) == "not-answered"


def test_queries_of_the_baseline_that_were_not_asked_are_named():
    assert checked(REACHES, baseline(flag=REACHES, b=REACHES, a=REACHES)).not_asked == ["a", "b"]


def test_an_updated_baseline_keeps_the_queries_that_were_not_asked():
    before = baseline(other=REACHES, flag=NO_PATH)
    updated = checked(REACHES, before).updated(before)
    assert {name: kept.verdict for name, kept in updated.queries.items()} == {"other": "reaches", "flag": "reaches"}
    assert outcome(checked(REACHES, updated)) == "as-expected"


def test_a_baseline_holds_no_lines_and_what_is_empty_is_left_out():
    kept = json.loads(encode_baseline(baseline(flag=MORE)))["queries"]["flag"]
    assert kept == {
        "asked": {"root": "start", "target": "_flag"},
        "versions": ["pkg 2.13.0, commit 0123456789abcdef0123"],
        "verdict": "reaches",
        "root": "pkg.api.start",
        "target": "pkg.tracer._flag",
        "reached": {"pkg.other.undo": ["global"], "pkg.tracer.Tracer.trace": ["global"]},
        "not_reached": {"pkg.other.undo": ["global, restore"]},
        "paths": [
            {"certainty": "certain", "functions": ["pkg.api.start", "pkg.tracer.Tracer.trace"]},
            {"certainty": OTHER_PATH.certainty, "functions": ["pkg.api.start", "pkg.other.undo"]},
        ],
        "chokepoints": ["pkg.tracer.Tracer.trace"],
    }


def test_a_baseline_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "b.json"
    written = baseline(flag=MORE, other=WITH_LEAD)
    path.write_bytes(encode_baseline(written))
    assert load_baseline(path) == written


def test_the_order_of_queries_does_not_change_a_baseline():
    one, other = baseline(a=REACHES, b=NO_PATH), baseline(b=NO_PATH, a=REACHES)
    assert encode_baseline(one) == encode_baseline(other)


def test_where_paths_must_pass_through_something_only_the_ends_of_paths_are_reached():
    query = replace(QUERY, filters=Filters(through=("pkg.tracer",)))
    other_way = replace(MORE, paths=REACHES.paths)
    assert kept_answer(query, other_way).reached == {"pkg.tracer.Tracer.trace": ["global"]}
    assert set(kept_answer(QUERY, other_way).reached) == {"pkg.other.undo", "pkg.tracer.Tracer.trace"}
    assert kept_answer(query, replace(MORE, verdict=Verdict.NO_PATH, paths=[])).reached == {}


def test_filters_of_a_query_are_kept_as_far_as_they_are_given():
    query = replace(QUERY, filters=Filters(assume=("defaults",), max_length=3))
    assert kept_answer(query, REACHES).asked.filters == {"assume": ["defaults"], "max_length": 3}


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (None, "there is no baseline {}: --update-baseline writes it"),
        (b"", "{} is no baseline (Input data was truncated): --update-baseline writes one into another file"),
        (b"\xff", "{} is no baseline ("),
        (b"[]", "{} is no baseline (Expected object, got array)"),
        (b"{}", "{} names no schema, not a 'deepgrep-baseline/1'"),
        (
            b'{"schema": "deepgrep-baseline/2", "queries": []}',
            "{} is a 'deepgrep-baseline/2', not a 'deepgrep-baseline/1'",
        ),
        (
            b'{"schema": "deepgrep-baseline/1", "queries": {"a": {"asked": {"root": "a", "target": "b"}, '
            b'"versions": [], "paths": [{"certainty": "flow", "functions": []}]}}}',
            "{} is no baseline (Expected array of length >= 1",
        ),
        (
            b'{"schema": "deepgrep-baseline/1", "queries": {"a": {}}}',
            "{} is no baseline (Object missing required field asked - at $.queries[...])",
        ),
        (b'{"schema": "deepgrep-reach/1"}', "{} is a 'deepgrep-reach/1', not a 'deepgrep-baseline/1'"),
        (b"[" * 100_000, "{} is no baseline ("),
    ],
)
def test_what_is_no_baseline_is_said_in_a_line(tmp_path, contents, said):
    path: Path = tmp_path / "b.json"
    if contents is not None:
        path.write_bytes(contents)
    with pytest.raises(DeepgrepError) as caught:
        load_baseline(path)
    assert str(caught.value).startswith(said.format(path))
    assert "\n" not in str(caught.value)
