"""What SECURITY.md promises: nothing of the analyzed code is run, and nobody is asked for anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]

# Where Python, pip, pytest and deepgrep itself would look for code.
NAMES = [
    "torch/__init__.py",
    "torch/sub/__init__.py",
    "torch/sub/__main__.py",
    "conftest.py",
    "setup.py",
    "sitecustomize.py",
    "usercustomize.py",
    "click.py",
    "sqlite3.py",
    "libcst/__init__.py",
    "msgspec/__init__.py",
    "deepgrep/__init__.py",
]
QUESTIONS = [
    ["reach", "torch.start", "torch.flag"],
    ["reach", "torch.start()", "torch.flag", "--format", "svg"],
    ["reach", "script.py", "torch.flag"],
    ["effects", "torch.start"],
    ["export"],
]

# Any use of the network ends the process. Names of modules are looked up where the command `deepgrep` does.
RUN = """
import socket, sys
def refuse(*_, **__):
    sys.exit("used the network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from deepgrep.cli import main
main()
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of code that leaves a mark if any of it is run."""
    mark = f"open({str(tmp_path / 'run')!r}, 'a').write(__file__)\n"
    body = "flag = 0\ndef start():\n    global flag\n    flag = 1\n"
    for name in NAMES:
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(mark + body)
    (tmp_path / "code" / "mark.pth").write_text(f"import builtins; {mark.replace('__file__', repr('pth'))}")
    (tmp_path / "code" / "script.py").write_text(f"{mark}import torch\ntorch.start()\n")
    return tmp_path / "code"


@pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)
def test_nothing_of_the_analyzed_code_is_run_and_the_network_is_not_used(hostile: Path, question: list[str]) -> None:
    command = [sys.executable, "-P", "-c", RUN, *question, "--torch", "./torch", "--cache-dir", "../cache"]
    for _ in range(2):  # with nothing stored, and from the cache
        done = subprocess.run(
            command, cwd=hostile, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert not (hostile.parent / "run").exists()


def test_code_of_the_current_folder_is_the_one_thing_that_python_runs_by_itself(hostile: Path) -> None:
    # `python -m` imports from there first: that is why SECURITY.md says `python -P -m`.
    subprocess.run([sys.executable, "-m", "click"], cwd=hostile, capture_output=True, check=False)
    assert (hostile.parent / "run").exists()


def test_interpreter_that_is_named_is_not_made_to_run_what_lies_in_the_current_folder(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deepgrep.sources import find_installed

    monkeypatch.chdir(hostile)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert find_installed("pytest", sys.executable).name == "pytest"
    assert not (hostile.parent / "run").exists()
