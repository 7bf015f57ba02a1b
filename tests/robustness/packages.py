"""Indexes folders of Python code, and asks about random names in them.

`PYTHONPATH=. python tests/robustness/packages.py FOLDER...`

By hand: of each folder, all files are read by the extractor and by the Python that runs this, and compared where both
read them; then the CLI indexes it, and answers each verb in text, JSON and Markdown about names that are chosen with a
fixed seed. It says what was skipped and why, what ended otherwise than in an answer or in words, the seconds and the
memory.

A torch that is installed is indexed with each folder: a Python without one tries the folder alone.

    --extract-only: nothing is indexed.
    --seconds N: how long a folder may take to be indexed (600).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agreement import disagreements

from deepgrep.facts import ExtractError, extract, quicken
from deepgrep.facts.division import decoded

_SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--extract-only", action="store_true")
    parser.add_argument("--seconds", type=int, default=600)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    quicken()
    for folder in given.folders:
        found = _extract(folder)
        print(folder, *(f"{count} {what}," for what, count in sorted(found.items())), flush=True)
        if not given.extract_only:
            for line in _ask(folder, given.seconds):
                print(f"  {line}", flush=True)


def _extract(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.py")):
        if path.is_symlink():
            continue
        data = path.read_bytes()
        found["files"] += 1
        found["lines"] += data.count(b"\n")
        of_python = _why_not_python(data)
        try:
            facts = extract(data)
        except ExtractError as error:
            found["skipped" if of_python else "skipped, though Python reads them"] += 1
            print(f"  skipped: {path.relative_to(folder)}: {error} [Python: {of_python or 'no error'}]")
            continue
        if of_python:
            found["read, though Python does not"] += 1
            continue
        for line in disagreements(decoded(data), facts):
            found["disagreements"] += 1
            print(f"  {path.relative_to(folder)}: {line}")
    return found


def _why_not_python(data: bytes) -> str:
    try:
        compile(data, "file", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return ""


def _ask(folder: Path, seconds: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"DEEPGREP_CACHE_DIR": cache, "PYTHONPATH": str(Path(__file__).parents[2])}

        def run(*arguments: str, most: int = 120) -> tuple[str, str, str]:
            command = [sys.executable, "-m", "deepgrep", *arguments, "--source", str(folder)]
            try:
                done = subprocess.run(command, env=environment, capture_output=True, timeout=most, check=False)
            except subprocess.TimeoutExpired:
                return f"not within {most} s", "", ""
            errors = done.stderr.decode(errors="replace")
            fault = "" if done.returncode in (0, 1, 2) and "Traceback" not in errors else f"exit {done.returncode}"
            return fault, done.stdout.decode(errors="replace"), errors

        start = time.monotonic()
        fault, output, errors = run("export", "--format", "json", most=seconds)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        yield f"indexed in {time.monotonic() - start:.0f} s, {memory} MB in the largest process so far {fault}"
        if fault:
            yield errors[-2000:]
            return
        names = _names(output)
        asked = 0
        for question in _questions(names, Path(cache, "report")):
            asked += 1
            fault, _, errors = run(*question)
            if fault:
                yield f"{' '.join(question)}: {fault}: {errors[-500:]}"
        yield f"{asked} questions asked"


def _names(exported: str) -> list[str]:
    import json

    names = sorted({function["name"] for function in json.loads(exported)["functions"]})
    random.Random(_SEED).shuffle(names)
    return names


def _questions(names: list[str], written: Path) -> Iterator[list[str]]:
    one, two, three = (names * 3)[:3]
    for form in ("text", "json"):
        for question in (
            ["reach", one, two],
            ["reach", two, three],
            ["callers", one],
            ["callees", two],
            ["effects", three],
            ["states", one.partition(".")[0]],
            ["race", one],
            ["grep", two, "self"],
            ["accesses", three],
        ):
            yield [*question, "--format", form]
    yield ["report", one, two, "-o", str(written)]  # Markdown, a page and a drawing


if __name__ == "__main__":
    main()
