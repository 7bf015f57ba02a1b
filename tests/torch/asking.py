"""Asking deepgrep as people do: by its command line, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Deepgrep:
    """The command line, run as a process of its own, with torch indexed.

    Attributes:
        environment: what the process, and any that starts it, must be given.
        sources: the folder that holds torch.
    """

    environment: dict[str, str]
    sources: Path

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-P", "-m", "deepgrep"]

    def run(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[bytes]:
        command = [*self.command, *arguments]
        done = subprocess.run(command, cwd=cwd, env=self.environment, capture_output=True, check=False)
        assert done.returncode in {0, 1}, done.stderr.decode()
        return done

    def reach(self, root: str, target: str, *options: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.run("reach", root, target, "--format", "json", *options).stdout)
        return answer

    def seconds(self, *arguments: str) -> float:
        began = time.perf_counter()
        self.run(*arguments)
        return time.perf_counter() - began
