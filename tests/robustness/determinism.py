"""The same sources give the same bytes: every verb and format, and the stored graph, in many circumstances.

By hand, on a tree of one's own and with other Pythons that have deepgrep's dependencies:

    python tests/robustness/determinism.py --torch DIR/torch --root Tracer.trace --target _is_fx_tracing_flag \\
        --python ~/env312/bin/python

`test_determinism.py` does it on a small tree.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).parents[2]

# Asks questions, one after the other, in one process: each argument is a command line, as JSON.
ASK = """
import hashlib, io, json, os, sys, tempfile
from deepgrep.cli.ending import run

os.umask(int(sys.argv[1], 8))
found, place = {}, sys.argv[2]
for line in sys.argv[3:]:
    sys.argv = ["deepgrep", *json.loads(line)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
        status = run()
        out.seek(0), err.seek(0)
        answer, said = out.read().replace(place.encode(), b"PLACE"), err.read().decode()
        sys.stdout.detach(), sys.stderr.detach()
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    if status not in (0, 1) or not answer:
        sys.exit(f"{line}: {status} {said}")
    found[line.replace(place, "PLACE")] = hashlib.sha256(answer).hexdigest()
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Circumstance:
    """In what a question is asked; the defaults are those of the answers that all others are compared with.

    Attributes:
        name: what to call it.
        environment: variables that are set.
        umask: the rights that new files do not get, in octal.
        python: the interpreter.
        jobs: how many processes index.
        moved: whether the code lies elsewhere, its files made in the reverse order.
        versions_before: how many versions with other contents were indexed into the same cache before.
    """

    name: str
    environment: dict[str, str] = field(default_factory=lambda: {"PYTHONHASHSEED": "0"})
    umask: str = "022"
    python: str = sys.executable
    jobs: int = 1
    moved: bool = False
    versions_before: int = 0


CIRCUMSTANCES = (
    Circumstance("plain"),
    Circumstance("hash seed 1, 2 workers", {"PYTHONHASHSEED": "1"}, jobs=2),
    Circumstance(
        "3 workers, another locale, zone and umask",
        {"PYTHONHASHSEED": "random", "LC_ALL": "C", "TZ": "Asia/Tokyo", "COLUMNS": "60"},
        umask="077",
        jobs=3,
    ),
    Circumstance("another place, 8 workers", {"PYTHONHASHSEED": "random"}, jobs=8, moved=True),
    Circumstance("facts of another version known before", {"PYTHONHASHSEED": "random"}, jobs=2, versions_before=1),
)


def questions(root: str, target: str) -> list[list[str]]:
    """Command lines for every verb and format, without the options that say what is analyzed."""
    reach = ["text", "json", "dot", "svg", "mermaid"]
    forms = [["reach", root, target, "--format", form] for form in reach]
    forms += [["effects", root, "--format", form] for form in ("text", "json")]
    forms += [["grep", root, target.rpartition(".")[2], "--format", form] for form in ("text", "json")]
    forms += [["race", target, "--format", form] for form in ("text", "json")]
    forms += [["accesses", target, "--format", form] for form in ("text", "json")]
    forms += [["states", "--format", form] for form in ("text", "json", "csv")]
    forms += [["callers", root, "--depth", "all", "--format", form] for form in ("text", "json")]
    forms += [["callees", root, "--depth", "all", "--format", form] for form in ("text", "json")]
    forms += [["export", "--format", form] for form in ("json", "pycg")]
    forms += [["run", "QUERY", "--format", form] for form in ("text", "json")]
    forms += [["check", "QUERY", "--format", form] for form in ("text", "json", "sarif", "junit")]
    return forms


def asked(torch: Path, work: Path, root: str, target: str, circumstance: Circumstance) -> dict[str, str]:
    """The digests of all answers, and of the stored graph, by what was asked.

    Args:
        torch: the package's folder.
        work: a folder for what is made.
        root: of the questions.
        target: of the questions.
        circumstance: in what to ask them.
    """
    place = work / "elsewhere" / "deeper" if circumstance.moved else work / "here"
    copy_reversed(torch, place / "torch") if circumstance.moved else shutil.copytree(torch, place / "torch")
    query = place / "query.toml"
    query.write_text(f'question = "Q?"\nroot = {json.dumps(root)}\ntarget = {json.dumps(target)}\nexpect = "reaches"\n')
    other = place / "other" / "torch"
    shutil.copytree(torch, other)
    for number, file in enumerate(sorted(other.rglob("*.py"))):
        if number % 3 == 0:
            file.write_text(f"def before(): pass\n{file.read_text('utf-8')}" if number % 2 else "x = 1\n")
    cache, here = ["--cache-dir", str(place / "cache"), "--jobs", str(circumstance.jobs)], str(place / "torch")
    lines = [["export", "--torch", str(other), *cache]] * circumstance.versions_before
    lines += [
        [str(query) if word == "QUERY" else word for word in line] + ["--torch", here, *cache]
        for line in questions(root, target)
    ]
    lines += [
        ["diff", str(other), here, *more, "--format", form, *cache]
        for more in ([], [root, target])
        for form in ("text", "json")
    ]
    lines += [["sweep", str(query), "--versions", here, "--format", form, *cache] for form in ("text", "json")]
    found = _run(circumstance, place, lines)
    return {**found, "the stored graph": _stored(place / "cache")}


def _run(circumstance: Circumstance, place: Path, lines: Sequence[list[str]]) -> dict[str, str]:
    command = [circumstance.python, "-c", ASK, circumstance.umask, str(place), *map(json.dumps, lines)]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **circumstance.environment}
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    jobs = f'"--jobs", "{circumstance.jobs}"'
    return {line.replace(jobs, '"--jobs"'): digest for line, digest in json.loads(done.stdout).items()}


