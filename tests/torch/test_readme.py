"""What the README tells people to type."""

import re
import shlex
from pathlib import Path

import pytest
from asking import Deepgrep

pytestmark = pytest.mark.torch

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
# What asks another version or package fetches it, and indexes it for minutes. The one that the README begins with is
# that of the torch that is installed for the tests.
COMMANDS = [
    command
    for command in re.findall(r"^    (?:.* && )?deepgrep (.+)", README.replace("--torch 2.13.0 ", ""), re.MULTILINE)
    if not re.match("diff|bisect|sweep", command) and not re.search("--(source|torch|with) ", command)
]
STATE_TABLE = README.partition("| state |")[2].partition("\n\n")[0]
STATES = re.findall("`'?([^`']+)'?`", STATE_TABLE)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_finds_something(deepgrep: Deepgrep, tmp_path: Path, command: str) -> None:
    (tmp_path / "train.py").write_text("import torch\ntorch.compile(f)(x)\n")
    assert deepgrep.run(*shlex.split(command, comments=True), cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("state", STATES)
def test_a_state_named_in_the_readme_is_accessed(deepgrep: Deepgrep, state: str) -> None:
    assert deepgrep.run("accesses", state).returncode == 0
