"""How large the cache is after one version, and how much further versions add.

usage: python benchmarks/cache.py VERSION [FURTHER_VERSION ...]

A version is one of torch, as `--torch` takes it: 2.12.0, installed, a folder, a wheel, git:PATH@REVISION.
What is downloaded to be analyzed is not counted: it is what is kept to answer from.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measuring import deepgrep


def size(folder: Path) -> tuple[int, dict[str, int]]:
    """The bytes of the files below a folder, in all and by the names directly in it."""
    by_name: dict[str, int] = {}
    for file in folder.rglob("*"):
        if file.is_file():
            name = file.relative_to(folder).parts[0]
            by_name[name] = by_name.get(name, 0) + file.stat().st_size
    return sum(by_name.values()), by_name


def main(versions: list[str]) -> None:
    """Measure, and print a table."""
    print(f"{'':44}{'cache':>10}{'more':>12}")
    with tempfile.TemporaryDirectory() as folder:
        before = 0
        for version in versions:
            deepgrep("states", "--torch", version, "--cache-dir", folder)
            total, by_name = size(Path(folder))
            print(f"{version[-43:]:44}{total / 1e6:>7.1f} MB{(total - before) / 1e6:>9.1f} MB", flush=True)
            before = total
        for name, part in sorted(by_name.items()):
            print(f"  {name:42}{part / 1e6:>7.1f} MB")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
