"""Code and scripts as roots, on a real torch."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from asking import Deepgrep
from hops import path_faults

pytestmark = pytest.mark.torch

CASES = ["A06", "A11", "A13", "A16", "A20", "A29", "A37", "A38"]
COMPILE = ("reach", "torch.compile(f)(x)", "torch.compiler._is_compiling_flag")
# As `Deepgrep.cost` measures it; it is 19 to 24.
COST = 45
MEGABYTES = 250
# What a script is known to lose is lost by torch's own edges; scripts add to it only little.
LOST = 0.20


@pytest.mark.parametrize("case", CASES)
def test_a_known_case_holds(deepgrep: Deepgrep, shared: Path, case: str) -> None:
    check, cases = shared / "cases/check.py", shared / "cases/torch-2.13.0.json"
    command = [sys.executable, str(check), "--deepgrep", shlex.join(deepgrep.command), str(cases), case]
    done = subprocess.run(command, env=deepgrep.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_path_of_a_script_does_not_contradict_the_source(deepgrep: Deepgrep, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import torch\n\ndef main(f, x):\n    torch.compile(f)(x)\n\nmain(g, y)\n")
    paths = deepgrep.reach(str(script), COMPILE[2])["paths"]
    assert paths
    for path in paths:
        assert [(hop["file"], hop["call_line"]) for hop in path["hops"][:2]] == [(str(script), 6), (str(script), 4)]
        assert not list(path_faults(path["hops"][2:], deepgrep.sources))


def test_scripts_reach_what_ran(deepgrep: Deepgrep, shared: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.json"
    deepgrep.run("export", "-o", str(graph))
    score, workloads = shared / "oracle/score_callgraph.py", shared / "oracle/workloads"
    recordings = [str(shared / f"oracle/recordings/{name}.json.gz") for name in ("w16_module_hooks", "w18_dataloader")]
    command = [sys.executable, str(score), "--json", "--workloads", str(workloads), str(graph), *recordings]
    command += ["--deepgrep", shlex.join(deepgrep.command)]
    done = subprocess.run(command, env=deepgrep.environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["lost_worst"] <= LOST


def test_a_question_about_code_is_quick(deepgrep: Deepgrep) -> None:
    assert deepgrep.cost(*COMPILE) < COST


def test_a_question_about_code_takes_little_memory(deepgrep: Deepgrep) -> None:
    measured = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
    measured += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    command = [sys.executable, "-c", measured, *deepgrep.command, *COMPILE]
    done = subprocess.run(command, env=deepgrep.environment, capture_output=True, text=True, check=True)
    kilobytes = int(done.stdout) // (1024 if sys.platform == "darwin" else 1)
    assert kilobytes < MEGABYTES * 1000
