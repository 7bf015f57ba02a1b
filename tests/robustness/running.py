"""Command lines that are started, disturbed and watched: what ran, what it said, what it left behind."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
DATABASE = "deepgrep.sqlite3"

# Processes that lost their parent look for it all the time; on a busy machine that takes a moment.
PATIENCE = 10.0
_HANGS = 300.0


@dataclass(frozen=True)
class Outcome:
    """How a command line ended: its status (negative: the signal), what it wrote, and how long it took."""

    code: int
    out: bytes
    err: str
    seconds: float


@dataclass
class Running:
    """A command line at work, in a session of its own; to be ended by `finished`."""

    process: subprocess.Popen[bytes]
    began: float
    folder: Path

    def finished(self, patience: float = _HANGS) -> Outcome:
        """Wait for its end; one that hangs is killed, which its status shows."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            code = self.process.wait()
        seconds = time.monotonic() - self.began
        outcome = Outcome(
            code, (self.folder / "out").read_bytes(), (self.folder / "err").read_text("utf-8", "replace"), seconds
        )
        shutil.rmtree(self.folder)
        return outcome

    def workers(self) -> list[int]:
        """Its processes but for the first."""
        return [pid for pid in session_members(self.process.pid) if pid != self.process.pid]


@dataclass(frozen=True)
class Question:
    """What is asked: a verb with its arguments, and the environment."""

    arguments: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, cache: Path, *more: str) -> Running:
        """Ask, and do not wait."""
        folder = Path(tempfile.mkdtemp())
        command = [sys.executable, "-m", "deepgrep", *self.arguments, "--cache-dir", str(cache), *more]
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            process = subprocess.Popen(
                command,
                cwd=CHECKOUT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                preexec_fn=_default_signals,
            )
        return Running(process, time.monotonic(), folder)

    def ask(self, cache: Path, *more: str) -> Outcome:
        """Ask, and wait for the answer."""
        return self.start(cache, *more).finished()


def _default_signals() -> None:
    # Whoever started this may ignore them, as `nohup` and shells in the background do.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def session_members(session: int) -> list[int]:
    """The processes of a session that are still running."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[3]) == session and fields[0] not in "ZX":
                    found.append(int(entry.name))
    return found


def orphans(session: int) -> list[int]:
    """The processes that a session has when everyone had time to end; they are killed."""
    deadline = time.monotonic() + PATIENCE
    while (left := session_members(session)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


def left_in(cache: Path) -> list[str]:
    """What lies in a cache folder beside the database."""
    return sorted(entry.name for entry in cache.iterdir() if entry.name != DATABASE) if cache.is_dir() else []


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder for a while."""
    folder = Path(tempfile.mkdtemp(prefix="deepgrep-faults-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def deepgreps_own(folder: Path, packages: Sequence[str]) -> Question:
    """A question about some of deepgrep's own packages, copied beside an empty torch."""
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").touch()
    (folder / "deepgrep").mkdir()
    (folder / "deepgrep" / "__init__.py").touch()
    ignored = shutil.ignore_patterns("__pycache__")
    for package in packages:
        shutil.copytree(CHECKOUT / "deepgrep" / package, folder / "deepgrep" / package, ignore=ignored)
    return Question(("export", "--source", str(folder), "--jobs", "2"))


@dataclass
class Trial:
    """One kind of fault, tried many times.

    Attributes:
        question: what is asked.
        work: a folder for caches.
        choose: all that is random in it.
        right: the answer, from a cache that nothing happened to.
        seconds: how long that took.
        most_seconds: what ending at a request may take.
        failures: what went wrong, in words.
    """

    question: Question
    work: Path
    choose: random.Random
    right: bytes = b""
    code: int = 0
    seconds: float = 0.0
    size: int = 0
    most_seconds: float = 1.0
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        cache = self.work / "untouched"
        first = self.question.ask(cache)
        assert first.code in (0, 1), first.err
        self.right, self.code, self.seconds = first.out, first.code, first.seconds
        self.size = (cache / DATABASE).stat().st_size

    def moment(self) -> float:
        """A moment of the work, in seconds from its beginning."""
        return self.choose.uniform(0.0, 1.05 * self.seconds)

    def fail(self, what: str) -> None:
        """Note what went wrong, and say it at once: a run by hand may be broken off."""
        self.failures.append(what)
        print(what, flush=True)

    def is_right(self, outcome: Outcome, when: str) -> None:
        """Expect the answer, and no complaint of more than a line about the cache."""
        if (outcome.code, outcome.out) != (self.code, self.right):
            self.fail(f"{when}: status {outcome.code}, {len(outcome.out)} bytes, {outcome.err[-300:]!r}")
        if "Traceback" in outcome.err or outcome.err.count("warning: cache") > 1:
            self.fail(f"{when}: {outcome.err[-300:]!r}")

    def is_answered(self, cache: Path, when: str) -> None:
        """Expect that the next question is answered as if nothing had happened, and that nothing lies about."""
        self.is_right(self.question.ask(cache), when)
        if left := left_in(cache):
            self.fail(f"{when}: {left} left in the cache")
        if (size := (cache / DATABASE).stat().st_size) > 1.5 * self.size:
            self.fail(f"{when}: the cache has {size:,} bytes, not {self.size:,}")

    def forget(self, cache: Path) -> None:
        """Delete a cache that is not needed any more."""
        shutil.rmtree(cache, ignore_errors=True)


Kind = Callable[[Trial, int], None]
