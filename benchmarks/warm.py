"""How long later questions about the installed torch take, beside starting Python and importing click.

usage: python benchmarks/warm.py [CACHE_DIR]

Each question is asked in a process of its own, in turns with the floor, so that other work on the machine weighs on
both; where there is some, compare CPU times, not wall. Without CACHE_DIR torch is indexed first, into a folder that is
deleted.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence

from measuring import Run, python

RUNS = 9
FLOOR = ("-c", "import click")
QUESTIONS = (
    "reach create_block_mask _is_fx_tracing_flag",
    "reach compile_wrapper _is_fx_tracing_flag",
    "reach torch.fx.symbolic_trace _is_fx_tracing_flag",
    "reach create_block_mask _is_fx_tracing_flag --assume defaults",
    "reach torch.compile(f)(x) _is_fx_tracing_flag",
    "accesses _is_fx_tracing_flag",
    "callees create_block_mask --depth all",
    "effects create_block_mask",
    "effects --reads create_block_mask",
    "race _is_fx_tracing_flag",
    "grep create_block_mask _is_fx_tracing_flag",
    "grep create_block_mask self",
    "states",
)


def row(name: str, runs: Sequence[Run], floor: Sequence[Run]) -> str:
    """One line of the table: medians, and how many times the floor they are."""
    wall, least = (statistics.median(run.wall for run in some) for some in (runs, floor))
    cpu, least_cpu = (statistics.median(run.cpu for run in some) for some in (runs, floor))
    peak = max(run.peak_mib for run in runs)
    return f"{name:62}{wall:>7.2f} s{wall / least:>7.1f}{cpu:>8.2f} s{cpu / least_cpu:>7.1f}{peak:>8,.0f} MiB"


def main(cache: str) -> None:
    """Measure, and print a table."""
    print(f"{'':62}{'wall':>9}{'':>7}{'CPU':>10}{'':>7}{'peak memory':>12}")
    for question in QUESTIONS:
        asked = ("-P", "-m", "deepgrep", *question.split(), "--cache-dir", cache)
        python(asked)
        turns = [(python(FLOOR), python(asked)) for _ in range(RUNS)]
        floor = [turn[0] for turn in turns]
        if question == QUESTIONS[0]:
            print(row("python -c 'import click'", floor, floor))
        print(row(question, [turn[1] for turn in turns], floor), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as folder:
            main(folder)
