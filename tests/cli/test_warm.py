"""What a question that needs no indexing does without: work that is counted, not timed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

CODE = """
import json, sys
from deepgrep.cli.ending import run
from deepgrep.store import Store

read = []
section = Store.section
Store.section = lambda store, key, name: read.append(name) or section(store, key, name)
sys.argv = ["deepgrep", *sys.argv[1:]]
run()
print(json.dumps([sorted(sys.modules), read]), file=sys.stderr)
"""

# Indexing, drawing, searches that few questions need, and what takes long to import.
HEAVY = (
    "libcst",
    "networkx",
    "graphviz",
    "multiprocessing",
    "concurrent",
    "difflib",
    "shutil",
    "platformdirs",
    "requests",
    "pypi_simple",
    "tomllib",
    "deepgrep.linking",
    "deepgrep.facts",
    "deepgrep.models",
    "deepgrep.indexing.extraction",
    "deepgrep.graph.overlay",
    "deepgrep.reports.drawings",
    "deepgrep.questions.code",
    "deepgrep.questions.effects",
    "deepgrep.questions.race",
)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str]]:
    """The modules that the second of two questions imported, and the sections that it read."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "torch").mkdir()
    (folder / "torch" / "__init__.py").write_text("flag = 0\ndef start():\n    global flag\n    flag = 1\n")
    question = ("reach", "start", "flag", "--source", str(folder / "torch"), "--cache-dir", str(folder / "cache"))
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", CODE, *question], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("reaches")
    modules, read = json.loads(done.stderr.splitlines()[-1])
    return modules, read


@pytest.mark.parametrize("name", HEAVY)
def test_a_warm_question_does_not_import(warm: tuple[list[str], list[str]], name: str) -> None:
    modules, _ = warm
    assert "deepgrep.questions.reach" in modules
    assert find_spec(name), "no module is called that"
    assert [module for module in modules if f"{module}.".startswith(f"{name}.")] == []


def test_a_warm_question_reads_each_section_once_and_none_that_it_does_not_need(
    warm: tuple[list[str], list[str]],
) -> None:
    _, read = warm
    assert len(read) == len(set(read))
    assert "walk_callee" in read
    assert [name for name in read if name.startswith(("interface", "builtin", "mro", "constructor"))] == []
