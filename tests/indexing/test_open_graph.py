"""A graph is made when there is none, kept, and made again exactly when something changed."""

import io
import os
import sqlite3
from pathlib import Path

import pytest
from indexing_run import Run

from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import Skipped, Source
from deepgrep.indexing import Progress, extraction, open_graph, read_trees
from deepgrep.sources import find_directory
from deepgrep.store import Store, extractor_version
from deepgrep.store.store import FILE_NAME


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files whose facts were extracted."""
    names: list[str] = []
    real = extraction.extract_files

    def spy(files, known, jobs):
        names.extend(sorted(file.path.name for file in files))
        return real(files, known, jobs)

    monkeypatch.setattr(extraction, "extract_files", spy)
    return names


# what is made, and what is kept


def test_every_module_is_linked(run: Run) -> None:
    run.write("pkg/__init__.py")
    run.write("pkg/mod.py", "def f(): pass\n")
    graph = run.open()
    assert run.functions(graph) == ["pkg.<module>", "pkg.mod.<module>"]
    assert run.warnings == []


def test_graph_names_the_sources_with_version_commit_and_digest(run: Run) -> None:
    run.write("pkg/__init__.py")
    run.write("pkg/version.py", "__version__ = '1.0'\ngit_version = 'abc'\n")
    source = run.open(run.project / "pkg").sources[0]
    assert (source.name, source.version, source.commit) == ("pkg", "1.0", "abc")
    assert len(source.digest) == 64


def test_same_question_twice_is_indexed_once(run: Run, extracted: list[str]) -> None:
    run.write("mod.py")
    first = run.open()
    second = run.open()
    assert run.functions(first) == run.functions(second)
    assert run.links == 1
    assert extracted == ["mod.py"]


def test_changed_file_alone_is_extracted_again(run: Run, extracted: list[str]) -> None:
    run.write("one.py", "x = 1\n")
    run.write("two.py", "x = 2\n")
    run.open()
    extracted.clear()
    run.write("two.py", "x = 3\n")
    run.open()
    assert extracted == ["two.py"]
    assert run.links == 2


def test_unchanged_functions_of_a_changed_file_are_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deepgrep.indexing.progress.PATIENCE", 0.0)
    functions = [f"def f{number}():\n    g()\n" for number in range(10)]
    run.write("mod.py", "".join(functions))
    run.open()
    run.write("mod.py", "".join([*functions[:9], "def f9():\n    h()\n"]))
    run.open()
    assert "(1 files, 90% of 10 functions known before)" in run.stderr.getvalue()


def test_same_contents_in_two_places_are_extracted_once(run: Run, extracted: list[str]) -> None:
    run.write("one.py", "x = 1\n")
    run.write("two.py", "x = 1\n")
    graph = run.open()
    assert len(extracted) == 1
    assert run.functions(graph) == ["one.<module>", "two.<module>"]


def test_new_linker_links_again_with_the_facts_that_are_there(
    run: Run, extracted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.write("mod.py")
    run.open()
    extracted.clear()
    monkeypatch.setattr("deepgrep.indexing.graphs.linker_version", lambda: "another")
    run.open()
    assert run.links == 2
    assert extracted == []


def test_new_extractor_extracts_again(run: Run, extracted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("mod.py")
    run.open()
    for name in ("graphs.linker_version", "graphs.extractor_version", "file_facts.extractor_version"):
        monkeypatch.setattr(f"deepgrep.indexing.{name}", lambda: "another")
    run.open()
    assert extracted == ["mod.py", "mod.py"]


def test_version_that_the_package_states_is_part_of_the_graph(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("pkg/__init__.py")
    run.write("pkg-1.0.dist-info/METADATA", "Version: 1.0\n\n")
    run.open(run.project / "pkg")
    run.write("pkg-1.0.dist-info/METADATA", "Version: 2.0\n\n")
    assert run.open(run.project / "pkg").sources[0].version == "2.0"


# files that cannot be read


def test_file_that_cannot_be_parsed_is_skipped_and_the_rest_goes_on(run: Run) -> None:
    run.write("bad.py", "def (:\n")
    run.write("good.py")
    graph = run.open()
    assert run.functions(graph) == ["good.<module>"]
    assert [skipped.file for skipped in graph.skipped] == ["bad.py"]
    assert graph.skipped[0].reason


def test_file_that_cannot_be_decoded_is_skipped(run: Run) -> None:
    run.write("bad.py", b"x = '\xff'\n")
    run.write("good.py")
    assert [skipped.file for skipped in run.open().skipped] == ["bad.py"]


def test_skipped_files_are_part_of_the_stored_graph(run: Run) -> None:
    run.write("bad.py", "def (:\n")
    first = run.open()
    assert run.open().skipped == first.skipped
    assert run.links == 1


def test_file_without_rights_is_skipped_with_the_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("closed.py")
    run.write("open.py")
    real = open

    def refuse(file, *arguments, **options):
        if str(file).endswith("closed.py"):
            raise PermissionError(13, "Permission denied")
        return real(file, *arguments, **options)

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    assert run.open().skipped == [Skipped("closed.py", "cannot be read: Permission denied")]


def test_file_that_changes_during_the_work_is_one_clear_line_and_nothing_is_stored(run: Run) -> None:
    file = run.write("mod.py", "x = 1\n")
    with Store(run.cache, pytest.fail) as store:
        trees = read_trees([find_directory(run.project)], store, pytest.fail)
        file.write_text("x = 2\n")
        with pytest.raises(DeepgrepError, match=r"mod\.py: changed while it was being read: run the command again"):
            open_graph(trees, store, progress=Progress(io.StringIO()), jobs=1, warn=pytest.fail)
        assert store.facts(extractor_version(), trees[0].files[0].digest) is None
    assert run.links == 0


# modules that are there twice


def test_first_source_wins_and_a_warning_says_so(run: Run, tmp_path: Path) -> None:
    run.write("mod.py", "x = 1\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mod.py").write_text("x = 2\n")
    graph = run.open(run.project, other)
    assert run.functions(graph) == ["mod.<module>"]
    assert run.warnings == [f"{other}/mod.py: left out, since {run.project}/mod.py is the same module and comes first"]


def test_order_of_the_sources_is_part_of_the_graph(run: Run, tmp_path: Path) -> None:
    run.write("mod.py", "x = 1\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "mod.py").write_text("x = 2\n")
    first = run.open(run.project, other).sources
    assert run.open(other, run.project).sources == first[::-1]


def test_package_goes_before_a_module_of_the_same_name(run: Run) -> None:
    run.write("mod.py")
    run.write("mod/__init__.py")
    graph = run.open()
    assert [graph.function(0).file] == ["mod/__init__.py"]
    assert len(run.warnings) == 1


def test_many_doubled_modules_are_one_warning(run: Run) -> None:
    for name in ("one", "two", "three"):
        run.write(f"{name}.py")
        run.write(f"{name}/__init__.py")
    run.open()
    assert len(run.warnings) == 1
    assert "and 2 more like it" in run.warnings[0]


# a cache in trouble


def test_without_a_cache_the_answer_is_the_same(run: Run) -> None:
    run.write("mod.py")
    expected = run.functions(run.open())
    run.cache = run.write("not_a_folder.txt")
    assert run.functions(run.open()) == expected
    assert len(run.warnings) == 1


@pytest.mark.parametrize("damage", ["UPDATE sections SET data = x'00'", "DELETE FROM sections"])
def test_damaged_graph_is_made_again_in_the_middle_of_the_answer(run: Run, damage: str) -> None:
    run.write("mod.py")
    run.open()
    with sqlite3.connect(run.cache / FILE_NAME) as database:
        database.execute(f"{damage} WHERE name <> (SELECT name FROM sections LIMIT 1)")
    database.close()
    assert run.functions(run.open()) == ["mod.<module>"]
    assert run.links == 2
    run.warnings.clear()
    assert run.functions(run.open()) == ["mod.<module>"]
    assert run.links == 2
    assert run.warnings == []


def test_answer_is_never_made_of_two_graphs(run: Run) -> None:
    from deepgrep.indexing.graphs import _StoredSections

    with Store(run.cache, run.warnings.append) as store:
        store.add_graph("key", {"a": b"old"}, "v", [])
        sections = _StoredSections("key", store, lambda: {"a": b"new", "b": b"new"})
        assert sections.read("a") == b"old"
        with pytest.raises(DeepgrepError, match="has been repaired: run the command again"):
            sections.read("b")


@pytest.mark.parametrize("table", ["facts", "pieces"])
def test_damaged_facts_are_extracted_again(
    run: Run, extracted: list[str], monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    run.write("mod.py")
    run.open()
    with sqlite3.connect(run.cache / FILE_NAME) as database:
        database.execute(f"UPDATE {table} SET data = x'00'")
    database.close()
    monkeypatch.setattr("deepgrep.indexing.graphs.linker_version", lambda: "another")
    assert run.functions(run.open()) == ["mod.<module>"]
    assert extracted == ["mod.py", "mod.py"]


def test_digests_are_remembered_between_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = run.write("mod.py")
    os.utime(file, (1, 1))
    monkeypatch.setattr("deepgrep.sources.read._RACY_NANOSECONDS", -1)
    run.open()
    monkeypatch.setattr("deepgrep.sources.read._file_digest", pytest.fail)
    run.open()


def test_sources_without_version_are_named_all_the_same(run: Run) -> None:
    run.write("mod.py")
    graph = run.open()
    assert graph.sources == [Source("project", "", "", graph.sources[0].digest)]
