"""From a question to a report: it is asked once, and everything is made of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deepgrep.api.source_lines import source_lines
from deepgrep.questions.reach import investigate
from deepgrep.reports.links import permalinks
from deepgrep.reports.report import Asked, Report, make_report
from deepgrep.sources import SourceTree
from deepgrep.sources.released import compare_releases

if TYPE_CHECKING:
    from deepgrep.graph.callgraph import CallGraph


def report(graph: CallGraph, trees: Sequence[SourceTree], sources: Sequence[str], asked: Asked) -> Report:
    """Answer a question, and report the answer.

    Args:
        graph: that of the trees.
        trees: what was analyzed.
        sources: the options that name those that the user named.
        asked: the question.

    Raises:
        DeepgrepError: it cannot be answered.
    """
    findings = investigate(graph, asked.root, asked.target, asked.access, asked.filters)
    released = compare_releases(trees)
    lines = source_lines(trees, asked.root)
    return make_report(findings, asked, lines, permalinks(trees, released), released, sources)
