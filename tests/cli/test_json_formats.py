"""What each verb writes as JSON is valid against the schema that ships for its format."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

SHIPPED = Path(__file__).parents[2] / "deepgrep" / "reports" / "schemas"
SOURCE = """\
import os, threading

_flag = False
_lock = threading.Lock()
_hooks = []


def start(fn, deep=False):
    if deep:
        return start(fn)
    with _lock:
        trace(fn)
    return len(str(_flag))


def trace(fn):
    global _flag
    before = _flag
    _flag = True
    try:
        for hook in _hooks:
            hook(fn)
        os.environ["FLAG"] = "1"
        fn()
    finally:
        _flag = before
"""
QUESTIONS = [
    ("reach", "start", "_flag"),
    ("reach", "start", "_flag", "--assume", "deep=False", "--paths", "3"),
    ("reach", "start", "_hooks"),
    ("effects", "start"),
    ("effects", "start", "--reads"),
    ("grep", "start", "_flag"),
    ("states", "--all"),
    ("accesses", "_flag"),
    ("race", "_flag"),
    ("callers", "trace"),
    ("callees", "start"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "app.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def options(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr("deepgrep.api.places.find_installed", _not_installed)
    return ["--source", str(source), "--cache-dir", str(tmp_path / "cache")]


def _not_installed(name: str, python: str | None) -> None:
    from deepgrep.errors import DeepgrepError

    raise DeepgrepError(f"{name} is not installed")


def check(text: str) -> None:
    document = json.loads(text)
    schema = json.loads((SHIPPED / f"{document['schema'].replace('/', '-')}.json").read_bytes())
    Draft202012Validator(schema).validate(document)


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_an_answer_is_valid(deepgrep, options, question) -> None:
    outcome = deepgrep(*question, "--format", "json", *options)
    assert outcome.code in {0, 1}, outcome.err
    check(outcome.out)


@pytest.fixture
def query(tmp_path: Path) -> str:
    path = tmp_path / "flag.toml"
    path.write_text('question = "Does start set it?"\nroot = "start"\ntarget = "_flag"\nexpect = "reaches"\n')
    return str(path)


def test_the_stored_queries_are_valid(deepgrep) -> None:
    check(deepgrep("queries", "--format", "json").out)


@pytest.mark.parametrize("verb", [("run",), ("check",)])
def test_what_was_found_for_stored_queries_is_valid(deepgrep, options, query, verb) -> None:
    check(deepgrep(*verb, query, "--format", "json", *options).out)


def test_the_answers_of_several_queries_are_valid(deepgrep, options, query, tmp_path) -> None:
    other = tmp_path / "gone.toml"
    other.write_text(Path(query).read_text().replace("start", "gone"))
    check(deepgrep("run", query, str(other), "--format", "json", *options).out)


def test_a_baseline_is_valid(deepgrep, options, query, tmp_path) -> None:
    baseline = tmp_path / "baseline.json"
    deepgrep("check", query, "--baseline", str(baseline), "--update-baseline", *options)
    check(baseline.read_text())


def test_what_changed_between_two_versions_is_valid(deepgrep, tmp_path) -> None:
    versions = []
    for name, source in (("old", SOURCE.partition("def trace")[0]), ("new", SOURCE)):
        (tmp_path / name / "torch").mkdir(parents=True)
        (tmp_path / name / "torch" / "__init__.py").write_text(source)
        versions.append(str(tmp_path / name / "torch"))
    for question in (("start", "_flag"), ()):
        outcome = deepgrep("diff", *versions, *question, "--format", "json", "--cache-dir", str(tmp_path / "cache"))
        assert outcome.code == 1, outcome.err
        check(outcome.out)


def test_the_exported_graph_is_valid(deepgrep, options) -> None:
    check(deepgrep("export", *options).out)
