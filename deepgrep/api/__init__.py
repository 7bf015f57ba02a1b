"""The Python API: `deepgrep.open`, and the questions that can be asked of what it opens. The CLI is a layer over it."""

from deepgrep.api.analysis import Analysis
from deepgrep.api.bisecting import bisect
from deepgrep.api.comparing import changes, diff
from deepgrep.api.opening import open  # noqa: A004
from deepgrep.api.sweeping import sweep
from deepgrep.questions.filters import Filters

__all__ = ["Analysis", "Filters", "bisect", "changes", "diff", "open", "sweep"]
