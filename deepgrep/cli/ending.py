"""From arguments to an exit status: what a verb returns, and every way in which it can end otherwise."""

from __future__ import annotations

import errno

import click

from deepgrep.cli import EXIT_ERROR
from deepgrep.cli.app import app
from deepgrep.cli.output import complain, drop_buffered, flush, open_closed_streams
from deepgrep.errors import DeepgrepError

_UNWRITTEN = {errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}


def run() -> int:
    """Run the verb that the arguments name.

    Returns:
        Its exit status; `EXIT_ERROR` after an error that has been told about.

    Raises:
        KeyboardInterrupt: the user wants to stop.
    """
    open_closed_streams()
    try:
        code: int | None = app.main(prog_name="deepgrep", standalone_mode=False)
        flush()
        return code or 0
    except DeepgrepError as error:
        complain(str(error))
    except click.ClickException as error:
        complain(_usage(error))
    except click.Abort:
        raise KeyboardInterrupt from None
    except MemoryError:
        complain("not enough memory: free some, and run the command again")
    except OSError as error:
        # Of these, what click itself writes (the help) gives only one without a file.
        unwritten = error.filename is None and error.errno in _UNWRITTEN
        complain(f"cannot write to stdout: {error.strerror}" if unwritten else _defect())
        drop_buffered()
    except Exception:
        # Python's own status would be 1, which means "no path": a defect of deepgrep must never look like that.
        complain(_defect())
    return EXIT_ERROR


def _defect() -> str:
    """Show where deepgrep failed; the line to end with."""
    import traceback

    complain(traceback.format_exc().rstrip())
    return "internal error: please report it with the lines above"


def _usage(error: click.ClickException) -> str:
    """What is wrong with the arguments, in one line, and where to read about them."""
    said = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"{said}: see {context.command_path} --help" if context else said
