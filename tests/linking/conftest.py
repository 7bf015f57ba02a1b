"""What the linker does not do yet is listed, one test a line, in `known_faults.txt`.

Each listed test must fail: one that passes is no fault any more, and its line has to go.
"""

from __future__ import annotations

from pathlib import Path

import pytest

_KNOWN = frozenset(Path(__file__).with_name("known_faults.txt").read_text(encoding="utf-8").splitlines())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if f"{item.path.name}::{item.name}" in _KNOWN:
            item.add_marker(pytest.mark.xfail(strict=True, reason="not done yet: tests/linking/known_faults.txt"))
