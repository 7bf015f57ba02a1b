"""What calls cost in a search for the best way: the more doubtful, the more."""

from __future__ import annotations

from deepgrep.graph.kinds import KINDS
from deepgrep.graph.rows import Certainty, Via

_WEIGHTS = {Certainty.CERTAIN: 1, Certainty.DISPATCH: 4, Certainty.FLOW: 6}
# An import runs once and was seldom meant; what another process does is done to that process's own state.
_LEAST = {Via.IMPORT: 2, Via.PROCESS: 12}


def _cost(via: Via, certainty: Certainty) -> int:
    return 0 if via is Via.SAME else max(_WEIGHTS[certainty], _LEAST.get(via, 0))


COST = bytes(_cost(via, certainty) for via, certainty in KINDS)
"""By the kind of an edge."""

FAR = 1 << 60
"""More than any path costs."""
