"""`deepgrep report`, on a package that is indexed for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
flag = 0

def start(fast=False):
    if fast:
        change()

def change():
    global flag
    flag = 1

def idle():
    pass
"""

QUERY = """
question = "Can starting change the flag?"
root = "start"
target = "flag"
note = "It can."
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package torch, so that none is looked for, and a query beside it."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").touch()
    (folder / "torch" / "m.py").write_text(CODE)
    (folder / "starting.toml").write_text(QUERY)
    (folder / "idling.toml").write_text(QUERY.replace('"start"', '"idle"'))
    (folder / "wrong.toml").write_text(QUERY.replace('"start"', '"nothing_like_it"'))
    return folder


@pytest.fixture
def report(deepgrep, sources, tmp_path, monkeypatch):
    """Run the verb in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(sources / "cache"))
    return lambda *arguments: deepgrep("report", *arguments, "--source", str(sources / "torch"), "--jobs", "1")


def test_the_files_of_a_report_are_written_and_named(report, tmp_path):
    outcome = report("start", "flag", "-o", "made")
    assert (outcome.code, outcome.out.split()) == (
        0,
        ["made/start--flag.md", "made/start--flag.html", "made/start--flag.svg"],
    )
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == [
        "start--flag.html",
        "start--flag.md",
        "start--flag.svg",
    ]


def test_the_markdown_says_how_to_repeat_it_without_paths_of_the_machine(report, tmp_path):
    report("start", "flag", "--assume", "fast=True", "--paths", "3")
    (path,) = tmp_path.glob("*.md")
    text = path.read_text()
    assert "\ndeepgrep report start flag --paths 3 --assume fast=True --source torch\n" in text
    assert f"Attached: `{path.stem}.html`, `{path.stem}.svg`" in text
    assert "```mermaid" in text
    for made in tmp_path.iterdir():
        assert str(tmp_path.parent) not in made.read_text()


def test_a_null_result_has_no_drawing_and_leaves_with_1(report, tmp_path):
    outcome = report("idle", "flag")
    assert (outcome.code, outcome.out.split()) == (1, ["idle--flag.md", "idle--flag.html"])
    assert (tmp_path / "idle--flag.md").read_text().startswith("**excluded**: `torch.m.idle` cannot reach code")


def test_a_stored_query_is_called_by_its_name_and_says_its_question(report, sources, tmp_path):
    outcome = report("--query", str(sources / "starting.toml"))
    assert (outcome.code, outcome.out.split()[0]) == (0, "starting.md")
    text = (tmp_path / "starting.md").read_text()
    assert text.startswith("## Can starting change the flag?\n")
    assert "\nIt can.\n" in text
    assert "\ndeepgrep report start flag --source torch\n" in text  # the file is on this machine only


def test_a_script_is_best_named_without_its_folder(report, sources, tmp_path):
    (tmp_path / "train.py").write_text("import torch.m\ntorch.m.start()\n")
    assert report("train.py", "flag").err == ""
    outcome = report(str(tmp_path / "train.py"), "flag")
    assert f"warning: the report names {tmp_path / 'train.py'}: type the script's name alone" in outcome.err


def test_of_several_queries_each_is_reported(report, sources):
    queries = ["--query", str(sources / "starting.toml"), "--query", str(sources / "idling.toml")]
    outcome = report(*queries)
    assert outcome.code == 0
    assert outcome.out.split() == ["starting.md", "starting.html", "starting.svg", "idling.md", "idling.html"]


def test_a_query_that_cannot_be_answered_does_not_stop_the_others(report, sources):
    outcome = report("--query", str(sources / "wrong.toml"), "--query", str(sources / "idling.toml"))
    assert outcome.code == 2
    assert outcome.err.startswith("deepgrep: wrong: ")
    assert outcome.out.split() == ["idling.md", "idling.html"]


def test_a_file_that_is_no_report_is_not_replaced(report, tmp_path):
    (tmp_path / "start--flag.md").write_text("mine")
    outcome = report("start", "flag")
    assert outcome.code == 2
    assert "start--flag.md is there, and not a report of this question: remove it" in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["start--flag.md"]


def test_what_cannot_be_drawn_is_kept_as_dot(report, tmp_path, monkeypatch):
    from deepgrep.errors import DeepgrepError
    from deepgrep.reports import report as made

    def broken(dot, file_format):
        raise DeepgrepError("the renderer failed")

    monkeypatch.setattr(made, "render", broken)
    outcome = report("start", "flag")
    assert outcome.code == 0
    assert "warning: there is no start--flag.svg: the renderer failed (kept in start--flag.dot)" in outcome.err
    assert outcome.out.split() == ["start--flag.md", "start--flag.html", "start--flag.dot"]
    assert "Attached: `start--flag.html`, `start--flag.dot`" in (tmp_path / "start--flag.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["start"], "give ROOT and TARGET, or --query NAME"),
        ([], "give ROOT and TARGET, or --query NAME"),
        (["start", "flag", "--query", "x"], "--query NAME is a whole question"),
        (["--query", "x", "--access", "read"], "--query NAME is a whole question"),
        (["--query", "x", "--avoid", "torch.m"], "--query NAME is a whole question"),
        (["--query", "no-such-query"], "there is no query 'no-such-query'"),
        (["nothing_like_it", "flag"], "nothing is named 'nothing_like_it'"),
        (["start", "flag", "--paths", "0"], "--paths"),
        (["start", "flag", "-o", ""], "the folder has no name"),
        (["start", "flag", "-o", "x" * 5_000], "File name too long"),
    ],
)
def test_bad_input_is_one_line_that_says_what_to_do(report, arguments, said):
    outcome = report(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.err.splitlines()[0]


def test_the_same_question_gives_the_same_bytes(sources, tmp_path):
    def made(seed: str) -> dict[str, bytes]:
        folder = tmp_path / seed
        command = [sys.executable, "-m", "deepgrep", "report", "start", "flag", "-o", str(folder)]
        command += ["--source", str(sources / "torch"), "--cache-dir", str(sources / "cache"), "--jobs", "1"]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, check=True)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    first = made("0")
    assert len(first) == 3
    assert first == made("4711")
