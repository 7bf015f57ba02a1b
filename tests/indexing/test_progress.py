"""Who waits for over a second is told how far it is, and how long it took."""

import io
import re
import time
from collections.abc import Callable

import pytest

from deepgrep.indexing import Progress, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.05)


def slept() -> bool:
    time.sleep(0.1)
    return True


def work(stream: io.StringIO, is_over: Callable[[], bool]) -> str:
    shown = Progress(stream)
    shown.stage("reading files", 10)
    shown.advance(4)
    deadline = time.monotonic() + 30
    while not is_over() and time.monotonic() < deadline:
        time.sleep(0.01)
    shown.stage("linking")
    shown.end("indexed torch 2.13.0 (2,285 files)")
    return stream.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["file", "terminal"])
def test_quick_work_says_nothing(stream: io.StringIO) -> None:
    assert work(stream, lambda: True) == ""


@pytest.mark.usefixtures("impatient")
def test_slow_work_is_one_plain_line_in_a_file() -> None:
    shown = work(io.StringIO(), slept)
    assert re.fullmatch(r"deepgrep: indexed torch 2\.13\.0 \(2,285 files\) in \d+ s\n", shown)


@pytest.mark.usefixtures("impatient")
def test_slow_work_shows_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    # The bar comes when rich has been imported, which can take long on a busy machine.
    shown = work(stream, lambda: "4/10" in stream.getvalue())
    assert "reading files" in shown
    assert "4/10" in shown
    assert re.search(r"deepgrep: indexed torch 2\.13\.0 \(2,285 files\) in \d+ s\n\Z", shown)


@pytest.mark.usefixtures("impatient")
def test_work_that_failed_leaves_no_line() -> None:
    stream = io.StringIO()
    shown = Progress(stream)
    shown.stage("reading files", 10)
    time.sleep(0.1)
    shown.end()
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["file", "terminal"])
def test_names_do_nothing_to_the_terminal(stream: io.StringIO) -> None:
    shown = Progress(stream)
    shown.stage("reading [/red]\x1b]0;title\x07", 10)
    deadline = time.monotonic() + 30
    while stream.isatty() and "reading" not in stream.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.1)
    shown.end("indexed \x1b]0;title\x07")
    assert "indexed \ufffd]0;title\ufffd in " in stream.getvalue()
    assert "\x1b]0" not in stream.getvalue()
    assert not stream.isatty() or "reading [/red]\ufffd]0;title\ufffd" in stream.getvalue()
