"""Printing: answers on stdout or in a file, everything else on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click

from deepgrep.errors import DeepgrepError
from deepgrep.reports.words import clean

# What a shell reports for a program that SIGPIPE ended. Not 1: that is an answer.
_EXIT_CLOSED_PIPE = 141
_PIPE_WIDTH = 100
_NARROWEST = 60


def width(output: Path | None = None) -> int:
    """Columns for text: the terminal's; 100 in pipes and in files such as `output`."""
    if output is not None or not sys.stdout.isatty():
        return _PIPE_WIDTH
    import shutil  # late: 3 ms, and most answers go into pipes

    return max(_NARROWEST, shutil.get_terminal_size().columns)


def show(content: str | bytes, output: Path | None = None) -> None:
    """Write an answer to a file, or to stdout; with colour only where a terminal shows it and NO_COLOR is not set.

    Args:
        content: text with colour, or bytes as they are.
        output: the file; None for stdout.

    Raises:
        DeepgrepError: it cannot be written.
    """
    if output is not None:
        data = content if isinstance(content, bytes) else click.unstyle(content).encode()
        try:
            _write_file(output, data)
        except OSError as error:
            raise DeepgrepError(f"cannot write {output}: {error.strerror}") from error
        return
    if hasattr(sys.stdout, "reconfigure"):
        # A terminal that cannot show a character of the analyzed code is no reason to fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        click.echo(content, nl=False, color=False if os.environ.get("NO_COLOR") else None)
    except BrokenPipeError:
        _leave_closed_pipe()
    except OSError as error:
        drop_buffered()
        raise DeepgrepError(f"cannot write to stdout: {error.strerror}") from error
    flush()


def _write_file(output: Path, data: bytes) -> None:
    """Write a file whole: one that cannot be, as the disk is full, stays what it was.

    It is written beside, and put in its place. What is no file (a pipe, a device), and a file in a folder that takes no
    other, are written as they are.
    """
    path = Path(os.path.realpath(output))
    is_there = os.path.exists(output)
    if path.is_symlink() or (is_there and not path.is_file()) or not os.access(path.parent, os.W_OK):
        output.write_bytes(data)
        return
    if is_there:
        output.open("ab").close()  # refused where it may not be written
    written = path.with_name(f".deepgrep-{os.getpid()}.tmp")
    try:
        written.write_bytes(data)
        if is_there:
            written.chmod(path.stat().st_mode)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def flush() -> None:
    """Write out what is buffered for stdout.

    Raises:
        DeepgrepError: it cannot be written.
        SystemExit: nobody reads it any more.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_closed_pipe()
    except OSError as error:
        drop_buffered()
        raise DeepgrepError(f"cannot write to stdout: {error.strerror}") from error


def complain(message: str) -> None:
    """Tell about an error, on stderr."""
    _tell(f"deepgrep: {_safe(message)}")


def warn(message: str) -> None:
    """Tell about something that went wrong and does not stop the answer, on stderr."""
    _tell(f"deepgrep: warning: {_safe(message)}")


def _tell(message: str) -> None:
    # Where stderr cannot be written either, the exit status is all that is left to say.
    with contextlib.suppress(OSError):
        click.echo(message, err=True)


def open_closed_streams() -> None:
    """Open what a shell closed (`>&-`): else the next file that is opened is taken for it.

    What is written to stdout then fails, as on a full disk; what is told on stderr is told to nobody.
    """
    for number, name, flags in ((1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace"))


def _safe(message: str) -> str:
    """A message can hold names of the analyzed code; its lines stay lines."""
    return "\n".join(map(clean, message.split("\n")))


def _leave_closed_pipe() -> None:
    drop_buffered()
    sys.exit(_EXIT_CLOSED_PIPE)


def drop_buffered() -> None:
    """Send what is still buffered to nowhere, or the interpreter would fail on it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
