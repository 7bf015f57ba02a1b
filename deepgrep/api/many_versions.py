"""Stored queries over many versions: the next one is read while others are linked, each in a process of its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from deepgrep.errors import DeepgrepError
from deepgrep.graph.callgraph import CallGraph
from deepgrep.indexing.file_facts import Extract, extract_here
from deepgrep.indexing.graphs import gather, graph_key, graph_of, keep_graph
from deepgrep.indexing.modules import choose_modules
from deepgrep.indexing.processes import (
    WorkerLostError,
    available_cores,
    begin_worker,
    interrupts_deferred,
    worker_processes,
)
from deepgrep.indexing.progress import Progress
from deepgrep.indexing.unlinked import Unlinked, linked_sections
from deepgrep.questions.roots import is_script
from deepgrep.questions.stored import StoredQuery
from deepgrep.questions.sweep import SweepAnswer, Swept, SweptVersion, sweep_answer, swept
from deepgrep.sources import SourceTree
from deepgrep.store import Store

# What a process takes that links the whole of torch, with room.
_LINKING_BYTES = 4 << 30

# A worker of a cluster may have several threads: two programs at a time would take twice the memory, and no less time.
_linking = threading.Lock()

_Linked = tuple[dict[str, bytes], list[Swept]]


@dataclass(frozen=True, slots=True)
class Workers:
    """Where the work is done.

    Attributes:
        extract: extracts facts.
        submit: has a version linked and its queries answered.
        result_of: waits for that.
    """

    extract: Extract
    submit: Callable[[Unlinked, Sequence[StoredQuery]], Future[_Linked]]
    result_of: Callable[[Future[_Linked]], _Linked]


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is asked, and how.

    Attributes:
        queries: what to ask.
        read: gives the source trees of a version.
        store: the cache; what is linked is stored there.
        workers: where the work is done.
        warn: called with a line about what was left out.
        progress: told how far the work is.
    """

    queries: Sequence[StoredQuery]
    read: Callable[[str], list[SourceTree]]
    store: Store
    workers: Workers
    warn: Callable[[str], None]
    progress: Progress


@dataclass(slots=True)
class _Version:
    """A version on its way: `answers` are there at once if its graph is stored, else once `linked` is."""

    swept: SweptVersion
    answers: list[Swept]
    key: str = ""
    program: Unlinked | None = None
    linked: Future[_Linked] | None = None


def answer_on(versions: Sequence[str], sweep: Sweep) -> SweepAnswer:
    """Answer queries on several versions, in order.

    Raises:
        DeepgrepError: the work cannot go on. A version that cannot be had is part of the answer.
    """
    begun: list[_Version] = []
    try:
        for name in versions:
            begun.append(_begun(name, sweep))
            for version in begun:
                if version.linked is not None and version.linked.done():
                    _finish(version, sweep)
        waiting = [version for version in begun if version.linked is not None]
        sweep.progress.stage("linking versions", len(waiting))
        for version in waiting:
            _finish(version, sweep)
            sweep.progress.advance(1)
    finally:
        sweep.progress.end()
    answers = [version.answers for version in begun]
    return sweep_answer([version.swept for version in begun], list(sweep.queries), answers)


def _begun(name: str, sweep: Sweep) -> _Version:
    """Read a version, and have it linked if it is not stored."""
    from deepgrep.graph.rows import Source

    try:
        trees = sweep.read(name)
    except DeepgrepError as error:
        return _Version(SweptVersion(name, [], str(error)), [])
    named = SweptVersion(name, [Source(tree.name, tree.version, tree.commit, tree.digest) for tree in trees])
    key = graph_key(trees)
    if sweep.store.has_graph(key) and (answers := _stored_answers(key, sweep)) is not None:
        return _Version(named, answers)
    modules = choose_modules(trees, sweep.warn)
    _, program = gather(trees, modules, sweep.store, sweep.workers.extract, sweep.progress)
    return _Version(named, [], key, program, sweep.workers.submit(program, _typed(sweep.queries)))


