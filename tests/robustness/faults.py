"""What is done to deepgrep while it works, many times, at random moments, with a fixed seed.

By hand, with how often:

    python tests/robustness/faults.py kills 200
    python tests/robustness/faults.py signals 100 --seed 4711
    python tests/robustness/faults.py flips 500 --source ~/pytorch/torch/fx

`test_faults.py` does each a few times.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from running import DATABASE, Kind, Question, Running, Trial, deepgreps_own, left_in, orphans, scratch  # noqa: E402

PACKAGES = ("graph", "sources", "store")


def kills(trial: Trial, count: int) -> None:
    """Kill -9 at a random moment of indexing: everything, the main process alone, or one worker alone."""
    for number in range(count):
        cache = trial.work / f"kill{number}"
        whom = ("all", "main", "worker")[number % 3]
        moment = trial.moment()
        when = f"kill {number} of {whom} after {moment:.2f} s"
        running = trial.question.start(cache)
        time.sleep(moment)
        _kill(running, whom, trial.choose)
        outcome = running.finished()
        if left := orphans(running.process.pid):
            trial.fail(f"{when}: {len(left)} processes left")
        if outcome.code in (0, 1):
            trial.is_right(outcome, when)
        elif outcome.code != -signal.SIGKILL and not _is_one_line(outcome.err):
            trial.fail(f"{when}: status {outcome.code}, {outcome.err[-300:]!r}")
        trial.is_answered(cache, f"after {when}")
        trial.forget(cache)
        if number % 10 == 9:
            print(f"{number + 1} tried, {len(trial.failures)} failures", flush=True)


def _kill(running: Running, whom: str, choose: random.Random) -> None:
    with contextlib.suppress(ProcessLookupError):
        if whom == "all":
            os.killpg(running.process.pid, signal.SIGKILL)
        elif whom == "main":
            running.process.kill()
        elif workers := running.workers():
            os.kill(choose.choice(workers), signal.SIGKILL)


def _is_one_line(err: str) -> bool:
    return err.startswith("deepgrep: ") and err.count("\n") == 1


def signals(trial: Trial, count: int) -> None:
    """SIGINT, SIGTERM and SIGHUP at a random moment, to all processes as a terminal does, or to the first alone."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    cache = trial.work / "signals"
    for number in range(count):
        sent = numbers[number % 3]
        everyone = number % 2 == 0
        moment = trial.moment()
        when = f"{sent.name} {number} to {'all' if everyone else 'the first'} after {moment:.2f} s"
        running = trial.question.start(cache)
        time.sleep(moment)
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if everyone else os.kill)(running.process.pid, sent)
        asked = time.monotonic()
        outcome = running.finished()
        took = time.monotonic() - asked
        if left := orphans(running.process.pid):
            trial.fail(f"{when}: {len(left)} processes left")
        if outcome.code in (0, 1):  # it was done by then
            trial.is_right(outcome, when)
        elif outcome.code not in (-sent, 128 + sent) or outcome.err.strip() or took > trial.most_seconds:
            trial.fail(f"{when}: status {outcome.code} after {took:.2f} s, {outcome.err[-600:]!r}")
        if left := left_in(cache):
            trial.fail(f"{when}: {left} left in the cache")
        if number % 10 == 9:
            trial.is_answered(cache, f"after {when}")
            trial.forget(cache)


def together(trial: Trial, count: int) -> None:
    """Two to eight processes at once on one cache, with the same sources and others; one of them is killed."""
    others = []
    for number in range(3):
        other = trial.work / f"other{number}.py"
        other.write_text(f"def f{number}(): return g()\ndef g(): pass\n")
        others.append(Question((*trial.question.arguments, "--source", str(other)), trial.question.environment))
    rights = [trial.question.ask(trial.work / "others")] + [other.ask(trial.work / "others") for other in others]
    for number in range(count):
        cache = trial.work / f"together{number}"
        size = trial.choose.randint(2, 8)
        asked = [trial.choose.randrange(4) for _ in range(size)]
        running = [([trial.question, *others][index]).start(cache) for index in asked]
        time.sleep(trial.moment())
        killed = trial.choose.randrange(size)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running[killed].process.pid, signal.SIGKILL)
        for position, (process, index) in enumerate(zip(running, asked, strict=True)):
            outcome = process.finished()
            if outcome.code == -signal.SIGKILL and position == killed:
                continue
            if (outcome.code, outcome.out) != (rights[index].code, rights[index].out):
                trial.fail(f"{size} at once, {number}: status {outcome.code}, {outcome.err[-300:]!r}")
            if "Traceback" in outcome.err or "cache" in outcome.err:
                trial.fail(f"{size} at once, {number}: {outcome.err[-300:]!r}")
        for index in set(asked):
            again = [trial.question, *others][index].ask(cache)
            if (again.code, again.out) != (rights[index].code, rights[index].out):
                trial.fail(f"after {size} at once, {number}: status {again.code}, {again.err[-300:]!r}")
        if left := left_in(cache):
            trial.fail(f"after {size} at once, {number}: {left} left in the cache")
        trial.forget(cache)


