"""How the first question's time grows with the amount of code.

usage: python benchmarks/growth.py [--source FOLDER] [--with NAME] ...

Asks about an eighth, a quarter, a half and all of the installed torch, by lines, or of the package in FOLDER (to be
called torch: beside another, the installed torch is read too), each into an empty cache, and about all of it with
further packages, if there are any. A part is a package that has all files directly in it, and so many of its sub-
packages, in the order of their names: that of a sub-package which would be too much has again a part of it. The floor
is parsing the same files with libcst, before and after. The exponent is of the least squares line through the
logarithms: 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import shutil
import tempfile
from pathlib import Path

from measuring import deepgrep, parse_all

from deepgrep.indexing.processes import available_cores
from deepgrep.sources import find_directory, find_installed, read_tree

PARTS = (8, 4, 2, 1)


def part(folder: Path, lines: int) -> list[Path]:
    """The files of a package: those directly in it, and of its sub-packages as many as have so many lines in all."""
    chosen = sorted(folder.glob("*.py"))
    left = lines - sum(map(count, chosen))
    for below in sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()):
        if left <= 0:
            break
        files = part(below, left)
        chosen += files
        left -= sum(map(count, files))
    return chosen


def count(file: Path) -> int:
    """The lines of a file."""
    return file.read_bytes().count(b"\n")


def exponent(sizes: list[float], costs: list[float]) -> float:
    """The slope of the least squares line through the logarithms; of one point, there is none."""
    if len(set(sizes)) < 2:
        return math.nan
    xs, ys = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    above = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return above / sum((x - mean_x) ** 2 for x in xs)


def measure(name: str, package: Path, files: list[Path], further: list[str]) -> tuple[int, float, float]:
    """Index some files of a package, with further packages, and print a line; lines, CPU seconds, and of the floor."""
    parsed = list(files)
    for other in further:
        tree, _ = read_tree(find_installed(other), b"", print)
        parsed += [tree.location / file.path for file in tree.files]
    lines, jobs = sum(map(count, parsed)), available_cores()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / package.name
        for file in files:
            (copy / file.relative_to(package)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy / file.relative_to(package))
        before, cpu_before, _ = parse_all(parsed, jobs)
        options = [option for other in further for option in ("--with", other)]
        run = deepgrep("states", "--source", str(copy), *options, "--cache-dir", f"{folder}/cache")
        after, cpu_after, _ = parse_all(parsed, jobs)
    floor, floor_cpu = (before + after) / 2, (cpu_before + cpu_after) / 2
    print(
        f"{name:24}{len(parsed):>8,}{lines:>12,}{run.wall:>9.1f} s{run.wall / floor:>8.2f}{run.cpu:>9.1f} s"
        f"{run.cpu / floor_cpu:>8.2f}{run.peak_mib:>9,.0f} MiB",
        flush=True,
    )
    return lines, run.cpu, floor_cpu


def main() -> None:
    """Measure, and print a table and the exponents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, help="the folder of a package, instead of the installed torch")
    parser.add_argument("--with", dest="further", action="append", default=[], help="measure with this package, too")
    arguments = parser.parse_args()
    place = find_directory(arguments.source) if arguments.source else find_installed("torch")
    tree, _ = read_tree(place, b"", print)
    package = arguments.source.resolve() if arguments.source else tree.location / "torch"
    whole = part(package, 1 << 62)
    lines = sum(map(count, whole))
    print(f"{'':24}{'files':>8}{'lines':>12}{'wall':>11}{'/floor':>8}{'CPU':>11}{'/floor':>8}{'peak memory':>13}")
    done = [
        measure(f"1/{divisor} of {package.name}", package, part(package, lines // divisor), []) for divisor in PARTS
    ]
    if arguments.further:
        done.append(measure(f"with {', '.join(arguments.further)}", package, whole, arguments.further))
    sizes, costs, floors = ([float(row[column]) for row in done] for column in range(3))
    print(f"exponent of the CPU time: {exponent(sizes, costs):.2f}; of parsing alone: {exponent(sizes, floors):.2f}")


if __name__ == "__main__":
    main()
