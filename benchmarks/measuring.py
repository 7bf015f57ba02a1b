"""What the benchmarks share: processes that are run and measured, the parser's floor, and trees to ask about."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import libcst

_FILES_AT_A_TIME = 4


@dataclass(frozen=True)
class Run:
    """One run of the command line.

    Attributes:
        wall: seconds.
        cpu: seconds of all its processes together.
        peak_mib: memory of the largest process.
    """

    wall: float
    cpu: float
    peak_mib: float


def python(arguments: Sequence[str]) -> Run:
    """Run Python with some arguments.

    Raises:
        SystemExit: it failed.
    """
    began = time.perf_counter()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment)
    return finished(process, began)


def deepgrep(*arguments: str) -> Run:
    """Run deepgrep; raises as `python` does."""
    return python(("-P", "-m", "deepgrep", *arguments))


def finished(process: subprocess.Popen[bytes], began: float) -> Run:
    """Wait for a process of deepgrep; raises as `python` does."""
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        sys.exit(f"{process.args}: exit {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def parse(path: Path) -> bool:
    """Parse one file; say whether it could be parsed."""
    try:
        libcst.parse_module(path.read_bytes())
    except libcst.ParserSyntaxError:
        return False
    return True


def parse_all(paths: Sequence[Path], jobs: int) -> tuple[float, float, int]:
    """Parse files as deepgrep does, in as many processes, the largest first and without garbage collection.

    Returns:
        Wall seconds, CPU seconds of all processes, and how many files could be parsed.
    """
    largest_first = sorted(paths, key=lambda path: -path.stat().st_size)
    began, cpu_before = time.perf_counter(), _children_cpu()
    with ProcessPoolExecutor(jobs, initializer=gc.disable) as pool:
        parsed = sum(pool.map(parse, largest_first, chunksize=_FILES_AT_A_TIME))
    return time.perf_counter() - began, _children_cpu() - cpu_before, parsed


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
