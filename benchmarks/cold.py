"""How long the first and the later questions about the installed torch take, beside the time that parsing alone takes.

usage: python benchmarks/cold.py

The parser's time is the floor: nothing that reads all files with libcst can be faster. It is taken before and after
the first question, so that other work on the machine weighs on both; where there is some, compare CPU times, not wall.
"""

from __future__ import annotations

import statistics
import tempfile

from measuring import Run, deepgrep, parse_all

from deepgrep.indexing.processes import available_cores
from deepgrep.sources import find_installed, read_tree

QUESTION = ("reach", "create_block_mask", "_is_fx_tracing_flag")
WARM_RUNS = 5


def ask(cache: str) -> Run:
    """Ask the question in a process of its own."""
    return deepgrep(*QUESTION, "--cache-dir", cache)


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
