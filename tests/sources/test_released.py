"""How the files of a package stand to those that were released, and where its repository is."""

import base64
import hashlib
import os
from pathlib import Path

import pytest

from deepgrep.sources import find_directory, read_tree
from deepgrep.sources.released import Released, compare_releases
from deepgrep.sources.repository import named_repository

FILES = {"pkg/__init__.py": "", "pkg/a.py": "a = 1\n", "pkg/sub/b.py": "b = 1\n"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package as an installer leaves it."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    info = tmp_path / "pkg-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: pkg\nProject-URL: Source, https://github.com/owner/pkg\n\nHome-page: no\n")
    rows = [f"{path},{recorded(text)},{len(text)}" for path, text in FILES.items()]
    (info / "RECORD").write_text("\n".join([*rows, "pkg/data.json,sha256=x,1", "pkg-1.0.dist-info/RECORD,,"]))
    return tmp_path / "pkg"


def recorded(text: str) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def compared(folder: Path) -> Released:
    tree, _ = read_tree(find_directory(folder), b"", lambda _line: None)
    (release,) = compare_releases([tree])
    return release


def test_an_installed_package_is_as_it_was_released(package: Path) -> None:
    assert compared(package) == Released("pkg", "https://github.com/owner/pkg", 3, (), (), ())


def test_changed_missing_and_added_files_are_named(package: Path) -> None:
    (package / "a.py").write_text("a = 2\n")
    (package / "sub" / "b.py").unlink()
    (package / "c.py").touch()
    release = compared(package)
    assert (release.changed, release.missing, release.added) == (("pkg/a.py",), ("pkg/sub/b.py",), ("pkg/c.py",))
    assert release.compared == 2


def test_a_part_of_a_package_is_compared_with_that_part(package: Path) -> None:
    (package / "sub" / "__init__.py").touch()
    release = compared(package / "sub")
    assert (release.name, release.compared, release.missing) == ("pkg.sub", 1, ())
    assert release.added == ("pkg/sub/__init__.py",)


@pytest.mark.parametrize("hashed", ["", "md5=0", "sha256=?", "sha256="])
def test_a_file_of_which_record_knows_no_hash_is_not_taken_for_changed(package: Path, hashed: str) -> None:
    record = package.parent / "pkg-1.0.dist-info" / "RECORD"
    record.write_text(record.read_text().replace(recorded("a = 1\n"), hashed))
    release = compared(package)
    assert (release.compared, release.changed, release.added) == (2, (), ())


def test_a_file_that_is_not_read_is_not_taken_for_missing(package: Path) -> None:
    record = package.parent / "pkg-1.0.dist-info" / "RECORD"
    (package / "not-a-name").mkdir()
    (package / "not-a-name" / "d.py").touch()
    record.write_text(f"{record.read_text()}\npkg/not-a-name/d.py,{recorded('')},0\n")
    assert compared(package).missing == ()


def test_names_with_commas_are_read_as_record_quotes_them(package: Path) -> None:
    (package / "x,y.py").touch()
    record = package.parent / "pkg-1.0.dist-info" / "RECORD"
    record.write_text(f'{record.read_text()}\n"pkg/x,y.py",{recorded("")},0\n')
    assert (compared(package).compared, compared(package).added) == (4, ())


@pytest.mark.parametrize(
    "line", [f"pkg/{'x' * 200_000}.py,sha256=x,1", '"pkg/a.py,sha256=x', "pkg/\0.py,,", '""".py"",,"']
)
def test_a_line_of_record_that_is_damaged_spoils_no_other(package: Path, line: str) -> None:
    record = next(package.parent.glob("*.dist-info")) / "RECORD"
    record.write_text(f"{line}\n{record.read_text()}")
    release = compared(package)
    assert (release.compared, release.changed, release.added) == (3, (), ())


@pytest.mark.parametrize("name", ["RECORD", "METADATA"])
def test_what_an_installer_wrote_is_not_waited_for(package: Path, name: str) -> None:
    path = next(package.parent.glob("*.dist-info")) / name
    path.unlink()
    os.mkfifo(path)
    release = compared(package)
    assert (release.compared, release.repository != "") == {"RECORD": (0, True), "METADATA": (3, False)}[name]


def test_without_record_nothing_is_compared(package: Path) -> None:
    (package.parent / "pkg-1.0.dist-info" / "RECORD").unlink()
    assert compared(package) == Released("pkg", "https://github.com/owner/pkg", 0, (), (), ())


def test_a_folder_that_no_installer_made_has_neither_release_nor_repository(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").touch()
    assert compared(tmp_path / "mine") == Released("mine", "", 0, (), (), ())


@pytest.mark.parametrize(
    "fields",
    [
        [("Project-URL", "Repository, https://github.com/owner/name")],
        [("Project-URL", "Source Code, https://github.com/owner/name.git")],
        [("Project-URL", "source-code, https://www.github.com/owner/name/tree/main?tab=readme#top")],
        [("Home-page", "https://github.com/owner/name/")],
        [("Home-page", "https://example.org/"), ("Download-URL", "https://github.com/owner/name/tags")],
        [("Project-URL", "Issues, https://github.com/owner/name/issues")],
        [
            ("Project-URL", "Homepage, https://github.com/owner/docs"),
            ("Project-URL", "Funding, https://github.com/sponsors/owner"),
            ("Project-URL", "Repository, https://github.com/owner/name"),
        ],
    ],
)
def test_the_repository_is_what_the_distribution_calls_so(fields: list[tuple[str, str]]) -> None:
    assert named_repository(fields) == "https://github.com/owner/name"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/owner/name",
        "https://github.com/owner",
        "https://github.com.example.org/owner/name",
        "javascript:https://github.com/owner/name",
        "https://github.com/owner/na me",
        "https://github.com/../name",
        "",
    ],
)
def test_what_is_no_public_repository_is_not_taken_for_one(url: str) -> None:
    assert named_repository([("Project-URL", f"Repository, {url}"), ("Home-page", url)]) == ""
