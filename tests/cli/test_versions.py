"""`diff`, `bisect` and `sweep`, from their arguments to their output, on folders that each hold a version of torch."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

SET = "_flag = False\n\n\ndef set_it():\n    global _flag\n    _flag = True\n\n\ndef root():\n    {}\n"
OLD, NEW = SET.format("pass"), SET.format("set_it()")


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """An earlier and a later version; what was indexed is kept for the test."""
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(tmp_path / "cache"))
    return folder(tmp_path / "old", OLD), folder(tmp_path / "new", NEW)


def folder(path: Path, source: str) -> str:
    (path / "torch").mkdir(parents=True)
    (path / "torch" / "__init__.py").touch()
    (path / "torch" / "m.py").write_text(source)
    return str(path / "torch")


def test_a_difference_has_status_1_and_its_reason(deepgrep, versions) -> None:
    outcome = deepgrep("diff", *versions, "root", "_flag", "--jobs", "1")
    assert outcome.code == 1, outcome.err
    assert outcome.out.startswith("different   excluded before, reaches after, from torch.m.root")
    assert "+ a call of torch.m.set_it was added to torch.m.root" in outcome.out


def test_no_difference_has_status_0(deepgrep, versions) -> None:
    outcome = deepgrep("diff", versions[0], versions[0], "root", "_flag", "--jobs", "1")
    assert (outcome.code, outcome.out.split()[0]) == (0, "same"), outcome.err


def test_without_a_question_state_is_compared(deepgrep, versions) -> None:
    outcome = deepgrep("diff", *versions, "--jobs", "1")
    assert outcome.code == 1, outcome.err
    assert "now changed by 1 public function: torch.m.root" in outcome.out
    assert deepgrep("diff", versions[1], versions[1]).code == 0


@pytest.mark.parametrize("question", [(), ("root", "_flag")])
def test_the_other_formats_say_the_same(deepgrep, versions, question) -> None:
    found = deepgrep("diff", *versions, *question, "--format", "json", "--jobs", "1")
    assert found.code == 1, found.err
    assert json.loads(found.out)["same"] is False
    assert deepgrep("diff", *versions, *question, "--format", "markdown").out.startswith("**different**: ")


def test_both_versions_are_drawn_in_one_picture(deepgrep, versions, tmp_path) -> None:
    outcome = deepgrep("diff", *versions, "root", "_flag", "--format", "svg", "--jobs", "1")
    assert outcome.code == 1, outcome.err
    assert "<svg" in outcome.out
    png = tmp_path / "diff.png"
    assert deepgrep("diff", *versions, "root", "_flag", "--format", "png", "-o", str(png)).code == 1
    assert png.read_bytes().startswith(b"\x89PNG")


def test_a_stored_query_is_a_question(deepgrep, versions, tmp_path) -> None:
    query = tmp_path / "q.toml"
    query.write_text('question = "Does root set it?"\nroot = "torch.m.root"\ntarget = "torch.m._flag"\n')
    assert deepgrep("diff", *versions, "--query", str(query), "--jobs", "1").code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("root",), "give BEFORE and AFTER, then ROOT and TARGET, or --query NAME"),
        (("--avoid", "x"), "give BEFORE and AFTER, then ROOT and TARGET, or --query NAME"),
        (("root", "_flag", "--query", "x"), "--query NAME is a whole question"),
        (("root", "_flag", "--torch", "2.13"), "named by BEFORE and AFTER: give no --torch beside"),
        (("root", "_flag", "--format", "png"), "--format png needs -o FILE"),
        (("--format", "svg"), "--format svg draws paths: give ROOT and TARGET"),
        (("root", "_nothing"), "the target is in neither version: nothing is named '_nothing'"),
        (("root", "_flag", "--through", "nobody"), "nothing is named 'nobody'"),
    ],
)
def test_bad_input_is_one_error_of_status_2(deepgrep, versions, arguments, said) -> None:
    outcome = deepgrep("diff", *versions, *arguments, "--jobs", "1")
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.out == ""
    assert "Traceback" not in outcome.err


def test_a_version_that_is_not_there_is_an_error(deepgrep, versions, tmp_path) -> None:
    outcome = deepgrep("diff", str(tmp_path / "nowhere" / "torch"), versions[1], "root", "_flag")
    assert outcome.code == 2
    assert len(outcome.err.splitlines()) == 1


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of five commits, the fourth of which adds the call."""
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "repository"
    folder(path, "")
    git(path, "init", "-q", "-b", "main")
    for number, source in enumerate([OLD, f"# a\n{OLD}", f"# b\n{OLD}", NEW, f"# c\n{NEW}"]):
        (path / "torch" / "m.py").write_text(source)
        git(path, "add", "-A")
        git(path, "commit", "-q", "-m", f"c{number}")
        git(path, "tag", f"v{number}")
    return path


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_commit_that_changes_the_answer_is_found_and_explained(deepgrep, repository) -> None:
    ends = ("--good", f"git:{repository}@v0", "--bad", f"git:{repository}@v4")
    outcome = deepgrep("bisect", "root", "_flag", *ends, "--jobs", "1")
    assert outcome.code == 1, outcome.err
    first, last = (git(repository, "rev-parse", tag)[:12] for tag in ("v2", "v3"))
    assert outcome.out.startswith(f"changed   the verdict changes at {last}: excluded in {first}, reaches in {last}\n")
    assert "+ a call of torch.m.set_it was added to torch.m.root" in outcome.out
    found = json.loads(deepgrep("bisect", "root", "_flag", *ends, "--format", "json").out)
    assert (found["before"], found["after"], found["versions"]) == (first, last, 5)
    assert str(repository) not in json.dumps(found)


def test_ends_that_answer_the_same_have_status_0(deepgrep, repository) -> None:
    ends = ("--good", f"git:{repository}@v0", "--bad", f"git:{repository}@v2")
    outcome = deepgrep("bisect", "root", "_flag", *ends, "--jobs", "1")
    assert (outcome.code, outcome.out.split()[0]) == (0, "same"), outcome.err


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("git:{}@v4", "git:{}@v0", "is not before"),
        ("git:{}@v0", "git:{}@nothing", "the repository has no revision nothing"),
        ("git:{}@v0", "2.13.0", "both are git:PATH@REVISION, of one repository, or none is"),
    ],
)
def test_ends_that_are_none_are_an_error(deepgrep, repository, good, bad, said) -> None:
    ends = ("--good", good.format(repository), "--bad", bad.format(repository))
    outcome = deepgrep("bisect", "root", "_flag", *ends)
    assert outcome.code == 2
    assert said in outcome.err
    assert len(outcome.err.splitlines()) == 1


# sweep


@pytest.mark.parametrize(
    ("targets", "status"),
    [(["_flag"], 1), (["_flga"], 2), (["_flag", "_flga"], 2)],
    ids=["found", "misspelled", "both"],
)
def test_a_question_that_no_version_can_answer_is_an_error(deepgrep, versions, targets, status) -> None:
    questions = [word for target in targets for word in ("--reach", "root", target)]
    outcome = deepgrep("sweep", *questions, "--versions", ",".join(versions), "--jobs", "1")
    assert outcome.code == status, outcome.out + outcome.err
