"""The same sources give the same graph, byte for byte."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from deepgrep.linking import link
from deepgrep.linking.values import Text

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Deepgrep's own code, beside an empty torch, so that the installed one is not analyzed."""
    folder = tmp_path / "sources"
    shutil.copytree(CHECKOUT / "deepgrep", folder / "deepgrep", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "torch").mkdir()
    (folder / "torch/__init__.py").touch()
    return folder


def indexed(sources: Path, cache: Path, *, hash_seed: str, jobs: str) -> tuple[bytes, list[tuple[str, bytes]]]:
    """The exported graph, and every section of the stored one."""
    export = [sys.executable, "-m", "deepgrep", "export", "--jobs", jobs]
    command = [*export, "--source", str(sources), "--cache-dir", str(cache)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, check=True)
    database = sqlite3.connect(cache / "deepgrep.sqlite3")
    try:
        return done.stdout, database.execute("SELECT name, data FROM sections ORDER BY name").fetchall()
    finally:
        database.close()


def test_a_graph_depends_neither_on_hash_seeds_nor_on_the_number_of_workers(sources: Path, tmp_path: Path) -> None:
    exported, sections = indexed(sources, tmp_path / "one", hash_seed="0", jobs="1")
    exported_again, sections_again = indexed(sources, tmp_path / "two", hash_seed="4711", jobs="2")
    assert b"deepgrep.cli.ending.run" in exported
    assert exported == exported_again
    assert sections
    assert sections == sections_again


def test_a_program_is_linked_as_if_it_were_the_first_of_its_process() -> None:
    # Sets iterate in the order of these numbers, and where many values meet, only the first few are followed.
    hashes = []
    for _ in range(2):
        link([], [], [])
        hashes.append(hash(Text("after it")))
    assert hashes[0] == hashes[1]
