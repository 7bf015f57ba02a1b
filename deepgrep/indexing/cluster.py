"""Work on a Dask cluster: workers are handed bytes, and what they have done is fetched at once: none can lose it."""

from __future__ import annotations

import gc
import logging
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from deepgrep.errors import DeepgrepError
from deepgrep.indexing.extraction import CRASHED, Extracted, Unread, extract_contents, portions, read_unread
from deepgrep.indexing.processes import WorkerLostError
from deepgrep.store import linker_version

if TYPE_CHECKING:
    from distributed import Client

# Seconds to wait for the scheduler, and for its first worker.
_PATIENCE = 60

# Portions of files that are handed out for each thread of the cluster: one is worked on, one waits.
_PORTIONS_PER_THREAD = 2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Handed:
    """A file as a worker gets it: what to call it, the digest of its bytes, and these."""

    name: str
    digest: str
    data: bytes


class Cluster:
    """A Dask cluster, as long as the `with` of `connected` lasts."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self._executor: Executor = client.get_executor(pure=False)

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Let a worker do something.

        Args:
            work: a function of this package.
            arguments: its arguments.

        Returns:
            Its result, which `result_of` reads.
        """
        with warnings.catch_warnings():
            # Large arguments are meant: what a worker holds for others would be lost with it.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._executor.submit(_same_version, linker_version(), work, *arguments)

    def result_of(self, future: Future[T]) -> T:
        """Read a result.

        Raises:
            WorkerLostError: the workers that did the work ended, several times in a row.
            DeepgrepError: the work failed, or the cluster is gone.
        """
        from distributed.scheduler import KilledWorker

        self._first_done([future])
        try:
            return future.result()
        except DeepgrepError:
            raise
        except KilledWorker:
            raise WorkerLostError from None
        except Exception as error:
            gone = "its scheduler does not answer any more" if isinstance(error, CancelledError) else ""
            said = gone or " ".join(str(error).split()) or type(error).__name__
            raise DeepgrepError(
                f"cluster {self._address}: {said}: run the command again, as what was done is kept"
            ) from None

    def extract(self, files: Sequence[Unread], known: frozenset[bytes]) -> Iterator[list[Extracted]]:
        """Extract the facts of files, as `extraction.extract_files` does."""
        waiting = deque(portions(files))
        running: dict[Future[list[Extracted]], list[Unread]] = {}
        suspects: list[Unread] = []
        most = _PORTIONS_PER_THREAD * sum(self._client.nthreads().values())
        while waiting or running:
            while waiting and len(running) < max(2, most):
                portion = waiting.popleft()
                running[self._hand_out(portion, known)] = portion
            for future in self._first_done(running):
                portion = running.pop(future)
                try:
                    yield self.result_of(future)
                except WorkerLostError:
                    suspects += portion
        # Whatever was in work beside the one to blame is lost as often: only a file that is alone can be told to be it.
        for file in suspects:
            try:
                yield self.result_of(self._hand_out([file], known))
            except WorkerLostError:
                yield [Extracted(file.digest, None, reason=CRASHED)]

    def _first_done(self, futures: Collection[Future[T]]) -> set[Future[T]]:
        """Wait until something is done.

        Raises:
            DeepgrepError: there is nobody any more to do it.
        """
        waited = 0
        while waited < _PATIENCE:
            done = wait(futures, timeout=1, return_when=FIRST_COMPLETED).done
            if done:
                return done
            waited = 0 if self._client.scheduler_info()["workers"] else waited + 1
        raise DeepgrepError(
            f"cluster {self._address}: it has no workers any more: start some, and run the command again, as what was "
            "done is kept"
        )

    def _hand_out(self, files: Sequence[Unread], known: frozenset[bytes]) -> Future[list[Extracted]]:
        from deepgrep.facts import possible_keys

        handed = [_Handed(str(file.path), file.digest, read_unread(file)) for file in files]
        needless = frozenset().union(*(possible_keys(file.data) for file in handed)) & known
        return self.submit(_extract, handed, needless)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a cluster.

    Args:
        address: of its scheduler: `tcp://HOST:8786`.

    Raises:
        DeepgrepError: there is none, it has no workers, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise DeepgrepError("--scheduler needs Dask: pip install 'deepgrep[cluster]'") from None
    for name in list(logging.root.manager.loggerDict):  # what goes wrong is told in our own words
        if name.partition(".")[0] == "distributed":  # each has a level of its own
            logging.getLogger(name).setLevel(logging.CRITICAL)
    client, said = None, ""
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = " ".join(str(error).split())
    if client is None:
        # Half a client is left, which the error holds on to. Once its thread is gone, at exit, it would wait for a
        # minute and fail; here it ends at once.
        gc.collect()
        raise DeepgrepError(f"--scheduler {address}: no scheduler answers there ({said}): give tcp://HOST:PORT")
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise DeepgrepError(
                f"--scheduler {address}: it has no workers: start some with `dask worker {address}`"
            ) from None
        yield Cluster(client, address)


def _same_version(version: str, work: Callable[..., T], *arguments: Any) -> T:
    """Do some work, on a worker, if that would come to the same as here."""
    if linker_version() != version:
        raise DeepgrepError(
            "a worker of the cluster has another deepgrep, libcst or Python: install the same everywhere"
        )
    return work(*arguments)


def _extract(files: Sequence[_Handed], known: frozenset[bytes]) -> list[Extracted]:
    return [extract_contents(file.name, file.digest, file.data, known) for file in files]
