"""The verbs for stored queries, from their arguments to their output, on a small package that is indexed for it."""

import json
import xml.etree.ElementTree as ElementTree
from textwrap import dedent

import pytest

from deepgrep.questions.stored import shipped_queries

CODE = """
    _flag = False

    def start():
        middle()

    def middle():
        global _flag
        _flag = True

    def idle():
        pass
"""

QUERIES = {
    "starts": ("Does start set the flag?", "start", "reaches"),
    "idles": ("Does idle set the flag?", "idle", "excluded"),
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with a package `torch`, so that none is looked for, and with queries; deepgrep runs in it."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").touch()
    (tmp_path / "torch" / "m.py").write_text(dedent(CODE))
    (tmp_path / "mine").mkdir()
    for name, (question, root, verdict) in QUERIES.items():
        text = f'question = "{question}"\nroot = "{root}"\ntarget = "_flag"\nexpect = "{verdict}"\n'
        (tmp_path / "mine" / f"{name}.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def ask(deepgrep, cache):
    return lambda *arguments: deepgrep(*arguments, "--source", "torch", "--cache-dir", str(cache), "--jobs", "1")


def broken(here, name="broken"):
    (here / "mine" / f"{name}.toml").write_text('question = "q"\nroot = "nothing_like_it"\ntarget = "_flag"\n')


def renamed(here):
    """The package after `middle` was renamed."""
    (here / "torch" / "m.py").write_text(dedent(CODE).replace("middle", "inner"))


def test_queries_lists_those_that_ship(deepgrep):
    outcome = deepgrep("queries")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0] in {"1 query", f"{len(shipped_queries())} queries"}
    assert all(query.name in outcome.out for query in shipped_queries())


def test_queries_can_be_chosen_by_what_they_ask(deepgrep):
    query = shipped_queries()[0]
    assert f"\n{query.name}  " in deepgrep("queries", query.question[5:-1].upper()).out
    assert f"\n{query.name}  " in deepgrep("queries", f"{query.name[:4]}*").out
    assert deepgrep("queries", "[no such thing").code == 1


def test_queries_as_json_is_the_format(deepgrep):
    answer = json.loads(deepgrep("queries", "--format", "json").out)
    assert answer["schema"] == "deepgrep-queries/1"
    assert [query["name"] for query in answer["queries"]] == [query.name for query in shipped_queries()]


def test_run_answers_as_reach_does_under_the_question(ask):
    outcome = ask("run", "mine/starts.toml")
    heading, _, rest = outcome.out.partition("\n\n")
    assert outcome.code == 0
    assert heading.startswith("query     starts\nasks      Does start set the flag?\n")
    assert rest == ask("reach", "start", "_flag").out


def test_run_as_json_is_the_document_of_reach(ask):
    outcome = ask("run", "mine/idles.toml", "--format", "json")
    assert (outcome.code, outcome.out) == (1, ask("reach", "idle", "_flag", "--format", "json").out)


def test_of_several_that_are_run_one_with_a_path_is_enough(ask):
    outcome = ask("run", "mine")
    assert outcome.code == 0
    assert [line for line in outcome.out.splitlines() if line.startswith("query ")] == [
        "query     idles",
        "query     starts",
    ]


def test_several_that_are_run_are_one_document(ask, here):
    broken(here)
    outcome = ask("run", "mine", "--format", "json")
    answer = json.loads(outcome.out)
    assert answer["schema"] == "deepgrep-run/1"
    assert [(one["query"]["name"], one["answer"] and one["answer"]["verdict"]) for one in answer["answers"]] == [
        ("broken", None),
        ("idles", "excluded"),
        ("starts", "reaches"),
    ]
    assert answer["answers"][0]["error"].startswith("nothing is named 'nothing_like_it'")


def test_one_of_several_that_cannot_be_answered_does_not_stop_the_others(ask, here):
    broken(here)
    outcome = ask("run", "mine")
    assert outcome.code == 2
    assert "deepgrep: broken: nothing is named 'nothing_like_it' in " in outcome.err
    assert "query     starts" in outcome.out


def test_a_query_that_cannot_be_answered_is_named(ask, here):
    broken(here)
    outcome = ask("run", "mine/broken.toml")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("deepgrep: broken: nothing is named 'nothing_like_it' in ")


def test_run_without_a_query_or_with_one_that_is_not_there_is_an_error(ask):
    assert ask("run").err == "deepgrep: Missing argument 'QUERY...': see deepgrep run --help\n"
    outcome = ask("run", "nothing-like-it")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("deepgrep: there is no query 'nothing-like-it': ")


def test_check_of_what_is_as_expected_leaves_with_0(ask):
    outcome = ask("check", "mine")
    assert outcome.code == 0
    assert outcome.out.startswith("2 queries: 2 as expected\n")