def _stored(cache: Path) -> str:
    """A digest of all stored graphs, section by section."""
    import sqlite3

    database = sqlite3.connect(cache / "deepgrep.sqlite3")
    try:
        graphs = database.execute("SELECT DISTINCT graph FROM sections").fetchall()
        rows = (
            database.execute("SELECT name, data FROM sections WHERE graph = ? ORDER BY name", row) for row in graphs
        )
        return " ".join(sorted(hashlib.sha256(repr(list(row)).encode()).hexdigest() for row in rows))
    finally:
        database.close()


def copy_reversed(folder: Path, copy: Path) -> None:
    """Copy a folder, its last files first: file systems list files in the order in which they were made, or none."""
    copy.mkdir(parents=True)
    for entry in sorted(folder.iterdir(), reverse=True):
        if entry.is_dir():
            copy_reversed(entry, copy / entry.name)
        else:
            shutil.copyfile(entry, copy / entry.name)


def differences(torch: Path, root: str, target: str, circumstances: Sequence[Circumstance]) -> tuple[int, list[str]]:
    """How many answers were compared, and those that are not the same in all circumstances as in the first."""
    first: dict[str, str] = {}
    found: list[str] = []
    for circumstance in circumstances:
        with TemporaryDirectory() as work:
            answers = asked(torch, Path(work), root, target, circumstance)
        known = {line: digest for line, digest in answers.items() if line in first or not first}
        first = first or answers
        found += [f"{circumstance.name}: {line}" for line, digest in known.items() if digest != first[line]]
        found += [f"{circumstance.name}: not asked: {line}" for line in first.keys() - known.keys()]
    return len(first), found


def main() -> int:
    """Compare; the status says whether all is the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch", type=Path, required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--python", action="append", default=[], help="another interpreter (repeatable)")
    arguments = parser.parse_args()
    others = tuple(Circumstance(f"Python {python}", python=python) for python in arguments.python)
    count, found = differences(arguments.torch, arguments.root, arguments.target, (*CIRCUMSTANCES, *others))
    for difference in found:
        print(difference)
    print(f"{count} answers in {len(CIRCUMSTANCES) + len(others)} circumstances: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
