"""Ctrl-C and requests to end: the work is broken off, what it left half done is removed, and that takes no second."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

from deepgrep.interpreter import requests_to_end

# Seconds to unwind in. Then the process ends as it is: nothing that it keeps needs more to be whole.
_GRACE = 0.5

_status = 128 + signal.SIGINT


def end_on_signals() -> None:
    """Take SIGINT, SIGTERM and SIGHUP as requests to end, unless whoever started the process had them ignored."""
    for number in requests_to_end():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def leave() -> NoReturn:
    """End with the status that shells give to a process that a signal ended: 130 after Ctrl-C.

    At once: to give back gigabytes, object by object, takes seconds.
    """
    os._exit(_status)


def _interrupt(number: int, _frame: FrameType | None) -> NoReturn:
    global _status
    _status = 128 + number
    for another in requests_to_end():
        signal.signal(another, signal.SIG_IGN)
    # Raised in a callback of the interpreter, such as one of its import lock, the exception is printed and lost.
    sys.unraisablehook = lambda _: None
    _thread.start_new_thread(_leave_later, ())  # a `Thread` takes locks, which the interrupted code may hold
    raise KeyboardInterrupt


def _leave_later() -> None:
    time.sleep(_GRACE)
    leave()
