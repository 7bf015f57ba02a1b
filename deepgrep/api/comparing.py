"""Two opened versions compared: one question asked of both, or all that changed between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepgrep.api.analysis import Analysis
from deepgrep.api.arguments import access_kind, at_least, checked_filters, text
from deepgrep.errors import DeepgrepError
from deepgrep.graph.rows import AccessKind
from deepgrep.questions.filters import NO_FILTERS, Filters

if TYPE_CHECKING:
    from deepgrep.questions.changes_answers import ChangesAnswer
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

    question = question_of(
        text("root", root),
        text("target", target),
        access_kind(access),
        at_least("paths", paths, 1),
        checked_filters(filters),
    )
    return compare(version_of(before, question), version_of(after, question), question)


def changes(before: Analysis, after: Analysis) -> ChangesAnswer:
    """The shared state that is new, gone or changed between two versions, and the public functions that change it.

        >>> answer = deepgrep.changes(before, after)
        >>> [state.after.name for state in answer.states if "scope" in state.what]

    Args:
        before: the earlier version.
        after: the later one.

    Raises:
        DeepgrepError: one of them is no opened version, or was closed.
    """
    from deepgrep.questions.changes import changes as compare

    return compare(version_of(before), version_of(after))


def question_of(root: str, target: str, access: AccessKind | None, paths: int, filters: Filters) -> Question:
    """A question that is asked of several versions."""
    from deepgrep.questions.diff_sides import Question

    return Question(root, target, access, filters, paths)


def version_of(opened: Analysis, question: Question | None = None) -> Version:
    """An opened version as a question takes it.

    Raises:
        DeepgrepError: it is no opened version, or was closed.
    """
    from deepgrep.questions.diff_sides import Version

    if not isinstance(opened, Analysis):
        raise DeepgrepError(f"{opened!r}: it is what deepgrep.open gives")
    root = "" if question is None else question.root
    return Version(opened.graph, opened.source_files(root), opened.permalinks())
