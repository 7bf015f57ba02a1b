"""What fuzzing found once is found no more: each kept input is given to its parser again."""

import importlib
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
INPUTS = sorted(FUZZ.glob("inputs/*/*"))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_kept_inputs_are_read_or_refused_in_words(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(FUZZ), *sys.path])
    importlib.import_module(f"fuzz_{path.parent.name}").one_input(path.read_bytes())


def test_every_parser_has_inputs_to_begin_with() -> None:
    assert {path.stem.removeprefix("fuzz_") for path in FUZZ.glob("fuzz_*.py")} == {path.parent.name for path in INPUTS}
