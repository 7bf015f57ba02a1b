"""What docs/ci.md tells people to use: a workflow that is valid, commands that exist, and a query that can be read."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from deepgrep import __version__
from deepgrep.cli.app import app
from deepgrep.questions.stored import load_query, shipped_queries

TEXT = (Path(__file__).parents[2] / "docs" / "ci.md").read_text("utf-8")
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
STEPS = yaml.safe_load(BLOCKS["yaml"])["jobs"]["check"]["steps"]
COMMANDS = [
    line.strip()
    for line in [*TEXT.splitlines(), *(step.get("run", "") for step in STEPS)]
    if re.match(r"\s*deepgrep ", line)
]


def test_the_workflow_installs_caches_checks_and_uploads_in_this_order():
    workflow = yaml.safe_load(BLOCKS["yaml"])
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    assert [step.get("uses", step.get("run", "")).split()[0] for step in STEPS] == [
        "actions/checkout@v5",
        "actions/setup-python@v6",
        "pip",
        "python",
        "actions/cache@v4",
        "deepgrep",
        "github/codeql-action/upload-sarif@v4",
    ]


def test_what_is_cached_is_the_folder_that_deepgrep_uses():
    folder = yaml.safe_load(BLOCKS["yaml"])["jobs"]["check"]["env"]["DEEPGREP_CACHE_DIR"]
    (cache,) = (step for step in STEPS if step.get("uses", "").startswith("actions/cache@"))
    assert folder == f"${{{{ github.workspace }}}}/{cache['with']['path']}"
    assert "versions.outputs.torch" in cache["with"]["key"]


def test_what_is_uploaded_is_what_check_writes():
    (check,) = (step["run"] for step in STEPS if step.get("run", "").startswith("deepgrep"))
    (upload,) = (step for step in STEPS if "upload-sarif" in step.get("uses", ""))
    assert shlex.split(check)[-2:] == ["-o", upload["with"]["sarif_file"]]


def test_the_versions_that_key_the_cache_are_found(tmp_path):
    (run,) = (step["run"] for step in STEPS if step.get("id") == "versions")
    script = run.replace("python", shlex.quote(sys.executable), 1).replace("torch", "click")
    output = tmp_path / "output"
    subprocess.run(["bash", "-ec", script], env=os.environ | {"GITHUB_OUTPUT": str(output)}, check=True)
    assert re.fullmatch(rf"click=[\d.]+\ndeepgrep={re.escape(__version__)}\n", output.read_text())


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_exists(command):
    verb, *arguments = shlex.split(command, comments=True)[1:]
    with app.make_context("deepgrep", [verb, *arguments]) as context:
        found = app.get_command(context, verb)
        assert found is not None
        found.make_context(verb, arguments, parent=context)  # refuses options that there are not


def test_the_commands_were_found():
    assert len(COMMANDS) >= 4


def test_the_queries_that_are_named_ship():
    named = {word for command in COMMANDS for word in shlex.split(command) if word.startswith("fx-")}
    assert named
    assert named <= {query.name for query in shipped_queries()}


def test_the_query_can_be_read(tmp_path):
    assert tomllib.loads(BLOCKS["toml"])
    (tmp_path / "q.toml").write_text(BLOCKS["toml"], "utf-8")
    assert load_query(tmp_path / "q.toml").expect == "no-path"
