"""What `--source PATH` means."""

import os
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources import Place, find_directory


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_package_is_named_relative_to_the_folder_that_holds_it(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    assert find_directory(tmp_path / "pkg") == Place("pkg", tmp_path, "pkg")


def test_subpackage_keeps_the_name_of_its_parents(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    write(tmp_path / "pkg" / "sub" / "__init__.py")
    assert find_directory(tmp_path / "pkg" / "sub") == Place("pkg.sub", tmp_path, "pkg/sub")


def test_folder_without_init_is_a_folder_of_packages(tmp_path: Path) -> None:
    write(tmp_path / "src" / "pkg" / "__init__.py")
    assert find_directory(tmp_path / "src") == Place("src", tmp_path / "src", "")


def test_single_file_is_a_module(tmp_path: Path) -> None:
    write(tmp_path / "train.py")
    assert find_directory(tmp_path / "train.py") == Place("train", tmp_path, "train.py")


def test_file_of_a_package_keeps_its_module_name(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    write(tmp_path / "pkg" / "mod.py")
    assert find_directory(tmp_path / "pkg" / "mod.py") == Place("pkg.mod", tmp_path, "pkg/mod.py")


def test_project_folder_whose_name_is_no_identifier_is_not_taken_for_a_parent_package(tmp_path: Path) -> None:
    write(tmp_path / "my-project" / "__init__.py")
    write(tmp_path / "my-project" / "train.py")
    assert find_directory(tmp_path / "my-project" / "train.py").start == "train.py"


def test_relative_path_means_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    monkeypatch.chdir(tmp_path / "pkg")
    assert find_directory(Path(".")) == Place("pkg", tmp_path, "pkg")


def test_a_path_that_cannot_be_looked_at_says_why(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match=r"xxx: cannot be read \(File name too long\): name a folder"):
        find_directory(tmp_path / ("x" * 5_000))
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(
        DeepgrepError, match=r"loop: cannot be read \(Too many levels of symbolic links\): name a folder"
    ):
        find_directory(tmp_path / "loop")


def test_a_path_from_a_folder_that_was_removed_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(DeepgrepError, match=r"^pkg: the current folder cannot be read"):
        find_directory(Path("pkg"))
    monkeypatch.chdir(tmp_path)


def test_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match=r"nowhere: no such file or folder: name a folder"):
        find_directory(tmp_path / "nowhere")


def test_file_that_is_not_python_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match=r"notes\.txt: not a Python file"):
        find_directory(write(tmp_path / "notes.txt"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_is_one_clear_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(DeepgrepError, match=r"pipe\.py: neither a folder nor a regular file"):
        find_directory(tmp_path / "pipe.py")
