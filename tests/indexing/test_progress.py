"""Who waits for over a second is told how far it is, and how long it took."""

import io
import time

import pytest

from deepgrep.indexing import Progress, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.05)


def work(stream: io.StringIO, seconds: float) -> str:
    shown = Progress(stream)
    shown.stage("reading files", 10)
    shown.advance(4)
    time.sleep(seconds)
    shown.stage("linking")
    shown.end("indexed torch 2.13.0 (2,285 files)")
    return stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["file", "terminal"])
def test_quick_work_says_nothing(stream: io.StringIO) -> None:
    assert work(stream, 0) == ""


@pytest.mark.usefixtures("impatient")
def test_slow_work_is_one_plain_line_in_a_file() -> None:
    assert work(io.StringIO(), 0.1) == "deepgrep: indexed torch 2.13.0 (2,285 files) in 0 s\n"


@pytest.mark.usefixtures("impatient")
def test_slow_work_shows_a_bar_on_a_terminal() -> None:
    shown = work(Terminal(), 0.6)
    assert "reading files" in shown
    assert "4/10" in shown
    assert shown.endswith("deepgrep: indexed torch 2.13.0 (2,285 files) in 1 s\n")


@pytest.mark.usefixtures("impatient")
def test_work_that_failed_leaves_no_line() -> None:
    stream = io.StringIO()
    shown = Progress(stream)
    shown.stage("reading files", 10)
    time.sleep(0.1)
    shown.end()
    assert stream.getvalue() == ""
