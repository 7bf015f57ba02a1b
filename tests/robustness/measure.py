"""What hostile programs cost: by hand, as the large ones take long.

usage: python tests/robustness/measure.py [--divide N] [--timeout SECONDS] [NAME ...]

Writes each program in its large size (with --divide: a part of it), indexes it, and asks what can be asked. One line
for each: the size of its sources, CPU seconds and peak memory of indexing, the question that took most, and what was
said of files that were left out. Lines that begin with `!` are failures: a traceback, a signal, or too much time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from hostile import PROGRAMS, Program

SEED_QUESTION = ("accesses", "flag")
QUESTIONS = (
    ("reach", "entry", "flag"),
    ("reach", "entry", "flag", "--format", "json"),
    ("reach", "entry", "flag", "--format", "mermaid"),
    ("reach", "entry", "flag", "--format", "svg", "--all", "-o", "{folder}/drawing.svg"),
    ("reach", "entry", "flag", "--assume", "defaults", "--paths", "20"),
    ("report", "entry", "flag", "-o", "{folder}"),
    ("effects", "entry"),
    ("effects", "entry", "--reads", "--format", "json"),
    ("race", "flag"),
    ("grep", "entry", "change"),
    ("callers", "torch.start.change", "--depth", "all"),
    ("callees", "entry", "--depth", "all", "--format", "json"),
    ("states",),
    ("reach", "torch.m.start()", "flag"),
    ("diff", "{package}", "{package}", "entry", "flag"),
    ("diff", "{package}", "{package}"),
    ("export", "-o", "{folder}/graph.json"),
)


@dataclass(frozen=True)
class Run:
    """One command: its exit status, CPU seconds, peak memory of the largest process, and what it said on stderr."""

    status: int
    cpu: float
    peak_mib: float
    said: str


def run(arguments: tuple[str, ...], timeout: float) -> Run:
    """Run deepgrep; one that takes too long is killed."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "deepgrep", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )
        timer = threading.Timer(timeout, os.killpg, (process.pid, 9))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return Run(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def fault(done: Run) -> str:
    """What is wrong with how a command ended, if anything is."""
    if done.status < 0:
        return f"signal {-done.status}"
    if "Traceback" in done.said or "internal error" in done.said:
        return "traceback: " + done.said.strip().splitlines()[-2]
    return ""


def measure(program: Program, divide: int, timeout: float) -> None:
    """Print the line of a program."""
    with tempfile.TemporaryDirectory() as folder:
        package = program.write(Path(folder), max(1, program.large // divide))
        size = sum(file.stat().st_size for file in package.rglob("*.py")) / 1e6
        place = ("--cache-dir", f"{folder}/cache")
        cold = run((*SEED_QUESTION, "--source", str(package), *place), timeout)
        skipped = [
            line for line in cold.said.splitlines() if line and not line.startswith(("deepgrep: index", "index"))
        ]
        wrong = fault(cold)
        slowest, name, peak = 0.0, "", 0.0
        for question in QUESTIONS:
            if wrong:
                break
            asked = tuple(part.format(folder=folder, package=package) for part in question)
            source = () if question[0] == "diff" else ("--source", str(package))
            done = run((*asked, *source, *place), timeout)
            peak = max(peak, done.peak_mib)
            if done.cpu > slowest:
                slowest, name = done.cpu, " ".join(question)
            if fault(done):
                print(f"! {program.name}: {' '.join(question)}: {fault(done)}, after {done.cpu:.1f} s", flush=True)
            elif done.status == 2:
                skipped.append(f"{question[0]}: {done.said.strip().splitlines()[-1][:150]}")
    if wrong:
        print(f"! {program.name}: indexing: {wrong}", flush=True)
    print(
        f"{program.name:32}{size:>8.2f} MB{cold.cpu:>8.1f} s{cold.peak_mib:>7,.0f} MiB"
        f"{slowest:>8.1f} s{peak:>7,.0f} MiB"
        f"  {name}  | {' | '.join(dict.fromkeys(skipped))[:600]}",
        flush=True,
    )


def main() -> None:
    """Measure what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--divide", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []])
    arguments = parser.parse_args()
    for name in arguments.names or PROGRAMS:
        measure(PROGRAMS[name], arguments.divide, arguments.timeout)


if __name__ == "__main__":
    main()
