"""Two opened versions compared: one question asked of both, or all that changed between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.api.analysis import Analysis
from deepgrep.api.arguments import access_kind, at_least, checked_filters, text
from deepgrep.errors import DeepgrepError
from deepgrep.questions.filters import NO_FILTERS, Filters

if TYPE_CHECKING:
    from deepgrep.questions.diff_answers import DiffAnswer
    from deepgrep.questions.diff_sides import Question, Version


def diff(
    before: Analysis,
    after: Analysis,
    root: str,
    target: str,
    *,
    access: str | None = None,
    paths: int = 1,
    filters: Filters = NO_FILTERS,
) -> DiffAnswer:
    """What one question answers in two versions: paths and accesses that are gone, new and the same, and why.

        >>> with deepgrep.open("old/torch") as before, deepgrep.open("new/torch") as after:
        ...     answer = deepgrep.diff(before, after, "create_block_mask", "_is_fx_tracing_flag")
        >>> [path.differs.why for path in answer.paths if path.differs]

    Args:
        before: the earlier version.
        after: the later one.
        root: a function by any end of its name, Python code, or the path of a script.
        target: a state or a function, by any end of its name.
        access: "write", "read" or "call"; None for writes of a state and calls of a function.
        paths: how many paths of each version to compare; one to each accessing function is in any case.
        filters: what to leave out and what to assume, in both.

    Raises:
        DeepgrepError: the root or the target is in neither, or the question cannot be asked for another reason.
    """
    from deepgrep.questions.diff import diff as compare
    from deepgrep.questions.diff_sides import Question

    question = Question(
        text("root", root),
        text("target", target),
        access_kind(access),
        checked_filters(filters),
        at_least("paths", paths, 1),
    )
    return compare(_version(before, question), _version(after, question), question)


def _version(opened: Analysis, question: Question) -> Version:
    from deepgrep.questions.diff_sides import Version

    if not isinstance(opened, Analysis):
        raise DeepgrepError(f"{opened!r}: it is what deepgrep.open gives")
    return Version(opened.graph, opened.source_files(question.root), opened.permalinks())
