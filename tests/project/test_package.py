"""What is installed, and what the README tells people to run."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
KEPT = {".py", ".toml", ".json", ".html", ".css", ".js"}
TEST_COMMAND = "pip install '.[torch,dev]' && pytest"


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in KEPT}


def test_the_installed_package_holds_every_module_and_model_of_the_checkout(tmp_path: Path) -> None:
    # Elsewhere and without the checkout on the path: what `pip install` gave.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    code = "import deepgrep; print(deepgrep.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    installed = Path(done.stdout.strip()).parent
    stored = {f"queries/{name}" for name in files(CHECKOUT / "queries")} if installed.parent != CHECKOUT else set()
    assert files(installed) == files(CHECKOUT / "deepgrep") | stored


def lines(path: str) -> list[str]:
    return [line.strip() for line in (CHECKOUT / path).read_text("utf-8").splitlines()]


def test_the_test_command_of_the_readme_is_what_ci_runs() -> None:
    assert TEST_COMMAND in lines("README.md")
    assert lines(".ci/run")[-1] == TEST_COMMAND


def test_python_dash_m_runs_the_command_line() -> None:
    command = [sys.executable, "-m", "deepgrep", "--version"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("deepgrep, version ")
