"""How long the first and the later questions about the installed torch take, beside the time that parsing alone takes.

usage: python benchmarks/cold.py

The parser's time is the floor: nothing that reads all files with libcst can be faster. It is taken before and after
the first question, so that other work on the machine weighs on both; where there is some, compare CPU times, not wall.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import libcst

from deepgrep.indexing.extraction import available_cores
from deepgrep.sources import find_installed, read_tree

QUESTION = ("reach", "create_block_mask", "_is_fx_tracing_flag")
WARM_RUNS = 5
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


def parse(path: Path) -> bool:
    """Parse one file; say whether it could be parsed."""
    try:
        libcst.parse_module(path.read_bytes())
    except libcst.ParserSyntaxError:
        return False
    return True


def parse_all(paths: list[Path], jobs: int) -> tuple[float, float, int]:
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


def ask(cache: str) -> Run:
    """Ask the question in a process of its own.

    Raises:
        SystemExit: it failed.
    """
    began = time.perf_counter()
    command = [sys.executable, "-P", "-m", "deepgrep", *QUESTION, "--cache-dir", cache]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1}:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def main() -> None:
    """Measure, and print a table."""
    tree, _ = read_tree(find_installed("torch"), b"", print)
    paths = [tree.location / file.path for file in tree.files]
    jobs = available_cores()

    before, cpu_before, parsed = parse_all(paths, jobs)
    with tempfile.TemporaryDirectory() as cache:
        cold = ask(cache)
        after, cpu_after, _ = parse_all(paths, jobs)
        floor, floor_cpu = (before + after) / 2, (cpu_before + cpu_after) / 2
        warm = [ask(cache) for _ in range(WARM_RUNS)]

    warm_wall = statistics.median(run.wall for run in warm)
    warm_peak = max(run.peak_mib for run in warm)
    print(f"{tree.name} {tree.version}, {len(paths):,} files ({parsed:,} parsed), {jobs} processes")
    print(f"deepgrep {' '.join(QUESTION)}\n")
    print(f"{'':34}{'wall':>10}{'of parsing':>12}{'CPU':>10}{'peak memory':>14}")
    print(f"{'parsing alone (libcst)':34}{floor:>8.1f} s{1:>12.2f}{floor_cpu:>8.1f} s")
    print(f"{'first question (empty cache)':34}{cold.wall:>8.1f} s{cold.wall / floor:>12.2f}", end="")
    print(f"{cold.cpu:>8.1f} s{cold.peak_mib:>10,.0f} MiB")
    print(f"{f'later question (median of {WARM_RUNS})':34}{warm_wall:>8.2f} s{warm_wall / floor:>12.3f}", end="")
    print(f"{statistics.median(run.cpu for run in warm):>8.2f} s{warm_peak:>10,.0f} MiB")


if __name__ == "__main__":
    main()
