"""The same sources give the same bytes, on a small tree; `determinism.py` does it for others, by hand."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from determinism import CHECKOUT, CIRCUMSTANCES, differences


def test_every_verb_and_format_gives_the_same_bytes_in_all_circumstances(tmp_path: Path) -> None:
    torch = tmp_path / "torch"
    shutil.copytree(CHECKOUT / "deepgrep" / "store", torch, ignore=shutil.ignore_patterns("__pycache__"))
    (torch / "flags.py").write_text(
        "flag = 0\ndef start():\n    change()\ndef change():\n    global flag\n    flag = 1\n"
    )
    count, found = differences(torch, "torch.flags.start", "torch.flags.flag", CIRCUMSTANCES)
    assert count > 30
    assert found == []
