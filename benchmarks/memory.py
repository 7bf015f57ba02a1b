"""The peak memory of all processes of a question together, cold and warm.

usage: python benchmarks/memory.py [QUESTION ...] [OPTION ...]

Adds up the proportional set sizes (/proc/PID/smaps_rollup: what processes share is counted once) of deepgrep's process
and all below it, at least ten times a second. The options are added to the question: `--source FOLDER` asks about a
folder. Without a question it is one about torch. It needs Linux.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from measuring import finished

QUESTION = ("reach", "create_block_mask", "_is_fx_tracing_flag")
_PAUSE = 0.03


@dataclass(frozen=True)
class Peak:
    """The most memory that a question's processes held together, in MiB; how many these were, and of how many looks."""

    mib: float
    processes: int
    looks: int
    seconds: float


def below(pid: int) -> list[int]:
    """A process and all that it, or one of them, has started."""
    found = [pid]
    for parent in found:
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:  # it has ended
                continue
    return found


def held(pid: int) -> int:
    """The proportional set size of a process, in KiB; nothing once it has ended."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))


def peak(arguments: tuple[str, ...]) -> Peak:
    """Ask a question, and look at its memory until it is answered."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-P", "-m", "deepgrep", *arguments], stdout=subprocess.DEVNULL)
    most, processes, looks = 0, 0, 0
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        pids = below(process.pid)
        now = sum(map(held, pids))
        if now > most:
            most, processes = now, len(pids)
        looks += 1
        time.sleep(_PAUSE)
    run = finished(process, began)
    return Peak(most / 1024, processes, looks, run.wall)


def main(options: list[str]) -> None:
    """Measure, and print a table."""
    asked = options if options and not options[0].startswith("-") else [*QUESTION, *options]
    print(f"{'':10}{'peak, all together':>20}{'processes then':>16}{'looks a second':>16}")
    with tempfile.TemporaryDirectory() as cache:
        for name in ("cold", "warm"):
            found = peak((*asked, "--cache-dir", cache))
            print(
                f"{name:10}{found.mib:>16,.0f} MiB{found.processes:>16}{found.looks / found.seconds:>16.1f}", flush=True
            )


if __name__ == "__main__":
    main(sys.argv[1:])
