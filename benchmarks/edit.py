"""How long the first question after an edit of one file takes, beside the first question of all.

usage: python benchmarks/edit.py [--source FOLDER] [--file PATH] [QUESTION ...]

Copies the installed torch, or the package in FOLDER (to be called torch: beside another, the installed torch is read
too), asks a question with an empty cache: the floor; then changes one function of one file, and asks again: of the
folder, and of a git commit of it. QUESTION begins with a verb: reach A B.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from measuring import Run, deepgrep

from deepgrep.sources import find_installed, read_tree

QUESTION = ("reach", "create_block_mask", "_is_fx_tracing_flag")
EDITED = "fx/_symbolic_trace.py"


def edit(file: Path, number: int) -> None:
    """Change the first function that a file has at its top level: it reads one name more.

    Raises:
        SystemExit: there is none.
    """
    text, count = re.subn(
        r"^(def \w+\(.*?\).*?:\n)", rf"\1    edit_{number}\n", file.read_text(), count=1, flags=re.M | re.S
    )
    if not count:
        raise SystemExit(f"{file}: no function at the top level")
    file.write_text(text)


def commit(folder: Path) -> None:
    """Commit all files of a folder."""
    who = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")
    for arguments in (("init", "-q"), ("add", "-A", "-f"), (*who, "commit", "-q", "-m", "benchmark")):
        subprocess.run(("git", "-C", str(folder), *arguments), check=True)


def row(name: str, run: Run, cold: Run) -> str:
    """One line of the table, with the ratios to the first question."""
    return (
        f"{name:34}{run.wall:>8.1f} s{run.wall / cold.wall:>8.3f}{run.cpu:>8.1f} s{run.cpu / cold.cpu:>8.3f}"
        f"{run.peak_mib:>9,.0f} MiB"
    )


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="the folder of a package, instead of the installed torch")
    parser.add_argument("--file", default=EDITED, help="what to edit, relative to the package")
    parser.add_argument("question", nargs="*", default=QUESTION)
    arguments = parser.parse_args()
    installed = arguments.source or read_tree(find_installed("torch"), b"", print)[0].location / "torch"
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "work" / installed.resolve().name
        shutil.copytree(installed, package, ignore=lambda path, names: [n for n in names if _is_other(Path(path, n))])
        cache = ("--cache-dir", f"{folder}/cache")
        asked = (*arguments.question, "--source", str(package), *cache)
        cold = deepgrep(*asked)
        print(f"{'':34}{'wall':>10}{'/cold':>8}{'CPU':>10}{'/cold':>8}{'peak memory':>13}")
        print(row("cold: nothing stored", cold, cold), flush=True)
        edit(package / arguments.file, 1)
        print(row("after an edit: folder", deepgrep(*asked), cold), flush=True)
        print(row("the same again", deepgrep(*asked), cold), flush=True)
        edit(package / arguments.file, 2)
        commit(package.parent)
        asked = (*arguments.question, "--source", f"git:{package.parent}@HEAD", *cache)
        print(row("after an edit: git commit", deepgrep(*asked), cold), flush=True)
        print(row("the same again", deepgrep(*asked), cold), flush=True)


def _is_other(path: Path) -> bool:
    """Whether something is not source of Python."""
    return path.is_file() and path.suffix != ".py"


if __name__ == "__main__":
    main()
