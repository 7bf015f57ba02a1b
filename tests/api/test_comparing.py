"""Two versions compared, and the version at which an answer changes, from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import deepgrep
from deepgrep import DeepgrepError
from deepgrep.questions.changes_answers import ChangesAnswer
from deepgrep.questions.diff_answers import DiffAnswer

SOURCE = "_flag = False\n\ndef set_it():\n    global _flag\n    _flag = True\n\ndef root():\n    {}\n"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """An earlier and a later version."""
    base = tmp_path_factory.mktemp("versions")
    found = [_open(base, name, SOURCE.format(call)) for name, call in (("old", "pass"), ("new", "set_it()"))]
    yield found
    for one in found:
        one.close()


def _open(base: Path, name: str, source: str) -> deepgrep.Analysis:
    folder = base / name / "torch"
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        (folder / "m.py").write_text(source)
    return deepgrep.open(torch=str(folder), cache_dir=base / "cache", jobs=1)


def test_diff_gives_what_one_question_answers_in_both(opened) -> None:
    answer = deepgrep.diff(*opened, "root", "_flag")
    assert isinstance(answer, DiffAnswer)
    assert [differs.why for path in answer.paths for differs in path.differs] == [
        "a call of torch.m.set_it was added to torch.m.root"
    ]


def test_changes_gives_all_state_that_changed(opened) -> None:
    answer = deepgrep.changes(*opened)
    assert isinstance(answer, ChangesAnswer)
    assert [row.functions_new for row in answer.states] == [["torch.m.root"]]


def test_bisect_asks_the_versions_that_are_given(tmp_path) -> None:
    asked = []

    def open_version(name: str) -> deepgrep.Analysis:
        asked.append(name)
        return _open(tmp_path, name, SOURCE.format("set_it()" if name >= "c" else "pass"))

    answer = deepgrep.bisect("root", "_flag", versions=["a", "b", "c", "d", "e"], open_version=open_version)
    assert (answer.before, answer.after) == ("b", "c")
    assert answer.diff is not None
    assert [reply.version for reply in answer.replies] == ["a", "b", "c", "e"]
    assert asked[:2] == ["a", "e"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"root": 3}, "root=3: it is a text"),
        ({"access": "eat"}, "access='eat'"),
        ({"paths": 0}, "paths=0: it is a number from 1 on"),
        ({"filters": "x"}, "it is a deepgrep.Filters"),
    ],
)
def test_wrong_arguments_are_errors_that_say_what_to_pass(opened, wrong, said) -> None:
    with pytest.raises(DeepgrepError, match=said):
        deepgrep.diff(*opened, **{"root": "root", "target": "_flag", **wrong})


def test_what_is_no_opened_version_is_an_error(opened) -> None:
    with pytest.raises(DeepgrepError, match=r"it is what deepgrep\.open gives"):
        deepgrep.changes("2.12.0", opened[1])


def test_what_must_change_is_the_verdict_or_the_paths() -> None:
    with pytest.raises(DeepgrepError, match="on='all': it is one of 'verdict', 'paths'"):
        deepgrep.bisect("root", "_flag", versions=["a", "b"], on="all")
