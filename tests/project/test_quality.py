"""The gates that every change of the code passes."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "gate",
    [
        "ruff check .",
        "ruff format --check .",
        "mypy --strict",
        "lint-imports",
    ],
)
def test_the_checkout_passes(gate: str) -> None:
    program, *arguments = gate.split()
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", ["deepgrep", "tests", "docs"])
def test_the_linter_reads_every_file(folder: str) -> None:
    command = [str(Path(sys.executable).with_name("ruff")), "check", "--show-files", folder]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert set(done.stdout.splitlines()) == {str(file) for file in (CHECKOUT / folder).rglob("*.py")}
