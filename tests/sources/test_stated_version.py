"""Which version a package says it is; read as text, never imported."""

from pathlib import Path

import pytest

from deepgrep.sources import find_directory, read_tree
from deepgrep.sources.version import stated_version


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    return tmp_path / "pkg"


def version_of(package: Path) -> tuple[str, str]:
    tree, _ = read_tree(find_directory(package), b"", pytest.fail)
    return tree.version, tree.commit


def test_version_and_commit_come_from_version_py(package: Path) -> None:
    (package / "version.py").write_text("__version__ = '2.13.0+cpu'\nhip: str = 'x'\ngit_version: str = 'cf30153'\n")
    assert version_of(package) == ("2.13.0+cpu", "cf30153")


def test_version_py_is_not_run(package: Path) -> None:
    (package / "version.py").write_text("__version__ = '1.0'\nraise SystemExit('this code was run')\n")
    assert version_of(package) == ("1.0", "")


def test_version_that_is_computed_is_not_guessed(package: Path) -> None:
    (package / "version.py").write_text("__version__ = '.'.join(['1', '0'])\n")
    assert version_of(package) == ("", "")


def test_broken_version_py_states_nothing(package: Path) -> None:
    (package / "version.py").write_bytes(b"__version__ = '1.0\x00\n((((")
    assert version_of(package) == ("", "")


def test_else_the_installed_distribution_states_it(package: Path) -> None:
    info = package.parent / "Pkg-1.2.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pkg\nVersion: 1.2.3\n\nVersion: of the description\n")
    assert version_of(package) == ("1.2.3", "")


def test_distribution_of_another_name_states_nothing(package: Path) -> None:
    info = package.parent / "pkg_extras-9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Version: 9\n\n")
    assert version_of(package) == ("", "")


def test_part_of_a_package_has_the_version_of_the_whole(package: Path) -> None:
    (package / "version.py").write_text("__version__ = '1.0'\n")
    (package / "sub").mkdir()
    (package / "sub" / "__init__.py").touch()
    assert version_of(package / "sub") == ("1.0", "")


def test_folder_of_packages_has_no_version(package: Path) -> None:
    assert version_of(package.parent) == ("", "")


@pytest.mark.parametrize(("text", "version"), [("2.14.0a0\n", "2.14.0a0"), ("see git", ""), ("1" * 100, ""), ("", "")])
def test_a_checkout_has_the_version_in_its_text_file(tmp_path, text, version):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "version.txt").write_text(text)
    assert stated_version(tmp_path, "pkg") == (version, "")
    assert stated_version(tmp_path, "script") == ("", "")
