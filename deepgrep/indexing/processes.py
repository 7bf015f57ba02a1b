"""Worker processes that end at once, and silently, when anything goes wrong: Ctrl-C above all."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, parent_process
from typing import Any

from deepgrep.interpreter import requests_to_end


class WorkerLostError(Exception):
    """A process ended over its work, as happens when memory runs out."""


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def worker_processes(jobs: int, start: Callable[..., None], *arguments: Any) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes, which end when the `with` does: at once, if that is by an exception.

    Args:
        jobs: how many.
        start: called in each with the arguments, to begin with; it calls `begin_worker`.
        arguments: its arguments.
    """
    others = set(active_children())
    pool = ProcessPoolExecutor(jobs, initializer=start, initargs=arguments)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise
    pool.shutdown()


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Start processes with signals blocked: one that gets them before `begin_worker` would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, requests_to_end())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepare this process to work for its parent: it leaves Ctrl-C to that, and ends with it."""
    import faulthandler
    from threading import Thread

    faulthandler.disable()  # a crash is reported as what it means for the work
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all: the parent ends its workers, silently
    if hasattr(signal, "pthread_sigmask"):
        for number in requests_to_end() - {signal.SIGINT}:
            if callable(signal.getsignal(number)):  # what the parent does then is not for its workers
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, requests_to_end())
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