def flips(trial: Trial, count: int) -> None:
    """Random bytes of the database are changed: the graph is read from it, or what it is linked from."""
    filled = trial.work / "filled"
    trial.is_right(trial.question.ask(filled), "a new cache")
    other = trial.work / "other.py"
    other.write_text("def f(): pass\n")
    # Beside another file, the facts of the same ones are linked anew.
    beside = Question((*trial.question.arguments, "--source", str(other)), trial.question.environment)
    right = beside.ask(trial.work / "beside")
    for number in range(count):
        cache = trial.work / f"flip{number}"
        shutil.copytree(filled, cache)
        kind = trial.choose.choice(("byte", "byte", "bytes", "page", "cut", "empty", "header"))
        when = f"flip {number} ({kind})"
        damage(cache / DATABASE, kind, trial.choose)
        question, expected = (trial.question, (trial.code, trial.right))
        if number % 2:
            question, expected = beside, (right.code, right.out)
        for attempt in ("first", "second", "third"):
            outcome = question.ask(cache)
            repaired = "has been repaired: run the command again" in outcome.err and attempt == "first"
            if (outcome.code, outcome.out) != expected and not repaired:
                trial.fail(f"{when}, {attempt}: status {outcome.code}, {outcome.err[-300:]!r}")
            if "Traceback" in outcome.err or outcome.err.count("deepgrep: ") - outcome.err.count(" indexed ") > 1:
                trial.fail(f"{when}, {attempt}: {outcome.err[-300:]!r}")
            # What one question did not read, the next one can find damaged.
            if attempt != "first" and "cache" not in outcome.err:
                break
        else:
            trial.fail(f"{when}: not repaired: {outcome.err[-300:]!r}")
        if left := left_in(cache):
            trial.fail(f"{when}: {left} left in the cache")
        trial.forget(cache)


def damage(path: Path, kind: str, choose: random.Random) -> None:
    """Change a file: one byte, a few, a page of it, the bytes where a database says what it is; or cut it."""
    data = bytearray(path.read_bytes())
    if kind == "byte":
        data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    elif kind == "header":
        data[choose.randrange(100)] = choose.randrange(256)
    elif kind in ("bytes", "page"):
        for _ in range(40 if kind == "bytes" else 1):
            start, size = choose.randrange(len(data)), 4 if kind == "bytes" else 16384
            data[start : start + size] = choose.randbytes(len(data[start : start + size]))
    elif kind == "cut":
        del data[choose.randrange(len(data)) :]
    else:
        data.clear()
    path.write_bytes(data)


KINDS: dict[str, Kind] = {kind.__name__: kind for kind in (kills, signals, together, flips)}


def main() -> int:
    """Try one kind of fault as often as the command line says; the status says whether all went well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--source", help="the code to index  [default: some packages of deepgrep]")
    arguments = parser.parse_args()
    with scratch() as work:
        if arguments.source is None:
            question = deepgreps_own(work / "sources", PACKAGES)
        else:
            question = Question(("export", "--source", arguments.source, "--jobs", "2"))
        began = time.monotonic()
        trial = Trial(question, work, random.Random(arguments.seed))
        KINDS[arguments.kind](trial, arguments.count)
    print(
        f"{arguments.kind}: {arguments.count} tried, {len(trial.failures)} failures, "
        f"{time.monotonic() - began:.0f} s (one answer from nothing: {trial.seconds:.1f} s)"
    )
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main())
