"""Real answers for the documentation: cog runs these functions where a page names them.

Needs the torch that the documentation speaks of, and takes minutes where that is not indexed yet.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CUT = "…"


def answer(command: str, *parts: tuple[str, int]) -> None:
    """Print a command and what it answers, as a block of code.

    Args:
        command: what is typed after `deepgrep`.
        parts: what to show: the lines from the first one that holds a text on, and how many; all of it without parts.

    Raises:
        ValueError: the answer does not hold such a text any more.
    """
    lines = _output(command)
    wanted = (
        range(len(lines)) if not parts else sorted({n for text, count in parts for n in _found(lines, text, count)})
    )
    shown, before = [f"$ deepgrep {command}"], -1
    for number in wanted:
        if number != before + 1:
            shown.append(CUT)
        shown.append(lines[number])
        before = number
    if before + 1 < len(lines):
        shown.append(CUT)
    _print(shown)


def help_of(verb: str) -> None:
    """Print what `--help` says of a verb, as a block of code."""
    _print(_output(f"{verb} --help"))


def reports() -> None:
    """Print a table of the example reports."""
    folder = Path(__file__).parents[1] / "reports"
    queries = {query["name"]: query for query in json.loads("\n".join(_output("queries --format json")))["queries"]}
    print("| question | verdict | report |", "| --- | --- | --- |", sep="\n")
    for path in sorted(folder.glob("*.html")):
        query = queries[path.stem]
        files = [f"[{suffix}]({path.stem}.{suffix})" for suffix in ("md", "html", "svg")]
        if not path.with_suffix(".svg").exists():
            files.pop()
        print(f"| {query['question']} | `{query['expect']}` | {', '.join(files)} |")


def _print(lines: Sequence[str]) -> None:
    print("```console", *(line.rstrip() for line in lines), "```", sep="\n")


def _output(command: str) -> list[str]:
    typed = [sys.executable, "-P", "-m", "deepgrep", *shlex.split(command)]
    done = subprocess.run(typed, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise ValueError(f"deepgrep {command}: {done.stderr.strip()}")
    return done.stdout.rstrip("\n").split("\n")


def _found(lines: list[str], text: str, count: int) -> range:
    for number, line in enumerate(lines):
        if text in line:
            return range(number, min(number + count, len(lines)))
    raise ValueError(f"the answer no longer has {text!r}: choose another part to show")