def test_check_of_nothing_is_of_all_that_ship(ask):
    # In a package that has none of what they ask about.
    assert ask("check").out.startswith(f"{len(shipped_queries())} queries: ")


def test_check_of_what_is_different_leaves_with_1(ask, here):
    (here / "torch" / "m.py").write_text(dedent(CODE).replace("pass", "middle()"))
    outcome = ask("check", "mine")
    assert outcome.code == 1
    assert outcome.out.startswith("2 queries: 1 as expected, 1 different\n")
    assert "  new       torch/m.py:9  middle (global)\n            certain: idle → middle\n" in outcome.out


def test_check_of_what_cannot_be_answered_leaves_with_2_after_the_others(ask, here):
    broken(here)
    outcome = ask("check", "mine")
    assert outcome.code == 2
    assert outcome.out.startswith("3 queries: 2 as expected, 1 not answered\n")


def test_a_baseline_is_written_and_compared_with(ask, here):
    first = ask("check", "mine", "--baseline", "b.json", "--update-baseline")
    assert first.code == 0
    assert first.out.endswith("updated: what was found is in the baseline now, 2 queries\n")
    written = (here / "b.json").read_bytes()
    assert ask("check", "mine", "--baseline", "b.json").code == 0
    renamed(here)
    outcome = ask("check", "mine", "--baseline", "b.json")
    assert outcome.code == 1
    assert "  new       torch/m.py:9  inner (global)\n            certain: start → inner\n" in outcome.out
    assert "  gone      torch.m.middle (global)\n" in outcome.out
    assert (here / "b.json").read_bytes() == written
    assert ask("check", "mine", "--baseline", "b.json", "--update-baseline").code == 0
    assert ask("check", "mine", "--baseline", "b.json").code == 0


def test_the_same_code_gives_the_same_baseline(ask, here):
    for name in ("a.json", "b.json"):
        ask("check", "mine/starts.toml", "mine/idles.toml", "--baseline", name, "--update-baseline")
    assert (here / "a.json").read_bytes() == (here / "b.json").read_bytes()


def test_a_baseline_that_is_not_there_is_an_error(ask):
    outcome = ask("check", "mine", "--baseline", "b.json")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.endswith("deepgrep: there is no baseline b.json: --update-baseline writes it\n")


def test_a_baseline_is_not_updated_without_a_file(ask):
    line = "deepgrep: --update-baseline needs --baseline FILE: see deepgrep check --help\n"
    assert ask("check", "mine", "--update-baseline").err == line


def test_check_as_json_is_the_format(ask):
    answer = json.loads(ask("check", "mine", "--format", "json").out)
    assert (answer["schema"], answer["compared_with"]) == ("deepgrep-check/1", "expectations")
    assert answer["outcomes"] == {"as-expected": 2, "different": 0, "not-compared": 0, "not-answered": 0}
    assert [(query["name"], query["outcome"], query["found"]["verdict"]) for query in answer["queries"]] == [
        ("idles", "as-expected", "excluded"),
        ("starts", "as-expected", "reaches"),
    ]


def test_check_as_sarif_goes_into_a_file_and_the_text_to_stdout(ask, here):
    outcome = ask("check", "mine", "--format", "sarif", "-o", "d.sarif")
    assert outcome.out.startswith("2 queries: 2 as expected\n")
    (run,) = json.loads((here / "d.sarif").read_bytes())["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["idles", "starts"]
    assert str(here) not in (here / "d.sarif").read_text()


def test_check_as_sarif_names_files_as_they_lie_in_the_checkout(deepgrep, cache, here):
    (here / "src").mkdir()
    (here / "torch").rename(here / "src" / "torch")
    options = ("--source", "src/torch", "--cache-dir", str(cache), "--jobs", "1")
    outcome = deepgrep("check", "mine/starts.toml", "--format", "sarif", "-o", "-", *options)
    (result,) = json.loads(outcome.out.splitlines()[0])["runs"][0]["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "src/torch/m.py"


def test_check_as_junit_is_written_to_stdout(ask):
    root = ElementTree.fromstring(ask("check", "mine", "--format", "junit").out)
    assert [case.get("name") for case in root.iter("testcase")] == ["idles", "starts"]


def test_a_bad_query_file_is_one_line(ask, here):
    (here / "mine" / "bad.toml").write_text('question = "q"\nroot = "r"\ntarget = "t"\nexpct = "reaches"\n')
    for verb in ("run", "check"):
        outcome = ask(verb, "mine")
        assert (outcome.code, outcome.out) == (2, "")
        assert outcome.err.startswith("deepgrep: mine/bad.toml:4: expct is no key of a query: did you mean expect? ")
        assert outcome.err.count("\n") == 1
