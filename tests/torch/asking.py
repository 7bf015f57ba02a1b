"""Asking deepgrep as people do: by its command line, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TURNS = 5


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

    def cost(self, *arguments: str) -> float:
        """How many times as long a question takes as starting Python and importing what it is always begun with.

        In seconds of the processor, the least of several in turns: neither how fast the machine is nor what else it is
        doing is what is measured.
        """
        ask, start = [*self.command, *arguments], [sys.executable, "-P", "-c", "import click, msgspec"]
        turns = [(self._cpu_seconds(ask), self._cpu_seconds(start)) for _ in range(_TURNS)]
        return min(asked for asked, _ in turns) / min(started for _, started in turns)

    def _cpu_seconds(self, command: Sequence[str]) -> float:
        # Compiling the modules is not what is measured either.
        environment = {name: self.environment[name] for name in self.environment if name != "PYTHONDONTWRITEBYTECODE"}
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode in {0, 1}
        return usage.ru_utime + usage.ru_stime
