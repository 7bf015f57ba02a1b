"""The command line: one file for each verb."""

from __future__ import annotations

import gc
import sys

EXIT_ERROR = 2
_EXIT_INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit status."""
    # What a question makes is needed until its answer is there: to look through it for garbage finds none.
    gc.disable()
    try:
        # Imported here, so that Ctrl-C during start-up is as quiet as later.
        from deepgrep.cli.interrupts import end_on_signals, leave

        end_on_signals()
    except KeyboardInterrupt:
        sys.exit(_EXIT_INTERRUPTED)
    try:
        from deepgrep.cli.ending import run

        status = run()
        # Else Python looks for garbage to free before it ends: after linking, in two gigabytes, for ten seconds.
        gc.freeze()
        sys.exit(status)
    except KeyboardInterrupt:
        leave()
