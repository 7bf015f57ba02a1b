"""Which files a source tree has, what they are called, and how a change is noticed."""

import hashlib
import os
import time
from pathlib import Path

import pytest

from deepgrep.errors import DeepgrepError
from deepgrep.sources import SourceTree, find_directory, read_tree
from deepgrep.sources import read as reading

LONG_AGO = time.time() - 1000


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def read(path: Path) -> SourceTree:
    return read_tree(find_directory(path), b"", pytest.fail)[0]


def paths(tree: SourceTree) -> list[str]:
    return [file.path for file in tree.files]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were hashed."""
    names: list[str] = []
    real = reading._file_digest

    def spy(path: str) -> str:
        names.append(Path(path).name)
        return real(path)

    monkeypatch.setattr(reading, "_file_digest", spy)
    return names


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files were written long before they are hashed."""
    now = time.time_ns()
    monkeypatch.setattr(reading.time, "time_ns", lambda: now + 60_000_000_000)


# names


def test_package_modules_are_named_from_the_package_on(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    write(tmp_path / "pkg" / "sub" / "__init__.py")
    write(tmp_path / "pkg" / "sub" / "mod.py")
    tree = read(tmp_path / "pkg")
    assert [(file.path, file.module, file.is_package) for file in tree.files] == [
        ("pkg/__init__.py", "pkg", True),
        ("pkg/sub/__init__.py", "pkg.sub", True),
        ("pkg/sub/mod.py", "pkg.sub.mod", False),
    ]
    assert tree.location == tmp_path


def test_folder_gives_every_package_and_module_in_it(tmp_path: Path) -> None:
    write(tmp_path / "one" / "__init__.py")
    write(tmp_path / "two.py")
    assert [file.module for file in read(tmp_path).files] == ["one", "two"]


def test_single_file_is_all_there_is(tmp_path: Path) -> None:
    write(tmp_path / "train.py")
    write(tmp_path / "other.py")
    assert paths(read(tmp_path / "train.py")) == ["train.py"]


def test_subfolder_without_init_counts(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    write(tmp_path / "pkg" / "space" / "mod.py")
    assert "pkg/space/mod.py" in paths(read(tmp_path / "pkg"))


def test_folders_that_hold_no_modules_are_left_out(tmp_path: Path) -> None:
    write(tmp_path / "pkg" / "__init__.py")
    for folder in ("__pycache__", ".git", "python3.11", "not-a-name"):
        write(tmp_path / "pkg" / folder / "mod.py")
    assert paths(read(tmp_path / "pkg")) == ["pkg/__init__.py"]


def test_only_py_files_count(tmp_path: Path) -> None:
    write(tmp_path / "mod.py")
    write(tmp_path / "stub.pyi")
    write(tmp_path / "mod.pyc")
    (tmp_path / "folder.py").mkdir()
    assert paths(read(tmp_path)) == ["mod.py"]


def test_folder_without_python_files_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DeepgrepError, match="no Python files there"):
        read(tmp_path)


# what is not followed


@pytest.fixture
def warnings() -> list[str]:
    return []


def test_link_out_of_the_folder_is_left_out_with_a_warning(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "secret.py")
    write(tmp_path / "src" / "mod.py")
    (tmp_path / "src" / "link.py").symlink_to(tmp_path / "secret.py")
    tree, _ = read_tree(find_directory(tmp_path / "src"), b"", warnings.append)
    assert paths(tree) == ["mod.py"]
    assert warnings == [f"{tmp_path}/src/link.py: symbolic link not followed"]


def test_link_within_the_folder_counts(tmp_path: Path) -> None:
    write(tmp_path / "mod.py")
    (tmp_path / "link.py").symlink_to("mod.py")
    assert paths(read(tmp_path)) == ["link.py", "mod.py"]


def test_link_to_a_folder_around_it_does_not_loop(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "pkg" / "mod.py")
    (tmp_path / "pkg" / "again").symlink_to(tmp_path)
    tree, _ = read_tree(find_directory(tmp_path), b"", warnings.append)
    assert paths(tree) == ["pkg/mod.py"]
    assert len(warnings) == 1


def test_many_links_are_one_warning(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "elsewhere.py")
    write(tmp_path / "src" / "mod.py")
    for name in "abc":
        (tmp_path / "src" / f"{name}.py").symlink_to(tmp_path / "elsewhere.py")
    read_tree(find_directory(tmp_path / "src"), b"", warnings.append)
    assert warnings == [f"{tmp_path}/src/a.py: symbolic link not followed (and 2 more)"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_what_is_no_file_is_not_read_and_named(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "mod.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "to_pipe.py").symlink_to("pipe.py")
    tree, _ = read_tree(find_directory(tmp_path), b"", warnings.append)
    assert paths(tree) == ["mod.py"]
    assert warnings == [f"{tmp_path}/pipe.py: left out: a pipe, socket or device, not a file (and 1 more)"]


def test_link_that_leads_nowhere_or_to_itself_is_named(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "mod.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "folder").symlink_to("folder")
    tree, _ = read_tree(find_directory(tmp_path), b"", warnings.append)
    assert paths(tree) == ["mod.py"]
    assert warnings == [f"{tmp_path}/gone.py: symbolic link not followed (and 1 more)"]


@pytest.mark.skipif(os.name == "nt" or os.uname().sysname == "Darwin", reason="file names are text here")
def test_file_whose_name_is_no_text_is_left_out_with_a_warning(tmp_path: Path, warnings: list[str]) -> None:
    write(tmp_path / "mod.py")
    Path(os.fsdecode(bytes(tmp_path) + b"/bad\xff.py")).touch()
    tree, _ = read_tree(find_directory(tmp_path), b"", warnings.append)
    assert paths(tree) == ["mod.py"]
    assert "its name is not valid text" in warnings[0]


# digests


def test_digest_of_a_file_is_the_sha256_of_its_bytes(tmp_path: Path) -> None:
    write(tmp_path / "mod.py", "x = 1\n")
    assert read(tmp_path).files[0].digest == hashlib.sha256(b"x = 1\n").hexdigest()


def test_file_that_cannot_be_read_has_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "mod.py")
    monkeypatch.setattr("builtins.open", lambda *_: (_ for _ in ()).throw(PermissionError()))
    assert read(tmp_path).files[0].digest == ""


def test_same_code_elsewhere_is_the_same_tree(tmp_path: Path) -> None:
    for place in ("here", "there"):
        write(tmp_path / place / "pkg" / "__init__.py", "x = 1\n")
    assert read(tmp_path / "here" / "pkg").digest == read(tmp_path / "there" / "pkg").digest


@pytest.mark.parametrize("change", ["edit", "rename", "add"])
def test_any_change_is_another_tree(tmp_path: Path, change: str) -> None:
    file = write(tmp_path / "mod.py", "x = 1\n")
    before = read(tmp_path).digest
    if change == "edit":
        file.write_text("x = 2\n")
    elif change == "rename":
        file.rename(tmp_path / "other.py")
    else:
        write(tmp_path / "new.py")
    assert read(tmp_path).digest != before


# what is remembered


@pytest.mark.usefixtures("settled")
def test_unchanged_files_are_not_read_again(tmp_path: Path, hashed: list[str]) -> None:
    write(tmp_path / "one.py", "x = 1\n")
    write(tmp_path / "two.py", "x = 2\n")
    place = find_directory(tmp_path)
    first, remembered = read_tree(place, b"", pytest.fail)
    hashed.clear()
    second, again = read_tree(place, remembered, pytest.fail)
    assert hashed == []
    assert second == first
    assert again is remembered


@pytest.mark.usefixtures("settled")
def test_only_the_changed_file_is_read_again(tmp_path: Path, hashed: list[str]) -> None:
    write(tmp_path / "one.py", "x = 1\n")
    write(tmp_path / "two.py", "x = 2\n")
    place = find_directory(tmp_path)
    _, remembered = read_tree(place, b"", pytest.fail)
    write(tmp_path / "two.py", "x = 345\n")
    hashed.clear()
    tree, _ = read_tree(place, remembered, pytest.fail)
    assert hashed == ["two.py"]
    assert tree.files[1].digest == hashlib.sha256(b"x = 345\n").hexdigest()


@pytest.mark.usefixtures("settled")
def test_change_of_same_size_with_the_old_time_put_back_is_noticed(tmp_path: Path) -> None:
    file = write(tmp_path / "mod.py", "x = 1\n")
    os.utime(file, (LONG_AGO, LONG_AGO))
    place = find_directory(tmp_path)
    _, remembered = read_tree(place, b"", pytest.fail)
    file.write_text("x = 2\n")
    os.utime(file, (LONG_AGO, LONG_AGO))
    assert read_tree(place, remembered, pytest.fail)[0].files[0].digest == hashlib.sha256(b"x = 2\n").hexdigest()


def test_file_changed_just_before_it_was_hashed_is_hashed_again(tmp_path: Path, hashed: list[str]) -> None:
    write(tmp_path / "mod.py", "x = 1\n")
    place = find_directory(tmp_path)
    _, remembered = read_tree(place, b"", pytest.fail)
    hashed.clear()
    read_tree(place, remembered, pytest.fail)
    assert hashed == ["mod.py"]


def test_while_the_clock_is_behind_the_files_nothing_is_remembered(
    tmp_path: Path, hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "mod.py", "x = 1\n")
    monkeypatch.setattr(reading.time, "time_ns", lambda: 0)
    _, remembered = read_tree(find_directory(tmp_path), b"", pytest.fail)
    hashed.clear()
    read_tree(find_directory(tmp_path), remembered, pytest.fail)
    assert hashed == ["mod.py"]


@pytest.mark.usefixtures("settled")
def test_deleted_file_is_forgotten(tmp_path: Path) -> None:
    write(tmp_path / "one.py")
    two = write(tmp_path / "two.py")
    place = find_directory(tmp_path)
    _, remembered = read_tree(place, b"", pytest.fail)
    two.unlink()
    tree, now = read_tree(place, remembered, pytest.fail)
    assert paths(tree) == ["one.py"]
    assert b"two.py" not in now


@pytest.mark.usefixtures("settled")
def test_memory_that_makes_no_sense_is_no_memory(tmp_path: Path) -> None:
    write(tmp_path / "mod.py", "x = 1\n")
    tree, _ = read_tree(find_directory(tmp_path), b"\xc1 nonsense", pytest.fail)
    assert tree.files[0].digest == hashlib.sha256(b"x = 1\n").hexdigest()
