"""What is generated from real answers is current: documents, example reports, pictures, JSON Schemas."""

import subprocess
import sys
from pathlib import Path

import pytest
from asking import Deepgrep

pytestmark = pytest.mark.torch

CHECKOUT = Path(__file__).parents[2]


def test_everything_that_is_generated_is_current(deepgrep: Deepgrep) -> None:
    command = [sys.executable, str(CHECKOUT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, env=deepgrep.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_stored_query_is_answered_as_it_expects(deepgrep: Deepgrep) -> None:
    done = deepgrep.run("check")
    assert done.returncode == 0, done.stdout.decode()
