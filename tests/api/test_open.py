"""Which sources are opened."""

from pathlib import Path

import pytest
from wheels import wheel

import deepgrep
from deepgrep.api import opening, places
from deepgrep.errors import DeepgrepError
from deepgrep.sources import find_directory


@pytest.fixture(autouse=True)
def graph_is_its_trees(monkeypatch):
    """No graph is made here: the trees themselves stand for it."""
    monkeypatch.setattr(opening, "open_graph", lambda trees, store, **_: [tree.name for tree in trees])


@pytest.fixture
def installed_torch(monkeypatch, tmp_path):
    package(tmp_path / "installed" / "torch")
    place = find_directory(tmp_path / "installed" / "torch")
    monkeypatch.setattr(places, "find_installed", lambda name, python: place)


@pytest.fixture
def no_torch(monkeypatch):
    def missing(name, python):
        raise DeepgrepError(f"{name} is not installed for {python}")

    monkeypatch.setattr(places, "find_installed", missing)


def package(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("x = 1\n")
    return folder


def analyzed(tmp_path: Path, *sources: Path | str, **setup) -> list[str]:
    with deepgrep.open(*sources, cache_dir=tmp_path / "cache", **setup) as opened:
        return opened.graph


@pytest.mark.usefixtures("installed_torch")
def test_without_a_source_it_is_the_installed_torch(tmp_path):
    assert analyzed(tmp_path) == ["torch"]


@pytest.mark.usefixtures("installed_torch")
def test_sources_are_analyzed_beside_the_installed_torch_and_come_first(tmp_path):
    mine, yours = package(tmp_path / "mine"), package(tmp_path / "yours")
    assert analyzed(tmp_path, mine, str(yours)) == ["mine", "yours", "torch"]


@pytest.mark.usefixtures("installed_torch")
def test_source_that_holds_a_torch_takes_the_place_of_the_installed_one(tmp_path):
    package(tmp_path / "checkout" / "torch")
    assert analyzed(tmp_path, tmp_path / "checkout") == ["checkout"]


@pytest.mark.usefixtures("no_torch")
def test_sources_are_analyzed_alone_where_no_torch_is_installed_and_that_is_said(tmp_path):
    said: list[str] = []
    assert analyzed(tmp_path, package(tmp_path / "mine"), warn=said.append) == ["mine"]
    assert said == ["only the given sources are analyzed: torch is not installed for None"]


@pytest.mark.usefixtures("no_torch")
def test_nothing_is_printed_unless_it_is_asked_for(tmp_path, capfd):
    assert analyzed(tmp_path, package(tmp_path / "mine")) == ["mine"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("no_torch")
def test_nothing_to_analyze_is_an_error(tmp_path):
    with pytest.raises(DeepgrepError, match="torch is not installed"):
        analyzed(tmp_path)


@pytest.mark.usefixtures("no_torch")
def test_torch_that_was_asked_for_must_be_there(tmp_path):
    with pytest.raises(DeepgrepError, match="torch is not installed for python9"):
        analyzed(tmp_path, package(tmp_path / "mine"), python="python9")


@pytest.mark.usefixtures("installed_torch")
def test_source_lines_are_those_of_the_analyzed_files(tmp_path):
    with deepgrep.open(cache_dir=tmp_path / "cache") as opened:
        assert opened.source_lines()("torch/__init__.py", 1) == "x = 1"
        assert opened.source_lines("import torch")("<root>", 1) == "import torch"


@pytest.mark.usefixtures("installed_torch")
def test_the_cache_is_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(tmp_path / "here"))
    deepgrep.open().close()
    assert list((tmp_path / "here").iterdir())


@pytest.mark.usefixtures("installed_torch")
@pytest.mark.parametrize("named_by", ["argument", "environment"])
def test_a_cache_folder_that_is_named_and_cannot_be_used_is_an_error(tmp_path, monkeypatch, named_by):
    folder = tmp_path / "file" / "cache"
    folder.parent.touch()
    monkeypatch.setenv("DEEPGREP_CACHE_DIR", str(folder) if named_by == "environment" else "")
    said: list[str] = []
    with pytest.raises(DeepgrepError, match=r"cache .*: cannot be opened \(Not a directory\): name a folder"):
        deepgrep.open(cache_dir=folder if named_by == "argument" else None, warn=said.append)
    assert said == []


@pytest.mark.usefixtures("installed_torch")
def test_the_users_cache_folder_is_done_without_if_it_cannot_be_used(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.delenv("DEEPGREP_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "file" / name)
    said: list[str] = []
    deepgrep.open(warn=said.append).close()
    assert ["the work is done without it" in line for line in said] == [True]


def test_a_cache_folder_without_a_name_is_an_error():
    with pytest.raises(DeepgrepError, match="the cache folder has no name"):
        deepgrep.open(cache_dir="")


def test_a_number_of_processes_that_is_none_is_an_error(tmp_path):
    with pytest.raises(DeepgrepError, match="jobs=0: at least one process"):
        deepgrep.open(cache_dir=tmp_path, jobs=0)


@pytest.mark.usefixtures("installed_torch")
def test_what_was_closed_answers_no_more(tmp_path):
    opened = deepgrep.open(cache_dir=tmp_path / "cache")
    opened.close()
    with pytest.raises(DeepgrepError, match="closed: open it again"):
        _ = opened.graph


# sources by version


def test_a_torch_by_version_is_kept_beside_the_cache_and_the_report_says_how_to_name_it_again(tmp_path, monkeypatch):
    (tmp_path / "wheels").mkdir()
    name = "torch-1.0.0+cpu-py3-none-any.whl"
    (tmp_path / "wheels" / name).write_bytes(wheel("torch", "1.0.0+cpu", {"torch/__init__.py": b""}))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert analyzed(tmp_path, torch="latest") == ["torch"]
    assert [folder.name for folder in (tmp_path / "cache" / "sources").iterdir()] == ["torch-1.0.0+cpu"]
    with deepgrep.open(torch="latest", cache_dir=tmp_path / "cache") as opened:
        trees = opened._trees
    for spec in ("latest", "1.0", "1.0.0"):
        named = places.repeating_options([tmp_path / "train.py"], ["pkg==1.0"], spec, trees)
        assert named == ["--source", "train.py", "--with", "pkg==1.0", "--torch", "1.0.0"]


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("2.11.0", "2.11.0"),
        ("{tmp}/w/torch-1.0.whl", "torch-1.0.whl"),
        ("git:{tmp}/w@main", "git:w@main"),
        ("git:{tmp}/w", "git:w"),
    ],
)
def test_no_folder_of_this_machine_is_in_the_command_that_repeats_a_report(tmp_path, spec, named):
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "torch-1.0.whl").touch()
    assert places.repeating_options([], [], spec.format(tmp=tmp_path), []) == ["--torch", named]


def test_packages_are_a_list(tmp_path):
    with pytest.raises(DeepgrepError, match="it is a list of packages"):
        deepgrep.open(packages="vllm", cache_dir=tmp_path)
