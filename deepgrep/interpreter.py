"""What Python is told for a whole process: how deep code may nest, and which signals ask it to end."""

from __future__ import annotations

import signal
import sys

# Python code nests deeper than the interpreter's default allows: a long chain of `+` is a tree of that depth.
_RECURSION_LIMIT = 20_000


def allow_deep_recursion() -> None:
    """Let functions call themselves as deeply as code nests; how deep that is, extraction bounds."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))


def requests_to_end() -> frozenset[signal.Signals]:
    """Return the signals that ask a process to end: Ctrl-C and, where there are such, SIGTERM and SIGHUP."""
    return frozenset(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
