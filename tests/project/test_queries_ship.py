"""The stored queries are found wherever deepgrep runs: in a wheel, also one made from an sdist, and in a checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (CHECKOUT / "queries").glob("*.toml"))
BUILD = "import sys; from hatchling import build; print(getattr(build, sys.argv[1])(sys.argv[2]))"
LIST = "from deepgrep.questions.stored import shipped_queries; print(*[query.name for query in shipped_queries()])"


def built(what: str, project: Path, folder: Path) -> Path:
    command = [sys.executable, "-c", BUILD, what, str(folder)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=True)
    return folder / done.stdout.strip().splitlines()[-1]


def listed(on_path: Path, folder: Path) -> list[str]:
    """The names that deepgrep finds where it is imported from `on_path`, run in an empty folder."""
    environment = os.environ | {"PYTHONPATH": str(on_path)}
    command = [sys.executable, "-c", LIST]
    folder.mkdir()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(built("build_sdist", CHECKOUT, folder)) as archive:
        archive.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def test_a_checkout_finds_them(tmp_path):
    assert listed(CHECKOUT, tmp_path / "run") == NAMES


def test_a_wheel_holds_them(tmp_path):
    wheel = built("build_wheel", CHECKOUT, tmp_path)
    assert listed(unpacked(wheel, tmp_path / "site"), tmp_path / "run") == NAMES


def test_a_wheel_that_is_made_from_an_sdist_holds_them(sdist, tmp_path):
    wheel = built("build_wheel", sdist, tmp_path)
    assert listed(unpacked(wheel, tmp_path / "site"), tmp_path / "run") == NAMES
