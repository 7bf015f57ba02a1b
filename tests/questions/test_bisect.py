from __future__ import annotations

import pytest
from asking_diff import version

from deepgrep.errors import DeepgrepError
from deepgrep.questions.answers import Verdict
from deepgrep.questions.bisect import Halving, On, Reply, check_versions, halve, reply
from deepgrep.questions.diff_sides import Question, ask_one

NO, YES, GONE = Verdict.NO_PATH, Verdict.REACHES, None


def find(*verdicts: Verdict | None, paths: str = "", on: On | None = None) -> tuple[Halving, list[int]]:
    """Halve versions of these verdicts; `paths` has a letter for the paths of each."""
    asked: list[int] = []

    def ask(position: int) -> Reply:
        asked.append(position)
        missing = ["target"] if verdicts[position] is None else []
        return Reply(
            version=f"{position}", verdict=verdicts[position], missing=missing, paths=paths[position : position + 1]
        )

    return halve(len(verdicts), ask, on), asked


def test_the_first_version_that_answers_otherwise_is_found_with_few_questions() -> None:
    found, asked = find(*[NO] * 37, *[YES] * 27)
    assert (found.change, found.on, found.several) == (37, On.VERDICT, False)
    assert len(asked) == len(set(asked)) <= 8


@pytest.mark.parametrize("change", range(1, 9))
def test_wherever_it_changes_it_is_found(change: int) -> None:
    found, _ = find(*[NO] * change, *[YES] * (9 - change))
    assert found.change == change


def test_where_both_ends_have_the_same_verdict_the_paths_are_looked_at() -> None:
    found, _ = find(YES, YES, YES, YES, paths="aabb")
    assert (found.on, found.change) == (On.PATHS, 2)


def test_the_paths_are_looked_at_where_that_is_asked_for() -> None:
    found, _ = find(NO, YES, YES, paths=" ab", on=On.PATHS)
    assert (found.on, found.change) == (On.PATHS, 1)


def test_only_both_ends_are_asked_where_they_answer_the_same() -> None:
    found, asked = find(YES, NO, YES, paths="a a")
    assert (found.change, sorted(asked)) == (None, [0, 2])


def test_a_version_that_cannot_be_asked_is_one_that_answers_otherwise() -> None:
    found, _ = find(GONE, GONE, YES)
    assert (found.change, found.replies[0].missing) == (2, ["target"])


def test_that_it_changes_more_than_once_is_known_where_what_was_asked_shows_it() -> None:
    found, _ = find(NO, NO, Verdict.MAY_REACH, YES, YES)
    assert (found.change, found.several) == (2, True)


def test_a_question_that_can_be_asked_of_neither_end_is_an_error() -> None:
    with pytest.raises(DeepgrepError, match="neither 0 nor 2 can be asked: the target is not there"):
        find(GONE, YES, GONE)


def test_one_version_is_too_few() -> None:
    with pytest.raises(DeepgrepError, match="two versions are needed"):
        check_versions(["2.13.0"])


SOURCE = "_flag = False\n\ndef set_it():\n    global _flag\n    _flag = True\n\ndef root():\n    set_it()\n"


def told(source: str) -> Reply:
    question = Question("root", "_flag")
    return reply("1", ask_one(version(source), question))


def test_paths_are_told_apart_by_names_and_not_by_lines() -> None:
    assert told(SOURCE) == told(f"\n\n{SOURCE}")
    assert told(SOURCE).paths != told(SOURCE.replace("set_it", "set_now")).paths


def test_what_a_version_answers_says_how_much_lies_on_paths() -> None:
    found = told(SOURCE)
    assert (found.verdict, found.functions, found.edges) == (YES, 2, 1)
    assert told("def root():\n    pass\n").missing == ["target"]


def test_versions_that_cannot_be_asked_for_different_reasons_answer_the_same() -> None:
    replies = [
        Reply(version="0", verdict=None, missing=["root"]),
        Reply(version="1", verdict=None, error="it is a module global"),
        Reply(version="2", verdict=YES),
    ]
    assert halve(3, replies.__getitem__).change == 2
