"""What someone who waits for the indexing sees on stderr: nothing, if it is over within a second."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0


class Progress:
    """A bar on a terminal once the work takes over a second, and a line at the end that says how long it took."""

    def __init__(self, stream: TextIO) -> None:
        """Show nothing yet.

        Args:
            stream: where bar and line go: `sys.stderr`.
        """
        self._stream = stream
        self._lock = threading.Lock()
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None
        self._timer: threading.Timer | None = None
        self._stage = ("", 0, 0)
        self._began: float | None = None

    def stage(self, text: str, total: int = 0) -> None:
        """Begin the next stage of the work.

        Args:
            text: what is being done: `reading`.
            total: how many steps it has; 0 where that is not known.
        """
        with self._lock:
            self._stage = (text, 0, total)
            if self._began is None:
                self._began = time.monotonic()
                if self._stream.isatty():
                    self._timer = threading.Timer(PATIENCE, self._show)
                    self._timer.daemon = True
                    self._timer.start()
            elif self._bar is not None:
                self._add_task(self._bar)

    def advance(self, steps: int) -> None:
        """Say that some steps of the stage are done."""
        with self._lock:
            text, done, total = self._stage
            self._stage = (text, done + steps, total)
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, completed=done + steps)

    def end(self, summary: str = "") -> None:
        """Take the bar away.

        Args:
            summary: what was done, for the line that says how long it took; "" where it came to nothing.
        """
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()
            seconds = 0.0 if self._began is None else time.monotonic() - self._began
            self._bar = self._task = self._timer = self._began = None
        if summary and seconds > PATIENCE:
            print(f"deepgrep: {_safe(summary)} in {seconds:.0f} s", file=self._stream)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        bar = Progress(*columns, console=Console(file=self._stream), transient=True)
        with self._lock:
            if self._timer is None:  # the end came while rich was being imported
                return
            self._bar = bar
            self._add_task(bar)
            bar.start()

    def _add_task(self, bar: rich.progress.Progress) -> None:
        if self._task is not None:
            bar.remove_task(self._task)
        text, done, total = self._stage
        self._task = bar.add_task(_safe(text), completed=done, total=total or None)


def _safe(text: str) -> str:
    """A text to print: it can hold names of folders and files."""
    from deepgrep.reports.words import clean

    return clean(text)
