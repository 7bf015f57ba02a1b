"""Facts of many files at once, on all cores, in processes that may die without taking the run along."""

from __future__ import annotations

import hashlib
import os
import signal
import zlib
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Pipe, Process, active_children, parent_process
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.sources import File, byte_size

if TYPE_CHECKING:
    from deepgrep.facts import ModuleFacts

# Source bytes that a worker takes at a time: about a second of work.
_CHUNK_BYTES = 200_000


# The exit code of a process that was ended from outside (SIGKILL), as the kernel does when memory runs out.
_KILLED = -9


@dataclass(frozen=True, slots=True)
class Unread:
    """A file whose facts are wanted.

    Attributes:
        path: the file.
        digest: of the bytes that it is known to have.
    """

    path: File
    digest: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of one file.

    Attributes:
        digest: of the file's bytes.
        facts: encoded and compressed, `unpack_facts` reads them; b"" where there are none.
        reason: why there are none.
    """

    digest: str
    facts: bytes
    reason: str = ""


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def unpack_facts(data: bytes) -> ModuleFacts:
    """Read the facts in an `Extracted`."""
    from deepgrep.facts import decode

    return decode(zlib.decompress(data))


def extract_files(files: Sequence[Unread], jobs: int) -> Iterator[list[Extracted]]:
    """Extract the facts of files.

    A file that crashes its process (the parser's stack is finite) is found by reading the files that were being read at
    that moment again, one after the other.

    Args:
        files: each content once.
        jobs: how many processes work at the same time.

    Yields:
        Some results, as they come.

    Raises:
        DeepgrepError: a file has changed since its digest was taken, or there is not enough memory.
    """
    waiting = deque(_chunks(files))
    suspects: list[Unread] = []
    while waiting:
        suspects += yield from _extract_in_pool(waiting, min(jobs, len(waiting)))
    yield from _extract_apart(suspects)


def _chunks(files: Sequence[Unread]) -> Iterator[list[Unread]]:
    """Files in portions of similar size, the largest files first, so that all cores end at about the same time."""
    chunk: list[Unread] = []
    size = 0
    sizes = {file.digest: byte_size(file.path) for file in files}
    for file in sorted(files, key=lambda file: (-sizes[file.digest], file.digest)):
        if chunk and size + sizes[file.digest] > _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(file)
        size += sizes[file.digest]
    if chunk:
        yield chunk


def _extract_in_pool(waiting: deque[list[Unread]], jobs: int) -> Generator[list[Extracted], None, list[Unread]]:
    """Work through the waiting chunks until none is left or a worker dies; returns what was in work then."""
    running: dict[Future[list[Extracted]], list[Unread]] = {}
    with _pool(jobs) as pool:
        try:
            while waiting or running:
                while waiting and len(running) <= jobs:  # one more than can run: no worker waits for this process
                    with _interrupts_deferred():  # this starts the workers
                        running[pool.submit(_extract_chunk, waiting[0])] = waiting[0]
                    waiting.popleft()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield future.result()
                    del running[future]
        except BrokenProcessPool:
            return [file for chunk in running.values() for file in chunk]
    return []


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that end at once when anything goes wrong here, Ctrl-C above all."""
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, initializer=_start_worker)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    pool.shutdown()


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Start processes with Ctrl-C blocked: one that gets it before it ignores it would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    import faulthandler
    import gc
    from threading import Thread

    from deepgrep import facts

    faulthandler.disable()  # a crash is reported as what it means for the file
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all: the parent ends its workers, silently
    gc.disable()  # syntax trees are many objects and few cycles: a fifth of the time
    facts.quicken()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _extract_apart(files: Sequence[Unread]) -> Iterator[list[Extracted]]:
    """Extract file by file in a process apart; a file at which it dies is the one to blame."""
    waiting = deque(files)
    while waiting:
        receiver, sender = Pipe(duplex=False)
        process = Process(target=_send_extracted, args=(sender, list(waiting)), daemon=True)
        with _interrupts_deferred():
            process.start()
        sender.close()
        try:
            while waiting:
                outcome: Extracted | DeepgrepError = receiver.recv()
                if isinstance(outcome, DeepgrepError):
                    raise outcome
                waiting.popleft()
                yield [outcome]
        except EOFError:
            process.join()
            yield [_blame(waiting.popleft(), process.exitcode)]
        finally:
            process.kill()
            process.join()
            receiver.close()


def _send_extracted(sender: Connection, files: list[Unread]) -> None:
    _start_worker()
    try:
        for file in files:
            sender.send(_extract_file(file))
    except DeepgrepError as error:
        sender.send(error)


def _blame(file: Unread, exit_code: int | None) -> Extracted:
    if exit_code == _KILLED:
        raise DeepgrepError(
            f"{file.path}: the process that read it was killed, as happens when memory runs out: "
            "free some, and run the command again"
        )
    return Extracted(file.digest, b"", f"the parser crashed (exit status {exit_code}): nested too deeply?")


def _extract_chunk(files: list[Unread]) -> list[Extracted]:
    return [_extract_file(file) for file in files]


def _extract_file(file: Unread) -> Extracted:
    from deepgrep import facts

    try:
        data = file.path.read_bytes()
    except OSError:
        data = None
    if data is None or hashlib.sha256(data).hexdigest() != file.digest:
        raise DeepgrepError(f"{file.path}: changed while it was being read: run the command again")
    try:
        return Extracted(file.digest, zlib.compress(facts.encode(facts.extract(data)), level=1))
    except facts.ExtractError as error:
        return Extracted(file.digest, b"", str(error))
    except MemoryError:
        raise DeepgrepError(
            f"{file.path}: not enough memory to read it: free some, and run the command again"
        ) from None
    except Exception as error:  # one file that the extractor cannot cope with must not end the run: it is reported
        return Extracted(file.digest, b"", f"deepgrep failed on it: {type(error).__name__}: {error}")
