"""Questions about a real torch, from the command line to the answer."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from asking import Deepgrep
from hops import path_faults

pytestmark = pytest.mark.torch

FLAG = "_is_fx_tracing_flag"
QUESTION = ("reach", "create_block_mask", FLAG)
WRITES = {
    ("torch/_higher_order_ops/utils.py", 322),
    ("torch/_higher_order_ops/utils.py", 328),
    ("torch/fx/_symbolic_trace.py", 799),
    ("torch/fx/_symbolic_trace.py", 931),
}
ROOTS = ["create_block_mask", "compile_wrapper", "flex_attention.flex_attention", "torch.fx.symbolic_trace"]
CASES = ["A01", "A03", "A34", "A36", "A37", "A38", "A43"]
# As `Deepgrep.cost` measures it; it is 12 to 15.
COST = 28
DIRECT_RECALL = 0.80


@pytest.mark.parametrize("root", ROOTS)
def test_every_write_of_the_flag_is_listed(deepgrep: Deepgrep, root: str) -> None:
    answer = deepgrep.reach(root, FLAG)
    assert {(access["file"], access["line"]) for access in answer["accesses"]} == WRITES


@pytest.mark.parametrize("root", ROOTS)
def test_the_flag_is_reached(deepgrep: Deepgrep, root: str) -> None:
    answer = deepgrep.reach(root, FLAG)
    assert answer["verdict"] in {"reaches", "may-reach"}
    assert answer["paths"]


@pytest.mark.parametrize("root", ROOTS)
def test_no_hop_of_a_shown_path_contradicts_the_source(deepgrep: Deepgrep, root: str) -> None:
    paths = deepgrep.reach(root, FLAG)["paths"]
    assert paths
    faults = [fault for path in paths for fault in path_faults(path["hops"], deepgrep.sources)]
    assert not faults, "\n".join(dict.fromkeys(faults))


@pytest.mark.parametrize("root", ROOTS)
def test_a_path_begins_at_the_root_and_ends_at_a_write(deepgrep: Deepgrep, root: str) -> None:
    answer = deepgrep.reach(root, FLAG)
    for path in answer["paths"]:
        first, last = path["hops"][0], path["hops"][-1]
        assert first["function"] == answer["root"]["name"]
        assert (last["file"], last["call_line"]) in WRITES


@pytest.mark.parametrize("case", CASES)
def test_a_known_case_holds(deepgrep: Deepgrep, shared: Path, case: str) -> None:
    check, cases = shared / "cases/check.py", shared / "cases/torch-2.13.0.json"
    command = [sys.executable, str(check), "--deepgrep", shlex.join(deepgrep.command), str(cases), case]
    done = subprocess.run(command, env=deepgrep.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("1 passed, 0 failed\n")


def test_direct_calls_that_were_observed_are_found(deepgrep: Deepgrep, shared: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.json"
    deepgrep.run("export", "-o", str(graph))
    score, recordings = shared / "oracle/score_callgraph.py", sorted(shared.glob("oracle/recordings/*.gz"))
    command = [sys.executable, str(score), "--json", str(graph), *map(str, recordings)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["recall"]["direct"] >= DIRECT_RECALL


def test_a_second_question_is_quick(deepgrep: Deepgrep) -> None:
    assert deepgrep.cost(*QUESTION) < COST
