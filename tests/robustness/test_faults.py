"""Each kind of fault a few times, on a small tree; `faults.py` does it hundreds of times, by hand."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from faults import KINDS
from running import Trial, deepgreps_own

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.mark.parametrize(("kind", "count"), [("kills", 3), ("signals", 3), ("together", 1), ("flips", 4)])
def test_nothing_that_happens_to_it_makes_an_answer_wrong(tmp_path: Path, kind: str, count: int) -> None:
    trial = Trial(deepgreps_own(tmp_path / "sources", ["store"]), tmp_path, random.Random(7))
    # How long ending takes is for the run by hand to say: a machine that runs tests is busy.
    trial.most_seconds = 20.0
    KINDS[kind](trial, count)
    assert trial.failures == []
