"""Real code to compare with: files of the running Python's standard library, of all kinds and ages."""

import sysconfig
from pathlib import Path

FOLDER = Path(sysconfig.get_paths()["stdlib"])
SAMPLE = sorted(path for pattern in ("*.py", "[acjlu]*/*.py") for path in FOLDER.glob(pattern))
SAMPLE = [path for path in SAMPLE if 5_000 < path.stat().st_size < 50_000][::7]


def name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()
