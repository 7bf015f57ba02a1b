"""What calls cost in a search for the best way: the more doubtful, the more."""

from __future__ import annotations

from deepgrep.graph.layout import KINDS
from deepgrep.graph.rows import Certainty, Via

_WEIGHTS = {Certainty.CERTAIN: 1, Certainty.DISPATCH: 4, Certainty.FLOW: 6}
_IMPORT_WEIGHT = 2

# By the kind of an edge.
COST = bytes(
    0 if via is Via.SAME else max(_WEIGHTS[certainty], _IMPORT_WEIGHT * (via is Via.IMPORT)) for via, certainty in KINDS
)

FAR = 1 << 60
"""More than any path costs."""
