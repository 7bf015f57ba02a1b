"""What runs of torch's functions really change must be among their effects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import Deepgrep
from effects_cases import CASES

pytestmark = pytest.mark.torch

RUN = Path(__file__).with_name("effects_run.py")

# What is not found yet; what is found after all must leave this list.
# Modules that are imported under a name that is put together at run time, and what these import in turn, also by way of
# the package functorch, which is not analyzed.
IMPORTED_BY_COMPUTED_NAME = (
    "torch._dynamo.polyfills.",
    "torch._dynamo.backends.",
    "torch._functorch.",
    "torch.onnx.operators",
)
COMPUTED_IMPORTS = {"use_deterministic_algorithms", "compile", "export", "func.grad"}


@pytest.fixture(scope="session")
def real() -> dict[str, dict[str, Any]]:
    """What each case changed when it was run, in a process of its own: this one does not import torch."""
    environment = {**os.environ, "PYTHONPATH": str(RUN.parent)}
    done = subprocess.run([sys.executable, "-W", "ignore", str(RUN)], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("case", CASES)
def test_what_a_run_really_changed_is_among_the_effects(
    deepgrep: Deepgrep, real: dict[str, dict[str, Any]], case: str
) -> None:
    assert "error" not in real[case]
    answer = json.loads(deepgrep.run("effects", CASES[case].root, "--testing", "--format", "json").stdout)
    effects = {effect["name"] for effect in answer["effects"]}
    changed = real[case]["changed"]
    missing = {state for state, names in changed.items() if not any(is_among(effects, name) for name in names)}
    assert missing == set()
    not_imported = set(real[case]["imported"]) - set(answer["imports"])
    assert bool(not_imported) == (case in COMPUTED_IMPORTS)
    assert all(module.startswith(IMPORTED_BY_COMPUTED_NAME) for module in not_imported), sorted(not_imported)


def test_most_of_the_runs_change_something(real: dict[str, dict[str, Any]]) -> None:
    assert sum(bool(run["changed"]) for run in real.values()) >= 30


def is_among(effects: set[str], name: str) -> bool:
    """Whether a state is among the effects, or some part of it, or what it is a part of, named or not."""
    owner = name.rpartition(".")[0]
    wholes = {name, owner, f"{owner}.*"}
    return any(effect in wholes or effect.startswith((f"{name}.", f"{name}[")) for effect in effects)
