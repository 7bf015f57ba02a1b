"""deepgrep: a call-graph static analyzer for PyTorch internals.

>>> import deepgrep
>>> with deepgrep.open() as torch:
...     answer = torch.reach("create_block_mask", "_is_fx_tracing_flag")
>>> answer.verdict
<Verdict.MAY_REACH: 'may-reach'>
"""

from __future__ import annotations

from deepgrep.errors import DeepgrepError

TYPE_CHECKING = False  # as type checkers know it; `typing` takes 20 ms, in which Ctrl-C would print a traceback

if TYPE_CHECKING:
    from deepgrep.api import Analysis, Filters, bisect, changes, diff, open, sweep  # noqa: A004

__all__ = ["Analysis", "DeepgrepError", "Filters", "bisect", "changes", "diff", "open", "sweep"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import the Python API when it is first used: the command line and its parts need not wait for it."""
    if name not in {"Analysis", "Filters", "bisect", "changes", "diff", "open", "sweep"}:
        raise AttributeError(f"module 'deepgrep' has no attribute {name!r}")
    from deepgrep import api

    return getattr(api, name)
