from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from deepgrep.cli.ending import run


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def deepgrep(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command line in this process."""

    def command(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["deepgrep", *arguments])
        code = run()
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return command