def _stored_answers(key: str, sweep: Sweep) -> list[Swept] | None:
    """The answers from a stored graph; None where a part of it cannot be read."""

    def read(name: str) -> bytes:
        data = sweep.store.section(key, name)
        if data is None:
            raise _UnreadError
        return data

    try:
        return _answers(graph_of(read), sweep.queries)
    except _UnreadError:
        sweep.store.drop_graph(key)
        return None


class _UnreadError(Exception):
    """A section of a stored graph is damaged."""


def _finish(version: _Version, sweep: Sweep) -> None:
    """Take in what was linked and answered, and store it."""
    assert version.linked is not None
    assert version.program is not None
    workers = sweep.workers
    try:
        sections, answers = workers.result_of(version.linked)
    except WorkerLostError:
        # It may have been lost with what others did: once more, when there is less beside it.
        try:
            sections, answers = workers.result_of(workers.submit(version.program, _typed(sweep.queries)))
        except WorkerLostError:
            raise DeepgrepError(
                f"{version.swept.name}: the process that linked it was killed, as happens when memory runs out: "
                f"{_LINKING_BYTES >> 30} GB will do; what was done is kept"
            ) from None
    keep_graph(version.key, sections, version.program, sweep.store)
    graph = graph_of(sections.__getitem__)
    given = iter(answers)
    # Scripts lie on this machine.
    version.answers = [swept(graph, query) if is_script(query.root) else next(given) for query in sweep.queries]
    version.linked = version.program = None


def _typed(queries: Sequence[StoredQuery]) -> list[StoredQuery]:
    """The queries that can be asked elsewhere."""
    return [query for query in queries if not is_script(query.root)]


def _answers(graph: CallGraph, queries: Sequence[StoredQuery]) -> list[Swept]:
    return [swept(graph, query) for query in queries]


def _linked_and_answered(program: Unlinked, queries: Sequence[StoredQuery]) -> _Linked:
    """Do the work of one version."""
    with _linking:
        sections = linked_sections(program)
    return sections, _answers(graph_of(sections.__getitem__), queries)


@contextmanager
def workers_here(jobs: int | None) -> Iterator[Workers]:
    """Give the processes of this machine.

    Args:
        jobs: how many; None for one for each core. Where memory is short, fewer link at the same time.
    """
    most = jobs or available_cores()
    with ExitStack() as stack:
        try:
            processes = worker_processes(max(1, min(most, _memory() // _LINKING_BYTES)), begin_worker)
            pool = stack.enter_context(processes)
        except (OSError, RuntimeError) as error:
            raise _none_started(error) from None
        yield Workers(partial(extract_here, jobs=jobs), partial(_submit_here, pool), _result_here)


def _submit_here(pool: ProcessPoolExecutor, program: Unlinked, queries: Sequence[StoredQuery]) -> Future[_Linked]:
    try:
        with interrupts_deferred():  # this starts the workers
            return pool.submit(_linked_and_answered, program, queries)
    except BrokenProcessPool:  # by a version before
        raise _lost() from None
    except (OSError, RuntimeError) as error:
        raise _none_started(error) from None


def _result_here(future: Future[_Linked]) -> _Linked:
    try:
        return future.result()
    except BrokenProcessPool:
        raise _lost() from None


def _lost() -> DeepgrepError:
    return DeepgrepError(
        "a process that linked was killed, as happens when memory runs out: run the command again with --jobs 1; "
        "what was done is kept"
    )


def _none_started(error: OSError | RuntimeError) -> DeepgrepError:
    said = getattr(error, "strerror", None) or str(error)
    return DeepgrepError(
        f"no processes can be started to link in ({said}): they need semaphores (on Linux, /dev/shm) and open files"
    )


@contextmanager
def workers_on(scheduler: str) -> Iterator[Workers]:
    """Give the workers of a Dask cluster.

    Args:
        scheduler: its address.

    Raises:
        DeepgrepError: it cannot be reached.
    """
    from deepgrep.indexing.cluster import connected

    with connected(scheduler) as cluster:
        yield Workers(cluster.extract, partial(cluster.submit, _linked_and_answered), cluster.result_of)


def _memory() -> int:
    """How many bytes of memory this machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not said: one at a time
        return 0
