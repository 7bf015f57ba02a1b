"""What columns count in: the kinds of edges and of accesses."""

from __future__ import annotations

from deepgrep.graph.rows import AccessKind, Certainty, Via

VIAS = tuple(Via)
CERTAINTIES = tuple(Certainty)
ACCESS_KINDS = tuple(AccessKind)
KINDS = tuple((via, certainty) for via in VIAS for certainty in CERTAINTIES)
"""What the `edge_kind` column counts in."""
IMPORT = bytes(via is Via.IMPORT for via, _ in KINDS)
"""1 for each kind of edge that is an import."""
CERTAIN = bytes(certainty is Certainty.CERTAIN for _, certainty in KINDS)
"""1 for each kind of edge that is certain."""

NO_TEXT = 0
"""The number of the empty text."""
