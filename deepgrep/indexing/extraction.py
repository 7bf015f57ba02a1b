"""Facts of many files at once, on all cores, in processes that may die without taking the run along."""

from __future__ import annotations

import hashlib
import zlib
from collections import deque
from collections.abc import Collection, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from deepgrep.errors import DeepgrepError
from deepgrep.indexing.processes import begin_worker, interrupts_deferred, worker_processes
from deepgrep.sources import File, byte_size

if TYPE_CHECKING:
    from deepgrep.facts import ModuleFacts, Pieces

# Source bytes that a worker takes at a time: about a second of work.
_CHUNK_BYTES = 200_000


CRASHED = "the parser crashed: nested too deeply?"
"""Why a file has no facts at which a process ended."""

# The exit codes of a process that was ended from outside (SIGKILL), as the kernel does when memory runs out, and of one
# whose parser got no more of it (SIGABRT). One that is nested too deeply ends by another signal.
_OUT_OF_MEMORY = frozenset({-9, -6})


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
        facts: what its facts are made of; None where it has none.
        new: the pieces that were not known, by key, compressed.
        reason: why there are no facts.
    """

    digest: str
    facts: Pieces | None
    new: dict[bytes, bytes] = field(default_factory=dict)
    reason: str = ""


def unpack_facts(facts: Pieces, contents: Sequence[bytes]) -> ModuleFacts:
    """Read the facts of a file.

    Args:
        facts: what they are made of.
        contents: the pieces, as an `Extracted` has them.
    """
    from deepgrep.facts import decode

    return decode(facts, [zlib.decompress(data) for data in contents])


def extract_files(files: Sequence[Unread], known: Collection[bytes], jobs: int) -> Iterator[list[Extracted]]:
    """Extract the facts of files.

    A file that crashes its process (the parser's stack is finite) is found by reading the files that were being read at
    that moment again, one after the other.

    Args:
        files: each content once.
        known: the keys of the pieces that need not be made.
        jobs: how many processes work at the same time.

    Yields:
        Some results, as they come.

    Raises:
        DeepgrepError: a file has changed since its digest was taken, or there is not enough memory.
    """
    waiting = deque(portions(files))
    suspects: list[Unread] = []
    while waiting:
        suspects += yield from _extract_in_pool(waiting, known, min(jobs, len(waiting)))
    yield from _extract_apart(suspects, known)


def portions(files: Sequence[Unread]) -> Iterator[list[Unread]]:
    """Divide files into portions of similar size, the largest first, so that all cores end at about the same time."""
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


def _extract_in_pool(
    waiting: deque[list[Unread]], known: Collection[bytes], jobs: int
) -> Generator[list[Extracted], None, list[Unread]]:
    """Work through the waiting chunks until none is left or a worker dies; returns what is to be read apart."""
    running: dict[Future[list[Extracted]], list[Unread]] = {}
    try:
        with worker_processes(jobs, _start_worker, known) as pool:
            try:
                while waiting or running:
                    while waiting and len(running) <= jobs:  # one more than can run: no worker waits for this process
                        with interrupts_deferred():  # this starts the workers
                            running[pool.submit(_extract_chunk, waiting[0])] = waiting[0]
                        waiting.popleft()
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        yield future.result()
                        del running[future]
            except BrokenProcessPool:
                return [file for chunk in running.values() for file in chunk]
    except (OSError, RuntimeError):
        # There can be no pool: it needs semaphores (on Linux, /dev/shm), threads, and many open files. A single process
        # does not.
        left = [file for chunk in (*running.values(), *waiting) for file in chunk]
        waiting.clear()
        return left
    return []


# In a worker process: the pieces that need not be made. Sent once, as they are many.
_known: Collection[bytes] = frozenset()


def _start_worker(known: Collection[bytes]) -> None:
    import gc

    from deepgrep import facts

    global _known
    _known = known
    begin_worker()
    gc.disable()  # syntax trees are many objects and few cycles: a fifth of the time
    facts.quicken()


def _extract_apart(files: Sequence[Unread], known: Collection[bytes]) -> Iterator[list[Extracted]]:
    """Extract file by file in a process apart; a file at which it dies is the one to blame."""
    waiting = deque(files)
    while waiting:
        receiver, sender, process = _started(list(waiting), known)
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


def _started(files: list[Unread], known: Collection[bytes]) -> tuple[Connection, Connection, Process]:
    """Start a process that extracts; where it sends what it has."""
    try:
        receiver, sender = Pipe(duplex=False)
        process = Process(target=_send_extracted, args=(sender, files, known), daemon=True)
        with interrupts_deferred():
            process.start()
    except OSError as error:
        raise DeepgrepError(f"no process can be started to read the files in ({error.strerror})") from None
    return receiver, sender, process


def _send_extracted(sender: Connection, files: list[Unread], known: Collection[bytes]) -> None:
    _start_worker(known)
    try:
        for file in files:
            sender.send(_extract_file(file, known))
    except DeepgrepError as error:
        sender.send(error)


def _blame(file: Unread, exit_code: int | None) -> Extracted:
    if exit_code in _OUT_OF_MEMORY:
        raise DeepgrepError(
            f"{file.path}: the process that read it was killed, as happens when memory runs out: "
            "free some, and run the command again"
        )
    return Extracted(file.digest, None, reason=CRASHED)


def _extract_chunk(files: list[Unread]) -> list[Extracted]:
    return [_extract_file(file, _known) for file in files]


def read_unread(file: Unread) -> bytes:
    """Give the bytes of a file.

    Raises:
        DeepgrepError: they are no longer those that its digest was taken of.
    """
    try:
        data = file.path.read_bytes()
    except OSError:
        data = None
    if data is None or hashlib.sha256(data).hexdigest() != file.digest:
        raise DeepgrepError(f"{file.path}: changed while it was being read: run the command again")
    return data


def _extract_file(file: Unread, known: Collection[bytes]) -> Extracted:
    return extract_contents(str(file.path), file.digest, read_unread(file), known)


def extract_contents(name: str, digest: str, data: bytes, known: Collection[bytes]) -> Extracted:
    """Extract the facts of one file.

    Args:
        name: what to call it where memory runs out.
        digest: of its bytes.
        data: its bytes.
        known: the keys of the pieces that need not be made.

    Raises:
        DeepgrepError: there is not enough memory.
    """
    from deepgrep import facts

    try:
        pieces, made = facts.extract_pieces(data, known)
        return Extracted(digest, pieces, {key: zlib.compress(piece, level=1) for key, piece in made.items()})
    except facts.ExtractError as error:
        return Extracted(digest, None, reason=str(error))
    except MemoryError:
        raise DeepgrepError(f"{name}: not enough memory to read it: free some, and run the command again") from None
    except Exception as error:  # one file that the extractor cannot cope with must not end the run: it is reported
        return Extracted(digest, None, reason=f"deepgrep failed on it: {type(error).__name__}: {error}")
