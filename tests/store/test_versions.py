"""Stored work is stale as soon as the code that made it changes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import deepgrep
from deepgrep.store import extractor_version, linker_version, versions


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of deepgrep's layout, with one file in each package."""
    for package in ("facts", "graph", "linking", "models", "reports"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "code.py").write_text("x = 1\n")
    (tmp_path / "models" / "data.toml").write_text("x = 1\n")
    for name in versions._STORING:
        (tmp_path / "graph" / f"{name}.py").write_text("x = 1\n")
    monkeypatch.setattr(deepgrep, "__file__", str(tmp_path / "__init__.py"))
    return tmp_path


def fresh(version: Callable[[], str]) -> str:
    versions._code_digest.cache_clear()
    try:
        return version()
    finally:
        versions._code_digest.cache_clear()


@pytest.mark.parametrize("path", ["facts/code.py", "facts/new.py"])
def test_facts_are_stale_when_the_extractor_changes(home: Path, path: str) -> None:
    before = fresh(extractor_version)
    (home / path).write_text("x = 2\n")
    assert fresh(extractor_version) != before


@pytest.mark.parametrize(
    "path", ["linking/code.py", "models/code.py", "models/data.toml", "graph/layout.py", "graph/walks.py"]
)
def test_linker_changes_leave_facts_alone(home: Path, path: str) -> None:
    before = fresh(extractor_version), fresh(linker_version)
    (home / path).write_text("x = 2\n")
    assert fresh(extractor_version) == before[0]
    assert fresh(linker_version) != before[1]


def test_graphs_are_stale_when_the_extractor_changes(home: Path) -> None:
    before = fresh(linker_version)
    (home / "facts" / "code.py").write_text("x = 2\n")
    assert fresh(linker_version) != before


@pytest.mark.parametrize("path", ["reports/code.py", "graph/code.py"])
def test_reports_and_searches_can_change_without_any_work_done_again(home: Path, path: str) -> None:
    before = fresh(extractor_version), fresh(linker_version)
    (home / path).write_text("x = 2\n")
    assert (fresh(extractor_version), fresh(linker_version)) == before


@pytest.mark.usefixtures("home")
def test_release_makes_all_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fresh(extractor_version), fresh(linker_version)
    monkeypatch.setattr(deepgrep, "__version__", "99")
    after = fresh(extractor_version), fresh(linker_version)
    assert before[0] != after[0]
    assert before[1] != after[1]


@pytest.mark.usefixtures("home")
def test_another_libcst_makes_all_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fresh(extractor_version)
    monkeypatch.setattr(versions, "_libcst_version", lambda: "99")
    assert fresh(extractor_version) != before


def test_all_that_packs_a_graph_makes_graphs_stale() -> None:
    graph = Path(deepgrep.__file__).parent / "graph"
    packing = {"layout"}
    waiting = ["layout"]
    for name in waiting:  # grows as it is walked
        for imported in re.findall(r"^from deepgrep\.graph\.(\w+) import", (graph / f"{name}.py").read_text(), re.M):
            if imported not in packing:
                packing.add(imported)
                waiting.append(imported)
    assert packing == {*versions._STORING}
